package tune

import (
	"sync"
	"time"

	"github.com/ratesim/ratesim/sim"
)

// meter tells how far a whole question is, though it is answered in stretches
// that nobody can count beforehand: against an estimate of all replications,
// which grows when it was too low. It never goes back.
type meter struct {
	mu     sync.Mutex
	done   int
	expect int
	share  float64
	tell   func(done, total int)
}

// fineness is how many steps a meter has.
const fineness = 1000

// metered is the question with one meter for all its parts.
func (q *Question) metered() *Question {
	if q.Progress == nil {
		return q
	}
	m := &meter{tell: q.Progress, expect: q.expected()}
	out := *q
	out.Progress = m.step
	return &out
}

// expected is about how many replications an answer takes.
func (q *Question) expected() int {
	s := newSearch(q, nil, 0)
	runs := max(q.Runs, sim.LeastRuns)
	n := (min(s.to-s.from+1, allUpTo) + 4) * runs
	l := q.limit()
	drain := time.Duration(float64(s.backlog) * float64(l.Per) / float64(l.To))
	if !q.tooSlow(drain) {
		n += 2*6*runs + 20*quickRuns + 6*runs
	}
	return n
}

// step is called after each replication; rest are still to come in its stretch.
func (m *meter) step(done, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.share = max(m.share, float64(m.done)/float64(max(m.expect, m.done+total-done)))
	m.tell(int(m.share*fineness), fineness)
}
