package sim_test

import (
	"container/heap"
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// plainActor is what a dispatcher and a worker have in common: when they
// start, how they sleep, and their random streams.
type plainActor struct {
	p        *plain
	name     string
	rank     int
	interval time.Duration // the mean of this run
	phase    gcra.Instant
	draws    model.Rand // overshoots
	costs    model.Rand
}

// newActor makes the i-th dispatcher, or the k-th process of the i-th workers
// (k from 1; 0 for a dispatcher). Phases not given are the run's: dispatchers
// share the fraction of their interval, each worker draws its own. Boots add
// up from actor to actor.
func (p *plain) newActor(kind string, i, k, rank int, interval time.Duration, given *time.Duration, fraction float64, booted *gcra.Instant) plainActor {
	name := fmt.Sprintf("%s %d", kind, i)
	if k > 0 {
		name = fmt.Sprintf("%s.%d", name, k)
	}
	a := plainActor{p: p, name: name, rank: rank}
	a.draws = model.ActorRand(p.seed, p.run, name)
	a.costs = model.ActorRand(p.seed, p.run, name+" cost")
	a.interval = interval + time.Duration(float64(p.s.Timing.PeriodSpread)*a.draws.Float64())
	boot := p.s.Timing.Boot.Draw(&a.draws, 1)
	if k > 0 {
		own := model.ActorRand(p.seed, p.run, name+" phase")
		fraction = own.Float64()
	}
	switch {
	case given != nil:
		a.phase = gcra.Instant(*given)
		return a
	case p.s.Timing.RandomPhase:
		a.phase = gcra.Instant(fraction * float64(interval))
	}
	a.phase = a.phase.Add(booted.Sub(0))
	*booted = booted.Add(boot)
	return a
}

// wake is when an interval ends that began, on a grid, at begin, otherwise
// when the work was done, now.
func (a *plainActor) wake(begin gcra.Instant) gcra.Instant {
	if !a.p.s.Rules.Grid {
		return a.p.now.Add(a.interval + a.p.s.Timing.Overshoot.Draw(&a.draws, 0))
	}
	next := a.phase
	if begin >= a.phase {
		passed := begin.Sub(a.phase) / a.interval
		next = a.phase.Add((passed + 1) * a.interval)
	}
	return max(next, a.p.now)
}

// write waits for the write lock, then does the transaction.
func (a *plainActor) write(do func()) {
	if a.p.s.Timing.Parallel || a.p.writing <= a.p.now {
		do()
		return
	}
	a.p.at(a.p.writing, a.rank, func() { a.write(do) })
}

type plainDispatcher struct {
	plainActor
	batch int
}

func (d *plainDispatcher) poll() {
	p := d.p
	p.counts.DispatcherPolls++
	due := p.now
	d.write(func() {
		var moved []*plainJob
		for len(moved) < d.batch && len(p.scheduled.list) > 0 && p.scheduled.list[0].due <= due {
			moved = append(moved, heap.Pop(&p.scheduled).(*plainJob))
		}
		cost := p.s.Timing.EmptyDispatch
		if len(moved) > 0 {
			cost = p.s.Timing.Dispatch
		}
		done := p.now.Add(cost.Draw(&d.costs, len(moved)))
		p.writing = done
		for _, j := range moved {
			p.tell(model.Promoted, done, j)
		}
		p.commit(done, func() {
			for _, j := range moved {
				if !p.s.Rules.FIFO {
					heap.Push(&p.ready, j) // in its old place
					continue
				}
				p.toReady(j)
			}
		})
		p.at(done, d.rank, func() {
			again := p.s.Rules.DispatchAgain == model.AgainNonempty && len(moved) > 0 ||
				p.s.Rules.DispatchAgain == model.AgainFull && len(moved) == d.batch
			if again {
				d.poll()
			} else {
				p.at(d.wake(due), d.rank, d.poll)
			}
		})
	})
}

// plainWorker is one worker process: its loop and its pool.
type plainWorker struct {
	plainActor
	ends     int // the rank of its jobs' ends
	idle     int
	lockFree gcra.Instant // when the jobs that got the lock are done with it
	locked   bool         // by the poll, from when it asks until it sleeps
	behind   []*plainJob  // jobs that asked for the lock meanwhile
	cpu      model.Rand

	asleep  bool
	alarm   int          // counts the sleeps: an alarm of an earlier one is void
	latched bool         // a job ended since the sleep last returned
	slept   gcra.Instant // when that was
}

func (w *plainWorker) sleepUntil(at gcra.Instant) {
	w.asleep = true
	w.alarm++
	alarm := w.alarm
	w.p.at(at, w.rank, func() {
		if w.asleep && w.alarm == alarm {
			w.awake()
		}
	})
}

// awake is the return of the sleep. The latch is cleared here; the poll begins
// when the process's lock is free and keeps it until it sleeps.
func (w *plainWorker) awake() {
	w.asleep = false
	w.latched = false
	w.slept = w.p.now
	w.locked = true
	if w.lockFree > w.p.now {
		w.p.at(w.lockFree, w.rank, w.poll)
	} else {
		w.poll()
	}
}

func (w *plainWorker) poll() {
	w.p.counts.WorkerPolls++
	if w.idle == 0 {
		w.sleep()
		return
	}
	left := 1 + w.p.s.Rules.ClaimsAgain
	w.write(func() { w.claim(left) })
}

// claim is one transaction, the first of left that this poll may still make.
func (w *plainWorker) claim(left int) {
	p := w.p
	c := p.claim(min(w.idle, len(p.ready.list)), &w.costs)
	p.at(c.done, w.rank, func() {
		p.waiting -= c.dropped
		for _, j := range c.admitted {
			w.start(j)
		}
		if c.deferred > 0 && left > 1 && w.idle > 0 {
			w.write(func() { w.claim(left - 1) })
		} else {
			w.sleep()
		}
	})
}

// unlock lets the jobs have the lock that asked for it during the poll.
func (w *plainWorker) unlock() {
	w.locked = false
	for _, j := range w.behind {
		w.work(j)
	}
	w.behind = nil
}

func (w *plainWorker) sleep() {
	w.unlock()
	switch {
	case w.latched:
		w.sleepUntil(w.p.now)
	case w.idle == 0 && w.p.s.Rules.Wake != model.WakeNever:
		w.sleepUntil(w.p.now.Add(10 * time.Minute))
	default:
		w.sleepUntil(w.wake(w.slept))
	}
}

// start gives a job a thread. One that its thread holds for the limiter asks
// for the process's lock when it is let through.
func (w *plainWorker) start(a plainAdmitted) {
	p := w.p
	w.idle--
	p.running++
	if !a.held {
		p.waiting--
		w.work(a.job)
		return
	}
	admitted := func() {
		p.waiting--
		p.tell(model.Claimed, a.from, a.job).since = a.job.since
		w.work(a.job)
	}
	if a.from > p.now {
		p.at(a.from, w.ends, admitted)
	} else {
		admitted()
	}
}

// work runs a job, under the lock as long as its own cost lasts.
func (w *plainWorker) work(j *plainJob) {
	p := w.p
	start := p.now
	if base, per, fixed := p.s.Timing.JobCPU.Fixed(); !fixed || base+per > 0 {
		if w.locked {
			w.behind = append(w.behind, j)
			return
		}
		start = max(start, w.lockFree).Add(p.s.Timing.JobCPU.Draw(&w.cpu, 1))
		w.lockFree = start
	}
	draws := model.JobRand(p.seed, p.run, j.id)
	end := start.Add(p.s.Classes[j.class].Takes.Draw(&draws, 1))
	p.atEnd(end, w.ends, func() {
		w.idle++
		p.running--
		p.tell(model.Finished, p.now, j)
		if p.s.Rules.Wake == model.WakeNever {
			return
		}
		w.latched = true
		if w.asleep {
			w.sleepUntil(p.now)
		}
	})
}

// atEnd is an event that a drained run still waits for.
func (p *plain) atEnd(at gcra.Instant, rank int, do func()) {
	p.seq++
	heap.Push(&p.events, plainEvent{at: at, rank: rank, seq: p.seq, end: true, do: do})
}
