package live

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// Fitted is what a run's delays come to as the timing of a simulation.
type Fitted struct {
	Timing model.Timing
	Costs  []Cost
	// Late is by how much jobs ran longer than they take.
	Late model.Dist
	// How much later than the overshoot says the sleeps of dispatchers and of
	// workers ended, in the mean: a run has mean periods of its own.
	later [2]time.Duration
}

// Cost is one key of a timing: a cost per job of a batch, if it has one, and
// the values that were measured beside it, all equally likely.
type Cost struct {
	Key    string
	N      int
	PerJob time.Duration
	Values []time.Duration // sorted
	Median time.Duration   // as measured, batches of all sizes
	P99    time.Duration
	// Explained is the share of the variance, around the mean, that the cost
	// per job explains; NaN where batches were all of one size.
	Explained float64
}

// CostKeys are the keys of the costs that are fitted, in this order.
var CostKeys = []string{"dispatch", "empty_dispatch", "claim", "empty_claim", "overshoot", "job_cpu"}

// Fit works out a timing. What never happened costs nothing.
func (d *Delays) Fit() *Fitted {
	f := &Fitted{}
	plain := func(values []time.Duration) (out []Sample) {
		for _, v := range values {
			out = append(out, Sample{0, v})
		}
		return out
	}
	for i, c := range []struct {
		samples []Sample
		into    *model.Dist
	}{
		{d.Of(sqlite.Dispatched), &f.Timing.Dispatch},
		{d.Of(sqlite.NoneDue), &f.Timing.EmptyDispatch},
		{d.Of(sqlite.Claimed), &f.Timing.Claim},
		{d.Of(sqlite.NoneReady), &f.Timing.EmptyClaim},
		{plain(d.Overshoot()), &f.Timing.Overshoot},
		{plain(justTook(d.Of(sqlite.Finished))), &f.Timing.JobCPU},
	} {
		cost := fit(CostKeys[i], c.samples)
		f.Costs = append(f.Costs, cost)
		*c.into = cost.dist()
	}
	f.later = [2]time.Duration{d.later(ofDispatcher), d.later(ofWorker)}
	// Sleeps are not late by chance alone: a loop's lateness wanders with what
	// else the machine does. So a run's mean periods are known no better than
	// to the middle half of all that was measured.
	if over := d.Overshoot(); len(over) >= 4 {
		slices.Sort(over)
		f.Timing.PeriodSpread = over[len(over)*3/4] - over[len(over)/4]
	}
	f.Late = fit("job_late", plain(d.Late())).dist()
	return f
}

func justTook(samples []Sample) (out []time.Duration) {
	for _, s := range samples {
		out = append(out, s.Took)
	}
	return out
}

// fit finds the cost per job by which batches of different sizes differ: the
// line of least squares through the medians of each size, weighted by how many
// there were, so that a stall does not tilt it. It never falls.
func fit(key string, samples []Sample) Cost {
	c := Cost{Key: key, N: len(samples), Explained: math.NaN()}
	if len(samples) == 0 {
		return c
	}
	all := justTook(samples)
	slices.Sort(all)
	c.Median, c.P99 = all[len(all)/2], all[min(len(all)-1, len(all)*99/100)]
	bySize := map[int][]time.Duration{}
	for _, s := range samples {
		bySize[s.N] = append(bySize[s.N], s.Took)
	}
	if len(bySize) > 1 {
		var w, x, y, xx, xy float64
		for n, took := range bySize {
			slices.Sort(took)
			k, m := float64(len(took)), float64(took[len(took)/2])
			w, x, y, xx, xy = w+k, x+k*float64(n), y+k*m, xx+k*float64(n*n), xy+k*float64(n)*m
		}
		if slope := (w*xy - x*y) / (w*xx - x*x); slope > 0 {
			c.PerJob = time.Duration(slope)
		}
		// No batch took less than its jobs: cut off at 0, what is left beside
		// them would be longer in the mean than it was.
		for _, s := range samples {
			if s.N > 0 {
				c.PerJob = min(c.PerJob, s.Took/time.Duration(s.N))
			}
		}
	}
	var before, after, mean, rest float64
	for _, s := range samples {
		v := s.Took - time.Duration(s.N)*c.PerJob
		c.Values = append(c.Values, v)
		mean += float64(s.Took) / float64(len(samples))
		rest += float64(v) / float64(len(samples))
	}
	for i, s := range samples {
		before += (float64(s.Took) - mean) * (float64(s.Took) - mean)
		after += (float64(c.Values[i]) - rest) * (float64(c.Values[i]) - rest)
	}
	if len(bySize) > 1 && before > 0 {
		c.Explained = max(0, 1-after/before)
	}
	slices.SortFunc(c.Values, cmp.Compare)
	return c
}

// dist is the cost as a delay to draw from. It was made from numbers, and reads
// back.
func (c Cost) dist() model.Dist {
	d, err := model.ParseDist(c.Text(""), func(string) ([]byte, error) { return c.CSV(), nil })
	if err != nil {
		panic(fmt.Sprintf("a fitted delay can't be read: %v", err))
	}
	return d
}

// Apply is a scenario with the delays of the run: what [Run] was given, as a
// simulation is to repeat it.
func (f *Fitted) Apply(s *model.Scenario) *model.Scenario {
	out := *s
	out.Timing = f.Timing
	out.Dispatchers, out.Workers = slices.Clone(s.Dispatchers), slices.Clone(s.Workers)
	for i := range out.Dispatchers {
		out.Dispatchers[i].Interval += f.later[ofDispatcher] - f.Timing.PeriodSpread/2
	}
	for i := range out.Workers {
		out.Workers[i].Interval += f.later[ofWorker] - f.Timing.PeriodSpread/2
	}
	out.Classes = slices.Clone(s.Classes)
	for i := range out.Classes {
		out.Classes[i].Takes = out.Classes[i].Takes.Plus(f.Late)
	}
	return &out
}

// Text is the cost as a delay. file is that of its values.
func (c Cost) Text(file string) string {
	var parts []string
	if c.PerJob > 0 {
		parts = append(parts, model.FormatDuration(c.PerJob)+" per job")
	}
	switch {
	case len(c.Values) > 1:
		parts = append(parts, fmt.Sprintf("empirical(%s)", cmp.Or(file, "values.csv")))
	case len(c.Values) == 1 && c.Values[0] > 0:
		parts = append(parts, model.FormatDuration(c.Values[0]))
	}
	if len(parts) == 0 {
		return "0ms"
	}
	return strings.Join(parts, " + ")
}

// CSV is the file of the cost's values.
func (c Cost) CSV() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s_us\n", c.Key)
	for _, v := range c.Values {
		fmt.Fprintf(&b, "%.3f\n", float64(v)/1e3)
	}
	return b.Bytes()
}

// Remark says how well it fits, in words.
func (c Cost) Remark() string {
	switch {
	case c.N == 0:
		return "did not happen"
	case len(c.Values) == 1:
		return "happened once"
	}
	text := fmt.Sprintf("%d measured, median %s, 99 %% within %s", c.N, model.FormatDuration(c.Median), model.FormatDuration(c.P99))
	if c.PerJob > 0 {
		text += fmt.Sprintf("; the cost per job explains %.0f %% of the variance", 100*c.Explained)
	}
	return text
}

// YAML is a file that holds the timing. file names the file of a cost's values.
func (f *Fitted) YAML(file func(Cost) string) []byte {
	var b bytes.Buffer
	b.WriteString("# Measured by ratesim live. Use it with: ratesim suggest --timing FILE\ntiming:\n")
	for _, c := range f.Costs {
		fmt.Fprintf(&b, "  # %s\n  %s: %q\n", c.Remark(), c.Key, c.Text(file(c)))
	}
	fmt.Fprintf(&b, "  boot: 0ms\n  period_spread: %s\n  database: serial\n  phase: random\n", model.FormatDuration(f.Timing.PeriodSpread))
	return b.Bytes()
}
