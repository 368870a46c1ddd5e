package solidqueue

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Tables are the queue's tables in memory, in virtual time: jobs that are
// ready, and jobs that are scheduled to be looked at again. Rows are runs of
// jobs, so that a backlog of a million is cheap; the outcome is that of single
// rows (the tests of package sim have those, and compare).
type Tables struct {
	scenario *model.Scenario
	timing   model.Timing
	probe    model.Probe
	event    model.Event // reused: what a probe is shown must not escape

	gates     []gate
	ready     ready
	scheduled scheduled
	pending   []pending
	moved     []row
	takes     []dist
	jobs      jobs
	gauge     gauge

	waiting int64 // jobs that came and are neither lost nor claimed by a transaction that committed
	places  int64 // the next place at the tail
	free    gcra.Instant
	dbBusy  time.Duration
	queries int64
	looks   int64 // rows that claims looked at
	seed    uint64
	run     int
	fifo    bool // places in ready are given out anew, not by id
	horizon time.Duration
}

// pending is what a transaction that has not committed yet will show: rows for
// ready, or for scheduled.
type pending struct {
	at   gcra.Instant
	row  row
	wait wait
	lane int
	due  bool // for scheduled
}

// dist is a delay with its constant case worked out.
type dist struct {
	model.Dist
	base, each time.Duration
	fixed      bool
}

func newDist(d model.Dist) dist {
	base, each, fixed := d.Fixed()
	return dist{d, base, each, fixed}
}

func (d *dist) draw(r *model.Rand, n int) time.Duration {
	if d.fixed {
		return d.base + time.Duration(n)*d.each
	}
	return d.Dist.Draw(r, n)
}

// NewTables makes the tables for a scenario. [Tables.Reset] must follow.
func NewTables(s *model.Scenario) *Tables {
	t := &Tables{scenario: s, timing: s.Timing, gates: make([]gate, len(s.Limits))}
	for i := range s.Classes {
		t.takes = append(t.takes, newDist(s.Classes[i].Takes))
	}
	// Who goes to the tail needs a place behind all others.
	t.fifo = s.Rules.FIFO || s.Rules.Wait.Kind == model.WaitTail
	t.horizon = gcra.Horizon
	if s.Rules.Wait.Kind == model.WaitUnlimited {
		t.horizon = 0
	}
	return t
}

// Reset empties the tables for a run.
func (t *Tables) Reset(seed uint64, run int, probe model.Probe) error {
	t.seed, t.run, t.probe = seed, run, probe
	for i := range t.gates {
		if err := t.gates[i].reset(t.scenario.Limits[i]); err != nil {
			return fmt.Errorf("limit %s: %w", t.scenario.Limits[i].Name, err)
		}
	}
	t.ready.reset()
	t.scheduled.reset(len(t.gates))
	t.pending = t.pending[:0]
	t.jobs.reset()
	t.gauge = gauge{}
	t.waiting, t.places, t.free, t.dbBusy, t.queries, t.looks = 0, 0, 0, 0, 0, 0
	return nil
}

// Waiting is how many jobs came and are neither claimed nor lost.
func (t *Tables) Waiting() int64 { return t.waiting }

// Enqueued is how many jobs came so far.
func (t *Tables) Enqueued() int64 { return t.jobs.backlog + int64(len(t.jobs.since)) }

// Pending is true while a transaction has not committed.
func (t *Tables) Pending() bool { return len(t.pending) > 0 }

// AddThreads counts the threads of a pool.
func (t *Tables) AddThreads(n int) { t.gauge.idle += n }

// Looks is how many rows claims have looked at.
func (t *Tables) Looks() int64 { return t.looks }

// Ready is how many jobs a claim could look at.
func (t *Tables) Ready() int { return t.ready.jobs }

// Enqueue adds n jobs of a class: they are ready at once, no dispatcher is
// involved.
func (t *Tables) Enqueue(class, n int, now gcra.Instant) {
	if t.fifo && len(t.pending) > 0 {
		t.flush(now)
	}
	first := t.jobs.add(n, now)
	t.waiting += int64(n)
	c := &t.scenario.Classes[class]
	t.gauge.rows(now, n)
	t.tell(model.Event{Kind: model.Enqueued, At: now, Class: class, Limit: c.Limit, Job: first, N: n})
	t.push(row{key: key(c.Priority, first), job: first, n: int32(n), class: int32(class)})
}

// push makes a row ready, in the place of its ids or at the end.
func (t *Tables) push(r row) {
	if t.fifo {
		r.key = key(t.scenario.Classes[r.class].Priority, t.places)
		t.places += int64(r.n)
	}
	t.ready.push(r)
}

func (t *Tables) tell(e model.Event) {
	if t.probe != nil {
		t.event = e
		t.probe.Observe(&t.event)
	}
}

// flush shows what has committed by now.
func (t *Tables) flush(now gcra.Instant) {
	if t.fifo {
		// Places are given in the order of the commits.
		slices.SortStableFunc(t.pending, func(a, b pending) int { return cmp.Compare(a.at, b.at) })
	}
	keep := t.pending[:0]
	for _, p := range t.pending {
		switch {
		case p.at > now:
			keep = append(keep, p)
		case p.due:
			t.schedule(p.lane, p.wait)
		default:
			t.gauge.rows(p.at, int(p.row.n))
			t.push(p.row)
		}
	}
	t.pending = keep
}

// hide keeps rows from being seen before their commit at done. On a serial
// database nobody can look before; but jobs that come meanwhile take places.
func (t *Tables) hide(done, now gcra.Instant) bool {
	return done > now && (t.timing.Parallel || t.fifo)
}

// begin says when a transaction that is asked for now can run: one at a time
// on a serial database.
func (t *Tables) begin(now gcra.Instant) (gcra.Instant, bool) {
	if !t.timing.Parallel && t.free > now {
		return t.free, false
	}
	if len(t.pending) > 0 {
		t.flush(now)
	}
	return now, true
}

// commit keeps the write lock until done.
func (t *Tables) commit(now, done gcra.Instant) {
	t.free = done
	t.dbBusy += done.Sub(now)
}

// finished is told of the end of jobs.
func (t *Tables) finished(r Run, now gcra.Instant) {
	t.tell(model.Event{Kind: model.Finished, At: now, Class: r.Class, Limit: t.scenario.Classes[r.Class].Limit, Job: r.Job, N: r.N})
}

// jobTakes is how long a job runs: it belongs to the job.
func (t *Tables) jobTakes(d *dist, job int64) time.Duration {
	if d.fixed {
		return d.base + d.each
	}
	r := model.JobRand(t.seed, t.run, job)
	return d.Dist.Draw(&r, 1)
}

// Counts are the tables' share of a run's counts.
func (t *Tables) Counts(c *model.Counts, end gcra.Instant) {
	t.gauge.advance(end)
	c.Queries, c.DBBusy = t.queries, t.dbBusy
	c.FullTime, c.ReadyTime = t.gauge.full, t.gauge.readyTime
}

// jobs are the ids handed out and when each came: the backlog at 0, then an
// entry a job.
type jobs struct {
	backlog int64 // ids 1 to backlog came at 0
	since   []gcra.Instant
	waits   []int32 // how often each was deferred, where a policy asks
}

func (j *jobs) reset() { j.backlog, j.since, j.waits = 0, j.since[:0], j.waits[:0] }

// add hands out n ids and returns the first.
func (j *jobs) add(n int, now gcra.Instant) int64 {
	first := j.backlog + int64(len(j.since)) + 1
	if now == 0 && len(j.since) == 0 {
		j.backlog += int64(n)
		return first
	}
	for range n {
		j.since = append(j.since, now)
	}
	return first
}

// came is when a job was enqueued, and how many of the n from it on came at
// the same instant.
func (j *jobs) came(job int64, n int) (gcra.Instant, int) {
	if last := job + int64(n) - 1; last <= j.backlog {
		return 0, n
	}
	if job <= j.backlog {
		return 0, int(j.backlog - job + 1)
	}
	at := j.since[job-j.backlog-1]
	k := 1
	for k < n && j.since[job-j.backlog-1+int64(k)] == at {
		k++
	}
	return at, k
}

// gauge adds up for how long jobs were ready, and for how long no thread was
// free for them meanwhile: what says whether threads hold a drain back.
type gauge struct {
	last            gcra.Instant
	ready, idle     int
	readyTime, full time.Duration
}

func (g *gauge) advance(now gcra.Instant) {
	if now <= g.last {
		return
	}
	if g.ready > 0 {
		d := now.Sub(g.last)
		g.readyTime += d
		if g.idle == 0 {
			g.full += d
		}
	}
	g.last = now
}

func (g *gauge) rows(now gcra.Instant, n int)    { g.advance(now); g.ready += n }
func (g *gauge) threads(now gcra.Instant, n int) { g.advance(now); g.idle += n }
