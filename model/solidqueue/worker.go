package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// untilWoken is how long a worker without a free thread sleeps: in practice
// until a job ends.
const untilWoken = 10 * time.Minute

// Threads is the pool that runs a worker's jobs.
type Threads interface {
	// Idle is how many more jobs it can take.
	Idle() int
	// Start hands over what a claim took, each job to a thread of its own.
	Start(b *Batch, now gcra.Instant)
	// Lock asks for the process's one lock for the poll, and says when it has
	// it: after the jobs that asked first have had their turn.
	Lock(now gcra.Instant) gcra.Instant
	// Unlock ends the poll's hold on the lock.
	Unlock(now gcra.Instant)
}

// Worker claims ready jobs for its pool: as many as it has idle threads, in
// one transaction, and again at once, a few times, while something was
// deferred and threads are free. Then it sleeps its interval, whether it found
// jobs or not, or until woken if no thread is free. Every job that ends in its
// process wakes it.
type Worker struct {
	Queue  Queue
	Pool   Threads
	Rounds int  // claims in one poll at the most, at least 1
	Blind  bool // finished jobs don't wake it
	Sleep  Sleep

	Polls int64

	step    step
	latched bool // a job ended since the sleep last returned
	begin   gcra.Instant
	left    int // claims this poll may still make
	batch   Batch
}

type step uint8

const (
	asleep   step = iota
	waiting       // woken or out of sleep, waits for the process's lock
	claiming      // about to claim, or waits for the write lock
	claimed       // the claim commits now
)

// Working is true in the middle of a poll.
func (w *Worker) Working() bool { return w.step != asleep }

// Finished tells the worker that a job of its process has ended, and reports
// whether that ends its sleep. Ends during a poll are latched; many become one
// wake-up.
func (w *Worker) Finished() (wakes bool) {
	if w.Blind {
		return false
	}
	w.latched = true
	return w.step == asleep
}

// Poll is one turn: the end of a sleep, one claim, or its commit.
func (w *Worker) Poll(now gcra.Instant) (gcra.Instant, error) {
	for {
		switch w.step {
		case asleep:
			// The sleep returns and empties its pipe before the thread gets
			// the process's lock: a job that ends while it waits for that is
			// latched for one more poll.
			w.latched = false
			w.begin, w.step = now, waiting
			if free := w.Pool.Lock(now); free > now {
				return free, nil
			}
		case waiting:
			w.Polls++
			w.left, w.step = w.Rounds, claiming
			if w.Pool.Idle() == 0 {
				return w.sleep(now), nil
			}
		case claiming:
			b, err := w.Queue.Claim(now, w.Pool.Idle())
			if err != nil {
				return gcra.Never, err
			}
			if b.Busy {
				return b.Done, nil
			}
			w.batch, w.step = b, claimed
			w.left--
			if b.Done > now {
				return b.Done, nil
			}
		case claimed:
			w.Pool.Start(&w.batch, now)
			if w.batch.Deferred == 0 || w.left == 0 || w.Pool.Idle() == 0 {
				return w.sleep(now), nil
			}
			w.step = claiming
		}
	}
}

// sleep ends a poll. A sleep with a wake-up latched returns at once.
func (w *Worker) sleep(now gcra.Instant) gcra.Instant {
	w.step = asleep
	w.Pool.Unlock(now)
	switch {
	case w.latched:
		return now
	case w.Pool.Idle() == 0 && !w.Blind:
		return now.Add(untilWoken)
	}
	return w.Sleep.Until(w.begin, now)
}

var _ model.Actor = (*Worker)(nil)
var _ model.Actor = (*Dispatcher)(nil)
