package main

import (
	"fmt"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/sim/measure"
)

// sweepChart is the drain over one value, or over two as a heat map.
func sweepChart(f *sweep.File) (*plots.Chart, error) {
	n := len(f.Vary)
	if n > 2 {
		return nil, usagef("--out: %d values are varied, a picture has room for two; want .ndjson or .csv", n)
	}
	c := &plots.Chart{Title: f.Sweep + ": drain in jobs/s", X: plots.Axis{Label: f.Vary[0].Key, Steps: f.Vary[0].Values},
		Footer: fmt.Sprintf("seed %d, %s, plan %s, ratesim %s", f.Seed, runsOf(f), f.Plan, versionOf().Version)}
	fastest, _, _, drains := sweep.Best(f.Results)
	answer := "nothing drains"
	if drains {
		answer = fmt.Sprintf("fastest: %s, %s/s", report.Setting(f, fastest), report.Digits(fastest.Summary["drain_per_s"], 3))
	}
	if n == 1 {
		s := plots.Series{Name: "drain; " + answer, Points: true}
		for _, r := range f.Results {
			if d, ok := r.Summary["drain_per_s"]; ok {
				s.X, s.Y = append(s.X, float64(r.Cell)), append(s.Y, d)
				s.Low, s.High = append(s.Low, endOf(r.Low, d)), append(s.High, endOf(r.High, d))
			}
		}
		c.Y.Label = "Drain, jobs/s"
		if drains {
			c.Series = []plots.Series{s}
		}
		return c, nil
	}
	c.Y = plots.Axis{Label: f.Vary[1].Key, Steps: f.Vary[1].Values}
	c.Heat = &plots.Heat{Best: [2]int{-1, -1}, Name: answer, None: "no drain, or not run"}
	wide, high := len(f.Vary[0].Values), len(f.Vary[1].Values)
	for range high {
		row := make([]float64, wide)
		for i := range row {
			row[i] = measure.Absent
		}
		c.Heat.Cells = append(c.Heat.Cells, row)
	}
	for _, r := range f.Results {
		if d, ok := r.Summary["drain_per_s"]; ok {
			c.Heat.Cells[r.Cell%high][r.Cell/high] = d
		}
	}
	if drains {
		c.Heat.Best = [2]int{fastest.Cell / high, fastest.Cell % high}
	}
	return c, nil
}

// endOf is an end of the drain's interval, or the drain where it has none.
func endOf(ends map[string]float64, drain float64) float64 {
	if v, ok := ends["drain_per_s"]; ok {
		return v
	}
	return drain
}

// runsOf is how many replications the cells have, in words.
func runsOf(f *sweep.File) string {
	if len(f.Results) == 0 {
		return "0 runs"
	}
	least, most := f.Results[0].Runs, 0
	for _, r := range f.Results {
		least, most = min(least, r.Runs), max(most, r.Runs)
	}
	if least == most {
		return report.Count(most, "run") + " a cell"
	}
	return fmt.Sprintf("%d to %d runs a cell", least, most)
}
