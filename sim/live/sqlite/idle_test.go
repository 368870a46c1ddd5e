package sqlite_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// Clearing idle budgets at any moment changes no decision: two queues do the
// same, and one of them is cleared now and then.
func TestClearIdleChangesNoDecision(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &model.Scenario{Name: "idle", System: model.SolidQueue}
		for i := range rapid.IntRange(1, 3).Draw(rt, "limits") {
			to := rapid.IntRange(1, 5).Draw(rt, "to")
			s.Limits = append(s.Limits, model.Limit{Name: fmt.Sprintf("limit%d", i), Kind: model.GCRA,
				Limit: gcra.Limit{To: to, Per: time.Duration(rapid.IntRange(50, 3000).Draw(rt, "per ms")) * time.Millisecond, Burst: rapid.IntRange(1, to).Draw(rt, "burst")}})
			s.Classes = append(s.Classes, model.Class{Name: fmt.Sprintf("Job%d", i), Limit: i, Queue: "default"})
		}
		plain, cleared := create(t, s), create(t, s)
		a, b := session(t, plain), session(t, cleared)
		now, removed := gcra.Instant(0), int64(0)
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 900).Draw(rt, "wait ms")) * time.Millisecond)
			class, n := rapid.IntRange(0, len(s.Classes)-1).Draw(rt, "class"), rapid.IntRange(1, 4).Draw(rt, "n")
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				for _, x := range []*sqlite.Session{a, b} {
					if _, err := x.Enqueue(class, n, now); err != nil {
						rt.Fatal(err)
					}
				}
			case 1:
				x, err1 := a.Dispatch(now, now, 500)
				y, err2 := b.Dispatch(now, now, 500)
				if err1 != nil || err2 != nil || x != y {
					rt.Fatalf("at %v: %+v and %+v, %v, %v", time.Duration(now), x, y, err1, err2)
				}
			case 2:
				x, err1 := a.Claim(now, n)
				y, err2 := b.Claim(now, n)
				if got, want := fmt.Sprintf("%+v %v", y, err2), fmt.Sprintf("%+v %v", x, err1); got != want {
					rt.Fatalf("at %v: cleared %s, not cleared %s", time.Duration(now), got, want)
				}
			default:
				k, err := b.ClearIdle(context.Background(), n, 0, now)
				if err != nil {
					rt.Fatal(err)
				}
				removed += k
			}
		}
		var x, y []sqlite.Decision
		for _, side := range []struct {
			q   *sqlite.Queue
			out *[]sqlite.Decision
		}{{plain, &x}, {cleared, &y}} {
			if _, err := side.q.Decisions(context.Background(), 0, func(d sqlite.Decision) error { *side.out = append(*side.out, d); return nil }); err != nil {
				rt.Fatal(err)
			}
		}
		if fmt.Sprint(x) != fmt.Sprint(y) {
			rt.Fatalf("decisions differ:\n%v\n%v", x, y)
		}
	})
}

// A budget at rest goes, one that is not stays.
func TestClearIdleClearsWhatRests(t *testing.T) {
	s := plain()
	s.Limits = []model.Limit{{Name: "api", Limit: gcra.Limit{To: 1, Per: time.Second, Burst: 1}, Kind: model.GCRA}}
	s.Classes[0].Limit = 0
	one := session(t, create(t, s))
	if _, err := one.Enqueue(0, 2, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Claim(0, 2); err != nil { // one passes, the other's slot is at 1 s
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   time.Duration
		want int64
	}{{999 * time.Millisecond, 0}, {time.Second, 1}, {2 * time.Second, 0}} {
		if n, err := one.ClearIdle(context.Background(), 500, 0, gcra.Instant(c.at)); err != nil || n != c.want {
			t.Errorf("at %v: %d cleared, %v, want %d", c.at, n, err, c.want)
		}
	}
}
