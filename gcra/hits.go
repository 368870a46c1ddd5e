package gcra

import "time"

// Hits counts what happens after the first of them until Every has passed, as a
// counter in a cache with a time to live does. Asking and counting are two
// calls, and whoever asks in between is let through as well: with several
// workers more than Allow can pass.
type Hits struct {
	Allow int
	Every time.Duration
}

// HitCount is the state of [Hits]; the zero value is none.
type HitCount struct {
	First Instant // when the first one was counted
	N     int
}

// Full is true if Allow were counted and the window is still open.
func (h Hits) Full(s HitCount, now Instant) bool { return h.open(s, now) && s.N >= h.Allow }

// Hit counts one.
func (h Hits) Hit(s HitCount, now Instant) HitCount {
	if !h.open(s, now) {
		return HitCount{now, 1}
	}
	s.N++
	return s
}

// Ends is when the window that is open ends.
func (h Hits) Ends(s HitCount) Instant { return s.First.Add(h.Every) }

func (h Hits) open(s HitCount, now Instant) bool { return s.N > 0 && now < s.First.Add(h.Every) }
