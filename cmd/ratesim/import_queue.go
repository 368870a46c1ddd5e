package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/queueyml"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// queueConfig is a config/queue.yml and how it is to be read.
type queueConfig struct {
	name       string
	env, queue string
	processors count
}

func newQueueConfig() queueConfig {
	return queueConfig{env: "production", queue: "default", processors: count{Least: 1, Most: 10_000}}
}

func (f *queueConfig) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringVar(&f.env, "env", f.env, "the Rails `ENV` whose section of queue.yml counts")
	s.StringVar(&f.queue, "queue", f.queue, "the `QUEUE` of the jobs: the workers that serve it count")
	s.Var(&f.processors, "processors", "how many processors that machine has, where queue.yml asks")
	complete(cmd, "env", "production", "staging", "development", "test")
}

// read resolves the file as Solid Queue does. Environment variables are those
// of this process.
func (f *queueConfig) read(a *app) (*queueyml.Config, error) {
	data, err := scenarios.ReadData(f.name)
	if err != nil {
		return nil, fileError(err)
	}
	c, err := queueyml.Read(f.name, data, queueyml.Host{Env: f.env, Getenv: os.LookupEnv, Processors: f.processors.N})
	if err != nil {
		return nil, usageError(fmt.Errorf("%s", oneLine(err.Error())))
	}
	for _, key := range c.Ignored {
		a.note("%s: Solid Queue passes over %s", f.name, key)
	}
	return c, nil
}

// serving are the workers that claim jobs of the queue; all others claim other
// jobs, on threads of their own.
func (f *queueConfig) serving(a *app, c *queueyml.Config) ([]queueyml.Worker, error) {
	var all []queueyml.Worker
	var others []string
	for _, w := range c.Workers {
		if w.Serves(f.queue) {
			all = append(all, w)
		} else {
			others = append(others, strings.Join(w.Queues, ", "))
		}
		for _, q := range w.Queues {
			if strings.Contains(q, ",") {
				a.note("%s: the queue %q is one name with a comma in it, which no job has; a list is [%s]", f.name, q, strings.ReplaceAll(q, ",", ", "))
			}
		}
	}
	switch {
	case len(c.Workers) == 0:
		return nil, usagef("%s: starts no worker for %s, so no job would ever run", f.name, f.env)
	case len(all) == 0:
		return nil, usagef("--queue: no worker of %s serves %s, want one of %s", f.name, f.queue, strings.Join(others, "; "))
	case len(others) > 0:
		a.note("%s: left out are the workers of %s, which don't serve %s", f.name, strings.Join(others, "; "), f.queue)
	}
	return all, nil
}

// interval is a polling interval as a scenario can have it: Solid Queue takes 0
// for no sleep at all.
func interval(d time.Duration) time.Duration { return max(d, time.Millisecond) }

// scenario is what the file starts, with jobs and a limit still to be told.
func (f *queueConfig) scenario(a *app, limit *model.Limit) (*model.Scenario, error) {
	c, err := f.read(a)
	if err != nil {
		return nil, err
	}
	workers, err := f.serving(a, c)
	if err != nil {
		return nil, err
	}
	s := &model.Scenario{
		Name: "queue", System: model.SolidQueue, Timing: scenarios.DefaultTiming(), Rules: scenarios.DefaultRules(model.SolidQueue),
		About:   fmt.Sprintf("The processes of %s for %s that serve %s", f.name, f.env, f.queue),
		Classes: []model.Class{{Name: "Job", Limit: -1, Queue: "default", Takes: scenarios.DefaultTakes(), Backlog: importBacklog}},
	}
	if limit != nil {
		s.Limits, s.Classes[0].Limit = []model.Limit{*limit}, 0
	}
	for _, d := range c.Dispatchers {
		s.Dispatchers = append(s.Dispatchers, model.Dispatcher{Interval: interval(d.Interval), Batch: d.Batch})
	}
	for _, w := range workers {
		s.Workers = append(s.Workers, model.Worker{Queues: []string{"*"}, Threads: w.Threads, Processes: w.Processes, Interval: interval(w.Interval)})
	}
	if len(s.Dispatchers) == 0 {
		a.note("%s: starts no dispatcher for %s, so a job that is put off never comes back", f.name, f.env)
	}
	return s, nil
}

// importBacklog is how many jobs wait where a file can't say.
const importBacklog = 600

// queueYML writes the scenario of a config/queue.yml.
func (f *importFlags) queueYML(a *app, limited bool) error {
	var limit *model.Limit
	if limited {
		limit = &model.Limit{Name: "limit", Kind: model.GCRA, Limit: gcra.Limit{To: f.to.N, Per: time.Duration(f.per), Burst: f.burst.N}}
	}
	s, err := f.file.scenario(a, limit)
	if err != nil {
		return err
	}
	if !limited {
		a.note("queue.yml has no limits: add one under limits, or give --to, --per and --burst")
	}
	a.note("queue.yml has no jobs: the scenario's backlog of %d is made up", importBacklog)
	return f.write(a, f.file.name, s)
}

// from takes the polls and the processes of a config/queue.yml, but for those
// that flags give.
func (f *setting) from(a *app, cmd *cobra.Command, file *queueConfig) error {
	c, err := file.read(a)
	if err != nil {
		return err
	}
	workers, err := file.serving(a, c)
	if err != nil {
		return err
	}
	w := workers[0]
	for _, o := range workers[1:] {
		if o.Threads != w.Threads || o.Interval != w.Interval {
			a.note("%s: of several workers that serve %s the first counts, with %d threads and a poll of %s", file.name, file.queue, w.Threads, report.Window(w.Interval))
			workers = workers[:1]
			break
		}
	}
	processes := 0
	for _, o := range workers {
		processes += o.Processes
	}
	if len(c.Dispatchers) == 0 {
		return usagef("--from: %s starts no dispatcher for %s, so a job that is put off never comes back; want one", file.name, file.env)
	}
	d := c.Dispatchers[0]
	given := cmd.Flags().Changed
	if !given("poll") {
		f.polls = pollPair{interval(d.Interval), interval(w.Interval)}
	}
	for _, v := range []struct {
		flag string
		into *count
		n    int
	}{{"threads", &f.threads, w.Threads}, {"workers", &f.workers, processes}, {"dispatchers", &f.dispatchers, len(c.Dispatchers)}, {"batch", &f.batch, d.Batch}} {
		if !given(v.flag) {
			v.into.N = v.n
		}
	}
	a.note("%s for %s: dispatcher poll %s, worker poll %s, %s of %s, %s", file.name, file.env, report.Window(f.polls.Dispatcher), report.Window(f.polls.Worker),
		report.Count(f.workers.N, "worker"), report.Count(f.threads.N, "thread"), report.Count(f.dispatchers.N, "dispatcher"))
	return nil
}
