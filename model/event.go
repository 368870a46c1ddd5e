package model

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Kind is what happened.
type Kind uint8

const (
	Enqueued Kind = iota // jobs came and are ready
	Promoted             // scheduled jobs became ready; At is the commit that shows them
	Claimed              // admitted; At is the clock that decided
	Deferred             // refused: check again at Next (Never: it went to the tail)
	Dropped              // refused and lost
	Finished             // ended
	Retried              // an attempt ended without success and the job waits again
)

// Event is n jobs of one class, with consecutive ids, to which the same thing
// happened on one reading of the clock. The check times of deferred ones are
// Next, Next+Step, and so on. Runs keep a backlog of a million cheap; a probe
// that wants single jobs uses [Event.Each].
type Event struct {
	Kind  Kind
	At    gcra.Instant
	Class int
	Limit int // -1: none
	Job   int64
	N     int
	Since gcra.Instant // of a claim: when these jobs were enqueued
	Next  gcra.Instant
	Step  time.Duration
}

// Each calls f for every job of the event, as an event of one job.
func (e Event) Each(f func(Event)) {
	for n := e.N; n > 0; n-- {
		one := e
		one.N = 1
		f(one)
		e.Job++
		if e.Next != gcra.Never {
			e.Next = e.Next.Add(e.Step)
		}
	}
}

// Probe is told of every event, in the order of the transactions they belong
// to. It must not keep e, nor steer what it watches.
type Probe interface {
	Observe(e *Event)
}

// Counts is what the actors of one run did, by themselves rather than to jobs.
type Counts struct {
	DispatcherPolls int64
	WorkerPolls     int64
	Queries         int64         // statements, BEGIN and COMMIT left out
	Busy            time.Duration // thread time from claim to end, all jobs
	Threads         int           // in all worker processes
	End             gcra.Instant  // when the run ended
	Drained         bool          // everything was claimed and nothing was left to come
	Stalled         bool          // jobs wait that nothing will ever bring back
	Growing         bool          // stopped because the backlog only grows
	DBBusy          time.Duration // time the one write lock was held (serial database)
	LockBusy        time.Duration // time the busiest process lock was held, by jobs and polls
	FullTime        time.Duration // time in which jobs were ready but all threads of every worker were busy
	ReadyTime       time.Duration // time in which jobs were ready
	NoPlace         int64         // refusals because all places of a throttle were taken
	Paused          time.Duration // time in which a throttle was paused, for the provider had refused a call
	Laravel         LaravelCounts
	Provider        ProviderCounts
}

// LaravelCounts is what the workers of a Laravel queue did.
type LaravelCounts struct {
	Pops, EmptyPops int64 // that found a job, that found none
	RoundTrips      int64 // of all workers: commands sent and answered, a script is one
	Checks          int64 // commands to throttles on the way in
	Holds           int64 // waits inside a worker
	Releases        int64 // of jobs by a throttle or after an exception
	Rewrites        int64 // that gave a wait's try back
	TriesBurned     int64 // tries that went into waiting
	Failed          int64 // jobs that failed for good
	Killed          int64 // workers that died with a job in hand
	AttemptsMax     int64 // the most tries that one job was charged
	PopsMax         int64 // the most pops of one job
}

// ProviderCounts is what came to the provider.
type ProviderCounts struct {
	Calls, Refused int64
	WindowMax      int64 // most calls in any half-open window of its length, refused ones too
	// ClosedMax is the longest time in a row in which it refused every call for
	// another reason than its window.
	ClosedMax time.Duration
}
