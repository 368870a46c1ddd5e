package analytic

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
)

const (
	ms   = time.Millisecond
	sec  = time.Second
	mins = time.Minute
)

// limits draws limits that make sense.
func limits(t *rapid.T) gcra.Limit {
	l := gcra.Limit{To: rapid.IntRange(1, 40).Draw(t, "to")}
	l.Burst = rapid.IntRange(1, l.To).Draw(t, "burst")
	least := int64(ms) * int64(l.To-l.Burst+1)
	l.Per = time.Duration(rapid.OneOf(rapid.Int64Range(least, 100*least), rapid.Int64Range(least, int64(time.Hour)+least)).Draw(t, "per"))
	if l.Validate() != nil {
		t.Skip("not a limit")
	}
	return l
}

// drain is when n jobs start that ask again at the very instant they may.
func drain(l gcra.Limit, n int) []gcra.Instant {
	var b gcra.Budget
	now := gcra.Instant(0)
	starts := make([]gcra.Instant, 0, n)
	for len(starts) < n {
		now = max(now, l.Earliest(b))
		b, _ = l.Check(b, now)
		starts = append(starts, now)
	}
	return starts
}

func TestClearsInIsWhatTheLimiterDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, n := limits(t), rapid.IntRange(1, 200).Draw(t, "n")
		starts := drain(l, n)
		if got, want := ClearsIn(l, n), starts[n-1].Sub(0); got != want {
			t.Fatalf("%+v: %d jobs clear in %v, the limiter takes %v", l, n, got, want)
		}
	})
}

// No arrivals, however placed, get more through a window than MostIn says; and
// a backlog on a quiet budget gets as many through the window it opens.
func TestMostInIsReachedAndNeverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limits(t)
		window := time.Duration(rapid.Int64Range(1, int64(5*l.Per)).Draw(t, "window"))
		most := MostIn(l, window)
		n := 0
		for _, s := range drain(l, most+1) {
			if s.Sub(0) < window {
				n++
			}
		}
		if n != most {
			t.Fatalf("%+v: a backlog gets %d through %v, MostIn says %d", l, n, window, most)
		}

		gaps := rapid.SliceOfN(rapid.OneOf(
			rapid.Just(int64(0)), rapid.Int64Range(0, int64(l.Interval())*2), rapid.Int64Range(0, int64(l.Per)*2)), 1, 80).Draw(t, "gaps")
		var b gcra.Budget
		var starts []gcra.Instant
		now := gcra.Instant(0)
		for _, g := range gaps {
			now = now.Add(time.Duration(g))
			var ok bool
			if b, ok = l.Check(b, now); ok {
				starts = append(starts, now)
			}
		}
		for i := range starts {
			n := 0
			for _, s := range starts[i:] {
				if s.Sub(starts[i]) < window {
					n++
				}
			}
			if n > most {
				t.Fatalf("%+v: %d starts within %v, MostIn says %d", l, n, window, most)
			}
		}
		if MostIn(l, l.Per) > l.To {
			t.Fatalf("%+v: %d in a window of per", l, MostIn(l, l.Per))
		}
	})
}

func TestAfterRestsInTheBurstIsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limits(t)
		b, _ := l.Pace().CheckN(gcra.Budget{}, 0, l.Burst)
		again := gcra.Instant(0).Add(RestsIn(l))
		if _, n := l.Pace().CheckN(b, again, l.Burst); n != l.Burst {
			t.Fatalf("%+v: %d at once after %v, want %d", l, n, RestsIn(l), l.Burst)
		}
		if _, n := l.Pace().CheckN(b, again-1, l.Burst); n == l.Burst {
			t.Fatalf("%+v: the burst is back before %v", l, RestsIn(l))
		}
	})
}

func TestQuickestForEqualsTryingEveryBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.IntRange(1, 60).Draw(t, "to")
		n := rapid.IntRange(1, 200).Draw(t, "n")
		// Whole milliseconds to each burst, so that rounding decides no tie.
		per := time.Duration(rapid.IntRange(1, 50).Draw(t, "steps")) * 1000 * time.Duration(to) * sec
		best := gcra.Limit{To: to, Per: per, Burst: QuickestFor(n, to, per)}
		for b := 1; b <= to; b++ {
			l := gcra.Limit{To: to, Per: per, Burst: b}
			if ClearsIn(l, n)+ms*10 < ClearsIn(best, n) {
				t.Fatalf("to %d per %v: %d jobs clear in %v with burst %d, in %v with %d", to, per, n, ClearsIn(l, n), b, ClearsIn(best, n), best.Burst)
			}
		}
	})
}

func TestLeastIsTheSmallestThatIsALimit(t *testing.T) {
	for _, c := range []struct {
		to   int
		per  time.Duration
		want int
	}{{10, sec, 1}, {1000, sec, 1}, {1001, sec, 2}, {1002, sec, 3}, {5000, sec, 4001}, {10, time.Microsecond, 10}} {
		if got := Least(c.to, c.per); got != c.want {
			t.Errorf("to %d per %v: %d, want %d", c.to, c.per, got, c.want)
		}
	}
}

func TestClosedFormsHoldAtTheEndOfTheRange(t *testing.T) {
	l := gcra.Limit{To: 2, Per: 200 * 365 * 24 * time.Hour, Burst: 1}
	if got := ClearsIn(l, 1<<40); got != 1<<63-1 {
		t.Errorf("%v, want the longest length there is", got)
	}
}

// Reported settings and the figures worked out for them by hand.
func TestReportedSettings(t *testing.T) {
	hundred := func(b int) gcra.Limit { return gcra.Limit{To: 100, Per: mins, Burst: b} }
	for _, c := range []struct {
		burst, jobs int
		want        time.Duration
		perMinute   float64
	}{
		{1, 50, 29400 * ms, 100}, {10, 50, 26373640 * time.Microsecond, 91}, {51, 50, 0, 50}, {100, 50, 0, 1},
	} {
		l := hundred(c.burst)
		if got := ClearsIn(l, c.jobs); got != c.want {
			t.Errorf("100/min burst %d: 50 jobs clear in %v, want %v", c.burst, got, c.want)
		}
		if got := l.DrainPerSecond() * 60; got < c.perMinute-1e-9 || got > c.perMinute+1e-9 {
			t.Errorf("100/min burst %d: drains %v/min, want %v", c.burst, got, c.perMinute)
		}
	}
	for b := 1; b <= 10; b++ {
		l := gcra.Limit{To: 10, Per: mins, Burst: b}
		if got := MostIn(l, mins); got != 10 {
			t.Errorf("10/min burst %d: %d in the worst minute, want 10", b, got)
		}
		if got := l.DrainPerSecond() * 60; got < float64(11-b)-1e-9 || got > float64(11-b)+1e-9 {
			t.Errorf("10/min burst %d: sustains %v/min, want %d", b, got, 11-b)
		}
	}
	day := gcra.Limit{To: 5, Per: 24 * time.Hour, Burst: 1}
	if got := ClearsIn(day, 5); got != 19*time.Hour+12*mins {
		t.Errorf("5 a day: the fifth after %v, want 19.2h", got)
	}
}
