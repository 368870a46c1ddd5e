package measure

import (
	"time"

	"github.com/ratesim/ratesim/model"
)

// The words of bound_by.
const (
	ByLimit       = "limit"       // the drain is what the limit declares
	ByThreads     = "threads"     // ready jobs found every thread busy
	ByWorker      = "worker"      // ready jobs waited for a worker's poll, its claims or its process's lock
	ByDispatcher  = "dispatcher"  // scheduled jobs waited for a dispatcher
	ByBurst       = "burst"       // each poll passes a burst at most, and polls are too far apart for it
	ByArrivals    = "arrivals"    // jobs came no faster than they were claimed
	ByProvider    = "provider"    // what the jobs call refused them, and their limit paused
	ByConcurrency = "concurrency" // a limit on jobs at a time held them back
)

// BoundWords are the words of bound_by.
func BoundWords() []string {
	return []string{ByLimit, ByThreads, ByWorker, ByDispatcher, ByBurst, ByArrivals, ByProvider, ByConcurrency}
}

const (
	keepsUp   = 0.95 // a share that counts as all of it
	saturated = 0.9  // a resource this busy has no room for more
	mostly    = 0.5  // more often than not
	// burstShare is how near the drain must come to a burst a cycle. A cycle
	// is longer than the interval by the cost of the poll, and the wait for
	// the worker's poll after it costs part of a burst now and then.
	burstShare = 0.7
)

// BoundBy says what held the drain back. The rule, first match wins:
//
//  1. No job was claimed: what the jobs lacked. A dispatcher if the run
//     stalled with a worker there, else a worker; arrivals if no job came.
//  2. worker, if jobs were held back and a process's lock was held 90 % of the
//     time, by its jobs and polls: it has nothing left, however near the drain
//     is to what a limit declares, and threads may all be taken but wait for
//     each other, not for the work.
//  3. limit, if jobs were held back and the drain of the slowest part is 95 %
//     or more of what its limit declares. The slowest part is the limit, or
//     the unlimited class, whose last claim came last.
//  4. arrivals, if 95 % of the jobs were claimed by the time the last one
//     came, or less than half of the time a look left jobs waiting: nothing
//     held jobs back but that there were none.
//  5. provider, if a limit's pauses after refused calls took half or more of
//     the time that the drain lost: what it is short of the declared one, or
//     without one all the time that jobs were held back.
//  6. concurrency, if for half of the claims or more, and in half of the
//     refusals, it was a place that was wanting. Workers that wait for a place
//     are busy, so this comes before threads.
//  7. threads, if for half of the time that jobs were held back there were
//     ready ones and no idle thread.
//  8. burst, if there was a refusal for every second claim or more and the
//     drain is near, or above, one burst in each cycle, the interval of the
//     dispatchers or the workers, or the delay of a throttle's releases,
//     whichever is longer. Between two polls the
//     budget fills up to the burst and no further, so what a longer gap brings
//     is refused again. Without refusals the budget never was too small.
//  9. worker, if jobs were ready for half of the time that they were held
//     back, or there is no dispatcher to wait for. Else dispatcher: jobs were
//     due and nobody brought them.
func BoundBy(s *model.Scenario, r *Run, c model.Counts) string {
	slow, limit := slowest(s, r)
	if r.Whole[Jobs] == 0 {
		return ByArrivals
	}
	if !(r.Whole[Claims] > 0) {
		if c.Stalled && len(s.Workers) > 0 {
			return ByDispatcher
		}
		return ByWorker
	}
	held := r.HeldRatio > 0 && slow[WaitMaxS] > 0
	length := max(time.Duration(r.Whole[MakespanS]*float64(time.Second)), 1)
	if !c.Drained {
		length = max(length, time.Duration(c.End))
	}
	if held && r.HeldRatio >= mostly && share(c.LockBusy, length) >= saturated {
		return ByWorker
	}
	if limit >= 0 && held && slow[DrainRatio] >= keepsUp {
		return ByLimit
	}
	if r.KeptUp >= keepsUp || r.HeldRatio < mostly {
		return ByArrivals
	}
	heldFor := time.Duration(r.HeldRatio * float64(length))
	lost := heldFor
	if limit >= 0 && slow[DrainRatio] >= 0 {
		lost = time.Duration(float64(length) * (1 - slow[DrainRatio]))
	}
	if c.Paused > 0 && share(c.Paused, lost) >= mostly {
		return ByProvider
	}
	if n := float64(c.NoPlace); n >= mostly*r.Whole[Claims] && n >= mostly*refusals(r, c) {
		return ByConcurrency
	}
	if share(c.FullTime, heldFor) >= mostly {
		return ByThreads
	}
	if limit >= 0 && slow[DeferralsPerJob] >= mostly {
		rate := cycles(s, limit) * float64(PromiseOf(s.Limits[limit]).AtOnce)
		if rate > 0 && slow[DrainPerS] >= float64(burstShare*rate) {
			return ByBurst
		}
	}
	if share(c.ReadyTime, heldFor) >= mostly || len(s.Dispatchers) == 0 {
		return ByWorker
	}
	return ByDispatcher
}

// refusals are all looks at a job that did not let it start.
func refusals(r *Run, c model.Counts) float64 {
	return r.Whole[Deferrals] + r.Whole[Lost] + float64(c.Laravel.Holds)
}

// slowest is the part of the run whose last claim came last, and its limit.
func slowest(s *model.Scenario, r *Run) (v *Values, limit int) {
	v, limit = &r.Whole, -1
	last := -1.0
	for l := range r.Limits {
		if m := r.Limits[l][MakespanS]; m > last {
			v, limit, last = &r.Limits[l], l, m
		}
	}
	for c := range r.Classes {
		if m := r.Classes[c][MakespanS]; s.Classes[c].Limit < 0 && m > last {
			v, limit, last = &r.Classes[c], -1, m
		}
	}
	return v, limit
}

// share is a part of a length.
func share(part, of time.Duration) float64 {
	if of <= 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// cycles is how many times a second jobs are brought to a limit: the polls of
// all workers, or of all dispatchers if there are any and they are fewer; or
// the returns of what a throttle released, if those are fewer. 0 if intervals
// don't say.
func cycles(s *model.Scenario, limit int) float64 {
	workers, dispatchers := 0.0, 0.0
	for _, w := range s.Workers {
		if w.Interval > 0 {
			workers += float64(w.Processes) / w.Interval.Seconds()
		}
	}
	for _, d := range s.Dispatchers {
		if d.Interval > 0 {
			dispatchers += 1 / d.Interval.Seconds()
		}
	}
	if back := returns(s, limit); back > 0 {
		workers = min(workers, back)
	}
	if dispatchers > 0 && (dispatchers < workers || workers == 0) {
		return dispatchers
	}
	return workers
}

// returns is how many times a second a throttle's released jobs come back, all
// of one second together; 0 if it gives each a time of its own.
func returns(s *model.Scenario, limit int) float64 {
	if s.Laravel == nil {
		return 0
	}
	for _, t := range s.Laravel.Throttles {
		if t.Limit != limit {
			continue
		}
		gap := time.Duration(0)
		switch {
		case t.Kind == model.RedisThrottle:
			gap = t.Release
		case t.Kind != model.RateLimited && t.Kind != model.RateLimitedRedis:
		case t.ReleaseAfter != nil:
			gap = *t.ReleaseAfter
		default:
			gap = t.Every + model.RateLimitedPad
		}
		if gap > 0 {
			return 1 / gap.Seconds()
		}
	}
	return 0
}
