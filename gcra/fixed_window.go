package gcra

import "time"

// FixedWindow counts to To and starts anew at every whole multiple of Per on
// the clock. It forgets at the edge: To just before it and To just after it
// pass together.
type FixedWindow struct {
	To  int
	Per time.Duration
}

// WindowCount is the state of a [FixedWindow] and an [OpenedWindow]: how many
// passed in the window that began at Start. With 0 of them nothing is
// remembered.
type WindowCount struct {
	Start Instant
	Count int
}

// Validate says in one sentence what is wrong with the window, or nothing.
func (l FixedWindow) Validate() error { return validWindow(l.To, l.Per) }

// Check counts the job if the window has room.
func (l FixedWindow) Check(s WindowCount, now Instant) (WindowCount, bool) {
	at := l.at(s, now)
	if at.Count >= l.To {
		return s, false
	}
	at.Count++
	return at, true
}

// Earliest is now, or the next edge.
func (l FixedWindow) Earliest(s WindowCount, now Instant) Instant {
	if at := l.at(s, now); at.Count >= l.To {
		return at.Start.Add(l.Per)
	}
	return max(now, s.Start)
}

// at is the state as the window of now finds it.
func (l FixedWindow) at(s WindowCount, now Instant) WindowCount {
	now = max(now, s.Start)
	if start := now - now%Instant(l.Per); start > s.Start {
		return WindowCount{Start: start}
	}
	return s
}

// Spacing is Per/To, rounded up to a whole microsecond.
func (l FixedWindow) Spacing() time.Duration { return spread(l.Per, l.To) }

// MostInWindow is twice To: any other window of this length overlaps two.
func (l FixedWindow) MostInWindow() int { return 2 * l.To }

// OpenedWindow counts to To in a window that the first admission after the
// last window's end opens. Many counters with an expiry do this. It forgets
// like [FixedWindow], but the admission that opened a window always lies Per
// before the next opening.
type OpenedWindow struct {
	To  int
	Per time.Duration
}

// Validate says in one sentence what is wrong with the window, or nothing.
func (l OpenedWindow) Validate() error { return validWindow(l.To, l.Per) }

// Check counts the job if the window has room, or opens the next.
func (l OpenedWindow) Check(s WindowCount, now Instant) (WindowCount, bool) {
	switch {
	case l.closed(s, now):
		return WindowCount{Start: now, Count: 1}, true
	case s.Count < l.To:
		s.Count++
		return s, true
	}
	return s, false
}

// Earliest is now, or when the window closes.
func (l OpenedWindow) Earliest(s WindowCount, now Instant) Instant {
	if l.closed(s, now) || s.Count < l.To {
		return max(now, s.Start)
	}
	return s.Start.Add(l.Per)
}

func (l OpenedWindow) closed(s WindowCount, now Instant) bool {
	return s.Count == 0 || now.Sub(s.Start) >= l.Per
}

// Spacing is Per/To, rounded up to a whole microsecond.
func (l OpenedWindow) Spacing() time.Duration { return spread(l.Per, l.To) }

// MostInWindow is To of one window, and all of the one before it except the
// admission that opened it, which lies Per back.
func (l OpenedWindow) MostInWindow() int { return 2*l.To - 1 }
