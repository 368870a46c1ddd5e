package gcra

import "time"

// EvenSpacing lets one job pass every Per/To, rounded up to a whole
// microsecond, and never two closer than that. It keeps the promise and has no
// slack: it is a [Limit] with a burst of 1.
type EvenSpacing struct {
	To  int
	Per time.Duration
}

// Gap is the state of an [EvenSpacing]: the next instant at which it admits.
type Gap struct{ Next Instant }

// Validate says in one sentence what is wrong with the spacing, or nothing.
func (l EvenSpacing) Validate() error { return validWindow(l.To, l.Per) }

// Check lets the job pass if the gap is over.
func (l EvenSpacing) Check(s Gap, now Instant) (Gap, bool) {
	if now < s.Next {
		return s, false
	}
	return Gap{now.Add(l.Spacing())}, true
}

// Earliest is now, or when the gap is over.
func (l EvenSpacing) Earliest(s Gap, now Instant) Instant { return max(now, s.Next) }

// Spacing is Per/To, rounded up to a whole microsecond.
func (l EvenSpacing) Spacing() time.Duration { return spread(l.Per, l.To) }

// MostInWindow is To, or less where the rounded gap leaves no room for the last.
func (l EvenSpacing) MostInWindow() int { return 1 + int((l.Per-1)/l.Spacing()) }
