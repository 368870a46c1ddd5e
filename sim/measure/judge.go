package measure

import (
	"fmt"
	"math"

	"github.com/ratesim/ratesim/model"
)

// Outcome is how an expectation came out.
type Outcome string

const (
	Passed    Outcome = "passed"
	Failed    Outcome = "failed"
	Undecided Outcome = "undecided" // the interval straddles the bound; it fails, but more runs may tell
)

// Verdict is an expectation held against what was measured.
type Verdict struct {
	Key, Want      string
	Got, Low, High float64 // NaN: none; a fact is its own interval
	Word           string  // what bound_by was
	Outcome        Outcome
	Reason         string // why it did not pass, in a few words; "" if it did
	MoreRuns       int    // if undecided: about how many more runs would tell; 0: no number can
}

// Judge holds an expectation against a summary. It passes only if the whole
// interval is on the right side and fails only if the whole interval is on the
// wrong one. Facts are compared as they are. A key without a value fails.
func Judge(e model.Expectation, s *Summary) Verdict {
	v := Verdict{Key: e.Key, Want: e.Want, Got: Absent, Low: Absent, High: Absent}
	if e.Key == BoundByName {
		return judgeWord(v, WantedWord(e), s)
	}
	place, err := Find(s.scenario, e.Key)
	if err != nil {
		v.Outcome, v.Reason = Failed, err.Error()
		return v
	}
	stat := s.At(place)
	v.Got, v.Low, v.High = stat.Value, stat.Low, stat.High
	if stat.N == 0 || !present(stat.Value) {
		v.Outcome, v.Reason = Failed, "no samples"
		return v
	}
	if !present(stat.Low) {
		v.Outcome, v.Reason, v.MoreRuns = Undecided, "one run has no interval", MinRuns-1
		return v
	}
	b := boundsOf(e)
	switch {
	case b.holds(stat.Low) && b.holds(stat.High):
		v.Outcome = Passed
	case b.above(stat.Low) || b.below(stat.High):
		v.Outcome, v.Reason = Failed, fmt.Sprintf("want %s", e.Want)
	default:
		v.Outcome = Undecided
		v.MoreRuns = moreRuns(stat, b)
		v.Reason = undecidedReason(e, v.MoreRuns)
	}
	return v
}

func undecidedReason(e model.Expectation, more int) string {
	switch {
	case more > 0:
		return fmt.Sprintf("the interval straddles the bound, about %d more runs would tell", more)
	case e.Op == model.Equal:
		return "no interval is ever equal to one number, use within or between"
	}
	return "the value is too near the bound for any number of runs to tell"
}

// bounds are the values an expectation allows, one stretch of numbers.
type bounds struct {
	low, high       float64
	openLow, openHi bool // the end itself is not allowed
}

func boundsOf(e model.Expectation) bounds {
	b := bounds{low: math.Inf(-1), high: math.Inf(1)}
	switch e.Op {
	case model.Less:
		b.high, b.openHi = e.A, true
	case model.AtMost:
		b.high = e.A
	case model.More:
		b.low, b.openLow = e.A, true
	case model.AtLeast:
		b.low = e.A
	case model.Equal:
		b.low, b.high = e.A, e.A
	case model.Between:
		b.low, b.high = e.A, e.B
	case model.Within:
		room := float64(math.Abs(e.A) * e.B)
		b.low, b.high = e.A-room, e.A+room
	}
	return b
}

func (b bounds) above(x float64) bool { return x > b.high || b.openHi && x == b.high }
func (b bounds) below(x float64) bool { return x < b.low || b.openLow && x == b.low }
func (b bounds) holds(x float64) bool { return !b.above(x) && !b.below(x) }

// Near is true when a value is what is expected, or off by no more than a share
// of itself: all that a few runs can tell.
func Near(e model.Expectation, v, share float64) bool {
	b := boundsOf(e)
	return b.holds(v) || b.holds(v-float64(v*share)) || b.holds(v+float64(v*share))
}

// maxRuns is where looking for enough runs ends.
const maxRuns = 1_000_000

// moreRuns is how many more replications it would take until the interval,
// shrunk about the mean it has now, clears the bounds it straddles; 0 if even
// maxRuns would not do. It is a guess: the mean moves too.
func moreRuns(s Stat, b bounds) int {
	distance := math.Inf(1)
	for _, bound := range []float64{b.low, b.high} {
		if s.Low <= bound && bound <= s.High {
			distance = min(distance, math.Abs(s.Value-bound))
		}
	}
	spread := s.Half() * math.Sqrt(float64(s.N)) / StudentT(s.N-1)
	clears := func(n int) bool {
		return float64(StudentT(n-1)*spread)/math.Sqrt(float64(n)) < distance
	}
	if !clears(maxRuns) {
		return 0
	}
	low, high := s.N, maxRuns // the half-width falls with n: halve the stretch
	for low < high {
		if mid := (low + high) / 2; clears(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return max(low-s.N, 1)
}

// agreed is the share of the replications that must agree for a word to stand.
const agreed = 0.9

// judgeWord holds the wanted word against that of each replication: nine in
// ten must have it, or must not.
func judgeWord(v Verdict, want string, s *Summary) Verdict {
	v.Word = s.BoundBy
	if s.Runs == 0 {
		v.Outcome, v.Reason = Failed, "no samples"
		return v
	}
	switch share := float64(s.BoundByRuns[want]) / float64(s.Runs); {
	case share >= agreed:
		v.Outcome = Passed
	case share <= 1-agreed:
		v.Outcome, v.Reason = Failed, fmt.Sprintf("want %s", want)
	default:
		v.Outcome, v.Reason = Undecided, "runs differ: "+s.boundShares()
	}
	return v
}
