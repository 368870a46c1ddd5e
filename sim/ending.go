package sim

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// settled is true when no backlog or dated arrival is still to come. Endless
// arrivals never run out, so for them an empty queue after the start will do.
func (m *Machine) settled() bool {
	return m.agenda[0] == gcra.Never || m.endless && m.tables.Enqueued() > 0
}

// stalled is true when jobs wait that nothing will ever bring back: nothing is
// ready, running or to come, and there is no dispatcher; or no worker.
func (m *Machine) stalled() bool {
	if m.agenda[0] != gcra.Never {
		return false
	}
	if len(m.workers) == 0 {
		return m.tables.Waiting() > 0
	}
	if len(m.dispatchers) > 0 || m.tables.Ready() > 0 || m.tables.Pending() {
		return false
	}
	for i, w := range m.workers {
		if m.agenda[1+i] != gcra.Never || w.Working() {
			return false
		}
	}
	return true
}

// finish lets the jobs that were claimed run to their end when a run was
// drained, so that the end of the last one is known, and adds up the counts.
// A run that was cut off at an instant stays cut off there.
func (m *Machine) finish(c *model.Counts, now gcra.Instant) {
	c.End = now
	if c.Drained {
		for i, p := range m.pools {
			p.Unlock(now) // the run is over for polls
			m.agenda.Wake(1+i, p.Next())
		}
		for {
			i, at := m.agenda[1 : 1+len(m.pools)].first0()
			if at == gcra.Never {
				break
			}
			m.agenda[1+i], _ = m.pools[i].Poll(at)
			c.End = max(c.End, at)
		}
	}
	for _, d := range m.dispatchers {
		c.DispatcherPolls += d.Polls
	}
	for _, w := range m.workers {
		c.WorkerPolls += w.Polls
	}
	for _, p := range m.pools {
		c.Busy += p.Busy()
		c.LockBusy = max(c.LockBusy, p.LockBusy())
	}
	m.tables.Counts(c, now)
}

// first0 is first, for an agenda that may be empty.
func (a agenda) first0() (int, gcra.Instant) {
	if len(a) == 0 {
		return 0, gcra.Never
	}
	return a.first()
}

// starving notices that jobs are ready and nobody ever looks at them: the write
// lock is always taken by those who go first.
type starving struct {
	looks  int64
	checks int
}

// starvingChecks is how many checks in a row must find that: twenty million
// turns, more than a year of polls once a second.
const starvingChecks = 20_000_000 / turnsBetweenLooks

func (s *starving) still(ready int, looks int64) bool {
	if ready == 0 || looks != s.looks {
		s.checks = 0
	}
	s.looks = looks
	s.checks++
	return s.checks > starvingChecks
}

// growth notices a backlog that only grows, at instants that double: in an
// endless scenario that is the only end.
type growth struct {
	next   gcra.Instant
	before int64
	rising int
}

const (
	growthFirst  = gcra.Instant(time.Minute)
	growthRises  = 5    // so many doublings in a row, an hour at the least
	growthEnough = 1000 // jobs, below which it may be chance
)

// past says that the backlog has grown at each of the last checkpoints.
func (g *growth) past(now gcra.Instant, waiting int64) bool {
	if now < g.next {
		return false
	}
	g.next *= 2
	if waiting > g.before+g.before/2 {
		g.rising++
	} else {
		g.rising = 0
	}
	g.before = waiting
	return g.rising >= growthRises && waiting >= growthEnough
}
