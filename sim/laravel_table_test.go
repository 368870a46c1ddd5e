package sim_test

import (
	"context"
	"math"
	"testing"

	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// publishedRow is a row of the benchmark in Laravel Job Throttle's README: N
// jobs at once, 8 a second, ten workers, --sleep=1, jobs of 150 ms.
type publishedRow struct {
	scenario   string
	jobs       int
	finish     float64 // seconds
	pops       float64
	roundTrips float64
}

var publishedRows = []publishedRow{
	{"laravel-redis-throttle-200", 200, 25.5, 2576, 13525},
	{"laravel-redis-throttle-1000", 1000, 125.6, 58549, 295916},
	{"laravel-redis-throttle-3000", 3000, 378.3, 494853, 2483247},
	{"laravel-job-throttle-200", 200, 27.1, 399, 2922},
	{"laravel-job-throttle-1000", 1000, 127.8, 2065, 14654},
	{"laravel-job-throttle-3000", 3000, 379.3, 6498, 47825},
}

// spread is what some runs gave for a key.
type spread struct{ mean, low, high float64 }

func spreadOf(runs []*measure.Run, key measure.Key) spread {
	s := spread{low: math.Inf(1), high: math.Inf(-1)}
	for _, r := range runs {
		v := r.Whole[key]
		s.mean += v / float64(len(runs))
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
	return s
}

func laravelRuns(t *testing.T, name string, runs int, sets ...scenarios.Set) []*measure.Run {
	t.Helper()
	all, err := scenarios.Find(name, sets...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := sim.Replicate(context.Background(), all[0], sim.Options{Seed: 1, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The six published rows, from one set of costs: the finish lies within what
// twenty runs give, and half a second; pops and round trips of Redis::throttle
// within 5 %, as the pops of the package.
func TestThePublishedTable(t *testing.T) {
	for _, row := range publishedRows {
		t.Run(row.scenario, func(t *testing.T) {
			runs := laravelRuns(t, row.scenario, 20)
			finish := spreadOf(runs, measure.FinishedS)
			pops, trips := spreadOf(runs, measure.Pops), spreadOf(runs, measure.RoundTrips)
			t.Logf("finish %.1f [%.1f..%.1f] of %.1f, pops %.0f [%.0f..%.0f] of %.0f (%+.1f %%), empty %.0f, round trips %.0f [%.0f..%.0f] of %.0f (%+.1f %%)",
				finish.mean, finish.low, finish.high, row.finish, pops.mean, pops.low, pops.high, row.pops, 100*(pops.mean/row.pops-1),
				spreadOf(runs, measure.EmptyPops).mean, trips.mean, trips.low, trips.high, row.roundTrips, 100*(trips.mean/row.roundTrips-1))
			if row.finish < finish.low-0.5 || row.finish > finish.high+0.5 {
				t.Errorf("published finish %.1f s, want within [%.1f, %.1f] and 0.5", row.finish, finish.low, finish.high)
			}
			if off := math.Abs(pops.mean/row.pops - 1); off > 0.05 {
				t.Errorf("pops %.0f, published %.0f, %.1f %% off", pops.mean, row.pops, 100*off)
			}
			throttle := row.scenario[:len("laravel-redis")] == "laravel-redis"
			if off := math.Abs(trips.mean/row.roundTrips - 1); throttle && off > 0.05 {
				t.Errorf("round trips %.0f, published %.0f, %.1f %% off", trips.mean, row.roundTrips, 100*off)
			}
		})
	}
}
