package redis

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// jobThrottle is Laravel Job Throttle: reserved slots, a sliding window and
// pauses in one script, timed by Redis' clock. A wait spends no try, and a job
// that comes back may wait inside the worker.
//
// With concurrency a place is taken before the rate is asked, by a script of its
// own: the package uses Laravel's ConcurrencyLimiter for it, and so does the
// simulation.
type jobThrottle struct {
	spec   *model.Throttle
	key    string
	rate   gcra.Reserved
	places []string
}

// What the README says of a wait inside the worker: at most a second, and only
// for jobs whose own timeout leaves room for it.
const (
	holdMost         = time.Second
	holdLeastTimeout = 10 * time.Second
)

// How long a place stays taken if its worker dies, by default: the longer of
// this and the job's timeout and a minute.
const lockUsual = 660 * time.Second

func (t *jobThrottle) enter(w *worker, v *visit, place int) (answer, error) {
	if len(t.places) > 0 {
		ok, at, err := w.take(v, place, t.places, t.lockFor(w, v))
		switch {
		case err != nil:
			return t.gone(w, v, err)
		case !ok:
			return t.wait(v, t.spec.ConcurrencyRetry, answer{what: release, delay: t.spec.ConcurrencyRetry, at: at}), nil
		}
	}
	who := visitor{v.p.UUID, v.ran, place+1 < len(v.class.Laravel.Throttles)}
	for {
		a, err := w.c.ask(w.r.jobs, t.key, t.rate, who, t.spec.MaxWait-v.waited())
		if err != nil {
			return t.gone(w, v, err)
		}
		at, until := w.r.clock.redis(a.now), w.r.clock.redis(a.again)
		planned := a.wait()
		switch {
		case a.word == "start":
			return answer{at: at}, nil
		case a.word == "over":
			return answer{what: fail, at: at}, nil
		case !a.came || planned > holdMost || !t.mayHold(v) || t.spec.InWorker == model.InWorkerVisit && v.held+planned > holdMost:
			return t.wait(v, planned, answer{what: releaseAt, until: until, at: at}), nil
		}
		v.held += planned
		v.wait(planned)
		if err := w.holdFor(v, until.Sub(w.r.clock.now()), at); err != nil {
			return answer{}, err
		}
	}
}

// gone is a Redis that is not there: the job runs unthrottled, or throws.
func (t *jobThrottle) gone(w *worker, v *visit, err error) (answer, error) {
	if !t.spec.FailOpen {
		return answer{}, err
	}
	w.r.trouble(err)
	v.unthrottled = true
	return answer{}, nil
}

// wait adds a wait to those of the job, which fails if they come to more than
// it may. The wait is known when it is planned, so that is when this is told.
func (t *jobThrottle) wait(v *visit, planned time.Duration, a answer) answer {
	if v.waited()+planned > t.spec.MaxWait {
		return answer{what: fail, at: a.at}
	}
	v.wait(planned)
	v.free = true
	return a
}

// waited is how long the job waited in all, in whole milliseconds.
func (v *visit) waited() time.Duration      { return time.Duration(v.p.WaitedMS) * time.Millisecond }
func (v *visit) wait(planned time.Duration) { v.p.WaitedMS += int64(planned / time.Millisecond) }

// mayHold is true of jobs whose own timeout is long enough and that have no
// deadline, which only a release can move.
func (t *jobThrottle) mayHold(v *visit) bool {
	own := v.class.Laravel.Timeout
	return t.spec.InWorker != model.InWorkerNone && own != nil && (*own == 0 || *own >= holdLeastTimeout) && v.p.RetryUntil == 0
}

func (t *jobThrottle) lockFor(w *worker, v *visit) time.Duration {
	if t.spec.LockFor > 0 {
		return t.spec.LockFor
	}
	return max(lockUsual, w.timeout(v)+time.Minute)
}

// leave pauses the key if the provider refused the call, and releases the job
// until the pause ends; and gives the place back.
func (t *jobThrottle) leave(w *worker, v *visit, place int) (answer, error) {
	var a answer
	if v.told {
		length := w.r.s.Provider.RetryAfter
		if length == 0 {
			length = gcra.PauseUsual
		}
		micros, err := w.c.pause(w.r.jobs, t.key, length)
		if err != nil {
			return answer{}, err
		}
		until := w.r.clock.redis(micros)
		a = t.wait(v, until.Sub(w.r.clock.now()), answer{what: releaseAt, until: until})
	}
	return a, w.giveBack(v, place)
}
