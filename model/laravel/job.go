package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// where a job is.
type where uint8

const (
	ready    where = iota // the next pops find it
	delayed               // comes due later
	reserved              // a worker has it, or had it and died
	gone                  // done, failed or dropped
)

// job is what is known of one job: its payload, and where it is.
type job struct {
	tie        uint64       // stands for its uuid: orders jobs of one second
	since      gcra.Instant // when it came, or came due after a try that failed
	until      gcra.Instant // retryUntil; 0: none
	class      int32
	tries      int32 // the attempts that it carries: pops, but for those given back
	pops       int32
	exceptions int32
	copy       int32 // which pop of it holds the reservation
	row        int32 // in the set of reserved ones
	place      where
	running    bool // between its start and its end, by the copy that counts
	begun      bool // has run before
}

// ticket is what a job carries of one throttle from visit to visit.
type ticket struct {
	gcra.Reservation
	passed bool          // let in, and then released by a throttle further in
	waited time.Duration // in all
}

// What is drawn for a job beside its service time hangs on these too.
const (
	drawUUID = (iota + 1) << 40
	drawFails
	drawKilled
	drawCall
)

// chance draws whether something with a probability happens to this try of a
// job: the same whatever happened to other jobs.
func (s *Site) chance(id int32, what int64, p float64) bool {
	if p <= 0 {
		return false
	}
	r := model.JobRand(s.seed, s.run, s.number(id)+what+int64(s.jobs[id].pops)<<48)
	return r.Float64() < p
}

// number is a job's id as events have it, from 1.
func (s *Site) number(id int32) int64 { return int64(id) + 1 }

// takes is how long a job runs.
func (s *Site) takes(id int32) time.Duration {
	d := &s.Scenario.Classes[s.jobs[id].class].Takes
	if base, each, fixed := d.Fixed(); fixed {
		return base + each
	}
	r := model.JobRand(s.seed, s.run, s.number(id))
	return d.Draw(&r, 1)
}

// Enqueue puts n new jobs of a class into their queue; now is the run's time.
func (s *Site) Enqueue(class, n int, now gcra.Instant) {
	at := now + s.Origin
	first := len(s.jobs)
	spec := &s.Scenario.Classes[class]
	s.tell(model.Event{Kind: model.Enqueued, At: now, Class: class, Limit: spec.Limit, Job: s.number(int32(first)), N: n})
	for i := range n {
		id := int32(first + i)
		r := model.JobRand(s.seed, s.run, s.number(id)+drawUUID)
		j := job{tie: r.Uint64(), since: at, class: int32(class), row: -1}
		if spec.Laravel.RetryUntil > 0 {
			j.until = second(at).Add(spec.Laravel.RetryUntil)
		}
		s.jobs = append(s.jobs, j)
		for range s.slots {
			s.tickets = append(s.tickets, ticket{})
		}
		s.store.push(s.queueOf[class], id, at)
	}
	s.remaining += int64(n)
	s.enqueued += int64(n)
	s.Progress(at)
}

// ticket is a job's ticket for the throttle at a place in its class's list.
func (s *Site) ticket(id int32, place int) *ticket { return &s.tickets[int(id)*s.slots+place] }

// second is the whole second an instant lies in.
func second(at gcra.Instant) gcra.Instant { return at - at%gcra.Instant(time.Second) }

// secondFrom is the first whole second that is not before an instant.
func secondFrom(at gcra.Instant) gcra.Instant {
	if s := second(at); s < at {
		return s.Add(time.Second)
	}
	return at
}
