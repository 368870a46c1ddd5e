package sim

import (
	"context"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/laravel"
	"github.com/ratesim/ratesim/model/solidqueue"
)

// laravelMachine gives the workers of a Laravel queue their turns. Its instants
// are the site's, which count from a whole second of the clock.
type laravelMachine struct {
	scenario *model.Scenario
	site     *laravel.Site
	arrivals *solidqueue.Arrivals
	agenda   *tournament // arrivals, then workers
	endless  bool
	comes    gcra.Instant // the next arrival, in the run's time
}

func newLaravelMachine(s *model.Scenario) *laravelMachine {
	m := &laravelMachine{scenario: s, site: laravel.NewSite(s)}
	m.arrivals = solidqueue.NewArrivals(s, func(class, n int, now gcra.Instant) error {
		m.site.Enqueue(class, n, now)
		return nil
	})
	m.agenda = newTournament(1 + len(m.site.Workers))
	m.site.Wake = func(worker int, at gcra.Instant) { m.agenda.set(1+worker, at) }
	for _, c := range s.Classes {
		if _, finite := c.Arrivals.Total(); !finite {
			m.endless = true
		}
	}
	return m
}

func (m *laravelMachine) run(ctx context.Context, seed uint64, run int, probe model.Probe) (model.Counts, error) {
	var c model.Counts
	m.agenda.reset()
	m.site.Reset(seed, run, probe)
	origin := m.site.Origin
	var err error
	if m.comes, err = m.arrivals.Reset(seed, run); err != nil {
		return c, err
	}
	m.agenda.set(0, m.inside(m.comes))
	for i, w := range m.site.Workers {
		m.agenda.set(1+i, w.First())
	}
	until := gcra.Never
	if m.scenario.Until > 0 {
		until = origin.Add(m.scenario.Until)
	}
	growth := growth{next: growthFirst}
	now := origin
	for turn := 1; ; turn++ {
		if m.scenario.Until == 0 && m.site.Remaining() == 0 && m.settled() {
			c.Drained = true
			break
		}
		i, at := m.agenda.first()
		if at >= until || at == gcra.Never {
			now = min(at, until)
			break
		}
		if turn%turnsBetweenLooks == 0 {
			if ctx.Err() != nil {
				return c, ctx.Err()
			}
			if m.scenario.Until == 0 && m.comes == gcra.Never && m.site.Stuck(at) {
				c.Stalled = true
				break
			}
			if m.endless && m.scenario.Until == 0 && growth.past(at-origin, m.site.Remaining()) {
				c.Growing = true
				break
			}
		}
		now = at
		if i == 0 {
			if m.comes, err = m.arrivals.Poll(at - origin); err != nil {
				return c, err
			}
			m.agenda.set(0, m.inside(m.comes))
			continue
		}
		next, err := m.site.Workers[i-1].Poll(at)
		if err != nil {
			return c, err
		}
		m.agenda.set(i, next)
	}
	if c.Drained {
		m.complete()
	}
	if now != gcra.Never {
		c.End = now - origin
	}
	m.site.Finish(&c, now)
	return c, nil
}

// complete lets pops that are under way come to their end, so that no command
// of one is counted without the others.
func (m *laravelMachine) complete() {
	for {
		i, at := m.agenda.first()
		if at == gcra.Never {
			return
		}
		next := gcra.Never
		if i > 0 && m.site.Workers[i-1].Popping() {
			next, _ = m.site.Workers[i-1].Poll(at)
		}
		m.agenda.set(i, next)
	}
}

// settled is true when no backlog or dated arrival is still to come; endless
// arrivals never run out, so for them an empty queue after the start will do.
func (m *laravelMachine) settled() bool {
	return m.comes == gcra.Never || m.endless && m.site.Enqueued() > 0
}

// inside is an instant of the run as the site counts.
func (m *laravelMachine) inside(at gcra.Instant) gcra.Instant {
	if at == gcra.Never {
		return at
	}
	return at + m.site.Origin
}
