package tune_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// The grid that is searched: 16 bursts and 7 dispatcher polls, for 84 jobs a
// second near a limit of 110.
var (
	gridBursts = []int{1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 26, 34, 48, 70, 110}
	gridPolls  = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond,
		500 * time.Millisecond, 750 * time.Millisecond, time.Second}
)

func grid(t testing.TB) []*model.Scenario {
	arrivals, err := model.ParseArrivals("poisson 84/s", nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []*model.Scenario
	for _, burst := range gridBursts {
		for _, poll := range gridPolls {
			d, w := scenarios.DefaultDispatcher(), scenarios.DefaultWorker()
			d.Interval, w.Interval, w.Threads = poll, poll, 10
			all = append(all, &model.Scenario{
				Name: "grid", System: model.SolidQueue,
				Limits:      []model.Limit{{Name: "api", Limit: gcra.Limit{To: 110, Per: time.Second, Burst: burst}, Kind: model.GCRA}},
				Classes:     []model.Class{{Name: "Job", Takes: scenarios.DefaultTakes(), Arrivals: arrivals}},
				Dispatchers: []model.Dispatcher{d}, Workers: []model.Worker{w},
				Timing: model.Timing{}, Rules: scenarios.DefaultRules(model.SolidQueue), Until: time.Minute,
			})
		}
	}
	return all
}

// A second of wait is worth two thousand statements a second.
func contest(t testing.TB, seed uint64) *tune.Contest {
	return &tune.Contest{Settings: grid(t), Seed: seed, Cost: []tune.Term{{1, "wait_p95_s"}, {0.0005, "queries_per_s"}}}
}

// The answer costs within a hundredth of the best of the whole grid, each cell
// of which is run many times on draws of its own. What is said with 95 % may be
// wrong once in twenty times: the best, and each standing.
func TestContestAgainstTheWholeGrid(t *testing.T) {
	for name, c := range map[string]struct {
		timing model.Timing
		seeds  uint64
	}{"nothing costs time": {model.Timing{}, 40}, "the usual costs": {scenarios.DefaultTiming(), 20}} {
		t.Run(name, func(t *testing.T) { againstTheWholeGrid(t, c.timing, c.seeds) })
	}
}

func againstTheWholeGrid(t *testing.T, timing model.Timing, seeds uint64) {
	runs := 80
	if testing.Short() {
		runs, seeds = 20, 2
	}
	c := contest(t, 1)
	for _, s := range c.Settings {
		s.Timing = timing
	}
	costs := make([]float64, len(c.Settings))
	for i, s := range c.Settings {
		all, err := sim.Replicate(context.Background(), s, sim.Options{Seed: 1000, Runs: runs})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range all {
			if run.At(measure.Place{Key: measure.Claims}) < 0.95*run.At(measure.Place{Key: measure.Jobs}) {
				costs[i] = math.Inf(1) // its wait would be that of the few that got through
			}
			costs[i] += (run.At(measure.Place{Key: measure.WaitP95S}) + 0.0005*run.At(measure.Place{Key: measure.QueriesPerS})) / float64(runs)
		}
	}
	best := slices.Min(costs)
	missed, standings, wrong := uint64(0), 0, 0
	for seed := range seeds {
		c.Seed = seed + 1
		r, err := c.Hold(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		f := r.Finalists[0]
		over := costs[f.Index]/best - 1
		if f.Standing != tune.Best || over > 0.01 {
			missed++
			t.Logf("seed %d: burst %d, poll %v: %.1f %% over the best of the whole grid", seed+1, gridBursts[f.Index/7], gridPolls[f.Index%7], 100*over)
		}
		for _, g := range r.Finalists[1:] {
			o := costs[g.Index]/best - 1
			standings++
			if g.Standing == tune.Tied && o > over+0.01 || g.Standing == tune.Worse && o < over-0.0005 {
				wrong++
				t.Logf("seed %d: cell %d is %s, but %.1f %% over the best", seed+1, g.Index, g.Standing, 100*o)
			}
		}
	}
	if missed*20 > seeds {
		t.Errorf("%d of %d searches missed the best by more than 1 %%, want at most one in twenty", missed, seeds)
	}
	if wrong*20 > standings {
		t.Errorf("%d of %d standings are wrong, want at most one in twenty", wrong, standings)
	}
}

// drains are settings that drain a backlog, one for each burst, and what is
// expected of each.
func drains(t testing.TB, want string, bursts ...int) (all []*model.Scenario) {
	e, err := measure.ParseExpectation("drain_per_s", want)
	if err != nil {
		t.Fatal(err)
	}
	for _, burst := range bursts {
		s := *ask(10, time.Second, time.Second, 100*time.Millisecond).Setting
		s.Limits = []model.Limit{{Name: "api", Limit: gcra.Limit{To: 10, Per: time.Second, Burst: burst}, Kind: model.GCRA}}
		s.Classes = []model.Class{{Name: "Job", Takes: scenarios.DefaultTakes(), Backlog: 200}}
		s.Expect = []model.Expectation{e}
		all = append(all, &s)
	}
	return all
}

// The cheapest of those whose expectation holds, and none if it holds nowhere.
func TestContestKeepsExpectations(t *testing.T) {
	for _, x := range []struct {
		want  string
		price float64 // of each that starts at once
		burst int
	}{{">= 2.5", -1, 8}, {">= 3.5", 1, 4}, {">= 4.75", 1, 5}, {">= 6", 1, 0}} {
		c := &tune.Contest{Settings: drains(t, x.want, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Seed: 1, Cost: []tune.Term{{x.price, "at_once"}}}
		r, err := c.Hold(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		f := r.Finalists[0]
		if got := f.Index + 1; x.burst > 0 && (f.Standing != tune.Best || got != x.burst) || x.burst == 0 && f.Standing != tune.Broken {
			t.Errorf("%s: burst %d is %s, want %d", x.want, got, f.Standing, x.burst)
		}
	}
}

// Settings that are the same are tied, whatever the draws.
func TestContestNamesTies(t *testing.T) {
	c := &tune.Contest{Settings: drains(t, ">= 4", 6, 6, 6, 3), Seed: 1, Cost: []tune.Term{{-1, "drain_per_s"}}}
	r, err := c.Hold(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []tune.Standing
	for _, f := range r.Finalists {
		got = append(got, f.Standing)
	}
	if !slices.Equal(got, []tune.Standing{tune.Best, tune.Tied, tune.Tied, tune.Broken}) {
		t.Error(got)
	}
	for _, cost := range [][]tune.Term{nil, {{1, "wait"}}} {
		c.Cost = cost
		if _, err := c.Hold(context.Background()); err == nil {
			t.Errorf("%v: no error", cost)
		}
	}
}

// BenchmarkContest112 is the whole search, each time with other draws.
func BenchmarkContest112(b *testing.B) {
	seed, runs := uint64(0), 0
	for b.Loop() {
		seed++
		c := contest(b, seed)
		c.Jobs = 1
		r, err := c.Hold(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		runs += r.Runs
	}
	b.ReportMetric(float64(runs)/float64(b.N), "runs/op")
}
