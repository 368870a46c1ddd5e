package gcra

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// TokenBucket is the limiter most libraries have: a bucket of Capacity tokens,
// full at first, one token an admission, refilled evenly with To every Per.
// It drains a backlog at To every Per whatever its capacity, and pays for that
// with its promise: a window holds up to Capacity more than the refill.
//
// The arithmetic is exact. A token is counted as Per parts, and To parts come
// in every nanosecond, so that 3 a second need no third of a nanosecond.
type TokenBucket struct {
	To       int           // tokens that come in every Per
	Per      time.Duration // at least 1 ms
	Capacity int           // the most tokens the bucket holds
}

// Bucket is the state of a [TokenBucket]; the zero value is a full one.
type Bucket struct {
	Missing int64   // parts of tokens missing to full when last taken from
	At      Instant // and when that was
}

// Validate says in one sentence what is wrong with the bucket, or nothing.
func (l TokenBucket) Validate() error {
	if err := validWindow(l.To, l.Per); err != nil {
		return err
	}
	switch {
	case l.Capacity < 1:
		return fmt.Errorf("burst is %d, want at least 1", l.Capacity)
	case int64(l.Capacity) > math.MaxInt64/int64(l.Per):
		return fmt.Errorf("burst %d times per of %v is over 292 years, want less", l.Capacity, l.Per)
	}
	return nil
}

// Check takes a token if there is a whole one.
func (l TokenBucket) Check(s Bucket, now Instant) (Bucket, bool) {
	now = max(now, s.At)
	missing := l.missing(s, now)
	if missing > l.spare() {
		return s, false
	}
	return Bucket{missing + int64(l.Per), now}, true
}

// Earliest is when there is a whole token.
func (l TokenBucket) Earliest(s Bucket, now Instant) Instant {
	if over := s.Missing - l.spare(); over > 0 {
		return max(now, s.At.Add(time.Duration((over-1)/int64(l.To)+1)))
	}
	return max(now, s.At)
}

// spare is how many parts may be missing with a whole token left.
func (l TokenBucket) spare() int64 { return int64(l.Capacity-1) * int64(l.Per) }

// missing is how many parts are missing at now, which is not before s.At.
func (l TokenBucket) missing(s Bucket, now Instant) int64 {
	over, came := bits.Mul64(uint64(now.Sub(s.At)), uint64(l.To))
	if over > 0 || came >= uint64(s.Missing) {
		return 0
	}
	return s.Missing - int64(came)
}

// Spacing is Per/To, rounded up to a whole microsecond.
func (l TokenBucket) Spacing() time.Duration { return spread(l.Per, l.To) }

// MostInWindow is a full bucket at the window's start and what comes in before
// its end: less than To, for the last token comes exactly at the end, which a
// half-open window leaves out.
func (l TokenBucket) MostInWindow() int { return l.Capacity + l.To - 1 }
