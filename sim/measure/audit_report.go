package measure

import (
	"errors"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Audit is what a record of start times says about a limit.
type Audit struct {
	To     int
	Per    time.Duration
	Starts int
	First  gcra.Instant
	Last   gcra.Instant

	Worst    Window   // the fullest window of length Per
	Breaches []Window // windows of Per with more than To that do not overlap, the first ones
	Broken   int      // how many there are in all
	Windows  []Window // the fullest window of each of several lengths, short to long

	// LeastSpan is how long a limit that held would have needed from the first
	// start to the last.
	LeastSpan time.Duration
	Burst     int // the smallest burst that lets all pass unaltered; 0: none does
	Bucket    int // the same for a token bucket refilled at To in Per

	// Grain is how finely the times were written. A count over a window is only
	// as sure as that: between SureMax and MaybeMax starts may really have been
	// within Per.
	Grain    time.Duration
	SureMax  int
	MaybeMax int
}

// Window is a stretch of time and the starts in it: Count of them from the
// one with index From on.
type Window struct {
	Length time.Duration
	Count  int
	From   int
	At     gcra.Instant
}

// Held is true when no window of Per holds more than To.
func (a *Audit) Held() bool { return a.Worst.Count <= a.To }

// Unsure is true when the verdict hangs on how the times were rounded.
func (a *Audit) Unsure() bool {
	return a.Held() && a.MaybeMax > a.To || !a.Held() && a.SureMax <= a.To
}

// Span is the time between the first start and the last.
func (a *Audit) Span() time.Duration { return a.Last.Sub(a.First) }

// mostBreaches is how many breaches an audit lists; it counts them all.
const mostBreaches = 20

// Inspect audits start times, in order, against a limit of to in per. grain is
// the step in which the times were written down, 0 for exact ones.
func Inspect(times []gcra.Instant, to int, per, grain time.Duration) (*Audit, error) {
	switch {
	case len(times) == 0:
		return nil, errors.New("no start times")
	case !sorted(times):
		return nil, errors.New("the start times are not in order")
	}
	a := &Audit{
		To: to, Per: per, Starts: len(times), First: times[0], Last: times[len(times)-1],
		LeastSpan: LeastSpan(len(times), to, per), Bucket: SmallestBucket(times, to, per), Grain: grain,
	}
	a.Burst, _ = SmallestBurst(times, to, per)
	a.Worst = fullest(times, per)
	for _, w := range Lengths(per) {
		a.Windows = append(a.Windows, fullest(times, w))
	}
	for i := 0; i < len(times); {
		// The next window that is overfull, from its first start on; the search
		// goes on behind it.
		j := i + to
		if j >= len(times) {
			break
		}
		if times[j].Sub(times[i]) >= per {
			i++
			continue
		}
		end := i
		for end < len(times) && times[end].Sub(times[i]) < per {
			end++
		}
		if len(a.Breaches) < mostBreaches {
			a.Breaches = append(a.Breaches, Window{Length: per, Count: end - i, From: i, At: times[i]})
		}
		a.Broken++
		i = end
	}
	// Two times that differ by d were really apart by more than d-grain and less
	// than d+grain.
	a.SureMax, a.MaybeMax = a.Worst.Count, a.Worst.Count
	if grain > 1 {
		_, a.SureMax = worst(times, max(per-grain+1, 1))
		_, a.MaybeMax = worst(times, time.Duration(gcra.Instant(per).Add(grain-1)))
		if grain > per {
			a.SureMax = min(a.SureMax, 1)
		}
	}
	return a, nil
}

func fullest(times []gcra.Instant, window time.Duration) Window {
	from, n := worst(times, window)
	return Window{Length: window, Count: n, From: from, At: times[from]}
}

// Lengths are the windows worth looking at beside per: a tenth of it to ten
// times it, and the ones people know, a second, a minute and an hour.
func Lengths(per time.Duration) []time.Duration {
	ten := time.Duration(gcra.Never)
	if per <= ten/10 {
		ten = 10 * per
	}
	all := []time.Duration{max(per/10, 1), max(per/2, 1), per, time.Duration(gcra.Instant(per).Add(per)), ten, time.Second, time.Minute, time.Hour}
	slices.Sort(all)
	return slices.Compact(all)
}
