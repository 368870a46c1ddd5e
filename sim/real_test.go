package sim_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// realRow is a drain measured on a real Solid Queue 1.5.0 (Rails 8.1, Ruby
// 3.3, SQLite 3.46 in WAL mode, fork mode, 2 cores), with a rate limit laid over
// its claim: the mean over three runs of (n - burst) / (last claim - first
// claim), and of the deferrals per job.
type realRow struct {
	to, burst  int
	per        time.Duration
	dispatcher time.Duration
	threads    int
	again      int // claims again in one poll
	takes      time.Duration
	jobs       int
	drain      float64 // after_burst_per_s
	deferrals  float64 // per job; mean of the three as far as they were printed
	within     float64 // of the drain: the interval that was asked for
}

const ms = time.Millisecond

// Tables B and C of the measurements. One default timing serves every row.
var realRows = []realRow{
	{2, 1, time.Second, time.Second, 3, 5, 0, 60, 0.99, 1.97, 0.05},
	{10, 1, time.Second, time.Second, 3, 5, 0, 60, 1.01, 8.93, 0.05},
	{10, 2, time.Second, time.Second, 3, 5, 0, 60, 2.00, 3.97, 0.05},
	{10, 3, time.Second, time.Second, 3, 5, 0, 60, 3.00, 2.37, 0.05},
	{10, 6, time.Second, time.Second, 3, 5, 0, 60, 4.66, 0.9, 0.05},
	{10, 10, time.Second, time.Second, 3, 5, 0, 60, 0.99, 0.8, 0.05},
	{10, 1, time.Second, 200 * ms, 3, 5, 0, 60, 4.81, 2.0, 0.05},
	{10, 2, time.Second, 200 * ms, 3, 5, 0, 60, 7.30, 1.17, 0.10},
	{110, 11, time.Second, 100 * ms, 3, 5, 0, 600, 96.18, 0.37, 0.10},
	{110, 11, time.Second, 100 * ms, 10, 5, 0, 600, 91.83, 0.13, 0.10},
	{119, 20, time.Second, 100 * ms, 3, 5, 0, 600, 95.87, 0.4, 0.10},
	{119, 20, time.Second, 100 * ms, 10, 5, 0, 600, 97.97, 0.63, 0.10},

	{1, 1, 2 * time.Second, time.Second, 3, 5, 0, 30, 0.28, 1.73, 0},
	{10, 1, time.Second, time.Second, 3, 0, 0, 60, 2.10, 4.0, 0.05},
	{10, 2, time.Second, time.Second, 3, 0, 0, 60, 2.42, 3.33, 0.05},
	{10, 2, time.Second, time.Second, 3, 5, 300 * ms, 60, 4.80, 1.5, 0.05},
	{10, 2, time.Second, time.Second, 10, 5, 0, 60, 2.00, 4.07, 0.05},
	{10, 6, time.Second, time.Second, 10, 5, 0, 60, 4.74, 0.9, 0.05},
	{55, 6, time.Second, 100 * ms, 50, 5, 0, 300, 40.80, 1.2, 0.10},
	{59, 10, time.Second, 100 * ms, 3, 5, 0, 300, 49.52, 0.87, 0.10},
	{110, 11, time.Second, 100 * ms, 50, 5, 0, 600, 80.49, 1.07, 0.10},
	{119, 20, time.Second, 100 * ms, 50, 5, 0, 600, 92.01, 0.57, 0.10},
}

func (r realRow) scenario() *model.Scenario {
	s := &model.Scenario{
		Name: "real", System: model.SolidQueue,
		Limits:      []model.Limit{{Name: "api", Limit: gcra.Limit{To: r.to, Per: r.per, Burst: r.burst}, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "EmptyJob", Backlog: r.jobs, Takes: model.Const(r.takes)}},
		Dispatchers: []model.Dispatcher{{Interval: r.dispatcher, Batch: 500}},
		Workers:     []model.Worker{{Queues: []string{"*"}, Threads: r.threads, Processes: 1, Interval: 100 * ms}},
		Timing:      scenarios.DefaultTiming(),
		Rules:       scenarios.DefaultRules(model.SolidQueue),
	}
	s.Rules.ClaimsAgain = r.again
	return s
}

// The real queue's drains, deferrals and windows come out of one default
// timing. With -v the test prints the table.
func TestTheRealQueueDrainsAsSimulated(t *testing.T) {
	for _, r := range realRows {
		name := fmt.Sprintf("%d per %v burst %d, dispatcher %v, %d threads, claims again %d, jobs of %v",
			r.to, r.per, r.burst, r.dispatcher, r.threads, r.again, r.takes)
		t.Run(name, func(t *testing.T) {
			s := r.scenario()
			runs, err := sim.Replicate(context.Background(), s, sim.Options{Seed: 1, Runs: 200})
			if err != nil {
				t.Fatal(err)
			}
			sum := measure.Combine(s, runs)
			drain, deferrals := sum.Whole[measure.AfterBurstPerS].Value, sum.Whole[measure.DeferralsPerJob].Value
			off, offDeferrals := drain/r.drain-1, deferrals/r.deferrals-1
			t.Logf("drain %.3f measured, %.3f simulated, %+.1f %%; deferrals a job %.2f, %.2f, %+.1f %%; worst window %v; held back by %s",
				r.drain, drain, 100*off, r.deferrals, deferrals, 100*offDeferrals, sum.Whole[measure.WindowMax].Value, sum.BoundBy)
			if most := sum.Whole[measure.WindowMax].Value; most > float64(r.to) {
				t.Errorf("%v claims in a window of %v, want at most %d", most, r.per, r.to)
			}
			// At 100/s one process of 3 threads has nothing left: jobs and polls
			// hold its lock nearly all the time. At 50/s it has.
			if r.threads == 3 && r.to > 10 {
				want := measure.ByLimit
				if r.to > 100 {
					want = measure.ByWorker
				}
				if sum.BoundBy != want {
					t.Errorf("held back by %s, want %s", sum.BoundBy, want)
				}
			}
			if r.within == 0 {
				// The drain hangs on the worker's period to the millisecond: the
				// band is what periods from 101 to 103 ms give.
				if drain < 0.24 || drain > 0.41 {
					t.Errorf("drain %.3f/s, want 0.24 to 0.41", drain)
				}
				return
			}
			if math.Abs(off) > r.within {
				t.Errorf("drain %.3f/s, measured %.3f, %+.1f %% off, want within %.0f %%", drain, r.drain, 100*off, 100*r.within)
			}
			// At 50 a second and more the process is at its ceiling and the
			// measured deferrals are noise.
			if r.to <= 10 && math.Abs(offDeferrals) > 0.10 {
				t.Errorf("deferrals a job %.2f, measured %.2f, %+.1f %% off, want within 10 %%", deferrals, r.deferrals, 100*offDeferrals)
			}
		})
	}
}
