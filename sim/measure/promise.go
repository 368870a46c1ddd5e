package measure

import (
	"cmp"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Promise is what a limit's limiter promises, which is less than the limit
// says for some of those people compare with.
type Promise struct {
	AtOnce    int     // the most that a quiet budget admits at once
	Window    int     // the most in any half-open window of the limit's length
	PerSecond float64 // the rate at which a backlog drains when nothing else holds it back
}

// Keeps is true when no window ever holds more than the limit allows.
func (p Promise) Keeps(l model.Limit) bool { return p.Window <= l.To }

// PromiseOf is what the limit's limiter promises. The real one lets Burst
// through at once and To-Burst+1 in every Per after that; the others pass To
// in every Per, whatever they let through at once.
func PromiseOf(l model.Limit) Promise {
	p := Promise{AtOnce: l.To, Window: l.To, PerSecond: float64(l.To) / l.Per.Seconds()}
	kind := cmp.Or(l.Kind, model.GCRA)
	switch kind {
	case model.GCRA:
		p.AtOnce, p.PerSecond = l.Burst, l.DrainPerSecond()
	case model.TokenBucket:
		p.AtOnce = l.Burst
	case model.EvenSpacing:
		p.AtOnce = 1
	}
	if gate, err := gcra.NewGate(string(kind), l.Limit); err == nil {
		p.Window = gate.MostInWindow()
	}
	return p
}
