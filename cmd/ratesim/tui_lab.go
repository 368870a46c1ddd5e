package main

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/tui"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// lab computes what the screen shows.
type lab struct {
	f    *tuiFlags
	sets []scenarios.Set // of the command line
	from string          // the scenario they are for

	mu   sync.Mutex
	docs map[string]*scenarios.Document
}

func newLab(f *tuiFlags, name string, sets []scenarios.Set) *lab {
	return &lab{f: f, sets: sets, from: name, docs: map[string]*scenarios.Document{}}
}

// Scenarios is the screen's.
func (l *lab) Scenarios() (all []tui.Named) {
	for _, i := range scenarios.List() {
		all = append(all, tui.Named{Name: i.Name, About: i.About})
	}
	return all
}

// Open is the screen's.
func (l *lab) Open(name string) (tui.Setting, error) {
	s, err := l.read(name)
	if err != nil {
		return tui.Setting{}, err
	}
	return l.setting(name, s), nil
}

func (l *lab) setting(name string, s *model.Scenario) tui.Setting {
	return tui.Setting{Scenario: name, Fields: fields(s)}
}

// document is a scenario's, parsed once.
func (l *lab) document(name string) (*scenarios.Document, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.docs[name]; d != nil {
		return d, nil
	}
	read := scenarios.ParsePath
	if isShipped(name) {
		read = scenarios.FindDocuments
	}
	docs, err := read(name)
	if err == nil && len(docs) != 1 {
		err = usagef("%s: holds %d scenarios, want one", name, len(docs))
	}
	if err != nil {
		return nil, oneError(err)
	}
	l.docs[name] = docs[0]
	return docs[0], nil
}

func (l *lab) read(name string, sets ...scenarios.Set) (*model.Scenario, error) {
	d, err := l.document(name)
	if err != nil {
		return nil, err
	}
	if name == l.from {
		sets = append(append([]scenarios.Set{}, l.sets...), sets...)
	}
	s, err := d.With(sets...)
	return s, oneError(err)
}

// scenario is what a setting says.
func (l *lab) scenario(at tui.Setting) (*model.Scenario, error) {
	return l.read(at.Scenario, changes(at.Fields)...)
}

// oneError is the first of several mistakes: the screen has a line for them.
func oneError(err error) error {
	var all scenarios.Errors
	if errors.As(err, &all) && len(all) > 0 {
		return errors.New(strings.TrimPrefix(all[0].Error(), "--set "))
	}
	return err
}

// options are those of ratesim run, so that the numbers are.
func (l *lab) options(s *model.Scenario) sim.Options {
	o := sim.Options{Seed: 1, Runs: s.Runs, Jobs: l.f.jobs.N}
	if s.Seed > 0 {
		o.Seed = s.Seed
	}
	if l.f.seed != nil {
		o.Seed = *l.f.seed
	}
	if l.f.runs.N > 0 {
		o.Runs = l.f.runs.N
	}
	return o
}

// bandRuns is how many runs the band of a chart is made of.
const bandRuns = 10

// Run is the screen's.
func (l *lab) Run(ctx context.Context, at tui.Setting, beside *tui.Setting, tell func(*tui.Result)) error {
	s, err := l.scenario(at)
	if err != nil {
		return err
	}
	all := []*drawing{{s: s}}
	if beside != nil {
		held, err := l.scenario(*beside)
		if err != nil {
			return err
		}
		named(s, held, at.Fields, beside.Fields)
		all = append(all, &drawing{s: held})
	}
	o := l.options(s)
	r := &tui.Result{Title: titleOf(s)}
	for _, d := range all {
		if err := d.extend(ctx, o.Seed, 1, nil); err != nil {
			return err
		}
	}
	r.Charts, r.Runs = courseCharts(all), 1
	tell(r)

	final := &tui.Result{Title: r.Title, Final: true}
	var runs []*measure.Run
	if len(all) == 1 {
		runs, err = sim.Replicate(ctx, s, o)
	} else {
		var others []*measure.Run
		runs, others, err = pairs(ctx, s, all[1].s, o)
		if err == nil {
			final.Against = against(s, all[1].s, runs, others)
			final.Held = numbersOf(&report.Ran{Scenario: all[1].s, Seed: o.Seed, Summary: measure.Combine(all[1].s, others)})
		}
	}
	if err != nil {
		return err
	}
	for _, d := range all {
		if err := d.extend(ctx, o.Seed, min(bandRuns, len(runs)), nil); err != nil {
			return err
		}
	}
	ran := &report.Ran{Scenario: s, Seed: o.Seed, Summary: measure.Combine(s, runs)}
	for _, e := range s.Expect {
		ran.Verdicts = append(ran.Verdicts, measure.Judge(e, ran.Summary))
	}
	final.Numbers = numbersOf(ran)
	final.Charts, final.Runs, final.Passed = courseCharts(all), len(runs), ran.Passed()
	final.Warning = short(s)
	if w := ran.Complaints(); len(w) > 0 {
		final.Warning = w[0]
	}
	tell(final)
	return nil
}

// numbersOf are a run's numbers for the screen.
func numbersOf(ran *report.Ran) (out []tui.Number) {
	for _, n := range report.Numbers(ran) {
		out = append(out, tui.Number(n))
	}
	return out
}

// named gives two settings of one scenario the names that tell them apart: what
// differs between them.
func named(now, held *model.Scenario, fields, others []tui.Field) {
	var a, b []string
	if len(fields) == len(others) {
		for i, f := range fields {
			if g := others[i]; f.Value != g.Value {
				a, b = append(a, f.Label+" "+f.Value), append(b, g.Label+" "+g.Value)
			}
		}
	}
	now.Name, held.Name = "now", "held"
	if len(a) > 0 {
		now.Name, held.Name = strings.Join(a, ", "), strings.Join(b, ", ")
	}
}

// titleOf is the setting in a line.
func titleOf(s *model.Scenario) string { return settingOf(s, true, true) }

// courseCharts are the three charts that show how runs went; nil for one that
// the scenarios have nothing to show on.
func courseCharts(all []*drawing) (c [3]*plots.Chart) {
	c[tui.Drain], c[tui.Waits] = drains(all), waits(all)
	if w, err := windows(all); err == nil {
		c[tui.Windows] = w
	}
	return c
}

// against are the differences that matter, each with its interval.
func against(s, held *model.Scenario, runs, others []*measure.Run) (out []tui.Number) {
	all := rows(held, s, others, runs, false)
	for _, w := range []struct {
		key   measure.Key
		label string
	}{
		{measure.DrainPerS, "drain/s"}, {measure.MakespanS, "all claimed s"}, {measure.AtOnce, "at once"},
		{measure.ChecksPerJob, "checks/job"}, {measure.WaitP50S, "wait p50 s"}, {measure.WaitP99S, "wait p99 s"}, {measure.QueriesPerS, "statements/s"},
	} {
		for _, row := range all {
			if row.Key == w.key {
				out = append(out, tui.Number{Label: w.label, Value: row.Told()})
			}
		}
	}
	return out
}

// Trade is the screen's.
func (l *lab) Trade(ctx context.Context, at tui.Setting, v tui.View, progress func(done, total int)) (*plots.Chart, error) {
	s, err := l.scenario(at)
	if err != nil {
		return nil, err
	}
	if len(s.Limits) != 1 || len(s.Classes) != 1 {
		return nil, errors.New("this chart is of one limit and one class of jobs")
	}
	o := l.options(s)
	f := &plotFlags{runs: count{N: bandRuns}, jobs: l.f.jobs, seed: o.Seed}
	if v == tui.Burst {
		return f.bursts(ctx, s, progress)
	}
	return f.polls(ctx, s, progress)
}

// Suggest is the screen's.
func (l *lab) Suggest(ctx context.Context, at tui.Setting, progress func(done, total int)) (tui.Setting, error) {
	s, err := l.scenario(at)
	if err != nil {
		return at, err
	}
	if len(s.Limits) != 1 || len(s.Classes) != 1 {
		return at, errors.New("a burst is suggested for one limit and one class of jobs")
	}
	if s.Laravel != nil {
		return at, errors.New("a throttle of Laravel's has no burst: ratesim suggest --system laravel")
	}
	q := &tune.Question{Setting: s, Backlog: s.Classes[0].Backlog, KeepUp: 0.95, Seed: l.options(s).Seed, Jobs: l.f.jobs.N, Progress: progress}
	if err := q.Check(); err != nil {
		return at, err
	}
	answer, err := tune.Suggest(ctx, q)
	if err != nil {
		return at, err
	}
	next := at
	next.Fields = append([]tui.Field{}, at.Fields...)
	for i := range next.Fields {
		if strings.HasSuffix(next.Fields[i].Key, ".burst") {
			next.Fields[i].Value = itoa(answer.Suggested.Limit.Burst)
		}
	}
	return next, nil
}
