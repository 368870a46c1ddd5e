package model

import (
	"errors"

	"github.com/ratesim/ratesim/gcra"
)

// Arrivals is how jobs of a class come after time 0. The zero value: none do.
type Arrivals struct{ text string }

// ParseArrivals reads "none", "poisson 2/s", "every 200ms", "1000 at 60s",
// "cron 0,15,30,45 x 2000" (minutes of each hour) or "trace FILE"; several are
// joined with "+". open reads a trace's file; nil refuses files.
func ParseArrivals(s string, open func(name string) ([]byte, error)) (Arrivals, error) {
	return Arrivals{}, errors.New("not written")
}

// None is true when no job ever comes.
func (a Arrivals) None() bool { return true }

// Total is how many jobs come in all; false when they never end.
func (a Arrivals) Total() (n int, finite bool) { return 0, true }

// PerSecond is the long-run rate of endless arrivals, 0 for finite ones.
func (a Arrivals) PerSecond() float64 { return 0 }

// Start begins the stream of one run: what r draws belongs to the class.
func (a Arrivals) Start(r Rand) *Stream { return &Stream{} }

// Stream hands out the arrivals of one run in order of time.
type Stream struct{}

// Next is the instant of the next arrival and how many jobs come at it; false
// when no more do.
func (s *Stream) Next() (at gcra.Instant, n int, ok bool) { return 0, 0, false }

// String is the arrivals as ParseArrivals reads them.
func (a Arrivals) String() string { return a.text }
