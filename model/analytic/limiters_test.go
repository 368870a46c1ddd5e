package analytic

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// gate admits or refuses, in the plainest way there is.
type gate func(now gcra.Instant) bool

func plain(l Limiter) gate {
	switch l.Kind {
	case model.TokenBucket:
		full := big.NewRat(int64(l.Size), 1)
		level, last := new(big.Rat).Set(full), gcra.Instant(0)
		one := big.NewRat(1, 1)
		return func(now gcra.Instant) bool {
			in := big.NewRat(int64(now.Sub(last)), int64(l.Per))
			last = now
			if level.Add(level, in.Mul(in, big.NewRat(int64(l.To), 1))).Cmp(full) > 0 {
				level.Set(full)
			}
			if level.Cmp(one) < 0 {
				return false
			}
			level.Sub(level, one)
			return true
		}
	case model.FixedWindow:
		window, n := int64(-1), 0
		return func(now gcra.Instant) bool {
			if w := int64(now) / int64(l.Per); w != window {
				window, n = w, 0
			}
			n++
			return n <= l.To
		}
	case model.SlidingLog:
		var log []gcra.Instant
		return func(now gcra.Instant) bool {
			for len(log) > 0 && now.Sub(log[0]) >= l.Per {
				log = log[1:]
			}
			if len(log) >= l.To {
				return false
			}
			log = append(log, now)
			return true
		}
	}
	limit, b := l.even(), gcra.Budget{}
	if l.Kind == model.GCRA {
		limit = l.gcra()
	}
	return func(now gcra.Instant) (ok bool) { b, ok = limit.Check(b, now); return ok }
}

// Few, long nanoseconds: every instant can be tried.
func small(t *rapid.T) Limiter {
	l := Limiter{
		Kind: rapid.SampledFrom([]model.LimiterKind{model.TokenBucket, model.FixedWindow, model.SlidingLog}).Draw(t, "kind"),
		To:   rapid.IntRange(1, 5).Draw(t, "to"),
		Per:  time.Duration(rapid.IntRange(2, 23).Draw(t, "per")),
		Size: rapid.IntRange(1, 7).Draw(t, "size"),
	}
	if l.Kind == model.TokenBucket {
		// A token comes at a whole nanosecond, or trying whole ones would let a
		// full bucket spill what the ideal one hands out in between.
		l.Per = time.Duration(l.To * rapid.IntRange(1, 9).Draw(t, "step"))
	}
	return l
}

// A backlog that asks at every instant takes all it can get from where it
// begins; the worst place to begin is found by trying them all.
func TestLimitersMostInEqualsTryingEveryStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := small(t)
		window := time.Duration(rapid.IntRange(1, 60).Draw(t, "window"))
		worst := 0
		for begin := range l.Per {
			open := plain(l)
			n := 0
			for now := gcra.Instant(begin); now < gcra.Instant(begin).Add(window); now++ {
				for open(now) {
					n++
				}
			}
			worst = max(worst, n)
		}
		if got := l.MostIn(window); got != worst {
			t.Fatalf("%+v: at most %d in %d ns, trying gives %d", l, got, window, worst)
		}
	})
}

func TestLimitersClearInWhatTheyTake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := small(t)
		n := rapid.IntRange(1, 60).Draw(t, "n")
		open := plain(l)
		now, done := gcra.Instant(0), 0
		for {
			for done < n && open(now) {
				done++
			}
			if done == n {
				break
			}
			now++
		}
		if got := l.ClearsIn(n); got != now.Sub(0) {
			t.Fatalf("%+v: %d jobs clear in %v, trying gives %v", l, n, got, now.Sub(0))
		}
	})
}

func TestReportedLimiters(t *testing.T) {
	bucket := func(to int, per time.Duration, size int) Limiter { return Limiter{model.TokenBucket, to, per, size} }
	for _, c := range []struct {
		name string
		got  int
		want int
	}{
		{"100/min, bucket 100: a minute", bucket(100, mins, 100).MostIn(mins), 199},
		{"10/min, bucket 10: a half-open minute", bucket(10, mins, 10).MostIn(mins), 19},
		{"10/min, bucket 10: a minute with both ends", bucket(10, mins, 10).MostIn(mins + 1), 20},
		{"4/min, bucket 100: the first minute", bucket(4, mins, 100).FirstIn(mins), 103},
		{"4/min, bucket 1: the first minute", bucket(4, mins, 1).FirstIn(mins), 4},
		{"17 per 30s, bucket 17", bucket(17, 30*sec, 17).MostIn(30 * sec), 33},
		{"10 per 5s in fixed windows: an edge", Limiter{Kind: model.FixedWindow, To: 10, Per: 5 * sec}.MostIn(sec), 20},
		{"even spacing, 1 per 500ms: a second", Limiter{Kind: model.EvenSpacing, To: 1, Per: 500 * ms}.MostIn(sec), 2},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	for _, c := range []struct {
		name string
		got  time.Duration
		want time.Duration
	}{
		{"300 tasks, 4/min, bucket 100", bucket(4, mins, 100).ClearsIn(300), 50 * mins},
		{"300 tasks, 4/min, bucket 1", bucket(4, mins, 1).ClearsIn(300), 74*mins + 45*sec},
		{"a bucket of 100 at 4/min refills", bucket(4, mins, 100).RefillsIn(), 25 * mins},
		{"100 calls, bucket 40, 2/s", bucket(2, sec, 40).ClearsIn(100), 30 * sec},
		{"100 jobs evenly at 1 per 500ms", Limiter{Kind: model.EvenSpacing, To: 1, Per: 500 * ms}.ClearsIn(100), 49500 * ms},
		{"100 jobs in windows of 10 per 5s", Limiter{Kind: model.FixedWindow, To: 10, Per: 5 * sec}.ClearsIn(100), 45 * sec},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestOthersNamesEachBucketOnce(t *testing.T) {
	n := 0
	for _, l := range Others(10, sec, 10, 6, 10, 0) {
		if l.Kind == model.TokenBucket {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d buckets, want 2", n)
	}
}

// The limiters that simulations run with: the same most in a window, and the
// same time for a backlog that asks whenever it may. A bucket of one token
// spills what comes in between two whole nanoseconds, one at most for each job.
func TestLimitersAgainstTheOnesThatAreRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limiter{
			Kind: rapid.SampledFrom([]model.LimiterKind{model.GCRA, model.TokenBucket, model.FixedWindow, model.SlidingLog, model.EvenSpacing}).Draw(t, "kind"),
			To:   rapid.IntRange(1, 30).Draw(t, "to"),
			Per:  time.Duration(rapid.Int64Range(int64(30*ms), int64(time.Hour)).Draw(t, "per")),
		}
		l.Size = rapid.IntRange(1, l.To).Draw(t, "size")
		gate, err := gcra.NewGate(string(l.Kind), gcra.Limit{To: l.To, Per: l.Per, Burst: l.Size})
		if err != nil {
			t.Fatal(err)
		}
		if l.Kind != model.TokenBucket || int64(l.Per)%int64(l.To) == 0 {
			if got := l.MostIn(l.Per); got != gate.MostInWindow() {
				t.Fatalf("%+v: at most %d in per, the limiter says %d", l, got, gate.MostInWindow())
			}
		}
		n := rapid.IntRange(1, 100).Draw(t, "n")
		now := gcra.Instant(0)
		for range n {
			now = gate.Earliest(now)
			if !gate.Check(now) {
				t.Fatalf("%+v: refused at %d, the earliest there is", l, now)
			}
		}
		spill := time.Duration(0)
		if l.Kind == model.TokenBucket {
			spill = time.Duration(n)
		}
		if got := l.ClearsIn(n); got > now.Sub(0) || got < now.Sub(0)-spill {
			t.Fatalf("%+v: %d jobs clear in %v, the limiter takes %v", l, n, got, now.Sub(0))
		}
	})
}
