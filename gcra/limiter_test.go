package gcra

import (
	"math"
	"testing"
	"time"
)

const (
	ms  = Instant(time.Millisecond)
	sec = Instant(time.Second)
)

// pass is how many of n tries get through at each of the times, in order.
func pass(g Gate, n int, times ...Instant) (got []int) {
	for _, at := range times {
		k := 0
		for range n {
			if g.Check(at) {
				k++
			}
		}
		got = append(got, k)
	}
	return got
}

func mustGate(t testing.TB, kind string, l Limit) Gate {
	t.Helper()
	g, err := NewGate(kind, l)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Ten tries at each of these times, four a second and a bucket of four.
func TestEachLimiterByScript(t *testing.T) {
	l := Limit{To: 4, Per: time.Second, Burst: 4}
	for _, c := range []struct {
		kind  string
		times []Instant
		want  []int
	}{
		{"gcra", []Instant{0, 500 * ms, 999 * ms, sec, 2 * sec}, []int{4, 0, 0, 1, 1}},
		{"token_bucket", []Instant{0, 249 * ms, 250 * ms, 600 * ms, 750 * ms, 9 * sec}, []int{4, 0, 1, 1, 1, 4}},
		{"fixed_window", []Instant{900 * ms, sec, 1999 * ms, 2 * sec, 9 * sec}, []int{4, 4, 0, 4, 4}},
		{"opened_window", []Instant{900 * ms, sec, 1899 * ms, 1900 * ms, 9 * sec}, []int{4, 0, 0, 4, 4}},
		{"sliding_log", []Instant{900 * ms, sec, 1899 * ms, 1900 * ms, 9 * sec}, []int{4, 0, 0, 4, 4}},
		// Of the 4 before, (4 - 4 e) still count: one passes each quarter.
		{"sliding_counter", []Instant{900 * ms, sec, 1249 * ms, 1250 * ms, 1500 * ms, 1999 * ms, 9 * sec}, []int{4, 0, 0, 1, 1, 1, 4}},
		{"even_spacing", []Instant{0, 249 * ms, 250 * ms, 600 * ms, 849 * ms, 9 * sec}, []int{1, 0, 1, 1, 0, 1}},
	} {
		got := pass(mustGate(t, c.kind, l), 10, c.times...)
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: of ten at %v pass %v, want %v", c.kind, c.times, got, c.want)
				break
			}
		}
	}
}

func TestWhatEachKindSaysOfItself(t *testing.T) {
	l := Limit{To: 3, Per: time.Second, Burst: 2}
	third := 333334 * time.Microsecond
	for _, c := range []struct {
		kind     string
		spacing  time.Duration
		promises bool
		most     int
	}{
		{"gcra", 500 * time.Millisecond, true, 3},
		{"token_bucket", third, false, 4},
		{"fixed_window", third, false, 6},
		{"opened_window", third, false, 5},
		{"sliding_log", third, true, 3},
		{"sliding_counter", third, false, 5},
		{"even_spacing", third, true, 3},
	} {
		g := mustGate(t, c.kind, l)
		if g.Spacing() != c.spacing || g.Promises() != c.promises || g.MostInWindow() != c.most {
			t.Errorf("%s: spacing %v, promises %v, most %d; want %v, %v, %d", c.kind, g.Spacing(), g.Promises(), g.MostInWindow(), c.spacing, c.promises, c.most)
		}
	}
}

func TestNewGateSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		kind  string
		limit Limit
		want  string
	}{
		{"leaky", Limit{1, time.Second, 1}, `limiter is "leaky", want one of gcra, token_bucket, fixed_window, opened_window, sliding_log, sliding_counter, even_spacing`},
		{"gcra", Limit{10, time.Second, 11}, "burst is 11, want at most to, which is 10"},
		{"token_bucket", Limit{10, time.Second, 0}, "burst is 0, want at least 1"},
		{"token_bucket", Limit{4, time.Minute, math.MaxInt}, "burst 9223372036854775807 times per of 1m0s is over 292 years, want less"},
		{"token_bucket", Limit{4, time.Minute, 100}, ""},
		{"fixed_window", Limit{0, time.Second, 1}, "to is 0, want at least 1"},
		{"opened_window", Limit{1, 0, 1}, "per is 0s, want at least 1ms"},
		{"sliding_log", Limit{1, math.MaxInt64, 1}, "per is 2562047h47m16.854775807s, want at most 146 years"},
		{"sliding_counter", Limit{2000, time.Millisecond, 1}, "to is 2000 in 1ms, want at most one a microsecond"},
		{"even_spacing", Limit{5, time.Second, 0}, ""}, // it has no burst
	} {
		_, err := NewGate(c.kind, c.limit)
		if got := text(err); got != c.want {
			t.Errorf("%s %+v:\n\tgot  %s\n\twant %s", c.kind, c.limit, got, c.want)
		}
	}
}

// MostInWindow is neither too high nor too low: of all the ways in which none,
// one or as many as may can come at each of these times, around the edges of
// two windows, the worst holds exactly that many.
func TestMostInWindowIsReachedAndNeverPassed(t *testing.T) {
	per := time.Second
	p := Instant(per)
	times := []Instant{0, 1, p / 2, p - 2, p - 1, p, p + 1, p + p/2, 2*p - 2, 2*p - 1, 2 * p}
	for to := 1; to <= 3; to++ {
		for burst := 1; burst <= to; burst++ {
			l := Limit{To: to, Per: per, Burst: burst}
			worst(t, "gcra", paced{l}, l, times)
			worst(t, "token_bucket", TokenBucket{to, per, burst}, l, times)
		}
		l := Limit{To: to, Per: per, Burst: 1}
		worst(t, "fixed_window", FixedWindow{to, per}, l, times)
		worst(t, "opened_window", OpenedWindow{to, per}, l, times)
		worst(t, "sliding_counter", SlidingCounter{to, per}, l, times)
		worst(t, "even_spacing", EvenSpacing{to, per}, l, append([]Instant{Instant(EvenSpacing{to, per}.Spacing()), 2 * Instant(EvenSpacing{to, per}.Spacing())}, times...))
	}
	// The log's state is not to be gone back to, so it is worked by hand.
	g := mustGate(t, "sliding_log", Limit{To: 3, Per: per, Burst: 1})
	if got := pass(g, 9, 0, p/2, p-1); got[0]+got[1]+got[2] != g.MostInWindow() {
		t.Errorf("sliding_log: %v pass in a window, want %d in all", got, g.MostInWindow())
	}
}

func worst[S any](t *testing.T, kind string, l Limiter[S], limit Limit, times []Instant) {
	t.Helper()
	// The times at which waiting jobs would get through belong in it too.
	for k := range 3 {
		times = append(times, Instant(l.Spacing())*Instant(k+1))
	}
	if kind == "token_bucket" {
		for k := range 3 { // a token comes at a whole nanosecond, its spacing is whole microseconds
			times = append(times, (Instant(limit.Per)*Instant(k+1)-1)/Instant(limit.To)+1)
		}
	}
	times = sortedTimes(times)
	most := 0
	var passed []Instant
	var try func(s S, i int)
	try = func(s S, i int) {
		if i == len(times) {
			most = max(most, mostIn(passed, limit.Per))
			return
		}
		keep := len(passed)
		try(s, i+1)
		after, ok := l.Check(s, times[i])
		if ok {
			passed = append(passed, times[i])
			try(after, i+1)
			for ok {
				if after, ok = l.Check(after, times[i]); ok {
					passed = append(passed, times[i])
				}
			}
			if len(passed) > keep+1 {
				try(after, i+1)
			}
		}
		passed = passed[:keep]
	}
	var quiet S
	try(quiet, 0)
	if most != l.MostInWindow() {
		t.Errorf("%s %+v: the worst window holds %d, MostInWindow is %d", kind, limit, most, l.MostInWindow())
	}
}

func sortedTimes(times []Instant) []Instant {
	seen := map[Instant]bool{}
	var out []Instant
	for _, at := range times {
		if !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// The exact bucket and the real limiter are one rule where their numbers say
// the same: a bucket of Burst that gets one token every interval.
func TestATokenBucketIsALimitWithMoreToPromise(t *testing.T) {
	l := Limit{To: 10, Per: time.Second, Burst: 6}
	bucket := TokenBucket{To: 1, Per: l.Interval(), Capacity: l.Burst}
	var b Budget
	var s Bucket
	for i := range 5000 {
		now := Instant(i*i%977)*ms/10 + Instant(i)*20*ms
		var got, want bool
		b, want = l.Check(b, now)
		if s, got = bucket.Check(s, now); got != want {
			t.Fatalf("at %d: the bucket says %v, the limit %v", now, got, want)
		}
	}
}

func TestLimitersAtTheEndOfTime(t *testing.T) {
	for _, kind := range kinds {
		g := mustGate(t, kind, Limit{To: 3, Per: time.Hour, Burst: 3})
		now := Never - 10
		for range 5 {
			g.Check(now)
		}
		if at := g.Earliest(now); at < now {
			t.Errorf("%s: the earliest after %d is %d", kind, now, at)
		}
	}
}

func TestOneInAVeryLongTime(t *testing.T) {
	for _, kind := range []string{"token_bucket", "fixed_window", "opened_window", "sliding_log", "sliding_counter", "even_spacing"} {
		g := mustGate(t, kind, Limit{To: 1, Per: math.MaxInt64 / 2, Burst: 1})
		if got := pass(g, 2, 0, sec); got[0] != 1 || got[1] != 0 {
			t.Errorf("%s: %v pass", kind, got)
		}
	}
}
