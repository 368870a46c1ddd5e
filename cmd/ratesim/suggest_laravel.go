package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/tune"
)

// laravelFlags are the flags of suggest that only a Laravel queue has.
type laravelFlags struct {
	allow count
	every duration
	sleep duration
	blast count
}

func newLaravelFlags() laravelFlags {
	return laravelFlags{allow: count{Least: 1, Most: 1_000_000}, every: duration(time.Second), sleep: duration(time.Second), blast: count{N: 1000, Least: 2, Most: 100_000}}
}

func (f *laravelFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.Var(&f.allow, "allow", "Laravel: the most jobs in --every")
	s.Var(&f.every, "every", "Laravel: the length of that, in whole seconds")
	s.Var(&f.sleep, "sleep", "Laravel: how long a worker sleeps when it finds no job")
	s.Var(&f.blast, "blast", "Laravel: jobs that are dispatched at once")
}

// Whose flags are whose: the others of suggest serve both systems.
var (
	onlyLaravel    = []string{"allow", "every", "sleep", "blast"}
	onlySolidQueue = []string{"to", "per", "poll", "backlog", "threads", "dispatchers", "batch", "burst", "claim", "dispatch", "job-cpu", "timing", "at-once", "drain", "from", "env", "queue", "processors"}
)

// foreign refuses flags of the other system.
func foreign(cmd *cobra.Command, system model.System) error {
	names, want := onlyLaravel, "--system laravel for it"
	if system == model.Laravel {
		names, want = onlySolidQueue, "one of --"+strings.Join(append(slices.Clone(onlyLaravel), "workers", "takes"), ", --")
	}
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return usagef("--%s: means nothing for %s, want %s", name, system, want)
		}
	}
	return nil
}

// The usual values of a Laravel queue, where those of Solid Queue differ.
const (
	laravelWorkers = 10
	laravelTakes   = "150ms"
)

// laravel answers for a Laravel queue.
func (f *suggestFlags) laravel(a *app, cmd *cobra.Command) error {
	if err := require(cmd, "allow", "8"); err != nil {
		return err
	}
	every, sleep := time.Duration(f.every), time.Duration(f.sleep)
	switch {
	case every%time.Second != 0:
		return usagef("--every: %s is no whole number of seconds, want one such as 1s: Laravel's throttles count in seconds", model.FormatDuration(every))
	case sleep >= time.Second && sleep%time.Second != 0:
		return usagef("--sleep: %s is cut to %s by PHP's sleep, want whole seconds, or less than one", model.FormatDuration(sleep), model.FormatDuration(sleep.Truncate(time.Second)))
	case f.keepUp <= 0 || f.keepUp > 1 || f.keepUp != f.keepUp:
		return usagef("--keep-up: %v is not a share, want above 0 and at most 1, such as 0.95", f.keepUp)
	}
	if !cmd.Flags().Changed("workers") {
		f.workers.N = laravelWorkers
	}
	takes := f.takes.String()
	if !cmd.Flags().Changed("takes") {
		takes = laravelTakes
	}
	length, err := model.ParseDist(takes, nil)
	if err != nil {
		return usagef("--takes: %v", err)
	}
	q := &tune.LaravelQuestion{
		Given: tune.LaravelSetup{Workers: f.workers.N, Sleep: sleep}, Allow: f.allow.N, Every: every, Takes: length.Mean(1), Blast: f.blast.N,
		KeepUp: f.keepUp, Seed: f.seed, Runs: f.runs.N, Jobs: f.jobs.N,
		Scenario: func(u tune.LaravelSetup) (*model.Scenario, error) { return laravelScenario(f, u, takes) },
	}
	if err := q.Check(); err != nil {
		return usagef("--workers: %v", err)
	}
	bar := a.progress("simulating")
	q.Progress = bar.Set
	answer, err := tune.SuggestLaravel(a.ctx, q)
	bar.Clear()
	if err != nil {
		return err
	}
	if f.asJSON {
		return report.SuggestLaravelJSON(a.out, q, answer)
	}
	report.SuggestLaravelText(a.out, q, answer, a.width(), a.style())
	return nil
}

// laravelScenario is a setup as a scenario file has it.
func laravelScenario(f *suggestFlags, u tune.LaravelSetup, takes string) (*model.Scenario, error) {
	limit := fmt.Sprintf("limiter: %s, allow: %d, every: %s", u.Throttle, f.allow.N, model.FormatDuration(time.Duration(f.every)))
	switch {
	case u.Throttle == model.RedisThrottle:
		limit += ", block: 0s, release: 1s"
	case u.MaxWait > 0:
		limit += ", max_wait: " + model.FormatDuration(u.MaxWait)
	default:
		limit += ", max_wait: " + model.FormatDuration(longestWait)
	}
	text := fmt.Sprintf(`name: suggest
system: laravel
limits:
  throttle: {%s}
jobs:
  - {class: Job, limit: throttle, backlog: %d, takes: %q, timeout: 1m}
workers:
  - {processes: %d, sleep: %s, tries: %d}
`, limit, f.blast.N, takes, u.Workers, model.FormatDuration(u.Sleep), u.Tries)
	all, errs := scenarios.Read("suggest", []byte(text), scenarios.Options{})
	if len(errs) > 0 {
		return nil, usagef("%v", errs[0])
	}
	return all[0], nil
}

// longestWait is a maxWait that nothing reaches.
const longestWait = 10_000 * time.Hour
