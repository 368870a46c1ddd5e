// Package analytic answers in closed form what can be answered without a run:
// what a limit promises, what polls leave of it, what other limiters would do
// with the same numbers. Every function says the range it holds in. What is
// not exact in that range says "about", and the simulation has the last word.
package analytic

import (
	"math"
	"math/bits"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// All functions here take limits that passed Validate, and are exact: they
// agree with the limiter to the nanosecond, rounding of the interval included.

// MostIn is the most a limit admits in any half-open window of the given
// length, wherever it starts: a quiet budget's burst at the window's start and
// one every interval after it. It is a tight bound, for every length.
func MostIn(l gcra.Limit, window time.Duration) int {
	if window <= 0 {
		return 0
	}
	return addInt(l.Burst, int64(window-1)/int64(l.Interval()))
}

// ClearsIn is the time from the first to the last of n jobs that all wait when
// the budget is quiet, if nothing but the limit holds them back: the burst at
// once, then one every interval.
func ClearsIn(l gcra.Limit, n int) time.Duration {
	return times(n-l.Burst, l.Interval())
}

// RestsIn is how long after a burst at once the budget is quiet again, so that
// as many may start together.
func RestsIn(l gcra.Limit) time.Duration { return times(l.Burst, l.Interval()) }

// SmallestFor is the smallest burst that starts n waiting jobs at once: n, and
// false if that is more than to, when no burst does.
func SmallestFor(n, to int) (burst int, ok bool) {
	n = max(n, 1)
	return n, n <= to
}

// QuickestFor is the burst that has the last of n waiting jobs started soonest,
// if nothing but the limit holds them back, and the smallest of those where
// several do. Up to to jobs start at once with a burst of n. For more, each
// unit of burst saves less at the start than it costs afterwards, so the
// smallest that is a limit at all is best; to+1 jobs take about per whatever
// the burst.
func QuickestFor(n, to int, per time.Duration) int {
	if n <= to {
		return max(n, Least(to, per))
	}
	return Least(to, per)
}

// Least is the smallest burst whose interval is long enough to be a limit, or
// to if none is.
func Least(to int, per time.Duration) int {
	lo, hi := 1, to
	for lo < hi {
		mid := lo + (hi-lo)/2
		if (gcra.Limit{To: to, Per: per, Burst: mid}).Validate() == nil {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// times is n lengths of d, held at the end of the range; 0 for n below 1.
func times(n int, d time.Duration) time.Duration {
	if n <= 0 || d <= 0 {
		return 0
	}
	return clamp(bits.Mul64(uint64(n), uint64(d)))
}

// clamp is a 128-bit length, held at the end of the range.
func clamp(hi, lo uint64) time.Duration {
	if hi > 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(lo)
}

// ratio is a*b/c rounded down or up, held at the end of the range, for
// a, b >= 0 and c > 0.
func ratio(a, b, c int64, up bool) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if up {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(c-1), 0)
		hi += carry
	}
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	if q > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(q)
}

// addInt is a count, held at the end of the range.
func addInt(a int, b int64) int {
	if b > int64(math.MaxInt-a) {
		return math.MaxInt
	}
	return a + int(b)
}
