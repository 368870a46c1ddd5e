package redis

import (
	"errors"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

type instant = gcra.Instant

// serve does with a popped job what is to be done. An error is a Redis that was
// not there: the job stays reserved, and comes back after retry_after.
func (w *worker) serve(v *visit) error {
	err := w.through(v)
	if err != nil {
		w.r.book.retried(v, w.r.clock.now())
	}
	if errors.Is(err, errDied) {
		// A supervisor starts another process; the job stays reserved, and what
		// it holds of its throttles stays taken.
		w.later = false
		if w.r.jobs.Err() == nil {
			w.r.book.count(&w.r.book.counts.Killed)
		}
		return nil
	}
	return err
}

func (w *worker) through(v *visit) error {
	if w.exceeded(v) {
		v.failed = true
		return w.remove(v)
	}
	a, err := w.inwards(v)
	switch {
	case errors.Is(err, errDied):
		return err
	case err != nil:
		// A throttle that has no Redis throws, and the job fails this try.
		w.r.trouble(err)
		v.threw = true
		return w.outwards(v)
	}
	switch a.what {
	case release, releaseAt:
		if err := w.release(v, a); err != nil {
			return err
		}
	case drop, fail:
		v.failed = a.what == fail
	default:
		if err := w.body(v); err != nil {
			return err
		}
	}
	return w.outwards(v)
}

// exceeded is asked before a job runs. With a deadline the tries don't count.
func (w *worker) exceeded(v *visit) bool {
	if v.p.RetryUntil > 0 {
		return second() > v.p.RetryUntil
	}
	tries := w.tries(v)
	return tries > 0 && v.p.Attempts > tries
}

// inwards asks the throttles from the outermost.
func (w *worker) inwards(v *visit) (answer, error) {
	v.admitted = w.r.clock.now()
	for place, i := range v.class.Laravel.Throttles {
		v.out = place
		before := w.c.trips.Load()
		a, err := w.r.throttles[i].enter(w, v, place)
		w.r.book.mu.Lock()
		w.r.book.counts.Checks += w.c.trips.Load() - before
		w.r.book.mu.Unlock()
		if err != nil {
			if errors.Is(err, errDied) {
				return a, w.alarm(v)
			}
			v.out-- // it never let the job in
			return a, err
		}
		if a.what != pass {
			return a, nil
		}
		if a.at != 0 {
			v.admitted = a.at
		} else {
			v.admitted = w.r.clock.now()
		}
	}
	return answer{}, nil
}

// body runs the job: it sleeps as long as the job takes.
func (w *worker) body(v *visit) error {
	s, book := w.r.s, w.r.book
	began := w.r.clock.now()
	v.body = true
	book.claimed(v, v.admitted, began)
	defer func() { book.stopped(w.r.clock.now().Sub(began)) }()
	number := v.p.Number
	r := model.JobRand(w.r.o.Seed, 0, number)
	takes := v.class.Takes.Draw(&r, 1)
	if w.chance(v, drawKilled, v.class.Laravel.Killed) {
		if err := w.hold(v, takes/2); err != nil {
			return w.alarm(v)
		}
		return errDied
	}
	if s.Provider != nil {
		r := model.JobRand(w.r.o.Seed, 0, number+drawCall+int64(v.copy)<<48)
		latency := s.Provider.Latency.Draw(&r, 1)
		if err := w.hold(v, latency); err != nil {
			return w.alarm(v)
		}
		v.told = !w.r.call()
		takes = max(takes-latency, 0)
	}
	if !v.told {
		if err := w.hold(v, takes); err != nil {
			return w.alarm(v)
		}
	}
	v.over = w.r.clock.now()
	v.threw = v.told || w.chance(v, drawFails, v.class.Laravel.Fails)
	if !v.threw {
		book.ended(v)
	}
	return nil
}

// chance draws whether something with a probability happens to this try.
func (w *worker) chance(v *visit, what int64, p float64) bool {
	if p <= 0 {
		return false
	}
	r := model.JobRand(w.r.o.Seed, 0, v.p.Number+what+int64(v.copy)<<48)
	return r.Float64() < p
}

// hold keeps the worker busy with the job, unless its alarm rings or the run is
// cut off before.
func (w *worker) hold(v *visit, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	rings := !v.deadline.IsZero() && time.Now().Add(d).After(v.deadline)
	if rings {
		d = time.Until(v.deadline)
	}
	over, whole := sleep(w.r.jobs, d)
	if rings || !whole {
		return errDied
	}
	w.r.book.slept(inJob, over)
	return nil
}

// alarm is the end of a job's timeout: it fails if its tries are spent, or it is
// told to; then its process kills itself. A run that is cut off kills, too.
func (w *worker) alarm(v *visit) error {
	if w.r.jobs.Err() != nil {
		return errDied
	}
	final := v.class.Laravel.FailOnTimeout || w.final(v)
	if most := v.class.Laravel.MaxExceptions; most > 0 && !final {
		var err error
		if final, err = w.countException(v, most); err != nil {
			return err
		}
	}
	if final {
		v.failed = true
		if err := w.remove(v); err != nil {
			return err
		}
	}
	return errDied
}

// outwards leaves the throttles from the innermost that let the job in, then
// does with the job what is left to do.
func (w *worker) outwards(v *visit) error {
	for ; v.out >= 0; v.out-- {
		t := w.r.throttles[v.class.Laravel.Throttles[v.out]]
		a, err := t.leave(w, v, v.out)
		if err != nil {
			return err
		}
		switch a.what {
		case release, releaseAt:
			v.threw, v.told = false, false
			w.r.book.retried(v, w.r.clock.now())
			if err := w.release(v, a); err != nil {
				return err
			}
		case fail:
			v.threw, v.failed = false, true
		}
	}
	switch {
	case v.released:
		return nil
	case v.threw:
		return w.exception(v)
	}
	return w.remove(v)
}
