package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Most polls of a slow limit find nothing. As long as nothing else has a turn,
// such polls follow each other at a fixed period and change nothing but a few
// counts, so they are taken in one go: a day of polls costs what one does.

// quiet is true when a transaction that begins now would not wait, and nothing
// is about to be shown.
func (t *Tables) quiet(now gcra.Instant) bool { return t.free <= now && len(t.pending) == 0 }

// period is how long a poll that costs cost is after the one before it; false
// when that is not the same each time.
func (s *Sleep) period(now gcra.Instant, cost time.Duration) (time.Duration, bool) {
	if s.Grid {
		return s.Interval, cost <= s.Interval && now.Sub(s.Phase)%s.Interval == 0
	}
	base, _, fixed := s.Overshoot.Fixed()
	return cost + s.Interval + base, fixed
}

// polls is how many polls from now on, period apart, begin and commit before
// the next turn of anybody else. That one sees what it would have seen: a
// commit at the very instant of its turn is over.
func polls(now, turn gcra.Instant, period, cost time.Duration) int64 {
	if turn == gcra.Never || now.Add(cost) > turn || period <= 0 {
		return 0
	}
	last := turn - max(1, gcra.Instant(cost)) // the last instant to begin at
	if last < now {
		return 1
	}
	return int64(last-now)/int64(period) + 1
}

// skip counts k empty transactions of the same cost.
func (t *Tables) skip(k, queries int64, now gcra.Instant, period, cost time.Duration) (next gcra.Instant) {
	t.queries += k * queries
	t.dbBusy += time.Duration(k) * cost
	t.free = now.Add(time.Duration(k-1)*period + cost)
	return now.Add(time.Duration(k) * period)
}

// SkipClaims takes a sleeping worker's next polls, as long as they find
// nothing, in one go: those from now on that are over before anybody else has
// a turn. It says when the worker wants its turn after that, or false if its
// poll has to be taken as it is.
func (s *Session) SkipClaims(w *Worker, p *Pool, now, turn gcra.Instant) (gcra.Instant, bool) {
	t := s.t
	if t.ready.jobs > 0 || w.step != asleep || p.idle == 0 || p.lockFree > now || !s.emptyClaim.fixed || !t.quiet(now) {
		return 0, false
	}
	cost := s.emptyClaim.base
	period, steady := w.Sleep.period(now, cost)
	if !steady {
		return 0, false
	}
	k := polls(now, turn, period, cost)
	if k == 0 {
		return 0, false
	}
	w.Polls += k
	w.latched = false
	return t.skip(k, QueriesEmptyClaim, now, period, cost), true
}

// SkipDispatches is the same for a dispatcher, until something is due.
func (s *Session) SkipDispatches(d *Dispatcher, now, turn gcra.Instant) (gcra.Instant, bool) {
	t := s.t
	due := t.scheduled.first()
	if due <= now || d.waiting || !s.emptyDispatch.fixed || !t.quiet(now) {
		return 0, false
	}
	cost := s.emptyDispatch.base
	period, steady := d.Sleep.period(now, cost)
	if !steady {
		return 0, false
	}
	k := polls(now, turn, period, cost)
	if k > 1 && due != gcra.Never {
		k = min(k, int64(due-1-now)/int64(period)+1) // a job due at a poll is moved by it
	}
	if k == 0 {
		return 0, false
	}
	d.Polls += k
	return t.skip(k, QueriesEmptyDispatch, now, period, cost), true
}
