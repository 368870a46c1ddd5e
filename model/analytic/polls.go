package analytic

import (
	"math"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// RuleOfThumb is the burst that absorbs the delays of two polls whose
// intervals add up to p: the jobs that fall due while nobody looks, which is
// p over the interval that the burst itself makes,
//
//	max(2, ceil((to+1) * p / (per+p)))
//
// in whole numbers throughout. fits is false when that exceeds to: per is then
// too short for those polls. It holds for backlogs; a lone job runs at once
// whatever the burst. It is no bound: slow claims or busy workers need more.
func RuleOfThumb(to int, per, p time.Duration) (burst int, fits bool) {
	sum := time.Duration(gcra.Instant(per).Add(p))
	b := max(2, ratio(int64(to)+1, int64(p), int64(sum), true))
	return int(b), b <= int64(to)
}

// Polled is what a dispatcher that looks once in a while leaves of a limit's
// drain. Its range: jobs that wait hold slots and come back through the
// dispatcher, a worker looks again at once after a claim that deferred
// something, jobs are short and threads idle. Then what is due at a poll meets
// a budget that holds at most the burst, and what it refuses waits for the
// next poll: the drain is at most burst in a period. Where burst/period and
// the declared drain are close the corner is soft and the real drain some 20 %
// lower. Long jobs or few threads leave jobs standing until the budget has
// recovered, which drains faster than this says when the burst is small.
type Polled struct {
	PerSecond float64 // the drain: the smaller of the two
	ByBurst   bool    // burst per period is what holds it back, not the limit
	// Checks is how often a waiting job is looked at for each one that starts,
	// in a long backlog.
	Checks float64
}

// PolledDrain is the drain of a limit behind a dispatcher that looks once in a
// period.
func PolledDrain(l gcra.Limit, period time.Duration) Polled {
	declared := float64(time.Second) / float64(l.Interval())
	p := Polled{PerSecond: declared, Checks: 2}
	if l.Interval() >= period {
		return p
	}
	if polled := float64(l.Burst) / period.Seconds(); polled < declared {
		p.PerSecond, p.ByBurst = polled, true
		p.Checks = 1 + declared/polled
	}
	return p
}

// BestPolled is the burst with the highest polled drain, the smaller one of
// two as good: where the two lines cross, burst/period = (to-burst+1)/per, at
// period*(to+1)/(per+period), or next to it.
func BestPolled(to int, per, period time.Duration) int {
	cross, _ := RuleOfThumb(to, per, period)
	best, drain := 0, math.Inf(-1)
	for b := cross - 2; b <= cross+1; b++ {
		l := gcra.Limit{To: to, Per: per, Burst: min(max(b, 1), to)}
		if l.Validate() != nil {
			continue
		}
		if d := PolledDrain(l, period).PerSecond; d > drain*(1+1e-9) {
			best, drain = l.Burst, d
		}
	}
	if best == 0 {
		return Least(to, per)
	}
	return best
}

// Clearing is what a backlog costs.
type Clearing struct {
	Took   time.Duration // from the first start to the last
	Checks float64       // looks at a job, all together
}

// PolledClearing is about what it costs to clear n jobs that all wait when the
// budget is quiet, in the range of [PolledDrain]. Every job is looked at when
// it arrives. Then each poll brings those whose slots came due, an interval
// each, as long as that many still wait. Jobs that had to wait beyond the
// horizon took no slot and are looked at again once in a horizon, all of them.
func PolledClearing(l gcra.Limit, n int, period time.Duration) Clearing {
	wait := n - l.Burst
	if wait <= 0 {
		return Clearing{Checks: float64(max(n, 0))}
	}
	p := PolledDrain(l, period)
	c := Clearing{Took: fromSeconds(float64(wait) / p.PerSecond)}
	if !p.ByBurst {
		c.Took = ClearsIn(l, n)
	}

	// Returns: wait, wait-b, wait-2b, … are left before the polls, and each
	// poll looks at as many as came due, or at all that are left.
	w, b := float64(wait), float64(l.Burst)
	due := period.Seconds() * float64(time.Second) / float64(l.Interval())
	returns := w
	if p.ByBurst {
		full := math.Max(0, math.Floor((w-due)/b)+1) // polls with due or more left
		left := w - full*b
		returns = full * due
		if left > 0 {
			last := math.Ceil(left / b)
			returns += last*left - b*last*(last-1)/2
		}
	}
	c.Checks = float64(n) + returns

	// Beyond the horizon: so many at its first end, fewer at each later one.
	if far := w - gcra.Horizon.Seconds()*float64(time.Second)/float64(l.Interval()); far > 0 {
		step := p.PerSecond * gcra.Horizon.Seconds()
		ends := math.Ceil(far / step)
		c.Checks += ends*far - step*ends*(ends-1)/2
	}
	return c
}

// IdleQueries is how many statements a second the polls of a Solid Queue make
// when there is nothing to do, BEGIN and COMMIT left out: one for a
// dispatcher's poll (what is due?), two for a worker's (which queues are
// paused, what is ready?).
func IdleQueries(dispatcher, worker time.Duration) float64 {
	return 1/dispatcher.Seconds() + 2/worker.Seconds()
}

// fromSeconds is a length, held at the end of the range, rounded later.
func fromSeconds(s float64) time.Duration {
	ns := math.Ceil(s * 1e9)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
