package solidqueue

// row is n jobs with consecutive ids and consecutive places in the order of
// the ready table.
type row struct {
	key   uint64 // priority, then place; the first job's
	job   int64
	n     int32
	class int32
}

// key packs priority and place so that one comparison orders two rows.
// Priorities are in [-32768, 32767], places below 2^48.
func key(priority int, place int64) uint64 {
	return uint64(priority+1<<15)<<48 | uint64(place)
}

// ready is the ready table: rows in the order of priority, then job id, never
// of due time, slot or the time at which a job became ready. Rows don't
// overlap, so taking the front of one leaves it in its place.
type ready struct {
	heap []row
	jobs int
}

func (q *ready) reset() { q.heap, q.jobs = q.heap[:0], 0 }

func (q *ready) push(r row) {
	q.jobs += int(r.n)
	if n := len(q.heap); n > 0 {
		// One run on: the next places and the next ids.
		if last := &q.heap[n-1]; last.key+uint64(last.n) == r.key && last.job+int64(last.n) == r.job && last.class == r.class {
			last.n += r.n
			return
		}
	}
	h := append(q.heap, r)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up].key <= r.key {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = r
	q.heap = h
}

// take removes up to n jobs from the front, all of one row.
func (q *ready) take(n int) row {
	top := q.heap[0]
	if int(top.n) > n {
		q.heap[0].key += uint64(n)
		q.heap[0].job += int64(n)
		q.heap[0].n -= int32(n)
		top.n = int32(n)
	} else {
		q.pop()
	}
	q.jobs -= int(top.n)
	return top
}

func (q *ready) pop() {
	h := q.heap
	n := len(h) - 1
	last := h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			if n > 0 {
				h[i] = last
			}
			break
		}
		if c+1 < n && h[c+1].key < h[c].key {
			c++
		}
		if last.key <= h[c].key {
			h[i] = last
			break
		}
		h[i] = h[c]
		i = c
	}
	q.heap = h
}
