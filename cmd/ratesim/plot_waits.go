package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/plots"
)

// waits are the shares of the jobs that had waited no longer than that; of one
// scenario also its percentiles, and how many waited about how long.
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
	c := &plots.Chart{Title: title(all), X: x, Y: plots.Axis{Label: "Share of the claimed jobs", Unit: " %"}}
	for _, d := range all {
		w := waitsOf(d)
		s := plots.Series{Step: true, X: []float64{0}, Y: []float64{0}}
		sum := int64(0)
		for i, wait := range w.lengths {
			sum += w.jobs[i]
			s.X, s.Y = append(s.X, float64(wait)/unit), append(s.Y, 100*float64(sum)/float64(w.total))
		}
		s.Name = fmt.Sprintf("%s: half within %s", name(all, d), report.Length(time.Duration(w.percentile(50))))
		if n := len(d.courses[0].Waiting); n > 0 && d.courses[0].Waiting[n-1].N > 0 {
			s.Name += fmt.Sprintf(", %d still waiting", d.courses[0].Waiting[n-1].N)
		}
		c.Series = append(c.Series, s)
		if len(all) > 1 || w.total == 0 {
			continue
		}
		for _, p := range []int64{50, 95, 99} {
			at := w.percentile(p)
			c.Marks = append(c.Marks, plots.Mark{Name: fmt.Sprintf("p%d %s", p, report.Length(time.Duration(at))), X: float64(at) / unit, Y: float64(p)})
		}
		c.Series = append(c.Series, w.histogram(longest, unit, x.Unit))
	}
	return c
}

// waited are how long the jobs of all runs of a drawing waited.
type waited struct {
	lengths, jobs []int64 // the lengths in nanoseconds, ascending
	total         int64
}

func waitsOf(d *drawing) *waited {
	count := map[int64]int64{}
	for _, course := range d.courses {
		for w, n := range course.Waits {
			count[w] += n
		}
	}
	w := &waited{lengths: slices.Sorted(maps.Keys(count))}
	for _, l := range w.lengths {
		w.jobs = append(w.jobs, count[l])
		w.total += count[l]
	}
	return w
}

// percentile is the least wait that p percent of the jobs did not exceed.
func (w *waited) percentile(p int64) int64 {
	sum := int64(0)
	for i, l := range w.lengths {
		if sum += w.jobs[i]; 100*sum >= p*w.total {
			return l
		}
	}
	return 0
}

// histogram is the share of the jobs in each of about 30 lengths of time.
func (w *waited) histogram(longest int64, unit float64, name string) plots.Series {
	width := plots.Round(float64(longest) / unit / 30)
	bins := make([]float64, int(float64(longest)/unit/width)+2)
	for i, l := range w.lengths {
		bins[int(float64(l)/unit/width)] += 100 * float64(w.jobs[i]) / float64(w.total)
	}
	s := plots.Series{Name: fmt.Sprintf("in each %s%s", plots.Number(width), name), Step: true, Thin: true}
	for i, share := range bins {
		s.X, s.Y = append(s.X, float64(i)*width), append(s.Y, share)
	}
	return s
}
