package measure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ratesim/ratesim/model"
)

// Stats are the keys of one scope over all replications.
type Stats [NumKeys]Stat

// Named are the keys of a limit or a class.
type Named struct {
	Name string
	Stats
}

// Summary is what many replications of a scenario show.
type Summary struct {
	Runs    int
	Whole   Stats
	Limits  []Named
	Classes []Named

	BoundBy     string         // what held most replications back
	BoundByRuns map[string]int // how many replications each word held for

	// What makes a run a failure, whatever was expected of it.
	Broken      bool // a limiter that promises its window let more through
	NeverDrains bool // a replication stalled, or its backlog only grew

	Warnings []string // for the reader, a sentence each

	scenario *model.Scenario
}

// At is a value with its interval.
func (s *Summary) At(p Place) Stat {
	switch p.Part {
	case OfLimit:
		return s.Limits[p.Index].Stats[p.Key]
	case OfClass:
		return s.Classes[p.Index].Stats[p.Key]
	}
	return s.Whole[p.Key]
}

// Combine makes one summary of the replications of a scenario: means and
// percentiles with a Student t interval over the replications, facts as the
// worst of them had it. A key that has no meaning has N = 0; one that has none
// in some replications is that of the others.
func Combine(s *model.Scenario, runs []*Run) *Summary {
	sum := &Summary{
		Runs:        len(runs),
		Limits:      make([]Named, len(s.Limits)),
		Classes:     make([]Named, len(s.Classes)),
		BoundByRuns: map[string]int{},
		scenario:    s,
	}
	values := make([]float64, len(runs))
	fill := func(stats *Stats, of func(*Run) *Values) {
		for k := range stats {
			for i, r := range runs {
				values[i] = of(r)[k]
			}
			if info := &infos[k]; info.Fact {
				stats[k] = Worst(values, info.Least)
			} else {
				stats[k] = Mean(values)
			}
		}
	}
	fill(&sum.Whole, func(r *Run) *Values { return &r.Whole })
	for i := range sum.Limits {
		sum.Limits[i].Name = s.Limits[i].Name
		fill(&sum.Limits[i].Stats, func(r *Run) *Values { return &r.Limits[i] })
	}
	for i := range sum.Classes {
		sum.Classes[i].Name = s.Classes[i].Name
		fill(&sum.Classes[i].Stats, func(r *Run) *Values { return &r.Classes[i] })
	}
	for _, r := range runs {
		sum.BoundByRuns[r.BoundBy]++
		sum.NeverDrains = sum.NeverDrains || r.Counts.Stalled || r.Counts.Growing
	}
	for _, word := range BoundWords() {
		if n := sum.BoundByRuns[word]; n > sum.BoundByRuns[sum.BoundBy] {
			sum.BoundBy = word
		}
	}
	sum.warn(runs)
	return sum
}

// wide is the part of a mean that half its interval may be before the reader
// is told.
const wide = 0.01

func (sum *Summary) warn(runs []*Run) {
	say := func(format string, args ...any) {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf(format, args...))
	}
	for i, l := range sum.scenario.Limits {
		promise, most := PromiseOf(l), sum.Limits[i].Stats[WindowMax]
		name := l.Name
		if name == "" {
			name = "the limit"
		}
		switch {
		case opens(sum.scenario, i) && most.Value > float64(l.To):
			say("%s: while its Redis is down it lets everybody through; the most seen in %v is %.0f", name, l.Per, most.Value)
		case !promise.Keeps(l):
			say("%s: a %s limiter does not promise %d in %v, up to %d may fall in one window; the most seen is %.0f",
				name, strings.ReplaceAll(string(l.Kind), "_", " "), l.To, l.Per, promise.Window, most.Value)
		case most.Value > float64(l.To):
			sum.Broken = true
			say("%s: the limit was broken, %.0f claims in a window of %v that may hold %d", name, most.Value, l.Per, l.To)
		}
	}
	stalled, growing, drains := 0, 0, 0
	for _, r := range runs {
		if r.Counts.Stalled {
			stalled++
		}
		if r.Counts.Growing {
			growing++
		}
		if present(r.Whole[DrainPerS]) {
			drains++
		}
	}
	if stalled > 0 {
		say("in %d of %d runs jobs wait that nothing will ever bring back", stalled, sum.Runs)
	}
	if growing > 0 {
		say("in %d of %d runs the backlog only grows: jobs come faster than they can be claimed", growing, sum.Runs)
	}
	switch n := sum.Whole[Unfinished].Value; {
	case n > 0 && sum.Runs == 1:
		say("%.0f jobs had not ended when the run did", n)
	case n > 0:
		say("up to %.0f jobs had not ended when a run did", n)
	}
	if n := sum.Whole[Lost].Value; n > 0 {
		say("up to %.0f jobs of a run were refused and lost", n)
	}
	if n := sum.Whole[Unlocked]; n.N > 0 && n.Value > 0 {
		say("up to %.0f unique jobs of a run outlived their lock, so that each could be dispatched a second time: unique_for must be as long as a job may wait and run", n.Value)
	}
	drain := sum.Whole[DrainPerS]
	switch {
	case drains > 0 && drains < sum.Runs:
		say("drain_per_s has a value in only %d of %d runs: in the others all was claimed at one instant", drains, sum.Runs)
	case drain.N > 1 && drain.Half() > float64(wide*drain.Value):
		say("the 95 %% interval of drain_per_s is ±%.1f %% after %d runs, more runs would narrow it",
			100*drain.Half()/drain.Value, drain.N)
	case drain.N == 1:
		say("one run has no interval: ask for at least %d", MinRuns)
	}
	if most := sum.BoundByRuns[sum.BoundBy]; most < sum.Runs {
		say("runs differ in what held them back: %s", sum.boundShares())
	}
}

// boundShares lists the words of bound_by with their runs.
func (sum *Summary) boundShares() string {
	var parts []string
	for _, word := range BoundWords() {
		if n := sum.BoundByRuns[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", word, n))
		}
	}
	return strings.Join(parts, ", ")
}

// Once is the summary of a single run that really happened: its values are
// facts, without intervals. What it could not see is left out, bound_by too.
func Once(s *model.Scenario, r *Run) *Summary {
	sum := Combine(s, []*Run{r})
	exact := func(stats *Stats) {
		for k := range stats {
			stats[k].Low, stats[k].High = stats[k].Value, stats[k].Value
		}
	}
	exact(&sum.Whole)
	for i := range sum.Limits {
		exact(&sum.Limits[i].Stats)
	}
	for i := range sum.Classes {
		exact(&sum.Classes[i].Stats)
	}
	sum.BoundBy, sum.BoundByRuns = "", map[string]int{}
	// One run is all there can be: it needs no others to be told.
	sum.Warnings = slices.DeleteFunc(sum.Warnings, func(w string) bool { return strings.HasPrefix(w, "one run has no interval") })
	return sum
}
