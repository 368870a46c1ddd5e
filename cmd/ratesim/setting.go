package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// setting is a queue and a limit as flags give them, without a burst.
type setting struct {
	to, backlog, threads, workers, dispatchers, batch count

	per      duration
	polls    pollPair
	takes    dist
	claim    dist
	dispatch dist
	cpu      dist
	timing   string // a file
}

// mostBacklog is how many waiting jobs a run may have, as in scenario files.
const mostBacklog = 50_000_000

func newSetting() setting {
	d, w, t := scenarios.DefaultDispatcher(), scenarios.DefaultWorker(), scenarios.DefaultTiming()
	return setting{
		to: count{Least: 1}, backlog: count{Least: 2, Most: mostBacklog},
		threads: count{N: w.Threads, Least: 1, Most: 10_000}, workers: count{N: 1, Least: 1, Most: 1000},
		dispatchers: count{N: 1, Least: 1, Most: 1000}, batch: count{N: d.Batch, Least: 1, Most: 1_000_000},
		polls: pollPair{d.Interval, w.Interval},
		takes: dist{scenarios.DefaultTakes()}, claim: dist{t.Claim}, dispatch: dist{t.Dispatch}, cpu: dist{t.JobCPU},
	}
}

// add makes the flags that any command about a queue has.
func (f *setting) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.Var(&f.to, "to", "the most jobs in any window of --per")
	s.Var(&f.per, "per", "the length of the window, such as 1s or 1min")
	s.Var(&f.polls, "poll", "polling intervals of the dispatcher and the worker")
	s.Var(&f.backlog, "backlog", "waiting jobs (default: enough for a steady drain)")
	s.Var(&f.threads, "threads", "threads of a worker process")
	s.Var(&f.workers, "workers", "worker processes")
	s.Var(&f.dispatchers, "dispatchers", "dispatchers")
	s.Var(&f.batch, "batch", "the most jobs a dispatcher moves at once")
	s.Var(&f.takes, "takes", "how long a job runs")
	complete(cmd, "per", "1s", "1min", "1h", "24h")
	complete(cmd, "poll", "1s,0.1s", "0.2s,0.1s", "1s,1s")
}

// settingFlags are the names of the flags that add makes.
var settingFlags = []string{"to", "per", "poll", "backlog", "threads", "workers", "dispatchers", "batch", "takes"}

// onlyTiming refuses a cost beside the file that gives all of them.
func (f *setting) onlyTiming(cmd *cobra.Command) error {
	if f.timing == "" {
		return nil
	}
	for _, name := range []string{"claim", "dispatch", "job-cpu"} {
		if cmd.Flags().Changed(name) {
			return usagef("--%s: --timing %s gives all costs, want one of the two", name, f.timing)
		}
	}
	return nil
}

// scenario is the setting as one.
func (f *setting) scenario(name string, burst int) (*model.Scenario, error) {
	dispatcher, worker := scenarios.DefaultDispatcher(), scenarios.DefaultWorker()
	dispatcher.Interval, dispatcher.Batch = f.polls.Dispatcher, f.batch.N
	worker.Interval, worker.Threads, worker.Processes = f.polls.Worker, f.threads.N, f.workers.N
	s := &model.Scenario{
		Name: name, System: model.SolidQueue,
		Limits:  []model.Limit{{Name: "limit", Limit: gcra.Limit{To: f.to.N, Per: time.Duration(f.per), Burst: burst}, Kind: model.GCRA}},
		Classes: []model.Class{{Name: "Job", Queue: "default", Takes: f.takes.Dist, Backlog: f.backlog.N}},
		Workers: []model.Worker{worker},
		Timing:  scenarios.DefaultTiming(),
		Rules:   scenarios.DefaultRules(model.SolidQueue),
	}
	for range f.dispatchers.N {
		s.Dispatchers = append(s.Dispatchers, dispatcher)
	}
	s.Timing.Claim, s.Timing.Dispatch, s.Timing.JobCPU = f.claim.Dist, f.dispatch.Dist, f.cpu.Dist
	if f.timing != "" {
		var err error
		if s.Timing, err = scenarios.ReadTiming(f.timing); err != nil {
			return nil, usageError(err)
		}
	}
	return s, nil
}
