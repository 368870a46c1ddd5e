package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// server is Redis (or the database), which serves one command at a time, first
// come first served. Commands reach it in order of time, so when it is free is
// all there is to know.
type server struct{ free gcra.Instant }

// serve is when a command that arrives is executed, and when it is done.
func (s *server) serve(now gcra.Instant, cost time.Duration) (at, done gcra.Instant) {
	at = max(now, s.free)
	s.free = at.Add(cost)
	return at, s.free
}

// cores are the processors that all workers share: none in the list means that
// everybody has his own. Work is given to the one that is free first.
type cores struct{ free []gcra.Instant }

// book is when work that is asked for now is done.
func (c *cores) book(now gcra.Instant, cost time.Duration) gcra.Instant {
	if len(c.free) == 0 || cost == 0 {
		return now.Add(cost)
	}
	first := 0
	for i, at := range c.free {
		if at < c.free[first] {
			first = i
		}
	}
	c.free[first] = max(now, c.free[first]).Add(cost)
	return c.free[first]
}

// cost is a delay, ready to be drawn without a look inside when it is constant.
type cost struct {
	is    time.Duration
	dist  model.Dist
	draws bool
}

func newCost(d model.Dist) cost {
	base, each, fixed := d.Fixed()
	return cost{base + each, d, !fixed}
}

func (c *cost) draw(r *model.Rand) time.Duration {
	if !c.draws {
		return c.is
	}
	return c.dist.Draw(r, 1)
}

// gauge measures for how long jobs were ready, and for how long of that every
// worker had a job in hand.
type gauge struct {
	workers, busy int
	jobs          int
	since         gcra.Instant
	readyTime     time.Duration
	fullTime      time.Duration
}

func (g *gauge) reset(workers int, from gcra.Instant) { *g = gauge{workers: workers, since: from} }

func (g *gauge) at(now gcra.Instant) {
	if g.jobs > 0 && now > g.since {
		d := now.Sub(g.since)
		g.readyTime += d
		if g.busy == g.workers {
			g.fullTime += d
		}
	}
	g.since = max(g.since, now)
}

func (g *gauge) ready(now gcra.Instant, n int) {
	g.at(now)
	g.jobs += n
}

func (g *gauge) runs(now gcra.Instant, n int) {
	g.at(now)
	g.busy += n
}
