package tune_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

func ask(to int, per, dispatcher, worker time.Duration) *tune.Question {
	d, w := scenarios.DefaultDispatcher(), scenarios.DefaultWorker()
	d.Interval, w.Interval = dispatcher, worker
	return &tune.Question{Setting: &model.Scenario{
		Name: "suggest", System: model.SolidQueue,
		Limits:      []model.Limit{{Name: "limit", Limit: gcra.Limit{To: to, Per: per}, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "Job", Takes: scenarios.DefaultTakes()}},
		Dispatchers: []model.Dispatcher{d}, Workers: []model.Worker{w},
		Timing: scenarios.DefaultTiming(), Rules: scenarios.DefaultRules(model.SolidQueue),
	}, KeepUp: 0.95, Seed: 1}
}

func TestTheBurstsThatUsersAskFor(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		to                      int
		per, dispatcher, worker time.Duration
		burst, thumb            int
	}{
		{10, s, s, 100 * ms, 6, 6},
		{10, s, 200 * ms, 100 * ms, 3, 3},
		{10, s, s, s, 6, 8}, // a generated queue.yml: the rule adds the worker's interval, whose polls jobs that end replace
		{2, s, s, 100 * ms, 2, 2},
		{20, s, 200 * ms, 100 * ms, 5, 5},
		{100, time.Minute, s, 100 * ms, 3, 2}, // the rule leaves no slack for the spread of the claims
	} {
		q := ask(c.to, c.per, c.dispatcher, c.worker)
		a, err := tune.Suggest(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		thumb, fits := q.Thumb()
		if got := a.Suggested.Limit.Burst; got != c.burst || thumb != c.thumb || !a.KeepsUp || !fits {
			t.Errorf("to %d per %v, polls %v and %v: burst %d (keeps up %v), rule of thumb %d; want %d and %d",
				c.to, c.per, c.dispatcher, c.worker, got, a.KeepsUp, thumb, c.burst, c.thumb)
		}
		if most := a.Suggested.Stats[measure.WindowMax].Value; most > float64(c.to) {
			t.Errorf("to %d per %v: %v claims in a window", c.to, c.per, most)
		}
	}
}

func TestTheExampleOfTheReadme(t *testing.T) {
	a, err := tune.Suggest(context.Background(), ask(10, time.Second, time.Second, 100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	f := a.Suggested
	if d := f.DrainPerS().Value; d < 4.9 || d > 5 {
		t.Errorf("drain %v, want about 4.95 of the 5 declared", d)
	}
	if f.Limit.Interval() != 200*time.Millisecond || f.Stats[measure.AtOnce].Value != 6 || f.Stats[measure.WindowMax].Value != 10 {
		t.Errorf("interval %v, at once %v, worst window %v; want 200ms, 6 and 10", f.Limit.Interval(), f.Stats[measure.AtOnce].Value, f.Stats[measure.WindowMax].Value)
	}
	if !slices.Equal(a.Ties, []int{5, 6}) {
		t.Errorf("ties %v, want 5 and 6", a.Ties)
	}
}

func TestNearbyRowsAreAnswersOfTheirOwn(t *testing.T) {
	a, err := tune.Suggest(context.Background(), ask(10, time.Second, time.Second, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Nearby) < 2 {
		t.Fatalf("%d rows nearby, want some", len(a.Nearby))
	}
	for _, n := range a.Nearby {
		own, err := tune.Suggest(context.Background(), ask(10, time.Second, n.Dispatcher, n.Worker))
		if err != nil {
			t.Fatal(err)
		}
		if own.Suggested.Limit != n.Suggested.Limit || own.Suggested.DrainPerS() != n.Suggested.DrainPerS() {
			t.Errorf("polls %v and %v: nearby says burst %d at %v, its own answer is %d at %v", n.Dispatcher, n.Worker,
				n.Suggested.Limit.Burst, n.Suggested.DrainPerS().Value, own.Suggested.Limit.Burst, own.Suggested.DrainPerS().Value)
		}
	}
}

func TestClaimsAtTheNamedSlowdown(t *testing.T) {
	if testing.Short() {
		t.Skip("six whole answers take half a minute under the race detector")
	}
	for _, polls := range [][2]time.Duration{{time.Second, time.Second}, {200 * time.Millisecond, 100 * time.Millisecond}} {
		q := ask(10, time.Second, polls[0], polls[1])
		a, err := tune.Suggest(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if a.Slowdown.Changes == 0 || a.Slowdown.Changes > a.Slowdown.Keeps*1.05 {
			t.Fatalf("polls %v: slowdown %+v, want both sides named, close together", polls, a.Slowdown)
		}
		for claim, want := range map[string]int{a.Slowdown.Claim.String(): a.Suggested.Limit.Burst, a.Slowdown.Over.String(): a.Slowdown.Burst} {
			d, err := model.ParseDist(claim, nil)
			if err != nil {
				t.Fatal(err)
			}
			q := ask(10, time.Second, polls[0], polls[1])
			q.Setting.Timing.Claim = d
			o, err := tune.Suggest(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Suggested.Limit.Burst; got != want {
				t.Errorf("polls %v, claims of %s: burst %d, want %d", polls, claim, got, want)
			}
		}
	}
}
