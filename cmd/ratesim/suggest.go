package main

import (
	"errors"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/tune"
)

// suggestFlags are the flags of suggest as they were read.
type suggestFlags struct {
	to, backlog, threads, workers, dispatchers, batch, atOnce, runs, jobs count

	per      duration
	polls    pollPair
	burst    burstRange
	takes    dist
	claim    dist
	dispatch dist
	cpu      dist
	drain    rate
	keepUp   float64
	seed     uint64
	asJSON   bool
}

func newSuggest(a *app) *cobra.Command {
	d, w, t := scenarios.DefaultDispatcher(), scenarios.DefaultWorker(), scenarios.DefaultTiming()
	f := suggestFlags{
		to: count{Least: 1}, backlog: count{Least: 2, Most: mostBacklog}, atOnce: count{Least: 1},
		threads: count{N: w.Threads, Least: 1, Most: 10_000}, workers: count{N: 1, Least: 1, Most: 1000},
		dispatchers: count{N: 1, Least: 1, Most: 1000}, batch: count{N: d.Batch, Least: 1, Most: 1_000_000},
		runs: count{Least: 2, Most: 10_000}, jobs: count{Least: 1, Most: 1024},
		polls: pollPair{d.Interval, w.Interval},
		takes: dist{scenarios.DefaultTakes()}, claim: dist{t.Claim}, dispatch: dist{t.Dispatch}, cpu: dist{t.JobCPU},
		keepUp: 0.95, seed: 1,
	}
	cmd := &cobra.Command{
		Use:   "suggest --to N --per D",
		Short: "The burst to take, why, and what it costs",
		Long: `Simulates a backlog under a limit with every burst that makes sense, on Solid
Queue's rules and with the costs measured on a real one, and names the smallest
burst with which the backlog drains as fast as that burst declares.

--poll gives the polling intervals of the dispatcher and of the worker. Longer
ones need a larger burst, and a larger burst leaves a slower drain.`,
		Example: `  ratesim suggest --to 10 --per 1s --poll 1s,0.1s
  ratesim suggest --to 100 --per 1min
  ratesim suggest --to 10 --per 1s --poll 1s,1s --backlog 300
  ratesim suggest --to 10 --per 1s --burst 3..6 --json
  ratesim suggest --to 20 --per 1s --drain 15/s --takes 50ms`,
		Args: atMost(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := require(cmd, "to", "10", "per", "1s"); err != nil {
				return err
			}
			q, err := f.question()
			if err != nil {
				return err
			}
			bar := a.progress("simulating")
			q.Progress = bar.Set
			answer, err := tune.Suggest(a.ctx, q)
			bar.Clear()
			if answer == nil {
				return err
			}
			if err != nil {
				a.warn("interrupted: what follows rests on the candidates that were done")
			}
			if !f.asJSON {
				report.SuggestText(a.out, q, answer, a.width(), a.style())
				return err
			}
			if wrote := report.SuggestJSON(a.out, q, answer); wrote != nil {
				return wrote
			}
			return err
		},
	}
	s := cmd.Flags()
	s.Var(&f.to, "to", "the most jobs in any window of --per")
	s.Var(&f.per, "per", "the length of the window, such as 1s or 1min")
	s.Var(&f.polls, "poll", "polling intervals of the dispatcher and the worker")
	s.Var(&f.burst, "burst", "judge only this burst, or these")
	s.Var(&f.backlog, "backlog", "waiting jobs (default: enough for a steady drain)")
	s.Var(&f.threads, "threads", "threads of a worker process")
	s.Var(&f.workers, "workers", "worker processes")
	s.Var(&f.dispatchers, "dispatchers", "dispatchers")
	s.Var(&f.batch, "batch", "the most jobs a dispatcher moves at once")
	s.Var(&f.takes, "takes", "how long a job runs")
	s.Var(&f.claim, "claim", "how long a claim's transaction takes")
	s.Var(&f.dispatch, "dispatch", "how long a dispatcher's transaction takes")
	s.Var(&f.cpu, "job-cpu", "what a job costs its process besides --takes; 0ms outside Ruby")
	s.Var(&f.atOnce, "at-once", "the most a quiet budget may let start at once")
	s.Var(&f.drain, "drain", "the drain to reach: tries shorter polls too")
	s.Float64Var(&f.keepUp, "keep-up", f.keepUp, "the `SHARE` of its declared drain at which a burst keeps up")
	s.Var(&f.runs, "runs", "replications of each burst (default: as many as it takes)")
	s.Uint64Var(&f.seed, "seed", f.seed, "the same `N` draws the same")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.BoolVar(&f.asJSON, "json", false, "one JSON document")
	complete(cmd, "per", "1s", "1min", "1h", "24h")
	complete(cmd, "poll", "1s,0.1s", "0.2s,0.1s", "1s,1s")
	return cmd
}

// mostBacklog is how many waiting jobs a run may have, as in scenario files.
const mostBacklog = 50_000_000

// question is what the flags ask.
func (f *suggestFlags) question() (*tune.Question, error) {
	// A burst that is not given is judged at its best: as large as can be.
	bursts := f.burst
	if bursts.From == 0 {
		bursts = burstRange{f.to.N, f.to.N}
	}
	if err := checkLimit(f.to.N, time.Duration(f.per), bursts); err != nil {
		return nil, err
	}
	if f.keepUp <= 0 || f.keepUp > 1 || math.IsNaN(f.keepUp) {
		return nil, usagef("--keep-up: %v is not a share, want above 0 and at most 1, such as 0.95", f.keepUp)
	}
	if f.burst.From > 0 && f.atOnce.N > 0 && f.burst.From > f.atOnce.N {
		return nil, usagef("--burst: %d lets more start at once than --at-once %d", f.burst.From, f.atOnce.N)
	}
	dispatcher, worker := scenarios.DefaultDispatcher(), scenarios.DefaultWorker()
	dispatcher.Interval, dispatcher.Batch = f.polls.Dispatcher, f.batch.N
	worker.Interval, worker.Threads, worker.Processes = f.polls.Worker, f.threads.N, f.workers.N
	s := &model.Scenario{
		Name: "suggest", System: model.SolidQueue,
		Limits:  []model.Limit{{Name: "limit", Limit: gcra.Limit{To: f.to.N, Per: time.Duration(f.per)}, Kind: model.GCRA}},
		Classes: []model.Class{{Name: "Job", Queue: "default", Takes: f.takes.Dist}},
		Workers: []model.Worker{worker},
		Timing:  scenarios.DefaultTiming(),
		Rules:   scenarios.DefaultRules(model.SolidQueue),
	}
	for range f.dispatchers.N {
		s.Dispatchers = append(s.Dispatchers, dispatcher)
	}
	s.Timing.Claim, s.Timing.Dispatch, s.Timing.JobCPU = f.claim.Dist, f.dispatch.Dist, f.cpu.Dist
	q := &tune.Question{
		Setting: s, From: f.burst.From, To: f.burst.To, Backlog: f.backlog.N, AtOnce: f.atOnce.N,
		KeepUp: f.keepUp, Drain: f.drain.PerSecond(), Seed: f.seed, Runs: f.runs.N, Jobs: f.jobs.N,
	}
	if err := q.Check(); err != nil {
		var tooLong *tune.TooLong
		if errors.As(err, &tooLong) && f.backlog.N == 0 {
			return nil, usagef("--per: %v", err)
		}
		return nil, usagef("--backlog: %v", err)
	}
	return q, nil
}
