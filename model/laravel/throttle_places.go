package laravel

import (
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// redisFunnel is Redis::funnel: so many jobs at a time. Nobody queues; who finds
// no place tries again, or is released.
type redisFunnel struct {
	spec   *model.Throttle
	places gcra.Places
}

func (t *redisFunnel) reset() { t.places.Reset() }

func (t *redisFunnel) ask(w *Worker, at gcra.Instant) verdict {
	if w.takePlace(t.places, at, at.Add(*t.spec.ReleaseAfter)) {
		return verdict{what: pass}
	}
	return blocks(w, t.spec)
}

func (t *redisFunnel) leaves(w *Worker, place int) bool { return w.places[place] >= 0 }

func (t *redisFunnel) leave(w *Worker, place int, _ gcra.Instant) verdict {
	w.giveBack(t.places, place)
	return verdict{what: pass}
}

// withoutOverlapping is the middleware of that name: a lock in the cache. It
// releases at once by default, so a refused job comes back with the next pop.
type withoutOverlapping struct {
	spec *model.Throttle
	lock gcra.Places
}

func (t *withoutOverlapping) reset() { t.lock.Reset() }

func (t *withoutOverlapping) ask(w *Worker, at gcra.Instant) verdict {
	until := gcra.Never
	if t.spec.ExpireAfter > 0 {
		until = at.Add(t.spec.ExpireAfter)
	}
	if w.takePlace(t.lock, at, until) {
		return verdict{what: pass}
	}
	if t.spec.DontRelease {
		return verdict{what: drop}
	}
	return verdict{what: release, delay: *t.spec.ReleaseAfter}
}

func (t *withoutOverlapping) leaves(w *Worker, place int) bool { return w.places[place] >= 0 }

func (t *withoutOverlapping) leave(w *Worker, place int, _ gcra.Instant) verdict {
	w.giveBack(t.lock, place)
	return verdict{what: pass}
}
