package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// wait is a row of the scheduled table, or n of them: jobs with consecutive
// ids whose check times are step apart.
type wait struct {
	due  gcra.Instant
	step time.Duration
	row
}

// before orders two rows as the dispatcher's select does: time, priority, id.
func (w *wait) before(v *wait) bool {
	return w.due < v.due || w.due == v.due && w.key < v.key
}

// scheduled is the scheduled table. A limit's slots only grow, and so do its
// jobs' re-checks at the horizon, so each is a queue; times in no order
// (random delays) go to a heap. The table is the merge of these sources.
type scheduled struct {
	lanes []lane // two a limit: slots, re-checks
	heap  []wait
	jobs  int
}

// lane is a queue of rows in order of time.
type lane struct {
	rows []wait
	head int
}

func (s *scheduled) reset(limits int) {
	if len(s.lanes) != 2*limits {
		s.lanes = make([]lane, 2*limits)
	}
	for i := range s.lanes {
		s.lanes[i].rows, s.lanes[i].head = s.lanes[i].rows[:0], 0
	}
	s.heap, s.jobs = s.heap[:0], 0
}

func (s *scheduled) add(l int, w wait) {
	s.jobs += int(w.n)
	if l < 0 || !s.lanes[l].add(w) {
		// The heap holds single jobs: a run's later times may lie past others.
		for ; w.n > 0; w.n-- {
			one := w
			one.n = 1
			s.heap = push(s.heap, one)
			w.due, w.key, w.job = w.due.Add(w.step), w.key+1, w.job+1
		}
	}
}

// add puts w at the end, or says that it belongs before it.
func (l *lane) add(w wait) bool {
	n := len(l.rows)
	if l.head < n {
		last := &l.rows[n-1]
		end := last.due.Add(time.Duration(last.n-1) * last.step)
		if w.due < end || w.due == end && w.key < last.key+uint64(last.n) {
			return false
		}
		// One run on: same step, next id.
		if last.class == w.class && last.job+int64(last.n) == w.job && last.key+uint64(last.n) == w.key &&
			last.step == w.step && w.due == end.Add(last.step) {
			last.n += w.n
			return true
		}
	} else {
		l.rows, l.head, n = l.rows[:0], 0, 0
	}
	if n == cap(l.rows) && l.head > n/2 {
		l.rows, l.head = l.rows[:copy(l.rows, l.rows[l.head:])], 0
	}
	l.rows = append(l.rows, w)
	return true
}

// first is the earliest due time, or Never.
func (s *scheduled) first() gcra.Instant {
	at := gcra.Never
	for i := range s.lanes {
		if l := &s.lanes[i]; l.head < len(l.rows) {
			at = min(at, l.rows[l.head].due)
		}
	}
	if len(s.heap) > 0 {
		at = min(at, s.heap[0].due)
	}
	return at
}

// take removes up to n jobs that are due at now, in order, and appends them to
// out as rows.
func (s *scheduled) take(now gcra.Instant, n int, out []row) []row {
	for n > 0 {
		best, from := s.front(now)
		if best == nil {
			return out
		}
		c := int32(1)
		if best.n > 1 {
			c = s.span(best, from, now, n)
		}
		r := best.row
		r.n = c
		if from < 0 {
			s.heap, _ = pop(s.heap)
		} else {
			best.n -= c
			best.key, best.job = best.key+uint64(c), best.job+int64(c)
			best.due = best.due.Add(time.Duration(c) * best.step)
			if best.n == 0 {
				s.lanes[from].head++
			}
		}
		n -= int(c)
		s.jobs -= int(c)
		if k := len(out) - 1; k >= 0 && out[k].class == r.class && out[k].job+int64(out[k].n) == r.job && out[k].key+uint64(out[k].n) == r.key {
			out[k].n += c
		} else {
			out = append(out, r)
		}
	}
	return out
}

// front is the first row that is due, and the lane it is in, -1: the heap.
func (s *scheduled) front(now gcra.Instant) (best *wait, from int) {
	for i := range s.lanes {
		if l := &s.lanes[i]; l.head < len(l.rows) {
			if w := &l.rows[l.head]; w.due <= now && (best == nil || w.before(best)) {
				best, from = w, i
			}
		}
	}
	if len(s.heap) > 0 {
		if w := &s.heap[0]; w.due <= now && (best == nil || w.before(best)) {
			best, from = w, -1
		}
	}
	return best, from
}

// span is how many jobs of the run w, the front of lane from, go before any
// other row does, n at the most.
func (s *scheduled) span(w *wait, from int, now gcra.Instant, n int) int32 {
	end := now // the last due time to take, from other sources' point of view
	for i := range s.lanes {
		if l := &s.lanes[i]; i != from && l.head < len(l.rows) {
			end = min(end, l.rows[l.head].due-1)
		}
	}
	if len(s.heap) > 0 {
		end = min(end, s.heap[0].due-1)
	}
	c := int64(1)
	switch {
	case end < w.due: // a tie with another row: one at a time
	case w.step == 0:
		c = int64(w.n)
	default:
		c = int64(end-w.due)/int64(w.step) + 1
	}
	return int32(min(c, int64(w.n), int64(n)))
}
