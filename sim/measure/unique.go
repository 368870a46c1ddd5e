package measure

import (
	"sort"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// locks are the unique locks of the jobs of one class. Laravel takes a lock
// when it dispatches a job of a ShouldBeUnique class and frees it when the job
// completes or fails; waits and tries leave it as it is. It also ends by
// itself after uniqueFor, and if the job is still there then, a second one like
// it can be dispatched.
type locks struct {
	holds    time.Duration // uniqueFor; 0: the class takes no locks
	batches  []batch       // in the order in which they came
	outlived int64         // jobs that ended after their lock did
}

// batch is jobs that were dispatched together.
type batch struct {
	first int64 // the first job's number
	at    gcra.Instant
	left  int64 // jobs that have not ended
}

func (l *locks) reset() { l.batches, l.outlived = l.batches[:0], 0 }

func (l *locks) came(first int64, n int, at gcra.Instant) {
	if l.holds > 0 {
		l.batches = append(l.batches, batch{first, at, int64(n)})
	}
}

// ended notes the end of a job, whether it was done, failed or dropped.
func (l *locks) ended(job int64, at gcra.Instant) {
	if l.holds == 0 {
		return
	}
	i := sort.Search(len(l.batches), func(i int) bool { return l.batches[i].first > job }) - 1
	l.batches[i].left--
	if at > l.batches[i].at.Add(l.holds) {
		l.outlived++
	}
}

// unlocked is how many jobs were there after their lock, in a run up to end.
func (l *locks) unlocked(end gcra.Instant) int64 {
	n := l.outlived
	for _, b := range l.batches {
		if end > b.at.Add(l.holds) {
			n += b.left
		}
	}
	return n
}
