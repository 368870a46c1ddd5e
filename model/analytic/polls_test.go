package analytic

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
)

func TestRuleOfThumb(t *testing.T) {
	for _, c := range []struct {
		to     int
		per, p time.Duration
		burst  int
		fits   bool
	}{
		{2, sec, 1100 * ms, 2, true},
		{10, sec, 1100 * ms, 6, true},
		{10, sec, 300 * ms, 3, true},
		{20, sec, 300 * ms, 5, true},
		{10, sec, 2 * sec, 8, true},
		{2, sec, 2 * sec, 2, true},
		{1, 2 * sec, 1100 * ms, 2, false},
		{100, mins, 1100 * ms, 2, true},
		{110, sec, 200 * ms, 19, true},
		{9, sec, sec, 5, true}, // exactly 5: nothing to round up
		{math.MaxInt - 1, sec, sec, math.MaxInt/2 + 1, true},
	} {
		if b, fits := RuleOfThumb(c.to, c.per, c.p); b != c.burst || fits != c.fits {
			t.Errorf("to %d per %v, polls %v: %d, %v, want %d, %v", c.to, c.per, c.p, b, fits, c.burst, c.fits)
		}
	}
}

// The rule is the smallest burst, 2 at least, whose own interval goes into the
// polls no more often than the burst: burst * T >= p.
func TestRuleOfThumbIsTheSmallestThatAbsorbsThePolls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.IntRange(1, 500).Draw(t, "to")
		per := rapid.Int64Range(1, int64(time.Hour)).Draw(t, "per")
		p := rapid.Int64Range(1, int64(mins)).Draw(t, "p")
		got, fits := RuleOfThumb(to, time.Duration(per), time.Duration(p))
		if fits != (got <= to) {
			t.Fatalf("fits is %v for burst %d of to %d", fits, got, to)
		}
		want := 2
		for int64(want)*per < p*int64(to-want+1) {
			want++
		}
		if got != want {
			t.Fatalf("to %d per %d polls %d: %d, counting up gives %d", to, per, p, got, want)
		}
	})
}

func TestBestPolledEqualsTryingEveryBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.IntRange(1, 80).Draw(t, "to")
		per := time.Duration(rapid.Int64Range(int64(to)*int64(ms), int64(mins)).Draw(t, "per"))
		period := time.Duration(rapid.Int64Range(int64(ms), int64(5*sec)).Draw(t, "period"))
		best := BestPolled(to, per, period)
		got := PolledDrain(gcra.Limit{To: to, Per: per, Burst: best}, period).PerSecond
		for b := 1; b <= to; b++ {
			if d := PolledDrain(gcra.Limit{To: to, Per: per, Burst: b}, period).PerSecond; d > got*(1+1e-6) {
				t.Fatalf("to %d per %v period %v: burst %d drains %v, %d drains %v", to, per, period, b, d, best, got)
			}
		}
	})
}

// What a real Solid Queue did with 60 jobs, in its own words: drains within
// what the corner allows, looks at a job within a tenth.
func TestPolledDrainAgainstARealQueue(t *testing.T) {
	for _, c := range []struct {
		burst   int
		period  time.Duration
		drain   float64 // jobs a second
		checks  float64 // looks a job: one when it came, and one for each deferral
		allowed float64
	}{
		{1, sec, 1.01, 1 + 8.9, 0.10},
		{2, sec, 2.00, 1 + 4.0, 0.10},
		{3, sec, 3.00, 1 + 2.4, 0.10},
		{6, sec, 4.66, 1 + 0.9, 0.10},
		{10, sec, 0.99, 1 + 0.8, 0.10},
		{1, 200 * ms, 4.81, 1 + 2.0, 0.10},
		{2, 200 * ms, 7.30, 1 + 1.2, 0.25}, // the soft corner
	} {
		l := gcra.Limit{To: 10, Per: sec, Burst: c.burst}
		if got := PolledDrain(l, c.period).PerSecond; math.Abs(got/c.drain-1) > c.allowed {
			t.Errorf("burst %d, polls %v: drains %.2f/s, the real queue %.2f/s", c.burst, c.period, got, c.drain)
		}
		if got := PolledClearing(l, 60, c.period).Checks / 60; math.Abs(got/c.checks-1) > c.allowed {
			t.Errorf("burst %d, polls %v: %.2f looks a job, the real queue %.2f", c.burst, c.period, got, c.checks)
		}
	}
}

// 100 jobs behind a dispatcher that looks once a second: the time and the looks
// a simulation by someone else gave, bursts 1 to 10.
func TestPolledClearingOfAHundred(t *testing.T) {
	for _, c := range []struct {
		burst  int
		took   float64
		checks float64
	}{{1, 98.6, 10.4}, {2, 49.3, 0}, {3, 33, 0}, {4, 24.5, 0}, {6, 19.6, 1.95}, {8, 31.3, 0}, {10, 90.6, 0}} {
		got := PolledClearing(gcra.Limit{To: 10, Per: sec, Burst: c.burst}, 100, sec)
		if math.Abs(got.Took.Seconds()/c.took-1) > 0.06 {
			t.Errorf("burst %d: %v, want about %vs", c.burst, got.Took, c.took)
		}
		if c.checks > 0 && math.Abs(got.Checks/100/c.checks-1) > 0.03 {
			t.Errorf("burst %d: %.2f looks a job, want about %v", c.burst, got.Checks/100, c.checks)
		}
	}
}

func TestPolledClearingOfWhatStartsAtOnce(t *testing.T) {
	got := PolledClearing(gcra.Limit{To: 10, Per: sec, Burst: 6}, 6, sec)
	if got.Took != 0 || got.Checks != 6 {
		t.Errorf("%+v, want no time and one look each", got)
	}
}

// Beyond the horizon every job that still waits is looked at once in five
// minutes: 3000 jobs at 1/s wait 2700, 2400, … at the ends of the horizons.
func TestPolledClearingBeyondTheHorizon(t *testing.T) {
	l := gcra.Limit{To: 2, Per: sec, Burst: 2} // one a second
	got := PolledClearing(l, 3002, 100*ms)
	want := 3002.0 + 3000 + (2700 + 2400 + 2100 + 1800 + 1500 + 1200 + 900 + 600 + 300)
	if math.Abs(got.Checks-want) > 1 {
		t.Errorf("%v looks, want %v", got.Checks, want)
	}
}

func TestIdleQueries(t *testing.T) {
	if got := IdleQueries(sec, 100*ms); got != 21 {
		t.Errorf("%v statements a second, want 21", got)
	}
}
