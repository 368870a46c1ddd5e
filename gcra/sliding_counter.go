package gcra

import (
	"math/bits"
	"time"
)

// SlidingCounter guesses at a sliding window from two fixed ones, as large
// proxies do: what passed in this window, and the count of the one before
// weighted by how much of it the sliding window still covers. A job passes if
// the guess, with it, is at most To. The guess takes the earlier admissions to
// have been spread evenly; when they came at the window's end it is too low.
type SlidingCounter struct {
	To  int
	Per time.Duration
}

// WindowCounts is the state of a [SlidingCounter]: the counts of the window
// that began at Start and of the one before it.
type WindowCounts struct {
	Start       Instant
	Count, Prev int
}

// Validate says in one sentence what is wrong with the counter, or nothing.
func (l SlidingCounter) Validate() error { return validWindow(l.To, l.Per) }

// Check counts the job if the guess has room for it.
func (l SlidingCounter) Check(s WindowCounts, now Instant) (WindowCounts, bool) {
	now = max(now, s.Start)
	at := l.at(s, now)
	if wait := l.wait(at.Prev, at.Count); wait == l.Per || now.Sub(at.Start) < wait {
		return s, false
	}
	at.Count++
	return at, true
}

// Earliest is when the guess has room: in this window, or in the next.
func (l SlidingCounter) Earliest(s WindowCounts, now Instant) Instant {
	now = max(now, s.Start)
	at := l.at(s, now)
	if wait := l.wait(at.Prev, at.Count); wait < l.Per {
		return max(now, at.Start.Add(wait))
	}
	return at.Start.Add(l.Per).Add(l.wait(at.Count, 0))
}

// at is the state as the window of now finds it; now is not before s.Start.
func (l SlidingCounter) at(s WindowCounts, now Instant) WindowCounts {
	start := now - now%Instant(l.Per)
	switch {
	case start == s.Start:
		return s
	case start.Sub(s.Start) == l.Per:
		return WindowCounts{Start: start, Prev: s.Count}
	}
	return WindowCounts{Start: start}
}

// wait is how far into a window the guess has room for one more: the least e
// with prev (Per-e)/Per + count+1 <= To, Per if there is none below it.
func (l SlidingCounter) wait(prev, count int) time.Duration {
	room := l.To - count - 1 // for what is left of prev
	switch {
	case room < 0:
		return l.Per
	case prev <= room:
		return 0
	}
	hi, lo := bits.Mul64(uint64(room), uint64(l.Per))
	left, _ := bits.Div64(hi, lo, uint64(prev)) // room < prev, so it is below Per
	return l.Per - time.Duration(left)
}

// Spacing is Per/To, rounded up to a whole microsecond.
func (l SlidingCounter) Spacing() time.Duration { return spread(l.Per, l.To) }

// MostInWindow is To that come in the last moment of one fixed window, and what
// the guess lets through in the next until they are almost forgotten: all but
// one of To.
func (l SlidingCounter) MostInWindow() int { return 2*l.To - 1 }
