package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Pool is the threads of one worker process in virtual time. It is an actor of
// its own: its turns are the starts of jobs that a thread holds back, and the
// ends of jobs, which wake the worker.
//
// The jobs of a process share one lock (Ruby's): what each costs besides its
// own time is spent under it, first come first served. The worker's poll takes
// its turn at the lock too and keeps it while it works, so the jobs it hands
// over get theirs when it lets go. Since the order is known then, the lock is
// one number: when it is free.
type Pool struct {
	Size   int
	Tables *Tables
	Wake   func(now gcra.Instant) // a job ended

	idle     int
	lockFree gcra.Instant
	lockBusy time.Duration
	busy     time.Duration
	rows     turns
	given    []given
	locked   bool          // by a poll, or one asks for it
	cpu      time.Duration // what a job costs under the lock, if cpuFixed
	cpuFixed bool
	cpuRand  model.Rand
	lockedAt gcra.Instant // the poll's turn at the lock began or will begin
}

// Reset empties the pool for a new run.
func (p *Pool) Reset(seed uint64, run int, name string) {
	p.idle, p.lockFree, p.lockBusy, p.busy = p.Size, 0, 0, 0
	p.rows.reset()
	p.given = p.given[:0]
	base, each, fixed := p.Tables.timing.JobCPU.Fixed()
	p.cpu, p.cpuFixed, p.locked = base+each, fixed, false
	p.cpuRand = model.ActorRand(seed, run, name)
}

// Idle is how many threads have no job.
func (p *Pool) Idle() int { return p.idle }

// Lock is when a poll that asks now has the lock. Who asks later comes after.
func (p *Pool) Lock(now gcra.Instant) gcra.Instant {
	p.locked = true
	p.lockedAt = max(now, p.lockFree)
	return p.lockedAt
}

// Next is when the pool wants its next turn.
func (p *Pool) Next() gcra.Instant { return p.rows.next() }

// Busy is thread time from claim to end, of all jobs so far.
func (p *Pool) Busy() time.Duration { return p.busy }

// LockBusy is for how long the process's lock was held, by jobs and by polls.
func (p *Pool) LockBusy() time.Duration { return p.lockBusy }

// Start gives each job a thread. Jobs that cost nothing and take the same time
// end together, so a run of them is one row.
func (p *Pool) Start(b *Batch, now gcra.Instant) {
	p.Tables.waiting -= int64(b.Dropped)
	for i := range b.Claimed {
		r := &b.Claimed[i]
		p.idle -= r.N
		p.Tables.gauge.threads(now, -r.N)
		if r.Start > now {
			p.rows.add(turn{at: r.Start, run: *r, held: true, from: now})
			continue
		}
		if r.Start > 0 {
			p.Tables.admitHeld(*r, r.Start) // its time came before the commit
		}
		p.Tables.waiting -= int64(r.N)
		p.ask(*r, now, now)
	}
}

// ask starts jobs whose threads have been taken since from, or lets them wait
// for the poll that has the lock.
func (p *Pool) ask(r Run, now, from gcra.Instant) {
	if !p.locked || p.cpuFixed && p.cpu == 0 {
		p.run(r, now, from)
		return
	}
	p.given = append(p.given, given{r, from})
}

// Unlock ends a poll's hold on the lock: the jobs that asked meanwhile get it.
func (p *Pool) Unlock(now gcra.Instant) {
	if p.locked {
		p.lockBusy += max(now.Sub(p.lockedAt), 0)
	}
	p.locked = false
	for i := range p.given {
		p.run(p.given[i].run, now, p.given[i].from)
	}
	p.given = p.given[:0]
}

// given is jobs that wait for a poll to let go of the lock.
type given struct {
	run  Run
	from gcra.Instant
}

// run starts jobs now; their threads have been taken since from.
func (p *Pool) run(r Run, now, from gcra.Instant) {
	takes := &p.Tables.takes[r.Class]
	if p.cpuFixed && p.cpu == 0 && takes.fixed {
		end := now.Add(takes.base + takes.each)
		p.busy += time.Duration(r.N) * end.Sub(from)
		p.rows.add(turn{at: end, run: r})
		return
	}
	for job := r.Job; job < r.Job+int64(r.N); job++ {
		start := now
		if !p.cpuFixed || p.cpu > 0 {
			cost := p.cpu
			if !p.cpuFixed {
				cost = p.Tables.timing.JobCPU.Draw(&p.cpuRand, 1)
			}
			start = max(now, p.lockFree).Add(cost)
			p.lockFree = start
			p.lockBusy += cost
		}
		end := start.Add(p.Tables.jobTakes(takes, job))
		p.busy += end.Sub(from)
		p.rows.add(turn{at: end, run: Run{Class: r.Class, Job: job, N: 1}})
	}
}

// Poll is one turn: everything of this instant. All ends of one instant come
// before the poll they wake.
func (p *Pool) Poll(now gcra.Instant) (gcra.Instant, error) {
	ended := false
	for p.rows.next() <= now {
		t := p.rows.pop()
		if t.held {
			p.Tables.admitHeld(t.run, now)
			p.Tables.waiting -= int64(t.run.N)
			p.ask(t.run, now, t.from)
			continue
		}
		ended = true
		p.idle += t.run.N
		p.Tables.gauge.threads(now, t.run.N)
		p.Tables.finished(t.run, now)
	}
	if ended {
		p.Wake(now)
	}
	return p.rows.next(), nil
}

// turn is something that will happen to running or held jobs.
type turn struct {
	at   gcra.Instant
	seq  int64
	run  Run
	held bool         // the start of jobs whose threads wait since from
	from gcra.Instant // of held ones
}

// turns holds them in order of time, then of arrival. Times mostly rise, so
// they go to a ring; one that is earlier than the ring's last goes to a heap.
type turns struct {
	ring []turn // [head:]
	head int
	heap []turn
	seq  int64
}

func (q *turns) reset() { q.ring, q.head, q.heap, q.seq = q.ring[:0], 0, q.heap[:0], 0 }

func (q *turns) next() gcra.Instant {
	at := gcra.Never
	if q.head < len(q.ring) {
		at = q.ring[q.head].at
	}
	if len(q.heap) > 0 && q.heap[0].at < at {
		at = q.heap[0].at
	}
	return at
}

func (q *turns) add(t turn) {
	t.seq = q.seq
	q.seq++
	if n := len(q.ring); q.head == n || q.ring[n-1].at <= t.at {
		if q.head == n {
			q.ring, q.head = q.ring[:0], 0
		} else if n == cap(q.ring) && q.head > n/2 {
			q.ring, q.head = q.ring[:copy(q.ring, q.ring[q.head:])], 0
		}
		q.ring = append(q.ring, t)
		return
	}
	q.heap = push(q.heap, t)
}

func (q *turns) pop() turn {
	if len(q.heap) == 0 || q.head < len(q.ring) && q.ring[q.head].before(&q.heap[0]) {
		q.head++
		return q.ring[q.head-1]
	}
	var t turn
	q.heap, t = pop(q.heap)
	return t
}

func (t *turn) before(u *turn) bool { return t.at < u.at || t.at == u.at && t.seq < u.seq }
