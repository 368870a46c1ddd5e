package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// jobThrottle is Laravel Job Throttle: reserved slots, a sliding window, pauses
// and places, timed by Redis' clock. On a Redis queue a wait spends no try, and
// a job that comes back may wait inside the worker; on the others it spends
// one and reserves nothing.
//
// With concurrency a place is taken before the rate is asked, and given back on
// the way out if the rate refuses: the other way round a start would be lost
// whenever all places are taken.
type jobThrottle struct {
	site   *Site
	spec   *model.Throttle
	rate   gcra.Reserved
	keeps  bool // reservations: the queue is Redis
	sched  gcra.Schedule
	places gcra.Places
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

func newJobThrottle(s *Site, t *model.Throttle) *jobThrottle {
	return &jobThrottle{
		site: s, spec: t, rate: gcra.Reserved{Allow: t.Allow, Every: t.Every},
		keeps: s.parts.Connection.Driver == model.DriverRedis, places: gcra.NewPlaces(t.Concurrency),
	}
}

func (t *jobThrottle) reset() {
	t.sched = t.sched.Forget()
	t.places.Reset()
}

// down is true while the throttle's Redis does not answer.
func (t *jobThrottle) down(at gcra.Instant) bool {
	from := t.site.Origin.Add(t.spec.DownAt)
	return t.spec.DownFor > 0 && at >= from && at < from.Add(t.spec.DownFor)
}

func (t *jobThrottle) ask(w *Worker, at gcra.Instant) verdict {
	if t.down(at) {
		if t.spec.FailOpen {
			return verdict{what: pass} // unthrottled, and unremembered
		}
		return verdict{what: throws}
	}
	k := t.site.ticket(w.job, w.at)
	if t.spec.Concurrency > 0 && w.places[w.at] < 0 {
		if !w.takePlace(t.places, at, at.Add(t.lockFor(w))) {
			return t.wait(w, k, at, t.spec.ConcurrencyRetry, verdict{what: release, delay: t.spec.ConcurrencyRetry})
		}
		return verdict{what: next}
	}
	if k.passed {
		return verdict{what: pass} // let in before, and released further in
	}
	came := k.Held
	var schedule gcra.Schedule
	var a gcra.Answer
	if t.keeps {
		schedule, a = t.rate.Ask(t.sched, k.Reservation, at)
	} else {
		schedule, a = t.rate.Once(t.sched, at)
	}
	if a.Start {
		t.sched, k.Reservation, k.passed = schedule, gcra.Reservation{}, true
		return verdict{what: pass}
	}
	planned := a.Again.Sub(at)
	if came && planned <= holdMost && t.mayHold(w) && (t.spec.InWorker != model.InWorkerVisit || w.held+planned <= holdMost) {
		t.sched, k.Reservation = schedule, a.Reservation
		w.held += planned
		return t.wait(w, k, at, planned, verdict{what: hold, until: a.Again})
	}
	v := t.wait(w, k, at, planned, verdict{what: releaseAt, until: a.Again})
	if v.what != fail { // who fails takes no slot with him
		t.sched, k.Reservation = schedule, a.Reservation
	}
	return v
}

// wait adds a wait to those of the job, which fails if they come to more than
// it may. The wait is known when it is planned, so that is when this is told.
func (t *jobThrottle) wait(w *Worker, k *ticket, _ gcra.Instant, planned time.Duration, v verdict) verdict {
	if k.waited+planned > t.spec.MaxWait {
		return verdict{what: fail}
	}
	k.waited += planned
	w.free = t.keeps && !t.site.parts.Connection.Cluster // which finds no copy to rewrite
	return v
}

// mayHold is true of jobs whose own timeout is long enough and that have no
// deadline, which only a release can move.
func (t *jobThrottle) mayHold(w *Worker) bool {
	own := w.class().Laravel.Timeout
	return t.keeps && t.spec.InWorker != model.InWorkerNone &&
		own != nil && (*own == 0 || *own >= holdLeastTimeout) && t.site.jobs[w.job].until == 0
}

// lockFor is how long a place is held for a worker that never gives it back.
func (t *jobThrottle) lockFor(w *Worker) time.Duration {
	if t.spec.LockFor > 0 {
		return t.spec.LockFor
	}
	return max(lockUsual, w.timeout()+time.Minute)
}

// leaves is true if there is a place to give back, or a pause to tell.
func (t *jobThrottle) leaves(w *Worker, place int) bool {
	return w.places[place] >= 0 || w.told
}

// leave pauses the key if the provider refused the call, and releases the job
// until the pause ends; and gives the place back.
func (t *jobThrottle) leave(w *Worker, place int, at gcra.Instant) verdict {
	if w.told {
		w.told, w.threw = false, false
		pause := t.site.provider.RetryAfter()
		if pause == 0 {
			pause = gcra.PauseUsual
		}
		t.sched = t.rate.Pause(t.sched, at, pause)
		end, _ := t.sched.Paused(at)
		t.site.paused(at, end)
		k := t.site.ticket(w.job, place)
		k.passed = false
		v := t.wait(w, k, at, end.Sub(at), verdict{what: releaseAt, until: end})
		if w.places[place] >= 0 {
			w.then = v
			return verdict{what: next}
		}
		return v
	}
	w.giveBack(t.places, place)
	v := w.then
	w.then = verdict{}
	return v
}
