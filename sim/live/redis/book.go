package redis

import (
	"sync"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// book is what this process knows of every job, and what happened. It never
// decides where a job is: Redis does.
type book struct {
	mu     sync.Mutex
	s      *model.Scenario
	jobs   []job // by number-1
	events []model.Event
	starts []Start
	counts Counts
	where  Jobs  // those that are off their queue
	left   int64 // jobs that came and are not gone
	coming int64 // of them those on their way into the queue
	inHand int   // of workers
	popped int64 // pops of jobs so far: something moved
	busy   time.Duration

	trouble error              // of the last command that failed
	since   time.Time          // when the first one did after the last pop that did not; zero: none has
	over    [2][]time.Duration // by how much sleeps were too long: of loops, in jobs
}

// job is one job's page.
type job struct {
	class   int
	pops    int // the last one holds it
	ran     int // how often its body began
	since   gcra.Instant
	gone    bool // done, failed or dropped, and off the queue
	done    bool // its body came to an end once
	running bool
}

// Start is when a job's body began, by its worker's clock, and when it was let
// in, by the clock that decided.
type Start struct {
	Job         int64
	Class       int
	Admitted    gcra.Instant
	Began       gcra.Instant
	Unthrottled bool // Redis was not there to be asked
}

// Counts is what the workers did, and what only a real Redis does to them.
type Counts struct {
	model.LaravelCounts
	Blocks      int64 // commands that blocked until a job came, or none did
	Evals       int64 // of the round trips: scripts
	FeedEvals   int64 // scripts that put jobs into their queue, and looked whether they are there
	Troubles    int64 // commands that found no Redis
	Unthrottled int64 // jobs that ran without their throttle, which had no Redis
	Again       int64 // jobs that ran to their end once more, since Redis did not hear of the first
}

// came notes n jobs, and returns the first number.
func (b *book) came(class, n int, at gcra.Instant) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := int64(len(b.jobs)) + 1
	for range n {
		b.jobs = append(b.jobs, job{class: class, since: at})
	}
	b.left += int64(n)
	b.coming += int64(n)
	b.events = append(b.events, model.Event{Kind: model.Enqueued, At: at, Class: class, Limit: b.s.Classes[class].Limit, Job: first, N: n})
	return first
}

// arrived notes that n jobs are in their queue.
func (b *book) arrived(n int) {
	b.mu.Lock()
	b.coming -= int64(n)
	b.mu.Unlock()
}

// event notes what happened to one job; the caller has the lock.
func (b *book) event(kind model.Kind, number int64, at, next gcra.Instant) {
	j := &b.jobs[number-1]
	b.events = append(b.events, model.Event{
		Kind: kind, At: at, Class: j.class, Limit: b.s.Classes[j.class].Limit, Job: number, N: 1, Since: j.since, Next: next,
	})
}

// take notes a pop, and returns which one of the job it is.
func (b *book) take(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.popped++
	b.counts.Pops++
	b.inHand++
	j := &b.jobs[v.p.Number-1]
	j.pops++
	v.copy, v.ran = j.pops, j.ran
	b.counts.PopsMax = max(b.counts.PopsMax, int64(j.pops))
	b.counts.AttemptsMax = max(b.counts.AttemptsMax, int64(v.p.Attempts))
}

// let notes that a worker has nothing in hand any more.
func (b *book) let() {
	b.mu.Lock()
	b.inHand--
	b.mu.Unlock()
}

// holds is true while a visit has the job's reserved copy, as far as this
// process knows; the caller has the lock.
func (b *book) holds(v *visit) bool {
	j := &b.jobs[v.p.Number-1]
	return j.pops == v.copy && !j.gone
}

// deferred notes that a throttle let a job wait.
func (b *book) deferred(v *visit, at, next gcra.Instant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.event(model.Deferred, v.p.Number, at, next)
}

// claimed notes that a job's body begins.
func (b *book) claimed(v *visit, admitted, began gcra.Instant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.event(model.Claimed, v.p.Number, admitted, 0)
	j := &b.jobs[v.p.Number-1]
	j.ran++
	j.running = true
	b.starts = append(b.starts, Start{v.p.Number, j.class, admitted, began, v.unthrottled})
	if v.unthrottled {
		b.counts.Unthrottled++
	}
}

// stopped notes for how long a body had its worker.
func (b *book) stopped(d time.Duration) {
	b.mu.Lock()
	b.busy += d
	b.mu.Unlock()
}

// retried notes that the try came to nothing and the job waits again.
func (b *book) retried(v *visit, at gcra.Instant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if j := &b.jobs[v.p.Number-1]; b.holds(v) && j.running {
		j.running = false
		j.since = at
		b.event(model.Retried, v.p.Number, at, 0)
	}
}

// released notes a release: a job that ran waits anew from when it is due.
func (b *book) released(v *visit, due gcra.Instant) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts.Releases++
	if v.body {
		b.jobs[v.p.Number-1].since = due
	}
}

// removed notes that a job is off its queue: a body that ran has finished, one
// that did not is lost.
func (b *book) removed(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.holds(v) {
		return
	}
	j := &b.jobs[v.p.Number-1]
	kind := model.Dropped
	if v.body {
		kind = model.Finished
	}
	b.event(kind, v.p.Number, v.over, 0)
	j.running, j.gone = false, true
	switch {
	case v.failed:
		b.where.Failed++
		b.counts.Failed++
	case v.body:
		b.where.Finished++
	default:
		b.where.Dropped++
	}
	b.left--
}

// ended notes that a body came to its end, whether or not Redis will hear of it.
func (b *book) ended(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := &b.jobs[v.p.Number-1]
	if j.done {
		b.counts.Again++
	}
	j.done = true
}

// served notes a pop that Redis answered.
func (b *book) served(found bool) {
	b.mu.Lock()
	b.since = time.Time{}
	if !found {
		b.counts.EmptyPops++
	}
	b.mu.Unlock()
}

func (b *book) count(n *int64) {
	b.mu.Lock()
	*n++
	b.mu.Unlock()
}

// The sleeps that are told apart.
const (
	inLoop = iota
	inJob
)

func (b *book) slept(in int, over time.Duration) {
	b.mu.Lock()
	b.over[in] = append(b.over[in], max(over, 0))
	b.mu.Unlock()
}
