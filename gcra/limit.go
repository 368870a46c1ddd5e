package gcra

import (
	"fmt"
	"math"
	"time"
)

// Horizon is how far ahead check times are handed out. A job that would have
// to wait longer is told to check again after Horizon and takes no slot, so a
// slot whose job was discarded is free again at the latest by then.
const Horizon = 5 * time.Minute

// MinInterval is the shortest interval a limit may have: clocks and polls are
// too coarse for less.
const MinInterval = time.Millisecond

// Limit is a promise: never more than To admissions in any half-open window of
// length Per, wherever it starts. It keeps it by letting Burst through at once
// and then one every [Limit.Interval]. So Burst is also the slack that absorbs
// late polls: with 1 there is none, and with To only one interval of length
// Per is left for all that follows.
//
// Limit is a plain value; the zero value makes no sense and [Limit.Validate]
// says so. The methods expect a limit that passed it.
type Limit struct {
	To    int           // the most admissions in any window, at least 1
	Per   time.Duration // the length of the window
	Burst int           // how many a quiet budget admits at once, 1 to To
}

// Validate says in one sentence what is wrong with the limit, or nothing.
func (l Limit) Validate() error {
	switch {
	case l.To < 1:
		return fmt.Errorf("to is %d, want at least 1", l.To)
	case l.Per <= 0:
		return fmt.Errorf("per is %v, want a length above 0, such as 1s", l.Per)
	case l.Burst < 1:
		return fmt.Errorf("burst is %d, want at least 1", l.Burst)
	case l.Burst > l.To:
		return fmt.Errorf("burst is %d, want at most to, which is %d", l.Burst, l.To)
	case int64(l.Per/MinInterval) < int64(l.To-l.Burst+1): // before rounding up
		return fmt.Errorf("the interval per/(to-burst+1) is %v, want at least %v: raise per or burst, or lower to",
			l.Per/time.Duration(l.To-l.Burst+1), MinInterval)
	case int64(l.Burst) > math.MaxInt64/int64(l.Interval()):
		return fmt.Errorf("burst %d times the interval of %v is over 292 years, want less", l.Burst, l.Interval())
	}
	return nil
}

// Interval is the time between two admissions once the burst is spent:
// Per/(To-Burst+1), rounded up to a whole microsecond, which is what databases
// store. Rounding up keeps the promise; rounding down would break it.
func (l Limit) Interval() time.Duration {
	return spread(l.Per, l.To-l.Burst+1)
}

// spread is per/n, rounded up to a whole microsecond (or, where the range of a
// Duration ends before that, to its end).
func spread(per time.Duration, n int) time.Duration {
	// Rounding up twice, to microseconds and then by n, is rounding up once;
	// n microseconds might not fit.
	us := (int64(per)-1)/int64(time.Microsecond) + 1
	us = (us-1)/int64(n) + 1
	if us > math.MaxInt64/int64(time.Microsecond) {
		return math.MaxInt64
	}
	return time.Duration(us) * time.Microsecond
}

// Tolerance is how much earlier than its place in the timetable an admission
// may come: each unit of burst above 1 lets one interval be skipped.
func (l Limit) Tolerance() time.Duration {
	return time.Duration(l.Burst-1) * l.Interval()
}

// DrainPerSecond is the rate at which a backlog drains when nothing else holds
// it back: To-Burst+1 in every Per. The rounding of the interval is left out.
func (l Limit) DrainPerSecond() float64 {
	return float64(l.To-l.Burst+1) / l.Per.Seconds()
}

// MostInWindow is the most admissions a half-open window of Per ever holds: the
// burst at its start and one every interval after it. That is To, or less
// where the rounded interval leaves no room for the last.
func (l Limit) MostInWindow() int {
	return l.Burst + int((l.Per-1)/l.Interval())
}
