package redis

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// take takes the first free of some places for a job, for so many seconds.
func (w *worker) take(v *visit, place int, keys []string, length time.Duration) (ok bool, at gcra.Instant, err error) {
	got, err := w.c.eval(w.r.jobs, placeScript, keys, v.owner, int64(length/time.Second))
	if err != nil {
		return false, 0, err
	}
	all, err := list(got, 2)
	if err != nil {
		return false, 0, err
	}
	if n := number(all[0]); n > 0 {
		v.places[place] = keys[n-1]
	}
	return v.places[place] != "", w.r.clock.redis(number(all[1])), nil
}

// giveBack frees what a job holds at a place in its throttles, unless somebody
// else has it by now.
func (w *worker) giveBack(v *visit, place int) error {
	key := v.places[place]
	if key == "" {
		return nil
	}
	v.places[place] = ""
	_, err := w.c.eval(w.r.jobs, unlockScript, []string{key}, v.owner)
	return err
}

// redisFunnel is Redis::funnel: so many jobs at a time. Nobody queues.
type redisFunnel struct {
	spec *model.Throttle
	keys []string
}

func (t *redisFunnel) enter(w *worker, v *visit, place int) (answer, error) {
	return blocks(w, v, t.spec, func() (bool, gcra.Instant, error) {
		return w.take(v, place, t.keys, *t.spec.ReleaseAfter)
	})
}

func (t *redisFunnel) leave(w *worker, v *visit, place int) (answer, error) {
	return answer{}, w.giveBack(v, place)
}

// withoutOverlapping is the middleware of that name: a lock in the cache. It
// releases at once by default, so a refused job comes back with the next pop.
type withoutOverlapping struct {
	spec *model.Throttle
	key  string
}

func (t *withoutOverlapping) enter(w *worker, v *visit, place int) (answer, error) {
	command := []any{"SET", t.key, v.owner, "NX"}
	if t.spec.ExpireAfter > 0 {
		command = append(command, "EX", int64(t.spec.ExpireAfter/time.Second))
	}
	got, err := w.c.do(w.r.jobs, command...)
	switch {
	case err != nil:
		return answer{}, err
	case got != nil:
		v.places[place] = t.key
		return answer{}, nil
	case t.spec.DontRelease:
		return answer{what: drop}, nil
	}
	return answer{what: release, delay: *t.spec.ReleaseAfter}, nil
}

func (t *withoutOverlapping) leave(w *worker, v *visit, place int) (answer, error) {
	return answer{}, w.giveBack(v, place)
}
