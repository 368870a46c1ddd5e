package gcra

import "time"

// SecondWindow is Redis::throttle's window: it begins at the whole second in
// which the first try after the last window came, and is a number of whole
// seconds long. With one second every second of the clock is a window, so the
// end of one and the start of the next let 2*Allow through in a moment; with
// more the window that a job opens is up to a second shorter for it.
//
// Instants count from a whole second of the caller's clock.
type SecondWindow struct {
	Allow int
	Every time.Duration // whole seconds
}

// SecondCount is the state of a [SecondWindow]; the zero value is none open.
type SecondCount struct {
	Start Instant
	Tries int // refused ones too
}

// Try counts a try and says whether it may pass.
func (w SecondWindow) Try(s SecondCount, now Instant) (SecondCount, bool) {
	if s.Tries == 0 || now < s.Start || now >= s.Start.Add(w.Every) {
		return SecondCount{now - now%Instant(time.Second), 1}, true
	}
	s.Tries++
	return s, s.Tries <= w.Allow
}

// Ends is when the window that is open ends.
func (w SecondWindow) Ends(s SecondCount) Instant { return s.Start.Add(w.Every) }

// MostInWindow is twice Allow.
func (w SecondWindow) MostInWindow() int { return 2 * w.Allow }
