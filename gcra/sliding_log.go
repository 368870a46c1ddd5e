package gcra

import "time"

// SlidingLog remembers the last To admissions and lets a job pass once the
// oldest of them is Per old. It keeps the promise exactly and admits all that
// the promise allows; the price is To instants of memory for every key, and
// that a burst comes again as a burst, every Per.
type SlidingLog struct {
	To  int
	Per time.Duration
}

// Log is the state of a [SlidingLog]. It owns a ring of instants, so a copy
// is not a second state: go on with what Check returned.
type Log struct {
	ring   []Instant // grows to To, then the oldest is written over
	oldest int
	last   Instant
}

// Validate says in one sentence what is wrong with the log, or nothing.
func (l SlidingLog) Validate() error { return validWindow(l.To, l.Per) }

// Check lets the job pass if fewer than To did in the Per that ends now.
func (l SlidingLog) Check(s Log, now Instant) (Log, bool) {
	now = max(now, s.last)
	if len(s.ring) < l.To {
		s.ring = append(s.ring, now)
		s.last = now
		return s, true
	}
	if now.Sub(s.ring[s.oldest]) < l.Per {
		return s, false
	}
	s.ring[s.oldest] = now
	if s.oldest++; s.oldest == len(s.ring) {
		s.oldest = 0
	}
	s.last = now
	return s, true
}

// Earliest is now, or when the oldest admission is Per old.
func (l SlidingLog) Earliest(s Log, now Instant) Instant {
	now = max(now, s.last)
	if len(s.ring) < l.To {
		return now
	}
	return max(now, s.ring[s.oldest].Add(l.Per))
}

// Spacing is Per/To, rounded up to a whole microsecond.
func (l SlidingLog) Spacing() time.Duration { return spread(l.Per, l.To) }

// MostInWindow is To.
func (l SlidingLog) MostInWindow() int { return l.To }
