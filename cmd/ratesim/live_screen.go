package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/tui"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
	"github.com/ratesim/ratesim/sim/measure"
)

// behind is how many simulations the band behind a live run is made of.
const behind = 40

// simulated is the run as simulations of it go, made before it begins: they
// would be in its way.
func (f *liveFlags) simulated(a *app, pinned *model.Scenario) (*drawing, error) {
	d := &drawing{s: copyNamed(pinned, "simulated")}
	if f.length > 0 {
		d.s.Until = time.Duration(f.length)
	}
	bar := a.progress("simulating")
	defer bar.Clear()
	return d, d.extend(a.ctx, f.seed, behind, bar.Set)
}

// show runs the queue behind a screen. Whoever leaves early ends the run, as
// Ctrl-C does.
func (f *liveFlags) show(a *app, q *sqlite.Queue, s *model.Scenario, sim *drawing, start time.Time, o live.Options) (result *live.Result, stopped error) {
	w := &liveScreen{s: copyNamed(sim.s, "live"), sim: sim, run: measure.NewCourse(s)}
	feed := func(ctx context.Context, tell func(*tui.Result)) error {
		o.Every, o.Watch = watching, func(st live.Status) { tell(w.at(st)) }
		result, stopped = live.Run(ctx, q, s, start, o)
		if result == nil || stopped != nil {
			return stopped
		}
		last, err := w.ended(ctx, q, result)
		if err == nil {
			tell(last)
		}
		return err
	}
	setting := tui.Setting{Scenario: s.Name, Fields: fields(s)}
	err := tui.Watch(a.ctx, setting, liveExports{f, s}, f.screen.options(a), feed)
	switch {
	case result == nil && stopped == nil:
		return nil, err
	case errors.Is(stopped, context.Canceled) && a.ctx.Err() == nil:
		stopped = interrupted{os.Interrupt} // by leaving the screen
	}
	return result, stopped
}

// liveExports writes what a live screen shows.
type liveExports struct {
	f *liveFlags
	s *model.Scenario
}

// Export is the screen's.
func (e liveExports) Export(_ tui.Setting, v tui.View, c *plots.Chart) ([]string, string, error) {
	files, err := export(e.s, e.f.seed, v, c)
	return files, "ratesim live", err
}

func copyNamed(s *model.Scenario, name string) *model.Scenario {
	c := *s
	c.Name = name
	return &c
}

// liveScreen puts a run under way into the terms of the screen.
type liveScreen struct {
	s       *model.Scenario
	sim     *drawing
	run     *measure.Course // its claims so far; in the end the whole run
	waiting []measure.Level // at each status
	end     gcra.Instant
}

// result is what there is to draw.
func (w *liveScreen) result() *tui.Result {
	all := []*drawing{{s: w.s, courses: []*measure.Course{w.run}, ends: []gcra.Instant{w.end}}, w.sim}
	return &tui.Result{Title: titleOf(w.s), Charts: courseCharts(all), Runs: 1}
}

// at is the run as it stands.
func (w *liveScreen) at(st live.Status) *tui.Result {
	w.end = st.At
	w.waiting = append(w.waiting, measure.Level{At: st.At, N: st.Where.Waiting()})
	for _, d := range st.New {
		w.run.Observe(&model.Event{Kind: model.Claimed, At: d.At, Since: d.At, Limit: d.Limit, N: 1})
	}
	// What waits is counted by the database, and how long each did only at the
	// end.
	w.run.Waiting = slices.Clone(w.waiting)
	r := w.result()
	r.Charts[tui.Waits] = nil
	r.Numbers = []tui.Number{
		{Label: "time", Value: report.Length(time.Duration(st.At).Round(100 * time.Millisecond))},
		{Label: "waiting", Value: fmt.Sprint(st.Where.Waiting())},
		{Label: "claimed", Value: fmt.Sprint(st.Where.Claims)},
		{Label: "now", Value: report.Digits(st.Rate, 3) + "/s"},
	}
	if st.To > 0 {
		r.Numbers = append(r.Numbers, tui.Number{Label: "worst", Value: fmt.Sprintf("%d of %d", st.Worst, st.To)})
	}
	if st.Left > 0 {
		r.Numbers = append(r.Numbers, tui.Number{Label: "left", Value: report.Length(st.Left.Round(time.Second))})
	}
	return r
}

// ended is the run as its database has it, whole and exact.
func (w *liveScreen) ended(ctx context.Context, q *sqlite.Queue, result *live.Result) (*tui.Result, error) {
	events, err := live.Events(ctx, q, w.s)
	if err != nil {
		return nil, err
	}
	w.run = measure.NewCourse(w.s)
	for i := range events {
		w.run.Observe(&events[i])
		w.end = max(w.end, events[i].At)
	}
	r := w.result()
	r.Final = true
	ran := &report.Ran{Scenario: result.Scenario, Summary: measure.Once(result.Scenario, result.Run)}
	for _, e := range w.s.Expect {
		ran.Verdicts = append(ran.Verdicts, measure.Judge(e, ran.Summary))
	}
	r.Passed = ran.Passed()
	for _, n := range report.Numbers(ran) {
		r.Numbers = append(r.Numbers, tui.Number(n))
	}
	if c := ran.Complaints(); len(c) > 0 {
		r.Warning = c[0]
	}
	return r, nil
}
