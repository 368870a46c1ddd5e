package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// again tells that the try that ran came to nothing and the job waits again.
func (w *Worker) again(at gcra.Instant) {
	s := w.site
	switch {
	case !w.ran: // it threw on its way in
		s.happened(model.Deferred, w.job, at, second(at)-s.Origin)
	case s.holds(w.job, w.copy):
		s.jobs[w.job].running = false
		s.retried(w.job, at)
	}
}

// failed tells that a job that ran failed for good.
func (w *Worker) failed(at gcra.Instant) {
	s := w.site
	switch {
	case !w.ran: // it threw on its way in
		s.Counts.Failed++
		s.happened(model.Dropped, w.job, at, 0)
	case s.holds(w.job, w.copy):
		s.Counts.Failed++
		s.jobs[w.job].running = false
		s.happened(model.Finished, w.job, at, 0)
	}
	w.lost = true
}

// exception is what the worker does with a job that threw: it fails for good,
// or is released by its backoff. Exceptions are counted in the cache only if
// the job has a number of them at which it fails.
func (w *Worker) exception(now gcra.Instant) gcra.Instant {
	j := &w.site.jobs[w.job]
	most := w.class().Laravel.MaxExceptions
	j.exceptions++
	final := w.final(j, now)
	if most > 0 {
		w.plain = 2 // read, increment
		if j.exceptions == 1 {
			w.plain++ // begin at 0
		}
		if int(j.exceptions) >= most {
			final = true
			w.plain++ // forget
		}
	}
	if final {
		w.failed(now)
	} else {
		w.again(now)
		w.released, w.delay = true, w.backoff(j)
	}
	if w.plain > 0 {
		w.step = counts
		return w.send(now)
	}
	return w.follow(now)
}

// final is asked after an exception or at the alarm.
func (w *Worker) final(j *job, now gcra.Instant) bool {
	if j.until > 0 {
		return j.until <= second(now)
	}
	tries := w.tries()
	return tries > 0 && int(j.tries) >= tries
}

// backoff is the delay after an exception: the list's entry of this try, its
// last from then on. A job's own list comes before the worker's.
func (w *Worker) backoff(j *job) time.Duration {
	list := w.class().Laravel.Backoff
	if len(list) == 0 {
		list = w.spec.Laravel.Backoff
	}
	if len(list) == 0 {
		return 0
	}
	return list[min(max(int(j.tries), 1), len(list))-1]
}

// count is a command that counts an exception.
func (w *Worker) count(now gcra.Instant) gcra.Instant {
	_, back := w.command(now)
	if w.plain--; w.plain > 0 {
		return w.send(back)
	}
	return w.follow(back)
}

// follow releases or deletes a job that threw.
func (w *Worker) follow(now gcra.Instant) gcra.Instant {
	w.stage, w.step = 0, deletes
	if w.released {
		w.step, w.out, w.threw = releases, -1, false
	}
	return w.send(now)
}

// release is a command of giving the job back; then its try, if the wait costs
// none; then the throttles further out are left.
func (w *Worker) release(now gcra.Instant) gcra.Instant {
	at, back := w.command(now)
	s := w.site
	due, again := s.store.release(w.job, w.copy, w.stage, w.delay, w.sent, at)
	if again {
		w.stage++
		return w.send(back)
	}
	s.Counts.Releases++
	if w.ran {
		s.jobs[w.job].since = due
	}
	if w.free {
		w.step = rewrites
		return w.send(back)
	}
	if !w.ran {
		s.Counts.TriesBurned++
	}
	return w.outwards(back)
}

// rewrite gives the try back, and moves the deadline on by the wait, unless
// somebody popped the job in between: then the wait has cost a try.
func (w *Worker) rewrite(now gcra.Instant) gcra.Instant {
	_, back := w.command(now)
	s := w.site
	if j := &s.jobs[w.job]; j.place == delayed && j.copy == w.copy {
		s.Counts.Rewrites++
		j.tries--
		if j.until > 0 {
			j.until = j.until.Add(w.delay)
		}
	} else {
		s.Counts.TriesBurned++
	}
	return w.outwards(back)
}

// delete is a command of taking the job off the queue for good.
func (w *Worker) delete(now gcra.Instant) gcra.Instant {
	at, back := w.command(now)
	s := w.site
	had := s.holds(w.job, w.copy)
	if s.store.remove(w.job, w.copy, w.stage) {
		w.stage++
		return w.send(back)
	}
	if had {
		s.left(at)
	}
	return w.rest(back)
}

// die is the end of the process with a job in hand: the job stays reserved and
// what it holds of its throttles stays taken. A supervisor starts another.
func (w *Worker) die(now gcra.Instant) gcra.Instant {
	s := w.site
	s.Counts.Killed++
	if w.ran {
		w.stop(now)
		w.again(now)
	}
	w.forget()
	w.step, w.later = begins, false
	return now.Add(s.parts.Timing.Boot.Draw(&w.draws, 1))
}

// timeOut is the alarm: the job fails if its tries are spent, or it is told to;
// then the process kills itself.
func (w *Worker) timeOut(now gcra.Instant) gcra.Instant {
	s := w.site
	j := &s.jobs[w.job]
	l := &w.class().Laravel
	j.exceptions++
	if s.holds(w.job, w.copy) && (l.FailOnTimeout || w.final(j, now) || l.MaxExceptions > 0 && int(j.exceptions) >= l.MaxExceptions) {
		if w.ran {
			w.failed(now)
			w.stop(now)
			w.ran = false
		} else {
			s.Counts.Failed++
			s.happened(model.Dropped, w.job, now, 0)
		}
		at, _ := w.command(now)
		for stage := 0; s.store.remove(w.job, w.copy, stage); stage++ {
			at, _ = w.command(at)
		}
		s.left(at)
	}
	return w.die(now)
}
