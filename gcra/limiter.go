package gcra

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Limiter is a rule that decides over a state S: all it remembers of one key.
// The state is a value, its zero value is quiet, and what the rule answers
// hangs on nothing else. Instants are at or after the origin; one before what
// the state has seen counts as that, so a clock that steps back changes no
// state.
type Limiter[S any] interface {
	// Check asks whether a job may pass now, and gives the state after it. A
	// refusal changes nothing. The state passed in is spent: only the one that
	// comes back may be used again.
	Check(s S, now Instant) (S, bool)
	// Earliest is when a job could pass if none did before: now if at once.
	Earliest(s S, now Instant) Instant
	// Spacing is how far apart the slots of waiting jobs are.
	Spacing() time.Duration
	// MostInWindow is the most admissions that a half-open window of the
	// limiter's own length can ever hold. It is exact: some arrivals reach it.
	MostInWindow() int
	// Validate says in one sentence what is wrong with the limiter, or nothing.
	Validate() error
}

// Gate is a limiter that keeps its state, for one key.
type Gate interface {
	// Check lets a job through now, or not.
	Check(now Instant) bool
	// Earliest is when a job could pass if none did before: now if at once.
	Earliest(now Instant) Instant
	// Spacing is how far apart the slots of waiting jobs are: the interval of
	// a Limit, of the others Per/To rounded up to a whole microsecond.
	Spacing() time.Duration
	// Promises is true if the kind of limiter is made to keep the promise: at
	// most To in any half-open window of Per.
	Promises() bool
	// MostInWindow is the most admissions such a window can ever hold.
	MostInWindow() int
}

// The kinds of gates, as scenario files name them.
const (
	kindGCRA           = "gcra"
	kindTokenBucket    = "token_bucket"
	kindFixedWindow    = "fixed_window"
	kindOpenedWindow   = "opened_window"
	kindSlidingLog     = "sliding_log"
	kindSlidingCounter = "sliding_counter"
	kindEvenSpacing    = "even_spacing"
)

var kinds = []string{kindGCRA, kindTokenBucket, kindFixedWindow, kindOpenedWindow, kindSlidingLog, kindSlidingCounter, kindEvenSpacing}

// NewGate is a quiet gate of the kind with the numbers of l. A token bucket
// holds l.Burst tokens; limiters other than it and gcra have no burst to
// choose. The error says what is wrong with the kind or the numbers.
func NewGate(kind string, l Limit) (Gate, error) {
	switch kind {
	case kindGCRA:
		return newGate(paced{l}, true)
	case kindTokenBucket:
		return newGate(TokenBucket{l.To, l.Per, l.Burst}, false)
	case kindFixedWindow:
		return newGate(FixedWindow{l.To, l.Per}, false)
	case kindOpenedWindow:
		return newGate(OpenedWindow{l.To, l.Per}, false)
	case kindSlidingLog:
		return newGate(SlidingLog{l.To, l.Per}, true)
	case kindSlidingCounter:
		return newGate(SlidingCounter{l.To, l.Per}, false)
	case kindEvenSpacing:
		return newGate(EvenSpacing{l.To, l.Per}, true)
	}
	return nil, fmt.Errorf("limiter is %q, want one of %s", kind, strings.Join(kinds, ", "))
}

type gate[S any] struct {
	limiter  Limiter[S]
	state    S
	promises bool
}

func newGate[S any](l Limiter[S], promises bool) (Gate, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	return &gate[S]{limiter: l, promises: promises}, nil
}

func (g *gate[S]) Check(now Instant) (ok bool) {
	g.state, ok = g.limiter.Check(g.state, now)
	return ok
}
func (g *gate[S]) Earliest(now Instant) Instant { return g.limiter.Earliest(g.state, now) }
func (g *gate[S]) Spacing() time.Duration       { return g.limiter.Spacing() }
func (g *gate[S]) Promises() bool               { return g.promises }
func (g *gate[S]) MostInWindow() int            { return g.limiter.MostInWindow() }

// paced is a Limit in the shape of a [Limiter].
type paced struct{ Limit }

func (p paced) Earliest(b Budget, now Instant) Instant { return max(now, p.Limit.Earliest(b)) }
func (p paced) Spacing() time.Duration                 { return p.Interval() }

// validWindow is what every limiter but gcra asks of its numbers. One a
// microsecond is as close as slots get.
func validWindow(to int, per time.Duration) error {
	switch {
	case to < 1:
		return fmt.Errorf("to is %d, want at least 1", to)
	case per < MinInterval:
		return fmt.Errorf("per is %v, want at least %v", per, MinInterval)
	case per > math.MaxInt64/2:
		return fmt.Errorf("per is %v, want at most 146 years", per)
	case int64(to) > int64(per/time.Microsecond):
		return fmt.Errorf("to is %d in %v, want at most one a microsecond", to, per)
	}
	return nil
}
