package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// database is the database queue. A pop is one select of the lowest row id that
// is due, and an update if there is one; a release deletes the row and inserts
// a new one, so a released job goes behind all that are there already. Due is
// told in whole seconds of the worker's clock. Round trips are statements,
// without those that begin and end a transaction.
type database struct {
	site   *Site
	tables []table
}

type table struct {
	due      later // by row id
	delayed  later // by time, then row id
	reserved rows
	row      uint64
}

func (q *database) reset() {
	for i := range q.tables {
		t := &q.tables[i]
		t.due, t.delayed, t.row = t.due[:0], t.delayed[:0], 0
		t.reserved.reset()
	}
}

func (q *database) waiting() (n int) {
	for i := range q.tables {
		n += len(q.tables[i].due)
	}
	return n
}

func (q *database) push(queue, id int32, at gcra.Instant) {
	t := &q.tables[queue]
	t.row++
	q.site.jobs[id].tie = t.row
	q.ready(t, id, at)
}

func (q *database) ready(t *table, id int32, at gcra.Instant) {
	q.site.gauge.ready(at, 1)
	q.site.jobs[id].place = ready
	t.due.push(entry{tie: q.site.jobs[id].tie, job: id})
}

// pop locks the row in its select, so that nobody else's select sees it.
func (q *database) pop(queue int32, stage int, into *int32, sent, at gcra.Instant) outcome {
	t, now := &q.tables[queue], second(sent)
	if stage == 0 {
		for len(t.delayed) > 0 && t.delayed[0].at <= now {
			q.ready(t, t.delayed.pop().job, at)
		}
		if now >= t.reserved.soonest {
			t.reserved.expired(q.site, now, func(id int32) { q.ready(t, id, at) })
		}
		if len(t.due) == 0 {
			return empty
		}
		id := t.due.pop().job
		q.site.gauge.ready(at, -1)
		q.site.take(id)
		t.reserved.add(q.site, id, now.Add(q.site.parts.Connection.RetryAfter))
		*into = id
		return more
	}
	return found // the update of the row that was locked
}

func (q *database) wait(int32, int, gcra.Instant) bool { return false }

func (q *database) remove(id, copy int32, stage int) bool {
	if stage == 0 {
		return true // the select that locks the row
	}
	if q.site.holds(id, copy) {
		q.table(id).reserved.remove(q.site, id)
		q.site.jobs[id].place = gone
	}
	return false
}

// release takes three statements: select, delete, insert.
func (q *database) release(id, copy int32, stage int, delay time.Duration, sent, _ gcra.Instant) (gcra.Instant, bool) {
	due := second(sent).Add(delay)
	if stage < 2 {
		return due, true
	}
	if !q.site.holds(id, copy) {
		return due, false
	}
	t, j := q.table(id), &q.site.jobs[id]
	t.reserved.remove(q.site, id)
	t.row++
	j.place, j.tie = delayed, t.row
	t.delayed.push(entry{due, j.tie, id})
	return due, false
}

func (q *database) table(id int32) *table { return &q.tables[q.site.queueOf[q.site.jobs[id].class]] }
