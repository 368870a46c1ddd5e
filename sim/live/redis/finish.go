package redis

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// release gives the job back. If the wait costs no try, its copy is rewritten:
// one attempt less, and the deadline later by the wait.
func (w *worker) release(v *visit, a answer) error {
	ctx, book := w.r.jobs, w.r.book
	now := second()
	delay := int64(a.delay / time.Second)
	if a.what == releaseAt {
		delay = max(w.r.clock.unix(a.until)-now, 0)
	}
	if !v.body {
		at := a.at
		if at == 0 {
			at = w.r.clock.now()
		}
		book.deferred(v, at, w.r.clock.instant(now+delay))
	}
	if err := w.c.release(ctx, v.q, v.text, now+delay); err != nil {
		return err
	}
	v.released = true
	book.released(v, w.r.clock.instant(now+delay))
	if !v.free {
		if !v.body {
			book.count(&book.counts.TriesBurned)
		}
		return nil
	}
	p := v.p
	p.Attempts--
	if p.RetryUntil > 0 {
		p.RetryUntil += delay
	}
	ok, err := w.c.rewrite(ctx, v.q, v.text, p.String())
	switch {
	case err != nil:
		return err
	case ok:
		book.count(&book.counts.Rewrites)
	default:
		book.count(&book.counts.TriesBurned)
	}
	return nil
}

// remove takes the job off the queue for good: it is done, or failed, or
// dropped.
func (w *worker) remove(v *visit) error {
	if v.over == 0 || !v.body {
		v.over = w.r.clock.now()
	}
	if err := w.c.remove(w.r.jobs, v.q, v.text); err != nil {
		return err
	}
	w.r.book.removed(v)
	return nil
}

// exception is what the worker does with a job that threw: it fails for good,
// or is released by its backoff.
func (w *worker) exception(v *visit) error {
	final := w.final(v)
	if most := v.class.Laravel.MaxExceptions; most > 0 {
		enough, err := w.countException(v, most)
		if err != nil {
			return err
		}
		final = final || enough
	}
	if final {
		v.failed = true
		return w.remove(v)
	}
	w.r.book.retried(v, w.r.clock.now())
	v.free = false
	return w.release(v, answer{what: release, delay: w.backoff(v)})
}

// countException counts in the cache, by uuid and for a day, and says whether
// the job has thrown as often as it may.
func (w *worker) countException(v *visit, most int) (enough bool, err error) {
	ctx, key := w.r.jobs, w.r.server.key("exceptions", v.p.UUID)
	was, err := w.c.do(ctx, "GET", key)
	if err != nil {
		return false, err
	}
	if was == nil {
		if _, err = w.c.do(ctx, "SETEX", key, 86400, 0); err != nil {
			return false, err
		}
	}
	n, err := w.c.do(ctx, "INCR", key)
	if err != nil || number(n) < int64(most) {
		return false, err
	}
	_, err = w.c.do(ctx, "DEL", key)
	return true, err
}

// final is asked after an exception or at the alarm.
func (w *worker) final(v *visit) bool {
	if v.p.RetryUntil > 0 {
		return v.p.RetryUntil <= second()
	}
	tries := w.tries(v)
	return tries > 0 && v.p.Attempts >= tries
}

// backoff is the delay after an exception: the list's entry of this try, its
// last from then on. A job's own list comes before the worker's.
func (w *worker) backoff(v *visit) time.Duration {
	list := v.class.Laravel.Backoff
	if len(list) == 0 {
		list = w.spec.Laravel.Backoff
	}
	if len(list) == 0 {
		return 0
	}
	return list[min(max(v.p.Attempts, 1), len(list))-1]
}

// answer is what a throttle says.
type answer struct {
	what  what
	delay time.Duration // of release: whole seconds
	until gcra.Instant  // of releaseAt: back in the first whole second from then on
	at    gcra.Instant  // when it decided, if by Redis' clock; 0: the worker's
}

type what uint8

const (
	pass      what = iota // go on, inwards or outwards
	release               // back to the queue for a delay
	releaseAt             // back until the whole second from which the job may ask again
	drop                  // the job counts as done and does not run
	fail                  // it fails
)
