package analytic

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Limiter is one of the limiters people compare with, in its ideal form: no
// polls, no rounding. It is a value; MostIn and ClearsIn are exact for it.
type Limiter struct {
	Kind model.LimiterKind
	To   int
	Per  time.Duration
	Size int // at once: the burst of a window rule, the capacity of a bucket
}

// AtOnce is how many start together after a quiet time.
func (l Limiter) AtOnce() int {
	switch l.Kind {
	case model.GCRA, model.TokenBucket:
		return l.Size
	case model.EvenSpacing:
		return 1
	}
	return l.To
}

// PerSecond is the rate at which a backlog drains in the long run.
func (l Limiter) PerSecond() float64 {
	if l.Kind == model.GCRA {
		return l.gcra().DrainPerSecond()
	}
	return float64(l.To) / l.Per.Seconds()
}

// FirstIn is how many of an endless backlog start within a time of the first,
// on a quiet limiter whose window, if it has one, opens with the first.
func (l Limiter) FirstIn(window time.Duration) int {
	if l.Kind == model.FixedWindow && window > 0 {
		return addInt(0, ratio(int64(l.To), int64((window-1)/l.Per)+1, 1, false))
	}
	return l.MostIn(window)
}

// MostIn is the most that start in any half-open window of a length.
func (l Limiter) MostIn(window time.Duration) int {
	if window <= 0 {
		return 0
	}
	switch l.Kind {
	case model.GCRA:
		return MostIn(l.gcra(), window)
	case model.EvenSpacing:
		return MostIn(l.even(), window)
	case model.TokenBucket:
		// The bucket at the window's start, and what flows in until its last
		// instant.
		return addInt(l.Size, ratio(int64(window-1), int64(l.To), int64(l.Per), false))
	case model.FixedWindow:
		// The clock's windows that a stretch of this length can touch: it may
		// begin at the last instant of one.
		touched := int64(1)
		if window > 1 {
			touched = int64((window-2)/l.Per) + 2
		}
		return addInt(0, ratio(int64(l.To), touched, 1, false))
	}
	// A sliding log: each length of Per within the window holds at most To.
	return addInt(0, ratio(int64(l.To), int64((window-1)/l.Per)+1, 1, false))
}

// ClearsIn is the time from the first to the last of n jobs that all wait when
// the limiter is quiet, and its window, if it has one, has just opened.
func (l Limiter) ClearsIn(n int) time.Duration {
	switch l.Kind {
	case model.GCRA:
		return ClearsIn(l.gcra(), n)
	case model.EvenSpacing:
		return ClearsIn(l.even(), n)
	case model.TokenBucket:
		return time.Duration(ratio(int64(max(n-l.Size, 0)), int64(l.Per), int64(l.To), true))
	}
	return times(max(n-1, 0)/l.To, l.Per)
}

// RefillsIn is how long after AtOnce starts as many may start together again.
func (l Limiter) RefillsIn() time.Duration {
	switch l.Kind {
	case model.GCRA:
		return RestsIn(l.gcra())
	case model.EvenSpacing:
		return l.even().Interval()
	case model.TokenBucket:
		return time.Duration(ratio(int64(l.Size), int64(l.Per), int64(l.To), true))
	}
	return l.Per
}

// Keeps is true when no window of Per ever holds more than To.
func (l Limiter) Keeps() bool { return l.MostIn(l.Per) <= l.To }

func (l Limiter) gcra() gcra.Limit { return gcra.Limit{To: l.To, Per: l.Per, Burst: l.Size} }
func (l Limiter) even() gcra.Limit { return gcra.Limit{To: l.To, Per: l.Per, Burst: 1} }

// Others are what people compare a limit with, given the same numbers: token
// buckets of the sizes, even spacing, the window fixed to the clock, and the
// log of the last To starts.
func Others(to int, per time.Duration, buckets ...int) []Limiter {
	var all []Limiter
	for i, size := range buckets {
		seen := false
		for _, s := range buckets[:i] {
			seen = seen || s == size
		}
		if !seen && size > 0 {
			all = append(all, Limiter{model.TokenBucket, to, per, size})
		}
	}
	return append(all,
		Limiter{Kind: model.EvenSpacing, To: to, Per: per},
		Limiter{Kind: model.FixedWindow, To: to, Per: per},
		Limiter{Kind: model.SlidingLog, To: to, Per: per})
}
