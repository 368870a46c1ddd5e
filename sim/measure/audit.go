package measure

import (
	"math/bits"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// WorstWindow is the largest number of times in any half-open window of the given
// length, and the instant at which the first such window starts. The times
// are in order. An empty window holds nothing.
func WorstWindow(times []gcra.Instant, window time.Duration) (count int, at gcra.Instant) {
	from, count := worst(times, window)
	if count == 0 {
		return 0, 0
	}
	return count, times[from]
}

// worst is WorstWindow by index. A window that holds the most can always be slid
// until a time stands at its start.
func worst(times []gcra.Instant, window time.Duration) (from, count int) {
	if window <= 0 {
		return 0, 0
	}
	i := 0
	for j, t := range times {
		for t.Sub(times[i]) >= window {
			i++
		}
		if n := j - i + 1; n > count {
			from, count = i, n
		}
	}
	return from, count
}

// SmallestBurst is the smallest burst with which the limit of to in per admits
// every one of the times as it stands, and false when none does: a bigger
// burst lets more through together, but less in the long run. Bursts whose
// interval would be under [gcra.MinInterval] are no limits and don't count.
//
// Any n times in a row must span at least n-burst intervals. A replay that
// lets everything pass finds the n that fall short by the most; bursts they
// rule out are skipped without a replay, so a few replays are enough.
func SmallestBurst(times []gcra.Instant, to int, per time.Duration) (burst int, ok bool) {
	if to < 1 || per <= 0 {
		return 0, false
	}
	_, burst = worst(times, 1) // at least those at one instant
	// Smaller ones would leave an interval below the least there is.
	if most := int64(per / gcra.MinInterval); int64(to) > most {
		burst = max(burst, to+1-int(most))
	}
	for burst = max(burst, 1); burst <= to; burst++ {
		l := gcra.Limit{To: to, Per: per, Burst: burst}
		if l.Validate() != nil {
			continue
		}
		n, span, short := shortest(times, l.Pace())
		if !short {
			return burst, true
		}
		for burst < to {
			next := gcra.Limit{To: to, Per: per, Burst: burst + 1}
			if allows(next, n, span) {
				break
			}
			burst++
		}
	}
	return 0, false
}

// allows is true when the limit does not rule out n times within span.
func allows(l gcra.Limit, n int, span time.Duration) bool {
	return n <= l.Burst || int64(span)/int64(l.Interval()) >= int64(n-l.Burst)
}

// shortest replays the times through the limiter's arithmetic, counting those
// it would refuse as admitted, and gives the run of n times that came too
// early by the most. short is false when it refuses none.
func shortest(times []gcra.Instant, p gcra.Pace) (n int, span time.Duration, short bool) {
	if len(times) == 0 {
		return 0, 0, false
	}
	var most time.Duration
	tat, busy := gcra.Instant(0), 0 // busy: where the budget was last at rest
	for j, t := range times {
		t = gcra.Instant(t.Sub(times[0])) // leaves all of the range to the budget
		if tat <= t {
			tat, busy = t, j
		}
		if early := tat.Add(-p.Tolerance).Sub(t); early > most {
			most, n, span, short = early, j-busy+1, times[j].Sub(times[busy]), true
		}
		tat = tat.Add(p.Interval)
	}
	return n, span, short
}

// SmallestBucket is the smallest capacity of a token bucket, full at the start
// and refilled at to in per, that lets every one of the times pass: the most by
// which any stretch of them outruns the refill. Exact, however long the trace.
func SmallestBucket(times []gcra.Instant, to int, per time.Duration) int {
	if to < 1 || per <= 0 {
		return 0
	}
	var most, tokens, parts uint64 // taken and not yet refilled: tokens + parts/per
	for j, t := range times {
		if j > 0 {
			hi, lo := bits.Mul64(uint64(t.Sub(times[j-1])), uint64(to))
			if hi >= uint64(per) {
				tokens, parts = 0, 0
			} else {
				whole, rest := bits.Div64(hi, lo, uint64(per))
				switch {
				case whole > tokens || whole == tokens && rest >= parts:
					tokens, parts = 0, 0
				case rest > parts:
					tokens, parts = tokens-whole-1, parts+uint64(per)-rest
				default:
					tokens, parts = tokens-whole, parts-rest
				}
			}
		}
		tokens++
		need := tokens
		if parts > 0 {
			need++ // a part of a token is not there to be taken
		}
		most = max(most, need)
	}
	return int(most)
}

// LeastSpan is the least time between the first and the last of n starts under
// any limit that keeps to in every window of per: every start comes at least
// per after the to-th before it.
func LeastSpan(n, to int, per time.Duration) time.Duration {
	if n < 2 || to < 1 {
		return 0
	}
	hi, lo := bits.Mul64(uint64((n-1)/to), uint64(per))
	if hi != 0 || lo > uint64(gcra.Never) {
		return time.Duration(gcra.Never)
	}
	return time.Duration(lo)
}

// sorted is true when no time is earlier than the one before it.
func sorted(times []gcra.Instant) bool { return slices.IsSorted(times) }
