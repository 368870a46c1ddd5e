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
		if declared, ok := declaredLine(all, d, last, unit); ok {
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
	steps := make([]int, len(d.courses)) // how many of each run's levels are past
	for _, at := range times {
		low, high, line := math.Inf(1), 0.0, 0.0
		for i, c := range d.courses {
			for steps[i] < len(c.Waiting) && c.Waiting[steps[i]].At <= at {
				steps[i]++
			}
			n := 0.0
			if k := steps[i]; k > 0 {
				n = float64(c.Waiting[k-1].N)
			}
			if i == 0 {
				line = n
			}
			low, high = min(low, n), max(high, n)
		}
		out.X, out.Y = append(out.X, float64(at)/unit), append(out.Y, line)
		out.Low, out.High = append(out.Low, low), append(out.High, high)
	}
	return out
}

// declaredLine is how a backlog would drain by the limit alone, as far as the
// end of a run that has a set one.
func declaredLine(all []*drawing, d *drawing, last gcra.Instant, unit float64) (plots.Series, bool) {
	s := d.s
	if len(s.Limits) != 1 || len(s.Classes) != 1 || s.Classes[0].Limit != 0 || s.Classes[0].Backlog == 0 || !s.Classes[0].Arrivals.None() {
		return plots.Series{}, false
	}
	l, n := s.Limits[0], float64(s.Classes[0].Backlog)
	left := max(n-float64(l.Burst), 0)
	end, rest := left/l.DrainPerSecond(), 0.0 // in seconds
	if until := last.Sub(0).Seconds(); s.Until > 0 && end > until {
		end, rest = until, left-until*l.DrainPerSecond()
	}
	return plots.Series{
		Name: name(all, d) + " declares " + report.Rate(l.DrainPerSecond(), l.Per), Thin: true,
		X: []float64{0, end * float64(time.Second) / unit}, Y: []float64{left, rest},
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
			for _, level := range levels {
				s.X, s.Y = append(s.X, float64(level.At)/unit), append(s.Y, float64(level.N))
			}
			most := int64(0) // of all runs, of which one is drawn
			for _, c := range d.courses {
				for _, level := range c.InWindow(i, l.Per) {
					most = max(most, level.N)
				}
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
		what := "worker poll "
		if s.Laravel != nil {
			what = fmt.Sprintf("%s, sleep ", report.Count(s.Workers[0].Processes, "worker"))
		}
		text += ", " + what + report.Window(s.Workers[0].Interval)
	}
	return text
}

// name tells a scenario from the others: by its burst if that is all that
// differs, else by its name.
func name(all []*drawing, d *drawing) string {
	bursts := map[int]bool{}
	for _, o := range all {
		if o.s.Laravel != nil {
			return d.s.Name // a throttle has no burst
		}
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
