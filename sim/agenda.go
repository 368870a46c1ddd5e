package sim

import "github.com/ratesim/ratesim/gcra"

// agenda is who wants a turn when. Each actor has one entry, its place is its
// rank: at one instant the lower rank goes first. There are few actors, so the
// earliest entry is found by looking at all of them.
type agenda []gcra.Instant

// first is the actor whose turn it is, and when.
func (a agenda) first() (actor int, at gcra.Instant) {
	at = a[0]
	for i := 1; i < len(a); i++ {
		if a[i] < at {
			actor, at = i, a[i]
		}
	}
	return actor, at
}

// other is when somebody else than the actor wants a turn.
func (a agenda) other(actor int) gcra.Instant {
	at := gcra.Never
	for i, t := range a {
		if t < at && i != actor {
			at = t
		}
	}
	return at
}

// Wake brings an actor's turn forward.
func (a agenda) Wake(actor int, at gcra.Instant) {
	if at < a[actor] {
		a[actor] = at
	}
}
