package gcra

import (
	"testing"
	"time"
)

// What users of rate limiters were surprised by, worked out again.

// go-redis/redis_rate #24: 17 per 30 s, tried at i and i + 0.25 s for 30 s.
// 17 were expected and 32 passed, for a bucket of 17 promises 17 + 30/T.
func TestReportSixtyTries(t *testing.T) {
	var tries []Instant
	for i := range Instant(30) {
		tries = append(tries, i*sec, i*sec+250*ms)
	}
	for _, c := range []struct {
		kind  string
		burst int
		want  int
	}{
		{"token_bucket", 17, 33}, {"token_bucket", 1, 15},
		{"gcra", 1, 15}, {"gcra", 5, 17}, {"gcra", 9, 17}, {"gcra", 17, 17},
		{"fixed_window", 17, 17}, {"opened_window", 17, 17}, {"sliding_log", 17, 17}, {"sliding_counter", 17, 17},
	} {
		sum := 0
		for _, n := range pass(mustGate(t, c.kind, Limit{To: 17, Per: 30 * time.Second, Burst: c.burst}), 1, tries...) {
			sum += n
		}
		if sum != c.want {
			t.Errorf("%s, burst %d: %d of 60 pass, want %d", c.kind, c.burst, sum, c.want)
		}
	}
}

// saturate is when jobs pass a gate that are always there, before end.
func saturate(g Gate, end Instant) (passed []Instant) {
	for now := g.Earliest(0); now < end; now = g.Earliest(now) {
		for g.Check(now) {
			passed = append(passed, now)
		}
	}
	return passed
}

func within(times []Instant, from, to Instant) (n int) {
	for _, at := range times {
		if at >= from && at < to {
			n++
		}
	}
	return n
}

// golang/go #39970 and governor #39: more in the first second than the rate.
// A bucket promises burst + rate x t; its last token comes at the very end of
// the second, which a half-open second leaves out.
func TestReportFirstSecondOfABucket(t *testing.T) {
	for _, c := range []struct {
		to, burst     int
		first, second int
		closed        int // with both ends of the first second
	}{
		{100, 10, 109, 100, 110},
		{10, 10, 19, 10, 20},
		{12, 12, 23, 12, 24},
	} {
		passed := saturate(mustGate(t, "token_bucket", Limit{To: c.to, Per: time.Second, Burst: c.burst}), 3*sec)
		first, second, closed := within(passed, 0, sec), within(passed, sec, 2*sec), within(passed, 0, sec+1)
		if first != c.first || second != c.second || closed != c.closed {
			t.Errorf("%d a second, burst %d: %d, %d, closed %d; want %d, %d, %d", c.to, c.burst, first, second, closed, c.first, c.second, c.closed)
		}
	}
	if n := within(saturate(mustGate(t, "token_bucket", Limit{To: 10, Per: time.Second, Burst: 10}), 2*sec+1), 0, 2*sec+1); n != 30 {
		t.Errorf("%d in two seconds, want 30: 15 a second", n)
	}
}

// authgear-server #3125: a period of one minute and a burst of 10 lets 19
// through in the first minute (20 with both its ends); with half of each, 9 or
// 10. To 10 with burst 6 refills alike, one every 12 s, and holds exactly 10.
func TestReportFirstMinuteOfABucket(t *testing.T) {
	minute := 60 * sec
	for _, c := range []struct {
		kind         string
		to, burst    int
		open, closed int
	}{
		{"token_bucket", 10, 10, 19, 20},
		{"token_bucket", 5, 5, 9, 10},
		{"gcra", 10, 6, 10, 11}, // the 11th comes at the minute's end, in the next window
	} {
		g := mustGate(t, c.kind, Limit{To: c.to, Per: time.Minute, Burst: c.burst})
		passed := saturate(g, 10*minute)
		if open, closed := within(passed, 0, minute), within(passed, 0, minute+1); open != c.open || closed != c.closed || mostIn(passed, time.Minute) != c.open {
			t.Errorf("%s %d a minute, burst %d: %d, closed %d; want %d, %d", c.kind, c.to, c.burst, open, closed, c.open, c.closed)
		}
	}
	for burst := 1; burst <= 10; burst++ { // the whole trade: at once, for the rate
		l := Limit{To: 10, Per: time.Minute, Burst: burst}
		passed := saturate(mustGate(t, "gcra", l), 30*minute)
		if peak := mostIn(passed, time.Minute); peak != l.MostInWindow() || peak > 10 {
			t.Errorf("burst %d: the worst minute holds %d", burst, peak)
		}
		if n := within(passed, 10*minute, 20*minute); n < 10*(11-burst)-1 || n > 10*(11-burst) {
			t.Errorf("burst %d: %d in ten minutes, want 10 x %d", burst, n, 11-burst)
		}
	}
}

// celery #4954 and stiphle #6: one a minute, and the first two nearly at once.
// That is the edge of a fixed window; with a gap between them there is none.
func TestReportTwoAtAWindowsEdge(t *testing.T) {
	l := Limit{To: 1, Per: time.Minute, Burst: 1}
	start := 59900 * ms
	for _, c := range []struct {
		kind string
		want []Instant
	}{
		{"fixed_window", []Instant{start, 60 * sec, 120 * sec}},
		{"even_spacing", []Instant{start, 119900 * ms, 179900 * ms}},
		{"gcra", []Instant{start, 119900 * ms, 179900 * ms}},
		{"token_bucket", []Instant{start, 119900 * ms, 179900 * ms}},
		{"sliding_log", []Instant{start, 119900 * ms, 179900 * ms}},
		{"opened_window", []Instant{start, 119900 * ms, 179900 * ms}},
		{"sliding_counter", []Instant{start, 120 * sec, 240 * sec}}, // it forgets the first only after a whole window
	} {
		g := mustGate(t, c.kind, l)
		for i, now := 0, start; i < len(c.want); i++ {
			if now = g.Earliest(now); now != c.want[i] || !g.Check(now) {
				t.Errorf("%s: job %d passes at %v, want %v", c.kind, i+1, time.Duration(now), time.Duration(c.want[i]))
			}
		}
	}
}
