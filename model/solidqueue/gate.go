package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// gate is a limit as the tables keep it: its budget, or another limiter's
// state, and the last slot handed out.
type gate struct {
	pace   gcra.Pace
	limit  gcra.Limit
	budget gcra.Budget
	other  gcra.Gate    // nil: the real limiter
	locked gcra.Instant // the row of the budget is locked until (parallel database)
	// The last instant that was reserved for a held job: whoever comes before
	// it comes after all who were let in up to it.
	reserved gcra.Instant
}

func (g *gate) reset(l model.Limit) error {
	*g = gate{limit: l.Limit}
	if l.Kind == model.GCRA || l.Kind == "" {
		g.pace = l.Pace()
		return nil
	}
	other, err := gcra.NewGate(string(l.Kind), l.Limit)
	if err != nil {
		return err
	}
	// Slots behind another limiter keep that limiter's own pace.
	g.other, g.pace = other, gcra.Pace{Interval: other.Spacing()}
	return nil
}

// admit is how many of n jobs pass at now, the first ones.
func (g *gate) admit(now gcra.Instant, n int) int {
	if now < g.reserved {
		return 0
	}
	if g.other == nil {
		b, k := g.pace.CheckN(g.budget, now, n)
		g.budget = b
		return k
	}
	for k := range n {
		if !g.other.Check(now) {
			return k
		}
	}
	return n
}

// earliest is when the gate next admits, as far as it is known now.
func (g *gate) earliest(now gcra.Instant) gcra.Instant {
	if g.other == nil {
		return g.pace.Earliest(g.budget)
	}
	return g.other.Earliest(now)
}

// slots hands out staggered check times to n refused jobs: see
// [gcra.Limit.Defer].
func (g *gate) slots(now gcra.Instant, n int, horizon time.Duration) (first gcra.Instant, taken int) {
	if g.other != nil {
		// Defer reads of a budget when it admits and the last slot; here the
		// other limiter says when it admits.
		g.budget.TAT = g.other.Earliest(now)
	}
	g.budget, first, taken = g.pace.DeferN(g.budget, now, n, horizon)
	return first, taken
}
