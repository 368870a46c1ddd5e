package model

import "github.com/ratesim/ratesim/gcra"

// Actor is polled and says when it wants its next turn: [gcra.Never] means not
// until woken. A turn at now itself is taken again at once. There are no event
// kinds; a simulation and the real thing differ only in how time passes
// between two turns.
type Actor interface {
	Poll(now gcra.Instant) (next gcra.Instant, err error)
}
