package measure

import "github.com/ratesim/ratesim/model"

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
// through at once and To-Burst+1 in every Per after that. A token bucket
// refills To in every Per whatever it let through at once. Windows that start
// afresh let a full one be followed at once by the next.
func PromiseOf(l model.Limit) Promise {
	p := Promise{AtOnce: l.To, Window: l.To, PerSecond: float64(l.To) / l.Per.Seconds()}
	switch l.Kind {
	case model.TokenBucket:
		p.AtOnce, p.Window = l.Burst, l.Burst+l.To
	case model.FixedWindow, model.SlidingCounter:
		p.Window = 2 * l.To
	case model.OpenedWindow:
		// The claim that opens a window is a window's length before its end,
		// so only the other To-1 can be next to a fresh window's To.
		p.Window = 2*l.To - 1
	case model.EvenSpacing:
		p.AtOnce = 1
	case model.SlidingLog:
	default:
		p.AtOnce, p.PerSecond = l.Burst, l.DrainPerSecond()
	}
	return p
}
