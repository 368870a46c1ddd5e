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
	next       group         // the first one
	times      queue[group]  // the others, in order
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
	due  gcra.Instant // Never of none
	jobs int64
}

func (r *ring) reset(step time.Duration) {
	r.step = step
	r.next = group{gcra.Never, 0}
	r.times.reset()
	r.head, r.tail, r.opened = 0, 0, 0
	r.taken, r.ready, r.seen, r.upTo = 0, 0, 0, 0
}

// pass makes n jobs ready, no more than the first group has.
func (r *ring) pass(n int64) {
	r.ready += n
	r.next.due += gcra.Instant(n) * gcra.Instant(r.step)
	if r.next.jobs -= n; r.next.jobs > 0 {
		return
	}
	r.next = group{gcra.Never, 0}
	if g := r.times.first(); g != nil {
		r.next = *g
		r.times.pop()
	}
}

// open gives n jobs that are to come their times, later than all others.
func (r *ring) open(due gcra.Instant, n int64) {
	r.opened = r.tail
	last := r.times.last()
	if last == nil {
		last = &r.next
	}
	switch {
	case last.jobs == 0:
		*last = group{due, n}
	case last.due+gcra.Instant(last.jobs)*gcra.Instant(r.step) == due:
		last.jobs += n
	default:
		r.times.push(group{due, n})
	}
}

// waiting is the first job that is not ready, with those that follow in its piece.
func (r *ring) waiting() piece {
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

// fill puts n jobs, ready ones, into an empty ring.
func (r *ring) fill(n int64) {
	r.grow(1)
	r.pieces[0], r.tail = piece{1, int32(n)}, 1
	r.ready = n
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

// eachFirst calls f for the pieces of the first n jobs.
func (r *ring) eachFirst(n int64, f func(piece)) {
	for i := r.head; n > 0; i++ {
		p := r.pieces[i&(len(r.pieces)-1)]
		p.n = int32(min(n, int64(p.n)))
		n -= int64(p.n)
		f(p)
	}
}

// eachWaiting calls f for the pieces of the first n jobs that are not ready.
func (r *ring) eachWaiting(n int64, f func(piece)) {
	p := r.waiting()
	for i := r.seen; n > 0; {
		p.n = int32(min(n, int64(p.n)))
		n -= int64(p.n)
		f(p)
		i++
		p = r.pieces[i&(len(r.pieces)-1)]
	}
}

// move takes the first n jobs to the end of a ring, maybe of this one. There
// ids that follow the last ones make its piece longer. It says whether they
// rose all the way.
func (r *ring) move(n int64, to *ring) (rose bool) {
	to.grow(min(r.tail-r.head, int(n)) + 1)
	r.taken += n
	rose = true
	next := int32(-1) // the id after the last one
	if to.tail > to.opened {
		last := &to.pieces[(to.tail-1)&(len(to.pieces)-1)]
		next = last.job + last.n
	}
	from, head := r.pieces, r.head
	pieces, tail := to.pieces, to.tail
	for left := int32(n); left > 0; {
		p := from[head&(len(from)-1)]
		if p.n <= left {
			head++
		} else {
			from[head&(len(from)-1)] = piece{p.job + left, p.n - left}
			p.n = left
		}
		left -= p.n
		if p.job == next {
			pieces[(tail-1)&(len(pieces)-1)].n += p.n
		} else {
			if p.job < next {
				rose = false
			}
			pieces[tail&(len(pieces)-1)] = p
			tail++
		}
		next = p.job + p.n
	}
	to.tail = tail
	r.head = head
	return rose
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

func (q *queue[T]) push(v T) { q.all = append(q.all, v) }

// pop removes the first one.
func (q *queue[T]) pop() {
	if q.head++; q.head == len(q.all) {
		q.reset()
	} else if q.head > 1000 && q.head > len(q.all)/2 {
		q.shift()
	}
}

// shift moves all to where there was room.
//
//go:noinline
func (q *queue[T]) shift() { q.all, q.head = slices.Delete(q.all, 0, q.head), 0 }
