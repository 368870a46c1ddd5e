package tui

import (
	"math"
	"sort"

	"github.com/ratesim/ratesim/plots"
)

// searchX is the first place whose X is x or more.
func searchX(xs []float64, x float64) int {
	return sort.Search(len(xs), func(i int) bool { return xs[i] >= x })
}

// valueAt is what a series says at x, and whether it says anything there. One
// of steps keeps its last value for ever; a line says nothing beyond its ends.
func valueAt(s *plots.Series, x float64) (float64, bool) {
	n := min(len(s.X), len(s.Y))
	i := sort.Search(n, func(i int) bool { return s.X[i] > x }) // of those at x, the last counts
	if i == 0 || x != x {
		return 0, false
	}
	v := s.Y[i-1]
	if s.Step || s.X[i-1] == x {
		return v, finite(v)
	}
	if i == n {
		return 0, false
	}
	v += (s.Y[i] - v) * (x - s.X[i-1]) / (s.X[i] - s.X[i-1])
	return v, finite(v)
}

// finite says that v is a number that can be drawn.
func finite(v float64) bool { return math.Abs(v) < 1e300 }

// extremes are the least and the greatest of those values that can be drawn; of
// none +Inf and -Inf. It reads millions of them for a frame, so it looks for
// odd ones only if there are any.
func extremes(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	odd := 0.0 // NaN once there was a NaN or an infinity
	for _, v := range values {
		odd += v - v
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	if odd == 0 && (len(values) == 0 || finite(low) && finite(high)) {
		return low, high
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if finite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}
