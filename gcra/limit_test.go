package gcra

import (
	"math"
	"math/big"
	"testing"
	"time"
)

func TestValidateSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		limit Limit
		want  string
	}{
		{Limit{10, time.Second, 6}, ""},
		{Limit{1, time.Millisecond, 1}, ""},
		{Limit{1000, time.Second, 1}, ""},
		{Limit{}, "to is 0, want at least 1"},
		{Limit{-5, time.Second, 1}, "to is -5, want at least 1"},
		{Limit{10, 0, 1}, "per is 0s, want a length above 0, such as 1s"},
		{Limit{10, -time.Second, 1}, "per is -1s, want a length above 0, such as 1s"},
		{Limit{10, time.Second, 0}, "burst is 0, want at least 1"},
		{Limit{10, time.Second, 11}, "burst is 11, want at most to, which is 10"},
		{Limit{1001, time.Second, 2}, ""},
		{Limit{1001, time.Second, 1}, "the interval per/(to-burst+1) is 999µs, want at least 1ms: raise per or burst, or lower to"},
		{Limit{math.MaxInt, time.Second, 1}, "the interval per/(to-burst+1) is 0s, want at least 1ms: raise per or burst, or lower to"},
		{Limit{1 << 61, time.Second, 1}, "the interval per/(to-burst+1) is 0s, want at least 1ms: raise per or burst, or lower to"},
		{Limit{math.MaxInt, math.MaxInt64, 1}, "the interval per/(to-burst+1) is 1ns, want at least 1ms: raise per or burst, or lower to"},
		{Limit{2, math.MaxInt64, 2}, "burst 2 times the interval of 2562047h47m16.854775807s is over 292 years, want less"},
		{Limit{math.MaxInt, time.Second, math.MaxInt}, "burst 9223372036854775807 times the interval of 1s is over 292 years, want less"},
	} {
		err := c.limit.Validate()
		if got := text(err); got != c.want {
			t.Errorf("%+v:\n\tgot  %s\n\twant %s", c.limit, got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The numbers R18 works out, and the drain they give.
func TestIntervalsWorkedOutByHand(t *testing.T) {
	for _, c := range []struct {
		limit    Limit
		interval time.Duration
		drain    float64 // per second
	}{
		{Limit{100, time.Minute, 10}, 659341 * time.Microsecond, 91.0 / 60}, // 60/91 s, up to a microsecond
		{Limit{10, time.Second, 6}, 200 * time.Millisecond, 5},
		{Limit{10, time.Second, 3}, 125 * time.Millisecond, 8},
		{Limit{2, time.Second, 2}, time.Second, 1},
		{Limit{20, time.Second, 5}, 62500 * time.Microsecond, 16},
		{Limit{1, 5 * time.Second, 1}, 5 * time.Second, 0.2},
		{Limit{100, time.Minute, 100}, time.Minute, 1.0 / 60},
		{Limit{3, time.Second, 1}, 333334 * time.Microsecond, 3},
		{Limit{1, math.MaxInt64, 1}, math.MaxInt64, 0},
	} {
		if got := c.limit.Interval(); got != c.interval {
			t.Errorf("%+v: interval %v, want %v", c.limit, got, c.interval)
		}
		if got := c.limit.DrainPerSecond(); math.Abs(got-c.drain) > 1e-9 {
			t.Errorf("%+v: %v a second, want %v", c.limit, got, c.drain)
		}
	}
}

// Interval against integers without an end, up to the ends of the range.
func TestIntervalIsExact(t *testing.T) {
	for _, per := range []int64{1, 999, 1000, 1001, 1e9, 1e9 + 1, 60e9, math.MaxInt64 / 3, math.MaxInt64 - 807, math.MaxInt64} {
		for _, n := range []int{1, 2, 3, 7, 91, 1000, 1 << 40, 1 << 61, 1 << 62, math.MaxInt} {
			us := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(1000))
			want := new(big.Int).Add(big.NewInt(per), us)
			want.Sub(want, big.NewInt(1)).Div(want, us).Mul(want, big.NewInt(1000))
			if !want.IsInt64() {
				want.SetInt64(math.MaxInt64)
			}
			if got := (Limit{To: n, Per: time.Duration(per), Burst: 1}).Interval(); int64(got) != want.Int64() {
				t.Errorf("%d ns by %d: %d, want %v", per, n, got, want)
			}
		}
	}
}

// A script: when, what is asked, what is wanted. Times in milliseconds.
type step struct {
	at   int
	ask  string // check, defer, earliest, rest
	want int    // admitted 1 or 0; or an instant; or -1: no slot
}

func play(t *testing.T, l Limit, steps []step) {
	t.Helper()
	var b Budget
	for i, s := range steps {
		now := Instant(s.at) * Instant(time.Millisecond)
		got, ok := 0, false
		switch s.ask {
		case "check":
			if b, ok = l.Check(b, now); ok {
				got = 1
			}
		case "defer":
			var at Instant
			if b, at, ok = l.Defer(b, now); ok {
				got = int(at / Instant(time.Millisecond))
			} else {
				got = -1
			}
		case "earliest":
			got = int(l.Earliest(b) / Instant(time.Millisecond))
		case "rest":
			if l.AtRest(b, now) {
				got = 1
			}
		}
		if got != s.want {
			t.Errorf("step %d, %s at %d ms: %d, want %d", i, s.ask, s.at, got, s.want)
		}
	}
}

func TestAQuietBudgetAdmitsItsBurstThenOneEveryInterval(t *testing.T) {
	play(t, Limit{To: 10, Per: time.Second, Burst: 3}, []step{ // one every 125 ms
		{0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 0},
		{0, "earliest", 125}, {124, "check", 0}, {125, "check", 1}, {125, "check", 0},
		{250, "check", 1}, {375, "check", 1}, {499, "check", 0}, {500, "check", 1},
		{500, "rest", 0}, {874, "rest", 0}, {875, "rest", 1},
		{875, "check", 1}, {875, "check", 1}, {875, "check", 1}, {875, "check", 0},
	})
}

func TestBurstOneHasNoSlack(t *testing.T) {
	play(t, Limit{To: 1, Per: 5 * time.Second, Burst: 1}, []step{
		{0, "check", 1}, {4999, "check", 0}, {5001, "check", 1}, {10000, "check", 0}, {10001, "check", 1},
	})
}

func TestLargestBurstThenOneEveryPer(t *testing.T) {
	play(t, Limit{To: 3, Per: time.Second, Burst: 3}, []step{
		{0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {999, "check", 0}, {1000, "check", 1}, {1999, "check", 0}, {2000, "check", 1},
	})
}

func TestLateCallsAreMadeUpForWithinTheBurst(t *testing.T) {
	play(t, Limit{To: 10, Per: time.Second, Burst: 6}, []step{ // one every 200 ms
		{0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 0},
		{700, "check", 1}, {700, "check", 1}, {700, "check", 1}, {700, "check", 0}, {799, "check", 0}, {800, "check", 1},
	})
}

func TestWaitersGetSlotsOneIntervalApart(t *testing.T) {
	play(t, Limit{To: 10, Per: time.Second, Burst: 6}, []step{
		{0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 1}, {0, "check", 1},
		{0, "defer", 200}, {0, "defer", 400}, {50, "defer", 600},
		{5000, "rest", 1}, {5000, "defer", 5000}, {5000, "defer", 5200}, // what lies in the past is not made up
	})
}

func TestASlotAtExactlyTheHorizonIsTaken(t *testing.T) {
	play(t, Limit{To: 1, Per: 150 * time.Second, Burst: 1}, []step{
		{0, "check", 1}, {0, "defer", 150_000}, {0, "defer", 300_000}, {0, "defer", -1}, {149_999, "defer", -1}, {150_000, "defer", 450_000},
	})
}

func TestPastTheHorizonTheJobChecksAgainThen(t *testing.T) {
	l := Limit{To: 1, Per: 150 * time.Second, Burst: 1}
	b := Budget{TAT: Instant(time.Hour), Slot: Instant(time.Hour)}
	after, at, ok := l.Defer(b, 7)
	if ok || at != Instant(7).Add(Horizon) || after != b {
		t.Errorf("slot %v at %d, leaving %+v", ok, at, after)
	}
}

func TestAPollFindsAllThatIsDueAtOnce(t *testing.T) {
	b, n := Limit{To: 100, Per: time.Minute, Burst: 10}.Pace().CheckN(Budget{}, 0, 600)
	if n != 10 || b.TAT != 10*Instant(659341*time.Microsecond) {
		t.Errorf("%d pass and leave %+v", n, b)
	}
}

func TestNothingPassesTheEndOfTime(t *testing.T) {
	l := Limit{To: 2, Per: time.Second, Burst: 2}
	last := Never - Instant(time.Second)
	b, n := l.Pace().CheckN(Budget{}, last, 5)
	if n != 1 || b.TAT != Never || l.Earliest(b) != Never {
		t.Errorf("%d pass, leaving %+v, earliest %d", n, b, l.Earliest(b))
	}
	if _, at, ok := l.Defer(b, last); ok || at != Never {
		t.Errorf("slot at %d, %v", at, ok)
	}
}

func TestInstantsStopAtTheEndsOfTheRange(t *testing.T) {
	const first = Instant(math.MinInt64)
	for _, c := range []struct {
		got, want Instant
	}{
		{Instant(5).Add(3), 8}, {Instant(5).Add(-8), -3}, {Never.Add(1), Never}, {Never.Add(-1), Never - 1},
		{first.Add(-1), first}, {first.Add(math.MaxInt64), -1}, {Instant(1).Add(math.MaxInt64), Never}, {Instant(-2).Add(math.MinInt64), first},
	} {
		if c.got != c.want {
			t.Errorf("got %d, want %d", c.got, c.want)
		}
	}
	for _, c := range []struct {
		t, u Instant
		want time.Duration
	}{
		{8, 5, 3}, {5, 8, -3}, {5, 5, 0}, {Never, -1, math.MaxInt64}, {first, 1, math.MinInt64}, {-1, first, math.MaxInt64},
		{first, Never, math.MinInt64}, {Never, first, math.MaxInt64}, {0, first, math.MaxInt64}, {Never, Never, 0},
	} {
		if got := c.t.Sub(c.u); got != c.want {
			t.Errorf("%d - %d is %d, want %d", c.t, c.u, got, c.want)
		}
	}
}
