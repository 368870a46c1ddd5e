package sim

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// piece is n waiting jobs with consecutive ids, the first due at due.
type piece struct {
	due gcra.Instant
	job int32
	n   int32
}

// ring is a queue of pieces.
type ring struct {
	pieces     []piece // a power of two of them
	head, tail int     // from head to before tail, both counted on
	jobs       int64
}

func (r *ring) reset() { r.head, r.tail, r.jobs = 0, 0, 0 }

// front is the first piece of a ring that is not empty.
func (r *ring) front() *piece { return &r.pieces[r.head&(len(r.pieces)-1)] }

// first is the first piece, or nil.
func (r *ring) first() *piece {
	if r.head == r.tail {
		return nil
	}
	return r.front()
}

// push adds a piece at the end.
func (r *ring) push(p piece) {
	if r.tail-r.head == len(r.pieces) {
		r.grow()
	}
	r.pieces[r.tail&(len(r.pieces)-1)] = p
	r.tail++
	r.jobs += int64(p.n)
}

// add is push, for pieces without a time: ids that follow the last ones make
// its piece longer.
func (r *ring) add(p piece) {
	if r.tail > r.head {
		if last := &r.pieces[(r.tail-1)&(len(r.pieces)-1)]; last.job+last.n == p.job {
			last.n += p.n
			r.jobs += int64(p.n)
			return
		}
	}
	r.push(p)
}

// addDue is push, for pieces whose jobs are all due at once: pieces of one time
// are kept in the order of their ids.
func (r *ring) addDue(p piece) {
	mask := len(r.pieces) - 1
	if r.tail > r.head {
		last := &r.pieces[(r.tail-1)&mask]
		if last.due == p.due && last.job+last.n == p.job {
			last.n += p.n
			r.jobs += int64(p.n)
			return
		}
	}
	r.push(p)
	mask = len(r.pieces) - 1
	for i := r.tail - 1; i > r.head; i-- {
		before, here := &r.pieces[(i-1)&mask], &r.pieces[i&mask]
		if before.due < here.due || before.job < here.job {
			break
		}
		*before, *here = *here, *before
	}
}

// take removes the first n jobs of the first piece; its others are due n steps
// later.
func (r *ring) take(n int64, step time.Duration) {
	p := r.front()
	r.jobs -= n
	if int64(p.n) == n {
		r.head++
		return
	}
	p.job += int32(n)
	p.n -= int32(n)
	p.due += gcra.Instant(n) * gcra.Instant(step)
}

// cycle moves the first n jobs to the end, due there at due: what a look that
// refuses them all comes to. It does nothing, and says so, if their ids don't
// rise, for then their pieces have to be put in order.
func (r *ring) cycle(n int64, due gcra.Instant) bool {
	mask := len(r.pieces) - 1
	last := int32(-1)
	if p := &r.pieces[(r.tail-1)&mask]; p.due == due {
		last = p.job
	}
	for i, left := r.head, n; left > 0; i++ {
		p := &r.pieces[i&mask]
		if p.job < last {
			return false
		}
		last = p.job
		left -= int64(p.n)
	}
	if r.tail-r.head == len(r.pieces) {
		r.grow()
		mask = len(r.pieces) - 1
	}
	pieces, head, tail := r.pieces, r.head, r.tail
	job, count := int32(0), int32(0) // the piece that is being put together
	for n > 0 {
		p := &pieces[head&mask]
		k := p.n
		from := p.job
		if int64(k) > n {
			k = int32(n)
			p.job += k
			p.n -= k
		} else {
			head++
		}
		n -= int64(k)
		if from == job+count && count > 0 {
			count += k
			continue
		}
		if count > 0 {
			pieces[tail&mask] = piece{due, job, count}
			tail++
		}
		job, count = from, k
	}
	pieces[tail&mask] = piece{due, job, count}
	r.head, r.tail = head, tail+1
	return true
}

func (r *ring) grow() {
	bigger := make([]piece, max(64, 2*len(r.pieces)))
	n := 0
	for i := r.head; i < r.tail; i++ {
		bigger[n] = r.pieces[i&(len(r.pieces)-1)]
		n++
	}
	r.pieces, r.head, r.tail = bigger, 0, n
}

// group is how many jobs are due at one time.
type group struct {
	due  gcra.Instant
	jobs int64
}

// groups is a queue of them, in order of time.
type groups struct {
	all  []group
	head int
}

func (q *groups) reset() { q.all, q.head = q.all[:0], 0 }

// first is the first group due by now, or nil.
func (q *groups) first(now gcra.Instant) *group {
	if q.head < len(q.all) && q.all[q.head].due <= now {
		return &q.all[q.head]
	}
	return nil
}

// push adds n jobs that are due no earlier than all others.
func (q *groups) push(due gcra.Instant, n int64) {
	if q.head == len(q.all) {
		q.reset()
	} else if len(q.all) == cap(q.all) && q.head > len(q.all)/2 {
		q.all, q.head = q.all[:copy(q.all, q.all[q.head:])], 0
	}
	q.all = append(q.all, group{due, n})
}

// take removes up to n jobs of the first group and says how many.
func (q *groups) take(n int64) int64 {
	g := &q.all[q.head]
	n = min(n, g.jobs)
	if g.jobs -= n; g.jobs == 0 {
		q.head++
	}
	return n
}
