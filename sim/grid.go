package sim

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/solidqueue"
	"github.com/ratesim/ratesim/sim/measure"
)

// grid is a second engine for the plainest queue: one limit, one class, a
// backlog, nothing costs time, and one dispatcher and one worker that look at
// the same instants of a fixed grid, ready jobs first come first served. A
// backlog of a million under it is looked at sixteen million times, and its
// ids fall apart into a million pieces; so here a poll is a few sums, waiting
// jobs are pieces of consecutive ids in rings, those that become ready stay
// where they are, and what the general engine does in single claims is done for
// the whole poll. The outcome is the same, event for event; the tests hold it
// to that.
type grid struct {
	scenario *model.Scenario
	pace     gcra.Pace
	interval time.Duration
	phase    gcra.Instant
	batch    int64
	threads  int64
	rounds   int64
	takes    time.Duration

	slots    ring         // jobs with slots, an interval apart
	rechecks ring         // the backlog, then those told to look again after the horizon
	ready    int64        // how many jobs are ready
	share    share        // whose jobs the first of them are
	shares   queue[share] // and the others, in their order
	budget   gcra.Budget
	idle     int64
	running  queue[ending] // in order of time
	probe    model.Probe
	counter  Counter // the probe if it is one, else nil
	each     bool    // the probe wants the ids of all events
	event    model.Event
	poll     measure.Poll
	counts   model.Counts
}

// Counter is a probe that looks at the ids of claims alone. But for the
// backlog, it is told of each poll once, the ends of what it claimed included.
type Counter interface{ Poll(p *measure.Poll) }

// share is n ready jobs, the first of their ring that no share before has.
type share struct {
	of *ring
	n  int64
}

// ending is the end of n jobs.
type ending struct {
	at  gcra.Instant
	job int64
	n   int64
}

// newGrid makes a grid for a scenario that is plain enough, or nil.
func newGrid(s *model.Scenario) *grid {
	if len(s.Limits) != 1 || len(s.Classes) != 1 || len(s.Dispatchers) != 1 || len(s.Workers) != 1 {
		return nil
	}
	limit, class, d, w, r := &s.Limits[0], &s.Classes[0], &s.Dispatchers[0], &s.Workers[0], &s.Rules
	takes, each, fixed := class.Takes.Fixed()
	switch {
	case limit.Kind != model.GCRA && limit.Kind != "", class.Limit != 0, class.Backlog < 1, !class.Arrivals.None(),
		!fixed, takes+each <= 0, w.Processes != 1, d.Interval != w.Interval, s.Until != 0, r.CapAlways,
		!r.Grid, !r.FIFO, r.Wake != model.WakeNever, r.DispatchAgain != model.AgainNever, r.Wait.Kind != model.WaitSlots,
		s.Timing.PeriodSpread != 0, s.Timing.RandomPhase && (d.Phase == nil || w.Phase == nil), phase(d.Phase) != phase(w.Phase):
		return nil
	}
	for _, cost := range []model.Dist{s.Timing.Dispatch, s.Timing.EmptyDispatch, s.Timing.Claim, s.Timing.EmptyClaim, s.Timing.Overshoot, s.Timing.JobCPU, s.Timing.Boot} {
		if base, each, fixed := cost.Fixed(); !fixed || base != 0 || each != 0 {
			return nil
		}
	}
	return &grid{
		scenario: s, pace: limit.Pace(), interval: d.Interval, phase: phase(d.Phase), batch: int64(d.Batch),
		threads: int64(w.Threads), rounds: int64(r.ClaimsAgain), takes: takes + each,
	}
}

func phase(given *time.Duration) gcra.Instant {
	if given == nil {
		return 0
	}
	return gcra.Instant(*given)
}

// run is [Machine.RunUntil]. Nothing is drawn, so seed and run don't matter.
func (g *grid) run(ctx context.Context, probe model.Probe) (model.Counts, error) {
	g.probe, g.budget, g.idle = probe, gcra.Budget{}, g.threads
	g.counter, _ = probe.(Counter)
	g.each = probe != nil && g.counter == nil
	g.slots.reset(g.pace.Interval)
	g.rechecks.reset(0)
	g.shares.reset()
	g.running.reset()
	g.counts = model.Counts{Threads: int(g.threads), Drained: true}
	left := int64(g.scenario.Classes[0].Backlog)
	g.rechecks.fill(left)
	g.ready, g.share = left, share{&g.rechecks, left}
	g.tell(model.Enqueued, 0, 1, left)
	now := g.phase
	g.counts.ReadyTime = now.Sub(0)
	for tick := 1; ; tick++ {
		if tick%turnsBetweenLooks == 0 && ctx.Err() != nil {
			return g.counts, ctx.Err()
		}
		g.end(now)
		moved := g.dispatch(now)
		took, refused := g.claim(now)
		if g.counter != nil && moved+took+refused > 0 {
			p := &g.poll
			p.At, p.Promoted, p.Claimed, p.Deferred = now, moved, took, refused
			p.End, p.Running = now.Add(g.takes), g.threads-g.idle
			g.counter.Poll(p)
			p.Claims = p.Claims[:0]
		}
		if left -= took; left == 0 {
			break
		}
		next := now.Add(g.interval)
		switch {
		case g.ready > 0:
			g.counts.ReadyTime += g.interval
			if g.idle == 0 {
				free := next
				if e := g.running.first(); e != nil {
					free = min(free, e.at)
				}
				g.counts.FullTime += free.Sub(now)
			}
		case g.idle > 0:
			next = g.skip(now)
		}
		now = next
	}
	g.counts.WorkerPolls = g.counts.DispatcherPolls
	g.counts.End = now
	if e := g.running.last(); e != nil {
		g.counts.End = max(now, e.at)
	}
	g.end(g.counts.End)
	return g.counts, nil
}

// skip jumps over polls that find nothing: none is ready and none due.
func (g *grid) skip(now gcra.Instant) gcra.Instant {
	due := min(g.slots.next.due, g.rechecks.next.due)
	next := now.Add(g.interval)
	if due <= next {
		return next
	}
	polls := int64(due-now-1)/int64(g.interval) + 1 // until the first at or after due
	empty := polls - 1
	g.counts.DispatcherPolls += empty
	g.counts.Queries += empty * (solidqueue.QueriesEmptyDispatch + solidqueue.QueriesEmptyClaim)
	return now.Add(time.Duration(polls) * g.interval)
}

// end frees the threads of all jobs that have ended by now.
func (g *grid) end(now gcra.Instant) {
	for e := g.running.first(); e != nil && e.at <= now; e = g.running.first() {
		g.idle += e.n
		if g.each {
			g.tell(model.Finished, e.at, e.job, e.n)
		}
		g.running.pop()
	}
}

// dispatch makes due jobs ready, a batch at the most, in the order of time,
// then id, and says how many.
func (g *grid) dispatch(now gcra.Instant) (moved int64) {
	g.counts.DispatcherPolls++
	slots, rechecks := &g.slots, &g.rechecks
	for moved < g.batch {
		slot, again := slots.next.due, rechecks.next.due
		if min(slot, again) > now {
			break
		}
		of, by := slots, min(again-1, now)
		n := g.batch - moved
		switch {
		case again < slot:
			of = rechecks
		case again == slot:
			// Of one time, ids below the other's go first.
			by = slot
			p, s := rechecks.waiting(), slots.waiting()
			if p.job < s.job {
				of, n = rechecks, min(n, int64(p.n), int64(s.job-p.job))
			}
		}
		n = min(n, of.next.jobs)
		if of == slots {
			n = min(n, int64(by-slot)/int64(slots.step)+1)
		}
		if g.each {
			of.eachWaiting(n, func(p piece) { g.tell(model.Promoted, now, int64(p.job), int64(p.n)) })
		}
		of.pass(n)
		last := g.shares.last()
		if last == nil {
			last = &g.share
		}
		if last.of == of || last.n == 0 {
			last.of = of
			last.n += n
		} else {
			g.shares.push(share{of, n})
		}
		moved += n
	}
	g.ready += moved
	if moved == 0 {
		g.counts.Queries += solidqueue.QueriesEmptyDispatch
	} else {
		g.counts.Queries += solidqueue.QueriesDispatch
	}
	return moved
}

// front takes up to n jobs off the first share, and says how many.
func (g *grid) front(n int64) int64 {
	n = min(n, g.share.n)
	if g.share.n -= n; g.share.n == 0 {
		g.nextShare()
	}
	return n
}

func (g *grid) nextShare() {
	if s := g.shares.first(); s != nil {
		g.share = *s
		g.shares.pop()
	}
}

// claim is all claims of one poll, and says how many jobs they took and how
// many looks were refused. After the first refusal all that is looked at at
// this instant is refused.
func (g *grid) claim(now gcra.Instant) (took, refused int64) {
	look := min(g.idle, g.ready)
	if look == 0 {
		if g.idle > 0 {
			g.counts.Queries += solidqueue.QueriesEmptyClaim
		}
		return 0, 0
	}
	b, pass := g.pace.CheckN(g.budget, now, int(look))
	g.budget = b
	took, refused = int64(pass), look-int64(pass)
	g.counts.Queries += solidqueue.QueriesEmptyClaim + solidqueue.QueriesNames + solidqueue.QueriesBudget
	if took > 0 {
		g.counts.Queries += solidqueue.QueriesTake
		g.start(now, took)
	}
	if refused == 0 {
		return took, 0
	}
	g.counts.Queries += solidqueue.QueriesDefer
	if left := g.ready - refused; g.idle > 0 && g.rounds > 0 {
		more := min(g.rounds*g.idle, left)
		again := g.rounds
		if more < g.rounds*g.idle {
			again = (more + g.idle - 1) / g.idle
		}
		g.counts.Queries += again * (solidqueue.QueriesEmptyClaim + solidqueue.QueriesNames + solidqueue.QueriesBudget + solidqueue.QueriesDefer)
		if again < g.rounds {
			g.counts.Queries += solidqueue.QueriesEmptyClaim // one more that finds nothing
		}
		refused += more
	}
	g.refuse(now, refused)
	return took, refused
}

// start gives the first n ready jobs their threads.
func (g *grid) start(now gcra.Instant, n int64) {
	g.idle -= n
	g.ready -= n
	g.counts.Busy += time.Duration(n) * g.takes
	at := now.Add(g.takes)
	if !g.each {
		g.running.push(ending{at: at, n: n}) // nobody asks which of them end
	}
	for n > 0 {
		of := g.share.of
		k := g.front(n)
		n -= k
		for k > 0 {
			p := of.take(k)
			k -= int64(p.n)
			if g.each {
				g.tell(model.Claimed, now, int64(p.job), int64(p.n))
				g.running.push(ending{at, int64(p.job), int64(p.n)})
			} else if g.counter != nil {
				g.poll.Claims = append(g.poll.Claims, measure.IDs{Job: p.job, N: p.n})
			}
		}
	}
}

// refuse gives the first n ready jobs their next check times.
func (g *grid) refuse(now gcra.Instant, n int64) {
	b, due, taken := g.pace.DeferN(g.budget, now, int(n), gcra.Horizon)
	g.budget = b
	if slots := int64(taken); slots > 0 {
		g.wait(&g.slots, now, due, slots)
	}
	if rest := n - int64(taken); rest > 0 {
		if !g.wait(&g.rechecks, now, now.Add(gcra.Horizon), rest) {
			g.rechecks.order()
		}
	}
}

// wait moves the first n ready jobs to a ring, due there at due and on. It says
// whether their ids rise.
func (g *grid) wait(to *ring, now, due gcra.Instant, n int64) (rise bool) {
	to.open(due, n)
	g.ready -= n
	rise = true
	for n > 0 {
		of := g.share.of
		k := g.front(n)
		n -= k
		if g.each {
			of.eachFirst(k, func(p piece) {
				g.tellDeferred(now, int64(p.job), int64(p.n), due, to.step)
				due = due.Add(time.Duration(p.n) * to.step)
			})
		}
		if !of.move(k, to) {
			rise = false
		}
	}
	return rise
}

// tell fills in what differs from one event to the next: there is one class,
// one limit, and all jobs came at 0.
func (g *grid) tell(kind model.Kind, at gcra.Instant, job, n int64) {
	if g.probe != nil {
		e := &g.event
		e.Kind, e.At, e.Job, e.N, e.Next, e.Step = kind, at, job, int(n), 0, 0
		g.probe.Observe(e)
	}
}

// tellDeferred is tell for jobs with check times.
func (g *grid) tellDeferred(at gcra.Instant, job, n int64, next gcra.Instant, step time.Duration) {
	if g.probe != nil {
		e := &g.event
		e.Kind, e.At, e.Job, e.N, e.Next, e.Step = model.Deferred, at, job, int(n), next, step
		g.probe.Observe(e)
	}
}
