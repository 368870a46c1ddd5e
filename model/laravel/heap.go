package laravel

import "github.com/ratesim/ratesim/gcra"

// entry is a job that comes due, with what orders those of one instant.
type entry struct {
	at  gcra.Instant
	tie uint64
	job int32
}

func (e *entry) before(o *entry) bool { return e.at < o.at || e.at == o.at && e.tie < o.tie }

// later is a binary heap of entries, the earliest first. A hole moves through
// it and the entry is written once.
type later []entry

func (h *later) push(e entry) {
	s := append(*h, e)
	*h = s
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = e
}

func (h *later) pop() entry {
	s := *h
	top, n := s[0], len(s)-1
	last := s[n]
	s = s[:n]
	*h = s
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && s[c+1].before(&s[c]) {
			c++
		}
		if !s[c].before(&last) {
			break
		}
		s[i] = s[c]
		i = c
	}
	if n > 0 {
		s[i] = last
	}
	return top
}

// fifo is a queue of jobs in a ring whose length is a power of two.
type fifo struct {
	ring []int32
	head int
	n    int
}

func (q *fifo) reset() { q.head, q.n = 0, 0 }

func (q *fifo) push(job int32) {
	if q.n == len(q.ring) {
		q.grow()
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = job
	q.n++
}

func (q *fifo) grow() {
	bigger := make([]int32, max(64, 2*len(q.ring)))
	for i := range q.n {
		bigger[i] = q.ring[(q.head+i)&(len(q.ring)-1)]
	}
	q.ring, q.head = bigger, 0
}

func (q *fifo) pop() int32 {
	job := q.ring[q.head]
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return job
}
