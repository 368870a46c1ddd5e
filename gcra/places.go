package gcra

// Places are a number of places for jobs at a time, each held by an owner until
// it is given back or its time is up. Think of them as keys on numbered hooks:
// whoever comes takes the first free one, nobody queues, and a key that is
// never brought back counts as back after a while. A late owner can't give back
// what is somebody else's by then.
//
// It is Redis::funnel's and a lock's way, and that of the concurrency of a
// throttle. Places holds memory of its own, so a copy is not a second set.
type Places struct{ held []place }

type place struct {
	owner int64
	until Instant // free from here on
}

// NewPlaces are n free places.
func NewPlaces(n int) Places { return Places{make([]place, n)} }

// Reset frees them all.
func (p Places) Reset() { clear(p.held) }

// Take gives an owner the first free place until an instant, [Never] for as
// long as he lives; false if there is none.
func (p Places) Take(owner int64, now, until Instant) (number int, ok bool) {
	for i := range p.held {
		if p.held[i].until <= now {
			p.held[i] = place{owner, until}
			return i, true
		}
	}
	return 0, false
}

// GiveBack frees a place if it is still the owner's.
func (p Places) GiveBack(number int, owner int64) {
	if p.held[number].owner == owner {
		p.held[number].until = 0
	}
}

// Taken is how many are held.
func (p Places) Taken(now Instant) (n int) {
	for i := range p.held {
		if p.held[i].until > now {
			n++
		}
	}
	return n
}
