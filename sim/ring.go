package sim

import (
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// piece is n jobs with consecutive ids.
type piece struct{ job, n int32 }

// ring is a queue of jobs that wait for their times: their ids in pieces, their
// times in groups. The first of them may be ready; they have no times any more
// and stay until they are taken.
type ring struct {
	step       time.Duration // from a job's time to the next one's, in a group
	times      queue[group]  // in order
	pieces     []piece       // a power of two of them
	head, tail int           // from head to before tail, both counted on
	opened     int           // the first piece of those that came last

	// All jobs there ever were are numbered from 0.
	taken int64 // the first that is still there
	ready int64 // the first that is not ready
	seen  int   // a piece up to the one in which that is
	upTo  int64 // the number of its first job
}

// group is jobs that are due one step after the other.
type group struct {
	due  gcra.Instant
	jobs int64
}

func (r *ring) reset(step time.Duration) {
	r.step = step
	r.times.reset()
	r.head, r.tail, r.opened = 0, 0, 0
	r.taken, r.ready, r.seen, r.upTo = 0, 0, 0, 0
}

// due is when the next job becomes ready.
func (r *ring) due() gcra.Instant {
	if g := r.times.first(); g != nil {
		return g.due
	}
	return gcra.Never
}

// pass removes the times of up to n jobs of the first group, if due by then,
// and says of how many.
func (r *ring) pass(by gcra.Instant, n int64) int64 {
	g := r.times.first()
	n = min(n, g.jobs)
	if r.step > 0 {
		n = min(n, int64(by-g.due)/int64(r.step)+1)
		g.due += gcra.Instant(n) * gcra.Instant(r.step)
	}
	if g.jobs -= n; g.jobs == 0 {
		r.times.pop()
	}
	return n
}

// next is the first job that is not ready, with those that follow in its piece.
func (r *ring) next() piece {
	if r.seen <= r.head {
		r.seen, r.upTo = r.head, r.taken
	}
	for {
		p := r.pieces[r.seen&(len(r.pieces)-1)]
		if over := r.ready - r.upTo; over < int64(p.n) {
			return piece{p.job + int32(over), p.n - int32(over)}
		}
		r.upTo += int64(p.n)
		r.seen++
	}
}

// open gives n jobs that are to come their times, later than all others.
func (r *ring) open(due gcra.Instant, n int64) {
	r.opened = r.tail
	if last := r.times.last(); last != nil && last.due+gcra.Instant(last.jobs)*gcra.Instant(r.step) == due {
		last.jobs += n
		return
	}
	r.times.push(group{due, n})
}

// push adds a piece at the end. Ids that follow the last ones make its piece
// longer.
func (r *ring) push(p piece) {
	if r.tail > r.opened {
		if last := &r.pieces[(r.tail-1)&(len(r.pieces)-1)]; last.job+last.n == p.job {
			last.n += p.n
			return
		}
	}
	r.grow(1)
	r.pieces[r.tail&(len(r.pieces)-1)] = p
	r.tail++
}

// take removes up to n jobs of the first piece.
func (r *ring) take(n int64) piece {
	p := &r.pieces[r.head&(len(r.pieces)-1)]
	if int64(p.n) <= n {
		r.head++
		r.taken += int64(p.n)
		return *p
	}
	first := piece{p.job, int32(n)}
	p.job += int32(n)
	p.n -= int32(n)
	r.taken += n
	return first
}

// move is take and push until n jobs have moved, maybe round to the ring's own
// end.
func (r *ring) move(n int64, to *ring) {
	to.grow(min(r.tail-r.head, int(n)) + 1)
	r.taken += n
	var last piece // the one that is being put together
	if to.tail > to.opened {
		to.tail--
		last = to.pieces[to.tail&(len(to.pieces)-1)]
	}
	from, head := r.pieces, r.head
	pieces, tail := to.pieces, to.tail
	for left := int32(n); left > 0; {
		p := &from[head&(len(from)-1)]
		job, k := p.job, p.n
		if k > left {
			k = left
			p.job += k
			p.n -= k
		} else {
			head++
		}
		left -= k
		if job == last.job+last.n { // never of none, for ids start at 1
			last.n += k
			continue
		}
		if last.n > 0 {
			pieces[tail&(len(pieces)-1)] = last
			tail++
		}
		last = piece{job, k}
	}
	pieces[tail&(len(pieces)-1)] = last
	r.head, to.tail = head, tail+1
}

// order brings the pieces that came last in the order of their ids, as those
// of one time are.
func (r *ring) order() {
	mask := len(r.pieces) - 1
	for i := r.opened + 1; i < r.tail; i++ {
		for k := i; k > r.opened && r.pieces[(k-1)&mask].job > r.pieces[k&mask].job; k-- {
			before, here := &r.pieces[(k-1)&mask], &r.pieces[k&mask]
			*before, *here = *here, *before
		}
	}
}

// grow makes room for n more pieces.
func (r *ring) grow(n int) {
	for r.tail-r.head+n > len(r.pieces) {
		bigger := make([]piece, max(64, 2*len(r.pieces)))
		for i := r.head; i < r.tail; i++ {
			bigger[i&(len(bigger)-1)] = r.pieces[i&(len(r.pieces)-1)]
		}
		r.pieces = bigger
	}
}

// queue is first in, first out.
type queue[T any] struct {
	all  []T
	head int
}

func (q *queue[T]) reset() { q.all, q.head = q.all[:0], 0 }

// first is the first one, or nil.
func (q *queue[T]) first() *T {
	if q.head < len(q.all) {
		return &q.all[q.head]
	}
	return nil
}

// last is the last one, or nil.
func (q *queue[T]) last() *T {
	if q.head < len(q.all) {
		return &q.all[len(q.all)-1]
	}
	return nil
}

func (q *queue[T]) push(v T) {
	if len(q.all) == cap(q.all) {
		q.shift()
	}
	q.all = append(q.all, v)
}

// pop removes the first one.
func (q *queue[T]) pop() {
	if q.head++; q.head == len(q.all) {
		q.reset()
	}
}

// shift moves all to the front if most of the room there is free.
func (q *queue[T]) shift() {
	if q.head > len(q.all)/2 {
		q.all, q.head = slices.Delete(q.all, 0, q.head), 0
	}
}
