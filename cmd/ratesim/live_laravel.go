package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/redis"
	"github.com/ratesim/ratesim/sim/measure"
)

// forLaravel are the flags that mean something where the queue is Redis.
var forLaravel = []string{"redis", "keep", "for", "seed", "set", "trace", "json", "verbose"}

// apartFromLaravel refuses flags of the other system's queue.
func (f *liveFlags) apartFromLaravel(cmd *cobra.Command, s *model.Scenario) (err error) {
	if s.System != model.Laravel {
		if cmd.Flags().Changed("redis") {
			return usagef("--redis: %s is of system %s, whose queue is SQLite, want --db or a scenario of system %s", s.Name, s.System, model.Laravel)
		}
		return nil
	}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && err == nil && !slices.Contains(forLaravel, flag.Name) {
			err = usagef("--%s: %s is of system %s, whose queue is Redis; of it there are --%s", flag.Name, s.Name, s.System, strings.Join(forLaravel, ", --"))
		}
	})
	if err != nil {
		return err
	}
	if f.keep && f.redis == "" {
		return usagef("--keep: the embedded Redis ends with the run, and its keys with it, want --redis too")
	}
	if err := redis.Check(s); err != nil {
		return usagef("%s: %v", s.Name, err)
	}
	if f.length == 0 && s.Until == 0 && endless(s) {
		return usagef("%s: jobs never stop coming, want --for to say when to end", s.Name)
	}
	return nil
}

// runLaravel drives the queue on Redis and tells what happened.
func (f *liveFlags) runLaravel(a *app, s *model.Scenario) error {
	var trace *traceFile
	if f.trace != "" {
		t := readBy(s)
		if err := t.take("--trace", f.trace); err != nil {
			return err
		}
		var err error
		if trace, err = createTrace(f.trace); err != nil {
			return err
		}
		defer trace.discard()
		trace.scenario = s
	}
	server, err := redis.Open(a.ctx, f.redis)
	if err != nil {
		return redisError(err)
	}
	defer server.Close()
	result, stopped := f.drive(a, server, s)
	if !f.keep {
		if err := f.clean(server); err != nil && stopped == nil {
			a.warn("keys that begin with %s are left: %v", server.Prefix, err)
		}
	}
	if result == nil {
		return redisError(stopped)
	}
	l := f.toldLaravel(s, server, result, stopped)
	if f.keep {
		l.Redis.Prefix = server.Prefix
	}
	compared := f.compareLaravel(a, l, result, stopped != nil)
	if f.asJSON {
		err = report.LiveJSON(a.out, l)
	} else {
		report.LiveText(a.out, l, report.Look{Width: a.width(), Style: a.style(), Verbose: f.verbose})
	}
	switch {
	case err != nil:
		return err
	case stopped != nil:
		return redisError(stopped)
	case compared != nil:
		return compared
	}
	if trace != nil {
		for i := range result.Events {
			trace.Observe(&result.Events[i])
		}
		if err := trace.keep(); err != nil {
			return err
		}
	}
	if !l.Ran.Passed() {
		return failed()
	}
	return nil
}

// drive runs the queue. A Redis that goes away is told once, and when it is
// back.
func (f *liveFlags) drive(a *app, server *redis.Server, s *model.Scenario) (*redis.Result, error) {
	bar := a.lines()
	defer bar.Clear()
	o := redis.Options{Seed: f.seed, For: time.Duration(f.length), Every: 200 * time.Millisecond}
	o.Away = func(err error) {
		bar.Clear()
		a.warn("%s; the workers go on asking", oneLine(err.Error()))
	}
	if bar != nil {
		o.Watch = func(st redis.Status) { bar.Show(redisLine(st)) }
	}
	return redis.Run(a.ctx, server, s, o)
}

// clean takes the run's keys away, also after Ctrl-C.
func (f *liveFlags) clean(server *redis.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Clean(ctx)
}

// redisError sorts what went wrong with Redis: one that is the wrong one is the
// caller's mistake; one that is not there, or lost its data, is the machine's.
func redisError(err error) error {
	var wrong *redis.Wrong
	if errors.As(err, &wrong) {
		return usagef("--redis: %s", oneLine(wrong.Error()))
	}
	var failure *redis.Failure
	var lost *redis.Lost
	if errors.As(err, &failure) || errors.As(err, &lost) {
		return &exitError{codeMachine, "--redis: " + oneLine(err.Error())}
	}
	return err
}

// liveLaravelKeys are the numbers of a run that are told, in this order.
var liveLaravelKeys = []measure.Key{
	measure.DrainPerS, measure.MakespanS, measure.FinishedS, measure.WindowMax, measure.WaitP50S, measure.WaitP95S, measure.RunningMax,
	measure.Pops, measure.EmptyPops, measure.PopsPerJob, measure.RoundTrips, measure.RoundTripsPerJob, measure.AttemptsMax, measure.InWorkerWaits,
	measure.ProviderRefused, measure.ProviderWindowMax,
}
