package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// sqsLongest is the longest a message can be made invisible.
const sqsLongest = 12 * time.Hour

// sqs is Amazon's queue: one request a pop, a message that is received stays
// invisible for retry_after, and a release changes for how long. Its times are
// its own and exact. Messages come in the order in which they became visible,
// which Amazon does not promise.
type sqs struct {
	site   *Site
	queues []sqsQueue
}

type sqsQueue struct {
	visible  fifo
	hidden   later // released
	received rows
	seq      uint64
}

func (q *sqs) reset() {
	for i := range q.queues {
		x := &q.queues[i]
		x.visible.reset()
		x.hidden, x.seq = x.hidden[:0], 0
		x.received.reset()
	}
}

func (q *sqs) waiting() (n int) {
	for i := range q.queues {
		n += q.queues[i].visible.n
	}
	return n
}

func (q *sqs) push(queue, id int32, at gcra.Instant) { q.show(&q.queues[queue], id, at) }

func (q *sqs) show(x *sqsQueue, id int32, at gcra.Instant) {
	q.site.gauge.ready(at, 1)
	q.site.jobs[id].place = ready
	x.visible.push(id)
}

func (q *sqs) pop(queue int32, _ int, into *int32, _, at gcra.Instant) outcome {
	x := &q.queues[queue]
	for len(x.hidden) > 0 && x.hidden[0].at <= at {
		q.show(x, x.hidden.pop().job, at)
	}
	if at >= x.received.soonest {
		x.received.expired(q.site, at, func(id int32) { q.show(x, id, at) })
	}
	if x.visible.n == 0 {
		return empty
	}
	id := x.visible.pop()
	q.site.gauge.ready(at, -1)
	q.site.take(id)
	x.received.add(q.site, id, at.Add(q.site.parts.Connection.RetryAfter))
	*into = id
	return found
}

func (q *sqs) wait(int32, int, gcra.Instant) bool { return false }

func (q *sqs) remove(id, copy int32, _ int) bool {
	if q.site.holds(id, copy) {
		q.of(id).received.remove(q.site, id)
		q.site.jobs[id].place = gone
	}
	return false
}

func (q *sqs) release(id, copy int32, _ int, delay time.Duration, _, at gcra.Instant) (gcra.Instant, bool) {
	due := at.Add(min(delay, sqsLongest))
	if !q.site.holds(id, copy) {
		return due, false
	}
	x := q.of(id)
	x.received.remove(q.site, id)
	q.site.jobs[id].place = delayed
	x.seq++
	x.hidden.push(entry{due, x.seq, id})
	return due, false
}

func (q *sqs) of(id int32) *sqsQueue { return &q.queues[q.site.queueOf[q.site.jobs[id].class]] }
