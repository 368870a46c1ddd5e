package measure

import (
	"cmp"
	"time"

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
	case model.JobThrottle:
		// Slots every so many whole milliseconds, and a sliding window.
		spacing := (l.Per/time.Millisecond + time.Duration(l.To) - 1) / time.Duration(l.To) * time.Millisecond
		p.AtOnce, p.PerSecond = 1, 1/spacing.Seconds()
		return p
	case model.RedisThrottle, model.RateLimited, model.RateLimitedRedis:
		// The end of one window and the start of the next fall into one second.
		// What workers that ask at the same moment let through besides, for
		// rate_limited asks and counts apart, no number bounds.
		p.Window = 2 * l.To
		return p
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

// opens is true of a limit whose throttle lets everybody through for a time: it
// promises nothing then.
func opens(s *model.Scenario, limit int) bool {
	if s.Laravel == nil {
		return false
	}
	for _, t := range s.Laravel.Throttles {
		if t.Limit == limit && t.DownFor > 0 && t.FailOpen {
			return true
		}
	}
	return false
}
