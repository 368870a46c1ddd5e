package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// question is the scenario as suggest asks it.
func (f *plotFlags) question(s *model.Scenario) (*tune.Question, error) {
	if s.Laravel != nil {
		return nil, usagef("%s: a throttle of Laravel's has no burst to choose", s.Name)
	}
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

// columns are the bursts of a heat map: all of them, or those that are so many
// times the last, since the best ones are among the small.
func columns(to int) (bursts []int) {
	for k := range heatBursts {
		b := k + 1
		if to > heatBursts {
			b = max(int(math.Round(math.Pow(float64(to), float64(k)/(heatBursts-1)))), k+1)
		}
		bursts = append(bursts, min(b, to))
	}
	return slices.Compact(bursts)
}

func (f *plotFlags) polls(ctx context.Context, s *model.Scenario, progress func(done, total int)) (*plots.Chart, error) {
	if len(s.Dispatchers) == 0 {
		return nil, usagef("--view: %s has no dispatcher whose poll could change", s.Name)
	}
	if _, err := f.question(s); err != nil {
		return nil, err
	}
	to := s.Limits[0].To
	bursts := columns(to)
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
				heat.Name = fmt.Sprintf("fastest of these: burst %d, dispatcher poll %s, %s", b, report.Window(poll), report.Rate(best/times, s.Limits[0].Per))
			}
			done++
			progress(done, len(heatPolls)*len(bursts))
		}
		heat.Cells = append(heat.Cells, row)
	}
	return c, nil
}
