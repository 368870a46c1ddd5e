package gcra

import "time"

// Budget is all that is remembered of one key under a limit. It is a value:
// the caller loads it, asks, and stores what comes back, in memory or in one
// transaction. The zero value is a quiet budget at every instant from the
// origin on, as is one at rest ([Limit.AtRest]): forgetting it changes no
// decision.
type Budget struct {
	// TAT is the theoretical arrival time of the next admission if all came
	// evenly spaced; each admission moves it one interval on.
	TAT Instant
	// Slot is the last check time handed out to a waiting job.
	Slot Instant
}

// Pace is the arithmetic of a limit, worked out once for a hot path.
type Pace struct {
	Interval  time.Duration // at least 1 ns
	Tolerance time.Duration
}

// Pace works out the limit's interval and tolerance.
func (l Limit) Pace() Pace {
	t := l.Interval()
	return Pace{Interval: t, Tolerance: time.Duration(l.Burst-1) * t}
}

// Check asks whether a job may pass now, and gives the budget after it. A
// refusal changes nothing. It is not an error: [Limit.Earliest] says when.
//
// A clock that steps back changes no budget: what was admitted stays charged,
// and a job may have to wait until the clock has caught up.
func (l Limit) Check(b Budget, now Instant) (Budget, bool) {
	b, n := l.Pace().CheckN(b, now, 1)
	return b, n == 1
}

// Earliest is when the budget next admits: now or a past instant if it would
// admit at once, [Never] if that would carry it past the end of time.
func (l Limit) Earliest(b Budget) Instant { return l.Pace().Earliest(b) }

// Defer gives a refused job its staggered slot, the time to check again: one
// interval after the last slot handed out, but not before the budget can
// admit, nor before now. Beyond [Horizon] it takes no slot (false) and is told
// to check again after Horizon; a slot at exactly Horizon is still taken. A
// slot reserves nothing: it only keeps waiters from coming back together.
func (l Limit) Defer(b Budget, now Instant) (Budget, Instant, bool) {
	b, first, n := l.Pace().DeferN(b, now, 1, Horizon)
	if n == 0 {
		return b, now.Add(Horizon), false
	}
	return b, first, true
}

// AtRest is true when the budget is full and its last slot is not in the
// future: it then decides as the zero budget does, now and later.
func (l Limit) AtRest(b Budget, now Instant) bool {
	return b.TAT <= now && b.Slot <= now
}

// Cap cuts the debt to what the limit could have run up by itself, Burst
// intervals, so that a limit that was loosened is felt at once: the wait for
// the next admission is then at most one interval. With a clock that never
// steps back and a limit that did not change it does nothing. Slots stay where
// they were handed out.
//
// Apply it once after a change. Applied at every check, a caller whose clock
// is behind forgives debt each time it looks, and the promise breaks.
func (l Limit) Cap(b Budget, now Instant) Budget {
	if most := now.Add(l.Tolerance() + l.Interval()); b.TAT > most {
		b.TAT = most
	}
	return b
}

// Earliest is [Limit.Earliest].
func (p Pace) Earliest(b Budget) Instant {
	if b.TAT > Never-Instant(p.Interval) {
		return Never
	}
	return b.TAT.Add(-p.Tolerance)
}

// CheckN is n calls of [Limit.Check] at one instant in closed form: how many
// of n jobs pass, the first ones, and the budget after them. An admission that
// would carry the budget past the end of time is refused.
func (p Pace) CheckN(b Budget, now Instant, n int) (Budget, int) {
	if n <= 0 || now < b.TAT.Add(-p.Tolerance) {
		return b, 0
	}
	from := max(b.TAT, now)
	room := int64(now.Add(p.Tolerance).Sub(from))/int64(p.Interval) + 1
	// Sub stops at the end of the range, where Never-from would wrap for an
	// instant before the origin.
	room = min(room, int64(Never.Sub(from))/int64(p.Interval))
	if room < int64(n) {
		n = int(room)
	}
	if n > 0 {
		b.TAT = from + Instant(n)*Instant(p.Interval)
	}
	return b, n
}

// DeferN is n calls of [Limit.Defer] at one instant in closed form: the first
// taken of n jobs get the slots first, first+Interval and so on; the rest lie
// beyond the horizon and take none. A horizon of 0 or less means none: slots
// are handed out as far ahead as it takes, to the end of time.
func (p Pace) DeferN(b Budget, now Instant, n int, horizon time.Duration) (_ Budget, first Instant, taken int) {
	first = max(b.Slot.Add(p.Interval), p.Earliest(b), now)
	last := Never - 1
	if horizon > 0 {
		last = min(last, now.Add(horizon))
	}
	if first > last || n <= 0 {
		return b, first, 0
	}
	taken = n
	if more := int64(last.Sub(first)) / int64(p.Interval); more < int64(n) {
		taken = int(more) + 1
	}
	b.Slot = first + Instant(taken-1)*Instant(p.Interval)
	return b, first, taken
}
