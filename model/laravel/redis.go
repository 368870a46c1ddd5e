package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// redis is the Redis queue. A pop is three commands: bring back what is due of
// the delayed jobs, then of the reserved ones, then take the head. Due is told
// in whole seconds of the worker's clock, and those of one second come in the
// order of their payloads, which begin with a random uuid.
type redis struct {
	site  *Site
	lists []list
}

// list is one queue: its ready list, its two sorted sets, and the tokens that
// workers who wait for a job take.
type list struct {
	ready    fifo
	delayed  later
	reserved rows
	tokens   int
	blocked  []int // workers that wait, first come first
	seq      uint64
}

func (q *redis) reset() {
	for i := range q.lists {
		l := &q.lists[i]
		l.ready.reset()
		l.reserved.reset()
		l.delayed, l.blocked, l.tokens, l.seq = l.delayed[:0], l.blocked[:0], 0, 0
	}
}

func (q *redis) waiting() (n int) {
	for i := range q.lists {
		n += q.lists[i].ready.n
	}
	return n
}

func (q *redis) push(queue, id int32, at gcra.Instant) { q.append(&q.lists[queue], id, at) }

// append makes a job ready, with a token for who waits.
func (q *redis) append(l *list, id int32, at gcra.Instant) {
	q.site.gauge.ready(at, 1)
	q.site.jobs[id].place = ready
	l.ready.push(id)
	if len(l.blocked) > 0 {
		worker := l.blocked[0]
		l.blocked = append(l.blocked[:0], l.blocked[1:]...)
		q.site.wake(worker, at)
		return
	}
	l.tokens++
}

func (q *redis) pop(queue int32, stage int, into *int32, sent, at gcra.Instant) outcome {
	l, now := &q.lists[queue], second(sent)
	switch stage {
	case 0:
		q.migrate(l, now, at)
		return more
	case 1:
		// The set of reserved jobs is looked at as the delayed ones are.
		if now >= l.reserved.soonest {
			l.reserved.expired(q.site, now, func(id int32) { q.append(l, id, at) })
		}
		return more
	}
	if l.ready.n == 0 {
		return empty
	}
	id := l.ready.pop()
	q.site.gauge.ready(at, -1)
	l.tokens = max(l.tokens-1, 0)
	q.site.take(id)
	l.reserved.add(q.site, id, now.Add(q.site.parts.Connection.RetryAfter))
	*into = id
	return found
}

// migrate brings back the delayed jobs that are due, as many as the batch.
func (q *redis) migrate(l *list, now, at gcra.Instant) {
	for n := q.site.parts.Connection.MigrationBatch; n != 0 && len(l.delayed) > 0 && l.delayed[0].at <= now; n-- {
		q.append(l, l.delayed.pop().job, at)
	}
}

func (q *redis) wait(queue int32, worker int, _ gcra.Instant) bool {
	l := &q.lists[queue]
	if l.tokens > 0 {
		l.tokens--
		return true
	}
	l.blocked = append(l.blocked, worker)
	return false
}

// gaveUp takes a worker out of those that wait.
func (q *redis) gaveUp(queue int32, worker int) {
	l := &q.lists[queue]
	for i, w := range l.blocked {
		if w == worker {
			l.blocked = append(l.blocked[:i], l.blocked[i+1:]...)
			return
		}
	}
}

func (q *redis) remove(id, copy int32, _ int) bool {
	if q.site.holds(id, copy) {
		q.list(id).reserved.remove(q.site, id)
		q.site.jobs[id].place = gone
	}
	return false
}

func (q *redis) release(id, copy int32, _ int, delay time.Duration, sent, _ gcra.Instant) (gcra.Instant, bool) {
	due := second(sent).Add(delay)
	if !q.site.holds(id, copy) {
		return due, false
	}
	l, j := q.list(id), &q.site.jobs[id]
	l.reserved.remove(q.site, id)
	j.place = delayed
	tie := j.tie
	switch q.site.parts.Ties {
	case model.TiesFIFO:
		l.seq++
		tie = l.seq
	case model.TiesRandom:
		r := model.JobRand(q.site.seed, q.site.run, q.site.number(id)+drawUUID+int64(j.pops)<<48)
		tie = r.Uint64()
	}
	l.delayed.push(entry{due, tie, id})
	return due, false
}

func (q *redis) list(id int32) *list { return &q.lists[q.site.queueOf[q.site.jobs[id].class]] }

// holds is true while a copy of a job is the one that is reserved.
func (s *Site) holds(id, copy int32) bool {
	j := &s.jobs[id]
	return j.place == reserved && j.copy == copy
}
