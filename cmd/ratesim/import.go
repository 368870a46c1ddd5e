package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// importFlags are the flags of import as they were read.
type importFlags struct {
	db    string
	out   string
	to    count
	per   duration
	burst count
	file  queueConfig
}

func newImport(a *app) *cobra.Command {
	f := importFlags{to: count{Least: 1}, burst: count{N: 1, Least: 1}, file: newQueueConfig()}
	cmd := &cobra.Command{
		Use:   "import config/queue.yml | --db FILE",
		Short: "A scenario from a config/queue.yml or a real Solid Queue database",
		Long: `Writes a scenario of the dispatchers and workers that a config/queue.yml starts,
resolved as Solid Queue does: its Ruby, the section of --env, its defaults. Ruby
beyond numbers, ENV, Rails.env and simple conditions is refused, not guessed. Of
the workers those that serve --queue count. The file has no jobs and no limits:
give --to, --per and --burst, and change the backlog in what is written.

With --db it writes a scenario from what a Solid Queue database on SQLite shows:
the backlog, how fast jobs came and how long they took, and the dispatchers and
workers that run. The database is only read.

Solid Queue keeps neither limits nor when a job started. Give the limit with
--to, --per and --burst; a job then takes as long as the quickest tenth did from
due to finished.`,
		Example: `  ratesim import --db production.sqlite3 --to 10 --per 1s --burst 6
  ratesim import --db production.sqlite3 --out queue.yml
  ratesim import config/queue.yml --env production --to 10 --per 1s --burst 6`,
		Args: atMost(1, "one config/queue.yml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if f.db != "" {
					return usagef("--db: %s is a configuration, want one of the two", args[0])
				}
				f.file.name = args[0]
				return f.run(a, cmd)
			}
			for _, name := range []string{"env", "queue", "processors"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s: is of a config/queue.yml, want its name before the flags", name)
				}
			}
			if err := require(cmd, "db", "storage/production_queue.sqlite3"); err != nil {
				return err
			}
			return f.run(a, cmd)
		},
	}
	s := cmd.Flags()
	s.StringVar(&f.db, "db", "", "the database's `FILE`")
	s.StringVarP(&f.out, "out", "o", "", "write the scenario to `FILE` (default: standard output)")
	s.Var(&f.to, "to", "the limit of all classes: the most jobs in any window of --per")
	s.Var(&f.per, "per", "the length of the window, such as 1s or 1min")
	s.Var(&f.burst, "burst", "the burst")
	f.file.add(cmd)
	return cmd
}

func (f *importFlags) run(a *app, cmd *cobra.Command) error {
	limited := cmd.Flags().Changed("to") || cmd.Flags().Changed("per") || cmd.Flags().Changed("burst")
	if limited {
		if err := require(cmd, "to", "10", "per", "1s"); err != nil {
			return err
		}
		if err := checkLimit(f.to.N, time.Duration(f.per), burstRange{f.burst.N, f.burst.N}); err != nil {
			return err
		}
	}
	if f.file.name != "" {
		return f.queueYML(a, limited)
	}
	in, err := sqlite.Inspect(a.ctx, f.db, time.Now())
	if err != nil {
		return dbError(err)
	}
	s, notes := scenarioOf(in)
	if !limited && in.Exact {
		limited = ownLimits(a.ctx, f.db, s)
	}
	if f.to.N > 0 {
		s.Limits = []model.Limit{{Name: "limit", Kind: model.GCRA, Limit: gcra.Limit{To: f.to.N, Per: time.Duration(f.per), Burst: f.burst.N}}}
		for i := range s.Classes {
			s.Classes[i].Limit = 0
		}
	} else if !limited {
		notes = append(notes, "no limit is known: add one under limits, or give --to, --per and --burst")
	}
	if len(s.Classes) == 0 {
		return usagef("--db: %s: no job was ever in it, so there is nothing to simulate", f.db)
	}
	for _, n := range notes {
		a.note("%s", n)
	}
	return f.write(a, f.db, s)
}

// write puts the scenario where it is to go, which is not where it is from.
func (f *importFlags) write(a *app, from string, s *model.Scenario) error {
	text := scenarios.Write(s)
	if f.out == "" {
		_, err := a.out.Write(text)
		return err
	}
	if real, err := realPath(f.out); err == nil {
		if source, err := realPath(from); err == nil && source == real {
			return usagef("--out: %s is what is read, want another file", f.out)
		}
	}
	out, err := createFile("--out", f.out)
	if err != nil {
		return err
	}
	defer out.discard()
	return out.put(func(w io.Writer) error { _, err := w.Write(text); return err })
}

// ownLimits takes the limits of the scenario that ratesim ran on its own
// database, and says whether there were any.
func ownLimits(ctx context.Context, path string, s *model.Scenario) bool {
	meta, err := sqlite.ReadMeta(ctx, path)
	if err != nil {
		return false
	}
	ran, errs := scenarios.Read(path, meta.Scenario, scenarios.Options{})
	if len(errs) > 0 || len(ran) != 1 || len(ran[0].Limits) == 0 {
		return false
	}
	s.Limits = ran[0].Limits
	for i := range s.Classes {
		for _, c := range ran[0].Classes {
			if c.Name == s.Classes[i].Name {
				s.Classes[i].Limit = c.Limit
			}
		}
	}
	return true
}

// dbError is liveError for a file that is only read.
func dbError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("--db: %v", fileError(err))
	}
	return liveError(err)
}

// scenarioOf is what a database shows as a scenario, and what is to be known
// about it.
func scenarioOf(in *sqlite.Inspection) (s *model.Scenario, notes []string) {
	s = &model.Scenario{
		Name: strings.TrimSuffix(filepath.Base(in.Path), filepath.Ext(in.Path)), System: model.SolidQueue,
		About:  "Read from a Solid Queue database",
		Timing: scenarios.DefaultTiming(), Rules: scenarios.DefaultRules(model.SolidQueue),
	}
	at := map[string]int{}
	for _, c := range in.Classes {
		i, known := at[c.Class]
		if !known {
			i = len(s.Classes)
			at[c.Class] = i
			s.Classes = append(s.Classes, model.Class{Name: className(c.Class), Limit: -1, Queue: c.Queue, Priority: c.Priority, Takes: scenarios.DefaultTakes()})
		}
		k := &s.Classes[i]
		k.Backlog += c.Ready + c.Scheduled
		if c.Finished > 0 {
			took := c.ServiceP50
			if !in.Exact {
				took = c.ServiceP10
			}
			k.Takes = model.Const(took.Round(time.Millisecond))
		}
		if arrivals, err := model.ParseArrivals("poisson "+report.Digits(c.PerSecond, 3)+"/s", nil); err == nil && c.PerSecond > 0 {
			k.Arrivals = arrivals
			s.Until = time.Hour
		}
	}
	if s.Until > 0 {
		notes = append(notes, "jobs go on coming as the last ones did, for an hour: see until")
	}
	for _, p := range in.Processes {
		switch {
		case p.Silent > live.Alive:
		case p.Kind == "Dispatcher":
			d := scenarios.DefaultDispatcher()
			if p.Interval > 0 {
				d.Interval = p.Interval
			}
			if p.Batch > 0 {
				d.Batch = p.Batch
			}
			s.Dispatchers = append(s.Dispatchers, d)
		case p.Kind == "Worker":
			w := scenarios.DefaultWorker()
			if p.Interval > 0 {
				w.Interval = p.Interval
			}
			if p.Threads > 0 {
				w.Threads = p.Threads
			}
			s.Workers = append(s.Workers, w)
		}
	}
	if len(s.Dispatchers) == 0 {
		s.Dispatchers = []model.Dispatcher{scenarios.DefaultDispatcher()}
		notes = append(notes, "no dispatcher runs: one with the usual settings is taken")
	}
	if len(s.Workers) == 0 {
		s.Workers = []model.Worker{scenarios.DefaultWorker()}
		notes = append(notes, "no worker runs: one with the usual settings is taken")
	}
	if !in.Exact {
		notes = append(notes, "Solid Queue does not keep when a job started: takes is how long the quickest tenth took from due to finished")
	}
	return s, notes
}

// className is a class's name without what a scenario's may not have.
func className(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".=[] \t\n\r", r) {
			return '_'
		}
		return r
	}, name)
}

// look is live --attach --inspect.
func (f *liveFlags) look(ctx context.Context, a *app, cmd *cobra.Command, args []string) error {
	switch {
	case f.attach == "":
		return usagef("--inspect: nothing to look at, want --attach FILE too")
	case !f.inspect:
		return usagef("--attach: a real queue is only looked at, want --inspect too")
	case len(args) > 0:
		return usagef("%s: a scenario is not run on a real queue, want --attach and --inspect alone", args[0])
	}
	for _, name := range append([]string{"burst", "db", "keep", "processes", "kill-every", "for", "fit", "trace", "set"}, settingFlags...) {
		if cmd.Flags().Changed(name) {
			return usagef("--%s: --attach only looks, want --inspect alone with it", name)
		}
	}
	in, err := sqlite.Inspect(ctx, f.attach, time.Now())
	if err != nil {
		return attachError(err)
	}
	out := &report.Inspected{Path: in.Path, Exact: in.Exact, Missing: in.Missing, Classes: []report.InspectedClass{}, Processes: []report.InspectedProcess{}, Budgets: []report.InspectedBudget{}}
	for _, c := range in.Classes {
		out.Classes = append(out.Classes, report.InspectedClass{
			Class: c.Class, Queue: c.Queue, Priority: c.Priority, Ready: c.Ready, Scheduled: c.Scheduled, Claimed: c.Claimed, Blocked: c.Blocked, Failed: c.Failed,
			Finished: c.Finished, Oldest: report.Seconds(c.Oldest), Next: report.Seconds(c.Next), PerSecond: report.Num(c.PerSecond),
			ServiceP50: report.Seconds(c.ServiceP50), ServiceP95: report.Seconds(c.ServiceP95),
		})
	}
	for _, p := range in.Processes {
		out.Processes = append(out.Processes, report.InspectedProcess{Kind: p.Kind, Name: p.Name, Host: p.Host, Silent: report.Seconds(p.Silent), Interval: report.Seconds(p.Interval), Threads: p.Threads, Batch: p.Batch, Ago: p.Silent})
	}
	for _, b := range in.Budgets {
		out.Budgets = append(out.Budgets, report.InspectedBudget{Key: b.Key, FullIn: report.Seconds(b.FullIn), LastSlot: report.Seconds(b.LastSlot)})
	}
	if f.asJSON {
		return report.WriteJSON(a.out, struct {
			SchemaVersion int               `json:"schema_version"`
			Database      *report.Inspected `json:"database"`
		}{report.SchemaVersion, out})
	}
	report.InspectText(a.out, out, a.width(), a.style())
	return nil
}

// attachError names the flag that gave the file.
func attachError(err error) error {
	return retold(dbError(err), "--db: ", "--attach: ")
}

func retold(err error, from, to string) error {
	if e, ok := err.(*exitError); ok {
		return &exitError{e.code, to + strings.TrimPrefix(e.msg, from)}
	}
	return err
}
