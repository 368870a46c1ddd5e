package model

import (
	"errors"
	"time"
)

// Dist is how long something takes: a sum of terms, each a constant, a
// distribution, or either per job of a batch. The zero value is no time.
type Dist struct{ text string }

// Const is a delay that is always d.
func Const(d time.Duration) Dist { return Dist{d.String()} }

// ParseDist reads a delay such as "50ms", "exp(50ms)" or "4.2ms + 0.25ms per
// job". open reads the file of an empirical(FILE); nil refuses files.
func ParseDist(s string, open func(name string) ([]byte, error)) (Dist, error) {
	return Dist{}, errors.New("not written")
}

// Draw is one delay for a batch of n jobs, at least 0.
func (d Dist) Draw(r *Rand, n int) time.Duration { return 0 }

// Fixed is true when nothing is drawn: then Draw is base + n*perJob.
func (d Dist) Fixed() (base, perJob time.Duration, ok bool) { return 0, 0, true }

// Mean is the expected delay for a batch of n jobs.
func (d Dist) Mean(n int) time.Duration { return 0 }

// Scale is the same distribution f times as long.
func (d Dist) Scale(f float64) Dist { return d }

// String is the delay as ParseDist reads it.
func (d Dist) String() string { return d.text }
