package measure

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

// at makes instants of milliseconds.
func at(millis ...int64) []gcra.Instant {
	times := make([]gcra.Instant, len(millis))
	for i, m := range millis {
		times[i] = gcra.Instant(m) * gcra.Instant(ms)
	}
	return times
}

func TestWorstWindowIsHalfOpen(t *testing.T) {
	for _, c := range []struct {
		name   string
		times  []gcra.Instant
		window time.Duration
		count  int
		at     gcra.Instant
	}{
		{"nothing", nil, sec, 0, 0},
		{"one", at(5), sec, 1, 5e6},
		{"exactly a window apart are in two windows", at(0, 1000), sec, 1, 0},
		{"a hair closer are in one", at(0, 999), sec, 2, 0},
		{"the first of several as full", at(0, 10, 5000, 5010), sec, 2, 0},
		{"an empty window", at(0, 0), 0, 0, 0},
	} {
		if n, from := WorstWindow(c.times, c.window); n != c.count || from != c.at {
			t.Errorf("%s: %d at %d, want %d at %d", c.name, n, from, c.count, c.at)
		}
	}
}

// trace draws times that cluster: small steps, some of none, some long.
func trace(t *rapid.T) []gcra.Instant {
	steps := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 40), rapid.Just(int64(0)), rapid.Int64Range(0, 400)), 1, 40).Draw(t, "steps")
	unit := rapid.SampledFrom([]int64{1, 1000, 333_333, 1_000_000, 50_000_000}).Draw(t, "unit")
	start := rapid.Int64Range(0, 1_800_000_000_000_000_000).Draw(t, "start")
	times := make([]gcra.Instant, len(steps))
	for i, s := range steps {
		start += s * unit
		times[i] = gcra.Instant(start)
	}
	return times
}

func TestWorstWindowEqualsCountingAtEveryStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := trace(t)
		window := time.Duration(rapid.Int64Range(1, int64(2*sec)).Draw(t, "window"))
		want := 0
		for _, from := range times {
			n := 0
			for _, x := range times {
				if x >= from && x < from.Add(window) {
					n++
				}
			}
			want = max(want, n)
		}
		if n, from := WorstWindow(times, window); n != want {
			t.Fatalf("%d at %d, counting gives %d", n, from, want)
		}
	})
}

// admitsAll runs the real limiter over the times.
func admitsAll(l gcra.Limit, times []gcra.Instant) bool {
	var b gcra.Budget
	for _, now := range times {
		var ok bool
		if b, ok = l.Check(b, gcra.Instant(now.Sub(times[0]))); !ok {
			return false
		}
	}
	return true
}

func TestSmallestBurstEqualsTryingEveryBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := trace(t)
		to := rapid.IntRange(1, 60).Draw(t, "to")
		per := time.Duration(rapid.Int64Range(1, int64(20*sec)).Draw(t, "per"))
		want := 0
		for b := 1; b <= to && want == 0; b++ {
			if l := (gcra.Limit{To: to, Per: per, Burst: b}); l.Validate() == nil && admitsAll(l, times) {
				want = b
			}
		}
		got, ok := SmallestBurst(times, to, per)
		if got != want || ok != (want > 0) {
			t.Fatalf("to %d per %v: burst %d, %v, trying every one gives %d", to, per, got, ok, want)
		}
	})
}

func TestSmallestBucketEqualsARealBucket(t *testing.T) {
	// A bucket kept in exact fractions: does it admit all?
	admits := func(size, to int, per time.Duration, times []gcra.Instant) bool {
		full := big.NewRat(int64(size), 1)
		level := new(big.Rat).Set(full)
		for i, x := range times {
			if i > 0 {
				in := new(big.Rat).SetFrac(
					new(big.Int).Mul(big.NewInt(int64(x.Sub(times[i-1]))), big.NewInt(int64(to))), big.NewInt(int64(per)))
				if level.Add(level, in).Cmp(full) > 0 {
					level.Set(full)
				}
			}
			if level.Sub(level, big.NewRat(1, 1)).Sign() < 0 {
				return false
			}
		}
		return true
	}
	rapid.Check(t, func(t *rapid.T) {
		times := trace(t)
		to := rapid.IntRange(1, 5000).Draw(t, "to")
		per := time.Duration(rapid.Int64Range(1, int64(20*sec)).Draw(t, "per"))
		got := SmallestBucket(times, to, per)
		if !admits(got, to, per, times) || got > 1 && admits(got-1, to, per, times) {
			t.Fatalf("to %d per %v: a bucket of %d is not the smallest that admits all", to, per, got)
		}
	})
}

// A burst that is big enough for the start may be too big for the long run.
func TestNoBurstForMoreThanTheLimit(t *testing.T) {
	if b, ok := SmallestBurst(at(0, 0, 0, 1000, 2000, 3000), 3, 2*sec); ok {
		t.Errorf("burst %d lets 3 at once and then one a second pass under 3 per 2s; want none", b)
	}
	if b, ok := SmallestBurst(at(0, 0, 0, 2000, 4000, 6000), 3, 2*sec); !ok || b != 3 {
		t.Errorf("burst %d, %v, want 3", b, ok)
	}
}

// A fixed window that leaks one admission each: two in some window of 2s, and
// all done in half the time the limit would have needed.
func TestAuditFindsALeakInEveryWindow(t *testing.T) {
	var times []gcra.Instant
	for i := range 15 {
		times = append(times, at(int64(2000*i), int64(2000*i+1100))...)
	}
	a, err := Inspect(times, 1, 2*sec, 0)
	if err != nil {
		t.Fatal(err)
	}
	if a.Held() || a.Worst.Count != 2 {
		t.Errorf("held %v with %d in the worst window, want 2", a.Held(), a.Worst.Count)
	}
	if a.Span() != 29100*ms || a.LeastSpan != 58*sec {
		t.Errorf("took %v of at least %v, want 29.1s of 58s", a.Span(), a.LeastSpan)
	}
	if a.Burst != 0 {
		t.Errorf("burst %d, want none", a.Burst)
	}
	if a.Broken != 15 {
		t.Errorf("%d windows broken, want 15", a.Broken)
	}
	slices.SortFunc(a.Breaches, func(x, y Window) int { return x.From - y.From })
	if len(a.Breaches) == 0 || a.Breaches[0].From != 0 {
		t.Errorf("breaches %v, want the first at the first start", a.Breaches)
	}
}

// Whole seconds under a limit per second can't tell 2 in a second from 2 in
// two neighbouring ones.
func TestAuditKnowsHowSureItIs(t *testing.T) {
	for _, c := range []struct {
		name   string
		times  []gcra.Instant
		to     int
		grain  time.Duration
		unsure bool
	}{
		{"exact times leave no doubt", at(0, 1000), 1, 0, false},
		{"a second apart, written in seconds, may be closer", at(0, 1000), 1, sec, true},
		{"twice in one second is twice within a second", at(0, 0), 1, sec, false},
		{"two seconds apart are over a second apart", at(0, 2000), 1, sec, false},
		{"written in minutes nothing is sure", at(0, 0), 1, time.Minute, true},
		{"milliseconds decide only at the edge", at(0, 999), 1, ms, false},
		{"and there they may deceive", at(0, 1000), 1, ms, true},
	} {
		a, err := Inspect(c.times, c.to, sec, c.grain)
		if err != nil {
			t.Fatal(err)
		}
		if a.Unsure() != c.unsure {
			t.Errorf("%s: unsure %v (%d for sure, %d maybe)", c.name, a.Unsure(), a.SureMax, a.MaybeMax)
		}
	}
}

func TestAuditRefusesWhatItCannotRead(t *testing.T) {
	for _, times := range [][]gcra.Instant{nil, at(2, 1)} {
		if _, err := Inspect(times, 1, sec, 0); err == nil {
			t.Errorf("%v passes, want an error", times)
		}
	}
}

func TestBreachesDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := trace(t)
		to := rapid.IntRange(1, 8).Draw(t, "to")
		a, err := Inspect(times, to, sec, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a.Held() != (a.Broken == 0) {
			t.Fatalf("held is %v with %d breaches", a.Held(), a.Broken)
		}
		for i, b := range a.Breaches {
			if b.Count <= to {
				t.Fatalf("breach of %d starts, to is %d", b.Count, to)
			}
			if i > 0 && b.At.Sub(a.Breaches[i-1].At) < sec {
				t.Fatalf("breaches at %d and %d overlap", a.Breaches[i-1].At, b.At)
			}
		}
	})
}

func BenchmarkInspectMillion(b *testing.B) {
	times := make([]gcra.Instant, 1_000_000)
	for i := range times {
		times[i] = gcra.Instant(int64(i) * int64(10*ms))
	}
	for b.Loop() {
		if _, err := Inspect(times, 100, sec, 0); err != nil {
			b.Fatal(err)
		}
	}
}
