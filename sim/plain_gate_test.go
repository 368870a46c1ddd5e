package sim_test

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// plainGate is a limit and its state, asked one job at a time.
type plainGate interface {
	check(now gcra.Instant, capped bool) bool
	// slot is the next check time of a refused job; without a horizon it is
	// as far ahead as it takes.
	slot(now gcra.Instant, horizon time.Duration) gcra.Instant
	// reserve admits a job at the earliest instant that is left behind the
	// ones reserved before: jobs that hold their threads pass in order, and a
	// limiter asked about an instant before its last admission can't tell.
	reserve(now gcra.Instant) gcra.Instant
}

func newPlainGate(l model.Limit) plainGate {
	if l.Kind == model.GCRA {
		return &plainGCRA{limit: l.Limit}
	}
	g, err := gcra.NewGate(string(l.Kind), l.Limit)
	if err != nil {
		panic(err)
	}
	return &plainOther{gate: g}
}

type plainGCRA struct {
	limit  gcra.Limit
	budget gcra.Budget
}

func (g *plainGCRA) check(now gcra.Instant, capped bool) (ok bool) {
	if capped {
		g.budget = g.limit.Cap(g.budget, now)
	}
	g.budget, ok = g.limit.Check(g.budget, now)
	return ok
}

func (g *plainGCRA) slot(now gcra.Instant, horizon time.Duration) (at gcra.Instant) {
	if horizon > 0 {
		g.budget, at, _ = g.limit.Defer(g.budget, now)
	} else {
		g.budget, at, _ = g.limit.Pace().DeferN(g.budget, now, 1, horizon)
	}
	return at
}

func (g *plainGCRA) reserve(now gcra.Instant) gcra.Instant {
	at := max(now, g.limit.Earliest(g.budget))
	g.budget, _ = g.limit.Check(g.budget, at)
	return at
}

// plainOther is one of the limiters that gcra is compared with. Its slots are
// the same rule with its own spacing.
type plainOther struct {
	gate     gcra.Gate
	last     gcra.Instant // slot
	reserved gcra.Instant // last
}

func (g *plainOther) check(now gcra.Instant, _ bool) bool {
	return g.reserved <= now && g.gate.Check(now)
}

func (g *plainOther) slot(now gcra.Instant, horizon time.Duration) gcra.Instant {
	at := max(g.last.Add(g.gate.Spacing()), g.gate.Earliest(now), now)
	if horizon > 0 && at > now.Add(horizon) {
		return now.Add(horizon)
	}
	g.last = at
	return at
}

func (g *plainOther) reserve(now gcra.Instant) gcra.Instant {
	at := max(now, g.reserved)
	at = max(at, g.gate.Earliest(at))
	for !g.gate.Check(at) {
		at = max(at+1, g.gate.Earliest(at))
	}
	g.reserved = at
	return at
}
