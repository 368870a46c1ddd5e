package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// store keeps the jobs of all queues. Each call is a command of its own, at the
// instant at which the store executes it; sent is when the worker sent it, by
// the worker's clock.
type store interface {
	reset()
	push(queue, id int32, at gcra.Instant)
	// pop is command stage of looking for a job in a queue; what it finds it
	// writes into the worker's hand.
	pop(queue int32, stage int, into *int32, sent, at gcra.Instant) outcome
	// wait puts a worker to sleep in the store until a job comes to the queue.
	wait(queue int32, worker int, at gcra.Instant) (served bool)
	// remove is command stage of deleting a job that is reserved for a copy.
	remove(id, copy int32, stage int) (more bool)
	// release is command stage of giving it back for a delay, or of giving a
	// try back to a job that was released.
	release(id, copy int32, stage int, delay time.Duration, sent, at gcra.Instant) (due gcra.Instant, more bool)
	waiting() int // jobs that a pop would find
}

// outcome is what a command of a pop came to.
type outcome uint8

const (
	found outcome = iota
	more          // another command of this pop follows
	empty         // no job
)

// rows are the reserved jobs: few, for each worker has at most one and the rest
// belong to those who died.
type rows struct {
	list    []row
	soonest gcra.Instant // no row's time is before this
}

type row struct {
	until gcra.Instant
	id    int32
}

func (r *rows) reset() { r.list, r.soonest = r.list[:0], gcra.Never }

func (r *rows) add(s *Site, id int32, until gcra.Instant) {
	s.jobs[id].row = int32(len(r.list))
	r.list = append(r.list, row{until, id})
	r.soonest = min(r.soonest, until)
}

func (r *rows) remove(s *Site, id int32) {
	j := &s.jobs[id]
	last := len(r.list) - 1
	if moved := r.list[last]; moved.id != id {
		r.list[j.row] = moved
		s.jobs[moved.id].row = j.row
	}
	r.list = r.list[:last]
	j.row = -1
}

// expired takes out the jobs whose time is up, and gives each to f in order of
// time, then of tie.
func (r *rows) expired(s *Site, now gcra.Instant, f func(id int32)) {
	if now < r.soonest {
		return
	}
	for {
		first := -1
		r.soonest = gcra.Never
		for i, x := range r.list {
			r.soonest = min(r.soonest, x.until)
			if x.until <= now && (first < 0 || x.until < r.list[first].until ||
				x.until == r.list[first].until && s.jobs[x.id].tie < s.jobs[r.list[first].id].tie) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		id := r.list[first].id
		r.remove(s, id)
		s.expired(id, now)
		f(id)
	}
}

// expired notes that a job that was reserved too long goes back to the others.
// If its first copy still runs, it will run twice.
func (s *Site) expired(id int32, now gcra.Instant) {
	j := &s.jobs[id]
	j.place = ready
	if j.running {
		j.running = false
		s.retried(id, now)
	}
}

// take gives a job to a worker: one more try.
func (s *Site) take(id int32) {
	j := &s.jobs[id]
	j.place = reserved
	j.tries++
	j.pops++
	j.copy++
	s.Counts.Pops++
	s.Counts.AttemptsMax = max(s.Counts.AttemptsMax, int64(j.tries))
	s.Counts.PopsMax = max(s.Counts.PopsMax, int64(j.pops))
}

// newStore makes the store of a connection.
func newStore(s *Site) store {
	n := len(s.queueNames)
	switch s.parts.Connection.Driver {
	case model.DriverDatabase:
		return &database{site: s, tables: make([]table, n)}
	case model.DriverSQS:
		return &sqs{site: s, queues: make([]sqsQueue, n)}
	}
	return &redis{site: s, lists: make([]list, n)}
}
