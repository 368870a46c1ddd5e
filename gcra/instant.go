package gcra

import (
	"math"
	"time"
)

// Instant is a point in time: nanoseconds since the origin of the run, which
// whoever drives the code chooses. A length of time is a [time.Duration]; the
// two are different types so that one can't be taken for the other, and
// [Instant.Add] and [Instant.Sub] are the only bridges.
type Instant int64

// Never is later than every instant that can be reached: "not at all" where a
// time is asked for.
const Never Instant = math.MaxInt64

// Add is the instant d after t. What lies past the ends of the range stays at
// the end: adding never wraps a late instant round to an early one.
func (t Instant) Add(d time.Duration) Instant {
	sum := t + Instant(d)
	if d >= 0 && sum < t {
		return Never
	}
	if d < 0 && sum > t {
		return math.MinInt64
	}
	return sum
}

// Sub is the length from u to t, negative when t is earlier, held at the ends
// of the range like [Instant.Add].
func (t Instant) Sub(u Instant) time.Duration {
	d := t - u
	if (d > 0) != (t > u) && t != u {
		if t > u {
			return math.MaxInt64
		}
		return math.MinInt64
	}
	return time.Duration(d)
}
