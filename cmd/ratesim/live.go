package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
	"github.com/ratesim/ratesim/sim/tune"
)

// liveFlags are the flags of live as they were read.
type liveFlags struct {
	setting
	burst     count
	processes count
	kill      duration
	heartbeat duration
	alive     duration
	length    duration
	seed      uint64
	sets      []string
	db        string
	keep      bool
	fit       string
	trace     string
	asJSON    bool
	verbose   bool
	attach    string
	inspect   bool
	tui       bool
	screen    screenFlags
	redis     string
}

// liveBacklog is how many jobs wait where nobody says: a minute or two of work
// for most limits.
const liveBacklog = 60

// comparisons is how many simulations a live run is held against.
const comparisons = 200

func newLive(a *app) *cobra.Command {
	f := liveFlags{setting: newSetting(), burst: count{Least: 1}, processes: count{Least: 1, Most: 64}, heartbeat: duration(live.Heartbeat), alive: duration(live.Alive), seed: 1, screen: newScreen()}
	cmd := &cobra.Command{
		Use:   "live [SCENARIO]",
		Short: "The same scenario on a real queue, in real time",
		Long: `Runs a scenario in real time on a real SQLite database with Solid Queue's own
tables: the simulation's dispatchers, workers and limiter in goroutines that
sleep, claim and wait as long as it takes. Then simulates the run 200 times with
its phases and the delays it had, and says whether the two agree.

SCENARIO is a file or the name of a shipped one. Without it the flags say what
to run, as for suggest; --burst is then the suggested one if it is not given.

The database is a temporary one unless --db names it or --keep keeps it. A file
is written to only if ratesim made it. --attach FILE --inspect looks at a real
Solid Queue database, and writes nothing to it. --tui shows the run as it goes,
in front of what the simulation says; leaving it early ends the run.

A scenario of system: laravel runs on Redis instead: that of --redis, or one
that is part of ratesim. Its keys begin with ratesim: and an id of the run, and
are taken away at the end, unless --keep keeps them; nothing else is touched.`,
		Example: `  ratesim live --to 10 --per 1s --backlog 20
  ratesim live webhooks --for 10s
  ratesim live --to 10 --per 1s --burst 3 --backlog 20 --fit timing.yml
  ratesim live webhooks --for 5s --processes 4 --kill-every 2s --db q.sqlite3
  ratesim live webhooks --for 20s --tui
  ratesim live --attach production.sqlite3 --inspect
  ratesim live laravel-job-throttle-200 --for 5s
  ratesim live laravel-redis-throttle-200 --redis redis://localhost/15 --for 5s`,
		Args: atMost(1, "one SCENARIO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("attach") || f.inspect {
				return f.look(a.ctx, a, cmd, args)
			}
			if err := f.consistent(cmd, args); err != nil {
				return err
			}
			s, err := f.read(a, cmd, args)
			if err != nil {
				return err
			}
			if s.System == model.Laravel {
				return f.runLaravel(a, s)
			}
			return f.run(a, s)
		},
	}
	f.add(cmd)
	s := cmd.Flags()
	s.Var(&f.burst, "burst", "the burst (default: the suggested one)")
	s.StringVar(&f.db, "db", "", "the database's `FILE` (default: a temporary one)")
	s.StringVar(&f.redis, "redis", "", "the Redis of a Laravel scenario, by its `URL` (default: an embedded one)")
	s.BoolVar(&f.keep, "keep", false, "keep the temporary database, or the keys in Redis")
	s.Var(&f.processes, "processes", "run so many worker processes of their own on the one file")
	s.Var(&f.kill, "kill-every", "kill one of --processes at random, this often, and start another")
	s.Var(&f.heartbeat, "heartbeat", "how often a process says that it is alive")
	s.Var(&f.alive, "alive", "after how long without one it is dead, and its jobs fail")
	s.Var(&f.length, "for", "end early, after this time")
	s.StringVar(&f.fit, "fit", "", "write the delays that were measured to `FILE`, for --timing and scenarios")
	s.StringVar(&f.trace, "trace", "", "write every claim and deferral to `FILE`, .ndjson or .csv")
	s.StringArrayVar(&f.sets, "set", nil, "change a value by its path: `KEY=VALUE`, such as limits.webhooks.burst=6")
	s.Uint64Var(&f.seed, "seed", f.seed, "the same `N` draws the same phases, service times and arrivals")
	s.BoolVar(&f.asJSON, "json", false, "one JSON document")
	s.BoolVarP(&f.verbose, "verbose", "v", false, "also the expectations that hold")
	s.StringVar(&f.attach, "attach", "", "a real Solid Queue database `FILE` to look at")
	s.BoolVar(&f.inspect, "inspect", false, "with --attach: say what is in it")
	s.BoolVar(&f.tui, "tui", false, "show the run on a screen, where there is a terminal")
	f.screen.add(cmd)
	cmd.ValidArgsFunction = shippedNames
	return cmd
}

// consistent refuses flags that don't go together.
func (f *liveFlags) consistent(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		if err := require(cmd, "to", "10", "per", "1s"); err != nil {
			return err
		}
		if len(f.sets) > 0 {
			return usagef("--set: there is no scenario to change, want one, or flags such as --burst")
		}
	}
	for _, name := range append([]string{"burst"}, settingFlags...) {
		if len(args) > 0 && cmd.Flags().Changed(name) {
			return usagef("--%s: the scenario %s says it, want --set to change a value of it", name, args[0])
		}
	}
	if f.kill > 0 && f.processes.N == 0 {
		return usagef("--kill-every: there are no processes to kill, want --processes too")
	}
	if f.alive <= f.heartbeat {
		return usagef("--alive: %s is no longer than a heartbeat, %s, so that all would be taken for dead; want a few of them",
			report.Window(time.Duration(f.alive)), report.Window(time.Duration(f.heartbeat)))
	}
	if f.tui && f.asJSON {
		return usagef("--tui: --json is for programs, want one of the two")
	}
	if f.keep && f.db != "" {
		return usagef("--keep: --db %s is kept anyway", f.db)
	}
	return nil
}

// read is the scenario to run, from a file or from the flags.
func (f *liveFlags) read(a *app, cmd *cobra.Command, args []string) (*model.Scenario, error) {
	s, err := f.scenarioOf(a, cmd, args)
	if err != nil {
		return nil, err
	}
	if err := f.apartFromLaravel(cmd, s); err != nil || s.System == model.Laravel {
		return s, err
	}
	if err := live.Check(s); err != nil {
		return nil, usagef("%s: %v", s.Name, err)
	}
	if f.processes.N > 0 {
		if len(s.Workers) == 0 {
			return nil, usagef("--processes: the scenario has no workers")
		}
		s.Workers[0].Processes = f.processes.N
		s.Workers = s.Workers[:1]
	}
	if f.length == 0 && s.Until == 0 && endless(s) {
		return nil, usagef("%s: jobs never stop coming, want --for to say when to end", s.Name)
	}
	return s, nil
}

func endless(s *model.Scenario) bool {
	for _, c := range s.Classes {
		if _, finite := c.Arrivals.Total(); !finite {
			return true
		}
	}
	return false
}

func (f *liveFlags) scenarioOf(a *app, cmd *cobra.Command, args []string) (*model.Scenario, error) {
	if len(args) > 0 {
		sets, err := parseSets(f.sets)
		if err != nil {
			return nil, err
		}
		s, err := readOne(a, args[0], sets)
		if err == nil && !cmd.Flags().Changed("seed") && s.Seed > 0 {
			f.seed = s.Seed
		}
		return s, err
	}
	burst := burstRange{f.burst.N, f.burst.N}
	if f.burst.N == 0 {
		burst = burstRange{f.to.N, f.to.N}
	}
	if err := checkLimit(f.to.N, time.Duration(f.per), burst); err != nil {
		return nil, err
	}
	if f.backlog.N == 0 {
		f.backlog.N = liveBacklog
	}
	s, err := f.scenario("live", f.burst.N)
	if err != nil {
		return nil, err
	}
	if f.burst.N == 0 {
		q := &tune.Question{Setting: s, KeepUp: 0.95, Seed: f.seed}
		if err := q.Check(); err != nil {
			return nil, usagef("--burst: can't be suggested, give one: %v", err)
		}
		answer, err := tune.Suggest(a.ctx, q)
		if err != nil {
			return nil, err
		}
		s.Limits[0].Burst = answer.Suggested.Limit.Burst
		a.note("burst %d, as suggested", s.Limits[0].Burst)
	}
	return s, nil
}

// run drives the queue and tells what happened.
func (f *liveFlags) run(a *app, s *model.Scenario) (err error) {
	if err := f.apart(s); err != nil {
		return err
	}
	var trace *traceFile
	if f.trace != "" {
		if trace, err = createTrace(f.trace); err != nil {
			return err
		}
		defer trace.discard()
	}
	fit, err := openFit(f.fit)
	if err != nil {
		return err
	}
	defer fit.discard()
	path, kept, remove, err := f.place()
	if err != nil {
		return err
	}
	defer remove()

	pinned := live.Pinned(s, f.seed)
	var behind *drawing
	if f.tui && a.onTerminal() {
		if behind, err = f.simulated(a, pinned); err != nil {
			return err
		}
	}
	start := live.Start(s, f.processes.N > 0)
	q, err := sqlite.Create(a.ctx, path, pinned, scenarios.Write(pinned), start)
	if err != nil {
		return liveError(err)
	}
	result, stopped := f.driveQueue(a, s, q, pinned, behind, path, start)
	var events []model.Event
	if result != nil && trace != nil {
		events, err = live.Events(context.WithoutCancel(a.ctx), q, pinned)
	}
	if closed := q.Close(); err == nil {
		err = closed
	}
	if result == nil {
		return liveError(stopped)
	}
	if err != nil {
		return liveError(err)
	}

	l := f.told(s, result, stopped != nil)
	if w := short(pinned); w != "" {
		l.Ran.Summary.Warnings = append(l.Ran.Summary.Warnings, w)
	}
	if kept {
		l.Database = path
	}
	l.Jobs = report.LiveJobs{Finished: result.Where.Finished, Failed: result.Where.Failed, Ready: result.Where.Ready, Scheduled: result.Where.Scheduled, Claimed: result.Where.Claimed}
	fitted := result.Delays.Fit()
	for _, c := range fitted.Costs {
		l.Costs = append(l.Costs, report.LiveCost{Name: c.Key, N: c.N, Median: c.Median, P99: c.P99})
	}
	for _, p := range []struct {
		name string
		all  []time.Duration
	}{{"dispatcher_period", result.Dispatchers}, {"worker_period", result.Workers}} {
		l.Costs = append(l.Costs, costOf(p.name, p.all))
	}
	compared := f.compare(a, l, result, fitted, stopped != nil)
	if f.asJSON {
		err = report.LiveJSON(a.out, l)
	} else {
		report.LiveText(a.out, l, report.Look{Width: a.width(), Style: a.style(), Verbose: f.verbose})
	}
	switch {
	case err != nil:
		return err
	case stopped != nil:
		return stopped
	case compared != nil:
		return compared
	}
	if trace != nil {
		trace.scenario = pinned
		for i := range events {
			trace.Observe(&events[i])
		}
		if err := trace.keep(); err != nil {
			return err
		}
	}
	if err := fit.write(a, fitted); err != nil {
		return err
	}
	if !l.Ran.Passed() {
		return failed()
	}
	return nil
}

// apart refuses to write one file twice, or over one that is read.
func (f *liveFlags) apart(s *model.Scenario) error {
	t := readBy(s)
	if f.db != "" {
		at, err := realPath(f.db)
		if err != nil {
			return err
		}
		t[at] = "the database"
	}
	if f.trace != "" {
		if err := t.take("--trace", f.trace); err != nil {
			return err
		}
	}
	if f.fit == "" {
		return nil
	}
	fit := &fitFiles{name: f.fit}
	names := []string{f.fit}
	for _, key := range live.CostKeys {
		names = append(names, fit.values(key))
	}
	for _, name := range names {
		if err := t.take("--fit", name); err != nil {
			return err
		}
	}
	return nil
}

// place is where the database goes, whether it stays, and what takes it away.
func (f *liveFlags) place() (path string, kept bool, remove func(), err error) {
	if f.db != "" {
		return f.db, true, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "ratesim-live-")
	if err != nil {
		return "", false, nil, fileError(err)
	}
	remove = func() {
		if !f.keep {
			_ = os.RemoveAll(dir) // what is left there harms nobody
		}
	}
	return filepath.Join(dir, "queue.sqlite3"), f.keep, remove, nil
}

// watching is how often a run is told of.
const watching = 200 * time.Millisecond

// driveQueue runs the queue, and tells how it stands: on a screen, in a line, or not
// at all where nobody looks.
func (f *liveFlags) driveQueue(a *app, s *model.Scenario, q *sqlite.Queue, pinned *model.Scenario, behind *drawing, path string, start time.Time) (*live.Result, error) {
	o := f.options(s, path)
	if behind != nil {
		return f.show(a, q, pinned, behind, start, o)
	}
	if bar := a.lines(); bar != nil {
		defer bar.Clear()
		o.Every, o.Watch = watching, func(st live.Status) { bar.Show(statusLine(st)) }
	}
	return live.Run(a.ctx, q, pinned, start, o)
}

func (f *liveFlags) options(s *model.Scenario, path string) live.Options {
	o := live.Options{Seed: f.seed, For: time.Duration(f.length), Heartbeat: time.Duration(f.heartbeat), Alive: time.Duration(f.alive)}
	if f.processes.N > 0 {
		o.Fleet = &live.Fleet{Command: workerCommand(path, s, f), KillEvery: time.Duration(f.kill)}
	}
	return o
}

// liveError sorts what went wrong with a database: a file that is the wrong one
// is the caller's mistake, one that failed is the machine's.
func liveError(err error) error {
	var wrong *sqlite.Wrong
	if errors.As(err, &wrong) {
		return usagef("--db: %v", wrong)
	}
	var failure *sqlite.Failure
	if errors.As(err, &failure) {
		return &exitError{codeMachine, oneLine(failure.Error())}
	}
	return fileError(err)
}
