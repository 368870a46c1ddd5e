package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// drawing is a scenario and how its runs went.
type drawing struct {
	s       *model.Scenario
	courses []*measure.Course
	ends    []gcra.Instant
}

// extend runs the scenario until n runs of it are there, and keeps the course
// of each.
func (d *drawing) extend(ctx context.Context, seed uint64, n int, progress func(done, total int)) error {
	m := sim.NewMachine(d.s)
	for run := len(d.courses); run < n; run++ {
		c := measure.NewCourse(d.s)
		counts, err := m.RunUntil(ctx, seed, run, c)
		if err != nil {
			return err
		}
		d.courses, d.ends = append(d.courses, c), append(d.ends, counts.End)
		if progress != nil {
			progress(run+1, n)
		}
	}
	return nil
}

// end is when the last run ended.
func (d *drawing) end() gcra.Instant { return slices.Max(d.ends) }

// timeAxis is time in the unit that keeps its numbers short.
func timeAxis(label string, end time.Duration) (plots.Axis, float64) {
	for _, u := range []struct {
		least time.Duration
		unit  time.Duration
		name  string
	}{{72 * time.Hour, 24 * time.Hour, "d"}, {3 * time.Hour, time.Hour, "h"}, {5 * time.Minute, time.Minute, "min"}, {2 * time.Second, time.Second, "s"}} {
		if end >= u.least {
			return plots.Axis{Label: label, Unit: " " + u.name}, float64(u.unit)
		}
	}
	return plots.Axis{Label: label, Unit: " ms"}, float64(time.Millisecond)
}

// bandPoints is how many instants a band is made of.
const bandPoints = 240

func drains(all []*drawing) *plots.Chart {
	last := gcra.Instant(0)
	for _, d := range all {
		last = max(last, d.end())
	}
	x, unit := timeAxis("Time since start", last.Sub(0))
	c := &plots.Chart{Title: title(all), X: x, Y: plots.Axis{Label: "Jobs waiting"}}
	for _, d := range all {
		s := plots.Series{Name: legend(all, d), Step: true}
		first := d.courses[0]
		for _, l := range first.Waiting {
			s.X, s.Y = append(s.X, float64(l.At)/unit), append(s.Y, float64(l.N))
		}
		c.Series = append(c.Series, s)
	}
	// Bands have instants of their own: a line that is all steps would be lost
	// in a polygon of thousands of corners.
	for i, d := range all {
		if len(d.courses) > 1 {
			c.Series[i] = banded(c.Series[i], d, unit)
		}
	}
	for _, d := range all {
		if declared, ok := declaredLine(all, d, unit); ok {
			c.Series = append(c.Series, declared)
			break // one is enough to compare with
		}
	}
	return c
}

// banded gives a series its band: the least and the most of all runs. The
// line stays the first run, at the same instants and at its own.
func banded(s plots.Series, d *drawing, unit float64) plots.Series {
	end := d.end()
	times := make([]gcra.Instant, 0, bandPoints+1)
	for i := range bandPoints + 1 {
		times = append(times, gcra.Instant(float64(end)*float64(i)/bandPoints))
	}
	for _, l := range d.courses[0].Waiting {
		times = append(times, l.At)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	out := plots.Series{Name: s.Name, Step: true}
	for _, at := range times {
		low, high := math.Inf(1), 0.0
		for _, c := range d.courses {
			n := float64(c.WaitingAt(at))
			low, high = min(low, n), max(high, n)
		}
		out.X, out.Y = append(out.X, float64(at)/unit), append(out.Y, float64(d.courses[0].WaitingAt(at)))
		out.Low, out.High = append(out.Low, low), append(out.High, high)
	}
	return out
}

// declaredLine is how a backlog would drain by the limit alone.
func declaredLine(all []*drawing, d *drawing, unit float64) (plots.Series, bool) {
	s := d.s
	if len(s.Limits) != 1 || len(s.Classes) != 1 || s.Classes[0].Limit != 0 || s.Classes[0].Backlog == 0 || !s.Classes[0].Arrivals.None() {
		return plots.Series{}, false
	}
	l, n := s.Limits[0], float64(s.Classes[0].Backlog)
	left := max(n-float64(l.Burst), 0)
	return plots.Series{
		Name: name(all, d) + " declares " + report.Rate(l.DrainPerSecond(), l.Per), Thin: true,
		X: []float64{0, left / l.DrainPerSecond() * float64(time.Second) / unit}, Y: []float64{left, 0},
	}, true
}

func windows(all []*drawing) (*plots.Chart, error) {
	last := gcra.Instant(0)
	for _, d := range all {
		last = max(last, d.end())
	}
	x, unit := timeAxis("Time since start", last.Sub(0))
	c := &plots.Chart{Title: title(all), X: x, Y: plots.Axis{Label: "Claims in the window"}}
	for _, d := range all {
		if len(d.s.Limits) == 0 {
			return nil, usagef("--view: %s has no limit, so no window to fill", d.s.Name)
		}
		for i, l := range d.s.Limits {
			levels := d.courses[0].InWindow(i, l.Per)
			s := plots.Series{Step: true, X: []float64{0}, Y: []float64{0}}
			most := int64(0)
			for _, level := range levels {
				s.X, s.Y = append(s.X, float64(level.At)/unit), append(s.Y, float64(level.N))
				most = max(most, level.N)
			}
			s.Name = fmt.Sprintf("%s: at most %d of %d in %s", nameOfLimit(all, d, i), most, l.To, report.Window(l.Per))
			c.Series = append(c.Series, s)
			level := plots.Level{Name: fmt.Sprintf("%d per %s", l.To, report.Window(l.Per)), Y: float64(l.To)}
			if !slices.Contains(c.Levels, level) {
				c.Levels = append(c.Levels, level)
			}
		}
	}
	if len(c.Series) > mostSeries {
		return nil, usagef("--view: %d limits are too many for one chart, want at most %d", len(c.Series), mostSeries)
	}
	c.Levels[0].Name = "limit " + c.Levels[0].Name
	return c, nil
}

// nameOfLimit tells a limit from the others that are drawn.
func nameOfLimit(all []*drawing, d *drawing, limit int) string {
	switch l := d.s.Limits[limit]; {
	case len(d.s.Limits) == 1:
		return name(all, d)
	case len(all) == 1:
		return l.Name
	default:
		return d.s.Name + " " + l.Name
	}
}

func waits(all []*drawing) *plots.Chart {
	longest := int64(0)
	for _, d := range all {
		for _, c := range d.courses {
			for w := range c.Waits {
				longest = max(longest, w)
			}
		}
	}
	x, unit := timeAxis("Waited no longer than", time.Duration(longest))
	c := &plots.Chart{Title: title(all), X: x, Y: plots.Axis{Label: "Share of the jobs", Unit: " %"}}
	for _, d := range all {
		count := map[int64]int64{}
		total := int64(0)
		for _, course := range d.courses {
			for w, n := range course.Waits {
				count[w] += n
				total += n
			}
		}
		waits := make([]int64, 0, len(count))
		for w := range count {
			waits = append(waits, w)
		}
		slices.Sort(waits)
		s := plots.Series{Step: true, X: []float64{0}, Y: []float64{0}}
		sum, half := int64(0), time.Duration(0)
		for _, w := range waits {
			sum += count[w]
			if half == 0 && 2*sum >= total {
				half = time.Duration(w)
			}
			s.X, s.Y = append(s.X, float64(w)/unit), append(s.Y, 100*float64(sum)/float64(total))
		}
		s.Name = fmt.Sprintf("%s: half within %s", name(all, d), report.Length(half))
		c.Series = append(c.Series, s)
	}
	return c
}

// question is the scenario as suggest asks it.
func (f *plotFlags) question(s *model.Scenario) (*tune.Question, error) {
	q := &tune.Question{Setting: s, Backlog: s.Classes[0].Backlog, KeepUp: 0.95, Seed: f.seed, Jobs: f.jobs.N}
	if err := q.Check(); err != nil {
		return nil, usagef("%s: %v", s.Name, err)
	}
	return q, nil
}

func (f *plotFlags) bursts(ctx context.Context, s *model.Scenario, progress func(done, total int)) (*plots.Chart, error) {
	q, err := f.question(s)
	if err != nil {
		return nil, err
	}
	q.Progress = progress
	answer, err := tune.Suggest(ctx, q)
	if err != nil {
		return nil, err
	}
	per := s.Limits[0].Per
	unit, times := report.RateUnit(answer.Suggested.Limit.DrainPerSecond(), per)
	drain := plots.Series{Name: "drains at", Points: true}
	declared := plots.Series{Name: "declares", Thin: true}
	for _, c := range answer.Candidates {
		d, b := c.DrainPerS(), float64(c.Limit.Burst)
		drain.X, drain.Y = append(drain.X, b), append(drain.Y, d.Value*times)
		drain.Low, drain.High = append(drain.Low, d.Low*times), append(drain.High, d.High*times)
		declared.X, declared.Y = append(declared.X, b), append(declared.Y, c.Limit.DrainPerSecond()*times)
	}
	best := answer.Suggested
	return &plots.Chart{
		Title: settingOf(s, false, true), X: plots.Axis{Label: "Burst"}, Y: plots.Axis{Label: "Jobs" + unit}, Series: []plots.Series{drain, declared},
		Marks: []plots.Mark{{Name: fmt.Sprintf("suggested: burst %d, %s", best.Limit.Burst, report.Rate(best.DrainPerS().Value, per)), X: float64(best.Limit.Burst), Y: best.DrainPerS().Value * times}},
	}, nil
}

// heatPolls are the dispatcher polls of a heat map.
var heatPolls = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second}

// heatBursts is how many bursts a heat map has room for.
const heatBursts = 12

func (f *plotFlags) polls(ctx context.Context, s *model.Scenario, progress func(done, total int)) (*plots.Chart, error) {
	if len(s.Dispatchers) == 0 {
		return nil, usagef("--view: %s has no dispatcher whose poll could change", s.Name)
	}
	if _, err := f.question(s); err != nil {
		return nil, err
	}
	to := s.Limits[0].To
	var bursts []int
	for i := range min(to, heatBursts) {
		bursts = append(bursts, 1+i*(to-1)/max(min(to, heatBursts)-1, 1))
	}
	bursts = slices.Compact(bursts)
	unit, times := report.RateUnit(float64(to)/s.Limits[0].Per.Seconds(), s.Limits[0].Per)
	heat := &plots.Heat{Best: [2]int{-1, -1}, None: "drains too little to tell"}
	c := &plots.Chart{Title: settingOf(s, false, false) + ": drain in jobs" + unit, X: plots.Axis{Label: "Burst"}, Y: plots.Axis{Label: "Dispatcher poll"}, Heat: heat}
	for _, b := range bursts {
		c.X.Steps = append(c.X.Steps, fmt.Sprint(b))
	}
	best, done := 0.0, 0
	for j, poll := range heatPolls {
		c.Y.Steps = append(c.Y.Steps, report.Window(poll))
		row := make([]float64, len(bursts))
		for i, b := range bursts {
			cell := *s
			cell.Limits = slices.Clone(s.Limits)
			cell.Limits[0].Burst = b
			cell.Dispatchers = slices.Clone(s.Dispatchers)
			for k := range cell.Dispatchers {
				cell.Dispatchers[k].Interval = poll
			}
			runs, err := sim.Replicate(ctx, &cell, sim.Options{Seed: f.seed, Runs: max(f.runs.N/2, 1), Jobs: f.jobs.N})
			if err != nil {
				return nil, err
			}
			row[i] = measure.Mean(measure.Column(runs, measure.Place{Key: measure.DrainPerS})).Value * times
			if row[i] > best {
				best, heat.Best = row[i], [2]int{i, j}
				heat.Name = fmt.Sprintf("fastest: burst %d, dispatcher poll %s, %s", b, report.Window(poll), report.Rate(best/times, s.Limits[0].Per))
			}
			done++
			progress(done, len(heatPolls)*len(bursts))
		}
		heat.Cells = append(heat.Cells, row)
	}
	return c, nil
}

// title is the setting that all scenarios share, or nothing more than what is
// drawn.
func title(all []*drawing) string {
	first := settingOf(all[0].s, true, true)
	for _, d := range all[1:] {
		if settingOf(d.s, true, true) != first {
			return fmt.Sprintf("%d scenarios", len(all))
		}
	}
	if len(all) == 1 {
		return settingOf(all[0].s, true, true)
	}
	return first
}

// mostOfName is how long a name in a title may be, so that what follows fits.
const mostOfName = 48

// settingOf is a scenario's setting but for its burst, which is what people
// turn.
func settingOf(s *model.Scenario, backlog, dispatcher bool) string {
	text := s.Name
	if r := []rune(text); len(r) > mostOfName {
		text = string(r[:mostOfName-1]) + "…"
	}
	if len(s.Limits) == 1 {
		text = fmt.Sprintf("%d per %s", s.Limits[0].To, report.Window(s.Limits[0].Per))
	}
	jobs := 0
	for _, c := range s.Classes {
		jobs += c.Backlog
	}
	if backlog && jobs > 0 {
		text = fmt.Sprintf("Backlog of %s, %s", report.Count(jobs, "job"), text)
	}
	if dispatcher && len(s.Dispatchers) > 0 {
		text += ", dispatcher poll " + report.Window(s.Dispatchers[0].Interval)
	}
	if len(s.Workers) > 0 {
		text += ", worker poll " + report.Window(s.Workers[0].Interval)
	}
	return text
}

// name tells a scenario from the others: by its burst if that is all that
// differs, else by its name.
func name(all []*drawing, d *drawing) string {
	bursts := map[int]bool{}
	for _, o := range all {
		if len(o.s.Limits) != 1 {
			return d.s.Name
		}
		bursts[o.s.Limits[0].Burst] = true
	}
	if len(bursts) < len(all) {
		return d.s.Name
	}
	return fmt.Sprintf("burst %d", d.s.Limits[0].Burst)
}

// legend says when a scenario's jobs were all claimed: the answer.
func legend(all []*drawing, d *drawing) string {
	waiting := d.courses[0].Waiting
	text := name(all, d)
	if n := len(waiting); n > 0 && waiting[n-1].N == 0 {
		return text + ": empty at " + report.Length(waiting[n-1].At.Sub(0))
	} else if n > 0 {
		return fmt.Sprintf("%s: %d left", text, waiting[n-1].N)
	}
	return text
}
