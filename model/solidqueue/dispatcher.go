package solidqueue

import (
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Dispatcher brings scheduled jobs back to ready. Nothing but its own timer
// wakes it. It sleeps only after a poll that found nothing to move: after any
// other, full or not, it polls again at once, so a cycle with work is the
// sleep, one or more batches, and one empty poll.
type Dispatcher struct {
	Queue Queue
	Batch int
	Again model.Again
	Sleep Sleep

	Polls int64

	due     gcra.Instant // the clock as read before the transaction
	waiting bool         // for the write lock
}

// Poll is one turn: one transaction.
func (d *Dispatcher) Poll(now gcra.Instant) (gcra.Instant, error) {
	if !d.waiting {
		d.due = now
		d.Polls++
	}
	m, err := d.Queue.Dispatch(d.due, now, d.Batch)
	if err != nil {
		return gcra.Never, err
	}
	if d.waiting = m.Busy; m.Busy {
		return m.Done, nil
	}
	if m.Jobs > 0 && d.Again == model.AgainNonempty || m.Jobs == d.Batch && d.Again == model.AgainFull {
		return m.Done, nil
	}
	return d.Sleep.Until(d.due, m.Done), nil
}
