package sim

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/solidqueue"
)

// grid is a second engine for the plainest queue: one limit, one class, a
// backlog, nothing costs time, and one dispatcher and one worker that look at
// the same instants of a fixed grid, ready jobs first come first served. A
// backlog of a million under it is looked at sixteen million times, and its
// ids fall apart into a million pieces; so here a poll is a few sums, waiting
// jobs are pieces of consecutive ids in rings, and what the general engine
// does in single claims is done for the whole poll. The outcome is the same,
// event for event; the tests hold it to that.
type grid struct {
	scenario *model.Scenario
	pace     gcra.Pace
	interval time.Duration
	phase    gcra.Instant
	batch    int64
	threads  int64
	rounds   int64
	takes    time.Duration

	ready    ring   // due is not used
	slots    ring   // an interval apart
	rechecks ring   // all of a piece at once
	again    groups // the jobs of rechecks by when they are due, those that are ready left out
	early    int64  // so many of the first re-checks are ready, after all in ready
	budget   gcra.Budget
	idle     int64
	running  []ending // in order of time, from head
	head     int
	probe    model.Probe
	whole    bool // the probe only counts what was deferred and promoted
	event    model.Event
	counts   model.Counts
}

// Counter is a probe that looks at the ids of claims alone. It is told of all
// that a poll deferred, and of all that it promoted, in one event each.
type Counter interface{ CountsOnly() }

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
	_, g.whole = probe.(Counter)
	g.ready.reset()
	g.slots.reset()
	g.rechecks.reset()
	g.again.reset()
	g.early = 0
	g.running, g.head = g.running[:0], 0
	g.counts = model.Counts{Threads: int(g.threads), Drained: true}
	left := int64(g.scenario.Classes[0].Backlog)
	g.ready.push(piece{job: 1, n: int32(left)})
	g.tell(model.Enqueued, 0, 1, left)
	now := g.phase
	g.counts.ReadyTime = now.Sub(0)
	for tick := 1; ; tick++ {
		if tick%turnsBetweenLooks == 0 && ctx.Err() != nil {
			return g.counts, ctx.Err()
		}
		g.end(now)
		g.dispatch(now)
		if left -= g.claim(now); left == 0 {
			break
		}
		next := now.Add(g.interval)
		switch {
		case g.ready.jobs+g.early > 0:
			g.counts.ReadyTime += g.interval
			if g.idle == 0 {
				free := next
				if g.head < len(g.running) {
					free = min(free, g.running[g.head].at)
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
	if n := len(g.running); g.head < n {
		g.counts.End = max(now, g.running[n-1].at)
	}
	g.end(g.counts.End)
	return g.counts, nil
}

// skip jumps over polls that find nothing: none is ready and none due.
func (g *grid) skip(now gcra.Instant) gcra.Instant {
	due := gcra.Never
	if g.slots.jobs > 0 {
		due = g.slots.front().due
	}
	if again := g.again.first(gcra.Never); again != nil {
		due = min(due, again.due)
	}
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
	for g.head < len(g.running) && g.running[g.head].at <= now {
		e := &g.running[g.head]
		g.idle += e.n
		g.tell(model.Finished, e.at, e.job, e.n)
		g.head++
	}
	if g.head == len(g.running) {
		g.running, g.head = g.running[:0], 0
	}
}

// dispatch makes due jobs ready, a batch at the most, in the order of time,
// then id.
func (g *grid) dispatch(now gcra.Instant) {
	g.counts.DispatcherPolls++
	g.settle(now, false)
	moved := int64(0)
	for moved < g.batch {
		slot, again := g.slots.first(), g.again.first(now)
		if slot != nil && slot.due > now {
			slot = nil
		}
		n := g.batch - moved
		switch {
		case slot == nil && again == nil:
			n = 0
		case slot == nil || again != nil && again.due < slot.due:
			n = g.again.take(n)
			g.early += n
			if !g.whole {
				g.settle(now, true)
			}
		default:
			end := now
			if again != nil {
				end = max(again.due-1, slot.due)
			}
			g.settle(now, false)
			if p := g.rechecks.first(); again != nil && again.due == slot.due && p.job < slot.job {
				n = g.again.take(min(n, int64(p.n), int64(slot.job-p.job))) // ids below the slot's go first
				g.makeReady(&g.rechecks, n, 0, now, !g.whole)
				break
			}
			n = min(n, int64(slot.n), int64(end-slot.due)/int64(g.pace.Interval)+1)
			g.makeReady(&g.slots, n, g.pace.Interval, now, !g.whole)
		}
		if n == 0 {
			break
		}
		moved += n
	}
	if moved == 0 {
		g.counts.Queries += solidqueue.QueriesEmptyDispatch
		return
	}
	g.counts.Queries += solidqueue.QueriesDispatch
	if g.whole {
		g.tell(model.Promoted, now, 0, moved)
	}
}

// settle moves the re-checks that are ready, and were left where they are, to
// the other ready ones: something is to come behind them.
func (g *grid) settle(now gcra.Instant, tell bool) {
	for g.early > 0 {
		n := min(g.early, int64(g.rechecks.front().n))
		g.early -= n
		g.makeReady(&g.rechecks, n, 0, now, tell)
	}
}

// makeReady moves the first n jobs of the first piece of a ring.
func (g *grid) makeReady(from *ring, n int64, step time.Duration, now gcra.Instant, tell bool) {
	job := from.front().job
	from.take(n, step)
	g.ready.add(piece{job: job, n: int32(n)})
	if tell {
		g.tell(model.Promoted, now, int64(job), n)
	}
}

// front takes up to n jobs of the first ready piece.
func (g *grid) front(n int64) piece {
	from := &g.ready
	if from.jobs == 0 {
		// Nothing but re-checks, still in their own ring.
		from = &g.rechecks
		n = min(n, g.early)
	}
	p := *from.front()
	n = min(n, int64(p.n))
	from.take(n, 0)
	if from == &g.rechecks {
		g.early -= n
	}
	p.n = int32(n)
	return p
}

// claim is all claims of one poll, and says how many jobs they took. After the
// first refusal all that is looked at at this instant is refused.
func (g *grid) claim(now gcra.Instant) int64 {
	look := min(g.idle, g.ready.jobs+g.early)
	if look == 0 {
		if g.idle > 0 {
			g.counts.Queries += solidqueue.QueriesEmptyClaim
		}
		return 0
	}
	b, pass := g.pace.CheckN(g.budget, now, int(look))
	g.budget = b
	took, refused := int64(pass), look-int64(pass)
	g.counts.Queries += solidqueue.QueriesEmptyClaim + solidqueue.QueriesNames + solidqueue.QueriesBudget
	if took > 0 {
		g.counts.Queries += solidqueue.QueriesTake
		g.start(now, took)
	}
	if refused == 0 {
		return took
	}
	g.counts.Queries += solidqueue.QueriesDefer
	if left := g.ready.jobs + g.early - refused; g.idle > 0 && g.rounds > 0 {
		more := min(g.rounds*g.idle, left)
		again := (more + g.idle - 1) / g.idle
		g.counts.Queries += again * (solidqueue.QueriesEmptyClaim + solidqueue.QueriesNames + solidqueue.QueriesBudget + solidqueue.QueriesDefer)
		if again < g.rounds {
			g.counts.Queries += solidqueue.QueriesEmptyClaim // one more that finds nothing
		}
		refused += more
	}
	g.refuse(now, refused)
	return took
}

// start gives the first n ready jobs their threads.
func (g *grid) start(now gcra.Instant, n int64) {
	g.idle -= n
	g.counts.Busy += time.Duration(n) * g.takes
	for at := now.Add(g.takes); n > 0; {
		p := g.front(n)
		g.tell(model.Claimed, now, int64(p.job), int64(p.n))
		n -= int64(p.n)
		if last := len(g.running) - 1; g.whole && last >= g.head && g.running[last].at == at {
			g.running[last].n += int64(p.n) // nobody asks which of them end
			continue
		}
		g.running = append(g.running, ending{at, int64(p.job), int64(p.n)})
	}
}

// refuse gives the first n ready jobs their next check times.
func (g *grid) refuse(now gcra.Instant, n int64) {
	b, due, taken := g.pace.DeferN(g.budget, now, int(n), gcra.Horizon)
	g.budget = b
	if g.whole {
		g.tellDeferred(now, 0, n, due, g.pace.Interval)
	}
	for slots := int64(taken); slots > 0; {
		p := g.front(slots)
		p.due = due
		n := int64(p.n)
		g.slots.push(p)
		if !g.whole {
			g.tellDeferred(now, int64(p.job), n, due, g.pace.Interval)
		}
		due = due.Add(time.Duration(n) * g.pace.Interval)
		slots -= n
	}
	rest := n - int64(taken)
	if rest == 0 {
		return
	}
	again := now.Add(gcra.Horizon)
	g.again.push(again, rest)
	for rest > 0 {
		if g.whole && g.ready.jobs == 0 && g.rechecks.cycle(rest, again) {
			g.early -= rest
			return
		}
		p := g.front(rest)
		p.due = again
		rest -= int64(p.n)
		if !g.whole {
			g.tellDeferred(now, int64(p.job), int64(p.n), again, 0)
		}
		g.rechecks.addDue(p)
	}
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
