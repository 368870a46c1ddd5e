//go:build live

// These tests take real time, a minute or two: go test -tags live ./sim/live
package live_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
	"github.com/ratesim/ratesim/sim/measure"
)

// real is a scenario on Solid Queue's rules.
func real(limit gcra.Limit, jobs int, takes, dispatcher time.Duration, threads int) *model.Scenario {
	s := &model.Scenario{
		Name: "real", System: model.SolidQueue, Rules: scenarios.DefaultRules(model.SolidQueue), Timing: model.Timing{RandomPhase: true},
		Limits:      []model.Limit{{Name: "api", Limit: limit, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "Job", Backlog: jobs, Queue: "default", Takes: model.Const(takes)}},
		Dispatchers: []model.Dispatcher{{Interval: dispatcher, Batch: 500}},
		Workers:     []model.Worker{{Queues: []string{"*"}, Threads: threads, Processes: 1, Interval: 100 * ms}},
	}
	return s
}

func runReal(t *testing.T, s *model.Scenario, seed uint64) *live.Result {
	t.Helper()
	ctx := context.Background()
	start := live.Start(s, false)
	q, err := sqlite.Create(ctx, filepath.Join(t.TempDir(), "queue.sqlite3"), s, nil, start)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	r, err := live.Run(ctx, q, s, start, live.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Drained {
		t.Fatalf("not drained: %+v", r.Where)
	}
	if err := q.Check(ctx); err != nil {
		t.Error(err)
	}
	return r
}

// In real time a run is one of the middle 98 % of simulations with its phases
// and delays.
func TestRealRunsAreSimulated(t *testing.T) {
	for i, c := range []struct {
		burst      int
		dispatcher time.Duration
	}{{1, time.Second}, {2, time.Second}, {3, time.Second}, {6, time.Second}, {2, 200 * ms}} {
		t.Run(fmt.Sprintf("burst %d, dispatcher %v", c.burst, c.dispatcher), func(t *testing.T) {
			t.Parallel()
			s := real(gcra.Limit{To: 10, Per: time.Second, Burst: c.burst}, 60, 10*ms, c.dispatcher, 3)
			r := runReal(t, s, uint64(i+1))
			if worst := r.Run.Whole[measure.WindowMax]; worst > 10 {
				t.Errorf("%v claims in a second, 10 are allowed", worst)
			}
			runs, err := sim.Replicate(context.Background(), r.Delays.Fit().Apply(r.Scenario), sim.Options{Seed: 1, Runs: 200})
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []measure.Key{measure.DrainPerS, measure.AfterBurstPerS} {
				drains := measure.Column(runs, measure.Place{Key: key})
				slices.Sort(drains)
				low, high, got := drains[2], drains[197], r.Run.Whole[key]
				t.Logf("%v: %.4f/s live, %.4f to %.4f simulated", key, got, low, high)
				if got < low || got > high {
					t.Errorf("%v: %.4f/s live, the 1st to 99th percentile of the simulations is %.4f to %.4f", key, got, low, high)
				}
			}
		})
	}
}

// With 50 threads the limit's burst decides whether 100 a second are reached.
func TestAHundredASecond(t *testing.T) {
	for _, c := range []struct {
		to, burst   int
		least, most float64
	}{{119, 20, 95, 101}, {110, 11, 0, 90}} {
		s := real(gcra.Limit{To: c.to, Per: time.Second, Burst: c.burst}, 1500, 50*ms, 100*ms, 50)
		r := runReal(t, s, 1)
		drain := r.Run.Whole[measure.DrainPerS]
		t.Logf("%d, burst %d: %.2f/s", c.to, c.burst, drain)
		if drain < c.least || drain > c.most {
			t.Errorf("%d, burst %d: %.2f/s, want %v to %v", c.to, c.burst, drain, c.least, c.most)
		}
		if worst := r.Run.Whole[measure.WindowMax]; worst > float64(c.to) {
			t.Errorf("%v claims in a second, %d are allowed", worst, c.to)
		}
	}
}
