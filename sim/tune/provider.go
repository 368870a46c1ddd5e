package tune

import (
	"context"
	"fmt"
	"slices"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// ProviderQuestion asks which rate is safe at a provider that counts calls when
// they arrive: some time after the limit let their jobs start, so that more of
// them can fall into one of its windows than into one of the limit's.
type ProviderQuestion struct {
	Limit int // calls that the provider serves in its window
	// Scenario lets n jobs start in a window as long as the provider's, which
	// counts the calls.
	Scenario func(n int) (*model.Scenario, error)
	// MostIn is the most jobs that can start in a window of the provider's
	// length and Spread, whatever the timing; nil: calls may be any time late.
	MostIn   func(n int) int
	Seed     uint64
	Runs     int // replications of each rate; 0: ProviderRuns
	Jobs     int
	Progress func(done, total int)
}

// ProviderRuns is how many replications a rate gets where nobody says.
const ProviderRuns = 20

// RateFinding is a rate and what the provider saw of it.
type RateFinding struct {
	N           int // jobs that may start in a window
	Scenario    *model.Scenario
	Stats       measure.Stats
	Calls, Most float64 // of all runs; in the worst window of all of them
	Refused     float64 // of all runs
	Bound       int     // the most that its window can ever hold; 0: there is no such number
}

// ProviderAnswer is what was found.
type ProviderAnswer struct {
	// Certain is the highest rate that can't be refused, by arithmetic; nil:
	// none, or calls may be any time late. Unrefused is the highest of which no
	// run had a call refused, which more runs might; nil: none.
	Certain, Unrefused *RateFinding
	Rates              []*RateFinding // all that were tried, ascending
	Runs               int
}

// SafeRate looks for the highest rate of which the provider refuses nothing. A
// lower rate is taken to have no more refusals than a higher one.
func SafeRate(ctx context.Context, q *ProviderQuestion) (*ProviderAnswer, error) {
	a := &ProviderAnswer{Runs: q.Runs}
	if a.Runs == 0 {
		a.Runs = ProviderRuns
	}
	steps := 2
	for n := q.Limit; n > 1; n /= 2 {
		steps++
	}
	try := func(n int) (*RateFinding, error) {
		for _, known := range a.Rates {
			if known.N == n {
				return known, nil
			}
		}
		s, err := q.Scenario(n)
		if err != nil {
			return nil, err
		}
		runs, err := sim.Replicate(ctx, s, sim.Options{Seed: q.Seed, Runs: a.Runs, Jobs: q.Jobs})
		if err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
		f := &RateFinding{N: n, Scenario: s, Stats: measure.Combine(s, runs).Whole, Most: worst(runs, measure.ProviderWindowMax)}
		if q.MostIn != nil {
			f.Bound = q.MostIn(n)
		}
		for _, r := range runs {
			f.Calls += r.Whole[measure.ProviderCalls]
			f.Refused += r.Whole[measure.ProviderRefused]
		}
		a.Rates = append(a.Rates, f)
		if q.Progress != nil {
			q.Progress(min(len(a.Rates), steps), steps)
		}
		return f, nil
	}
	low, high := 0, q.Limit+1 // low is safe, high is not
	for n := q.Limit; low+1 < high; n = (low + high) / 2 {
		f, err := try(n)
		if err != nil {
			return nil, err
		}
		if f.Refused > 0 {
			high = n
		} else {
			low, a.Unrefused = n, f
		}
	}
	if n := q.certain(); n > 0 {
		f, err := try(n)
		if err != nil {
			return nil, err
		}
		a.Certain = f
	}
	slices.SortFunc(a.Rates, func(x, y *RateFinding) int { return x.N - y.N })
	return a, nil
}

// certain is the highest rate whose worst case the provider serves; 0: none. A
// higher rate need not have a higher worst case, for its burst may be smaller.
func (q *ProviderQuestion) certain() int {
	if q.MostIn == nil {
		return 0
	}
	for n := q.Limit; n > 0; n-- {
		if q.MostIn(n) <= q.Limit {
			return n
		}
	}
	return 0
}
