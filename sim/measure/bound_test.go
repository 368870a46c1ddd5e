package measure

import (
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// toy is a queue of one class in steps of a millisecond, enough of one to show
// what holds a drain back: a worker claims what is ready for its idle threads,
// at its polls and when a job ends; what its limit refuses is scheduled for a
// slot, and a dispatcher's poll makes it ready again when that is due.
type toy struct {
	limit                *gcra.Limit
	backlog, later       int           // jobs at time 0, and after it
	every                time.Duration // between two that come later
	threads              int
	takes, cpu           time.Duration // cpu: of it, under the one lock
	worker, dispatcher   time.Duration
	batch                int
	sleepless            bool // a job's end does not wake the worker
	dispatching, perMove time.Duration
}

func (q toy) run() *Run {
	s := &model.Scenario{
		Classes: []model.Class{{Name: "Job", Limit: -1}},
		Workers: []model.Worker{{Threads: q.threads, Processes: 1, Interval: q.worker}},
	}
	if q.limit != nil {
		s.Limits = []model.Limit{{Name: "limit", Limit: *q.limit, Kind: model.GCRA}}
		s.Classes[0].Limit = 0
	}
	if q.dispatcher > 0 {
		s.Dispatchers = []model.Dispatcher{{Interval: q.dispatcher, Batch: q.batch}}
	}
	type job struct {
		id         int64
		since, due gcra.Instant
	}
	tally := NewTally(s)
	counts := model.Counts{Threads: q.threads}
	var ready, scheduled []job
	running := map[gcra.Instant][]job{} // by their end
	idle, next := q.threads, int64(0)
	var budget gcra.Budget
	var lockFree gcra.Instant
	come := func(now gcra.Instant, n int) {
		tally.Observe(&model.Event{Kind: model.Enqueued, At: now, Job: next, N: n})
		for range n {
			ready = append(ready, job{next, now, 0})
			next++
		}
	}
	come(0, q.backlog)
	left, later := q.backlog+q.later, 0
	busyUntil := gcra.Instant(0)
	for now := gcra.Instant(0); left > 0 && now < 3_600_000*milli; now += milli {
		if later < q.later && now > 0 && now%gcra.Instant(q.every) == 0 {
			come(now, 1)
			later++
		}
		ended := running[now]
		delete(running, now)
		for _, j := range ended {
			tally.Observe(&model.Event{Kind: model.Finished, At: now, Job: j.id, N: 1})
			idle++
			left--
		}
		if q.dispatcher > 0 && now >= busyUntil && (now-300*milli)%gcra.Instant(q.dispatcher) == 0 {
			counts.DispatcherPolls++
			moved := 0
			for i := 0; i < len(scheduled) && moved < q.batch; {
				if j := scheduled[i]; j.due <= now {
					tally.Observe(&model.Event{Kind: model.Promoted, At: now, Job: j.id, N: 1})
					ready = append(ready, job{j.id, j.due, 0})
					scheduled = append(scheduled[:i], scheduled[i+1:]...)
					moved++
				} else {
					i++
				}
			}
			if moved > 0 {
				busyUntil = now.Add(q.dispatching + time.Duration(moved)*q.perMove)
			}
		}
		if now%gcra.Instant(q.worker) == 0 || len(ended) > 0 && !q.sleepless {
			counts.WorkerPolls++
			for n := idle; n > 0 && len(ready) > 0; n-- {
				j := ready[0]
				ready = ready[1:]
				pass := true
				if q.limit != nil {
					budget, pass = q.limit.Check(budget, now)
				}
				if !pass {
					budget, j.due, _ = q.limit.Defer(budget, now)
					tally.Observe(&model.Event{Kind: model.Deferred, At: now, Job: j.id, N: 1, Next: j.due})
					scheduled = append(scheduled, j)
					continue
				}
				tally.Observe(&model.Event{Kind: model.Claimed, At: now, Job: j.id, N: 1, Since: j.since})
				lockFree = max(lockFree, now).Add(q.cpu)
				counts.LockBusy += q.cpu
				end := max(lockFree.Add(q.takes), now+milli)
				running[end] = append(running[end], j)
				counts.Busy += end.Sub(now)
				idle--
			}
		}
		if len(ready) > 0 {
			counts.ReadyTime += time.Duration(milli)
			if idle == 0 {
				counts.FullTime += time.Duration(milli)
			}
		}
		counts.End = now
	}
	counts.Drained = true
	return tally.Finish(counts)
}

// The word is the one a person would use who knows how the queue was built.
func TestBoundBy(t *testing.T) {
	const msec = time.Millisecond
	tenPerSecond := func(burst int) *gcra.Limit { return &gcra.Limit{To: 10, Per: time.Second, Burst: burst} }
	base := toy{backlog: 300, threads: 3, takes: 10 * msec, worker: 100 * msec, dispatcher: time.Second, batch: 500}
	for _, c := range []struct {
		name   string
		change func(*toy)
		want   string
	}{
		{"a burst that covers the dispatcher's poll", func(q *toy) { q.limit = tenPerSecond(6) }, ByLimit},
		{"a burst of 1 before polls of 1 s", func(q *toy) { q.limit = tenPerSecond(1) }, ByBurst},
		{"a burst of 2 before polls of 1 s", func(q *toy) { q.limit = tenPerSecond(2) }, ByBurst},
		{"a burst of 3 before polls of 1 s", func(q *toy) { q.limit = tenPerSecond(3) }, ByBurst},
		{"a burst of 3 while a long backlog is still ready", func(q *toy) {
			q.limit, q.backlog, q.threads, q.worker, q.sleepless = tenPerSecond(3), 1000, 8, 500*msec, true
		}, ByBurst},
		{"a dispatcher that moves one job a second", func(q *toy) { q.limit, q.batch = tenPerSecond(6), 1 }, ByDispatcher},
		{"a dispatcher whose transactions take 3 s", func(q *toy) { q.limit, q.dispatching = tenPerSecond(6), 3*time.Second }, ByDispatcher},
		{"three threads for jobs of 2 s, no limit", func(q *toy) { q.takes = 2 * time.Second }, ByThreads},
		{"three threads for jobs of 2 s under a limit", func(q *toy) { q.limit, q.takes = tenPerSecond(6), 2*time.Second }, ByThreads},
		{"one job at a time has the processor", func(q *toy) { q.cpu = 50 * msec }, ByWorker},
		{"a worker that nobody wakes polls every second", func(q *toy) { q.worker, q.sleepless = time.Second, true }, ByWorker},
		{"a job every second", func(q *toy) { q.backlog, q.later, q.every = 0, 100, time.Second }, ByArrivals},
		{"a job every 300 ms under 5/s", func(q *toy) {
			q.limit, q.backlog, q.later, q.every = tenPerSecond(6), 0, 300, 300*msec
		}, ByArrivals},
		{"a job every 100 ms under 5/s", func(q *toy) {
			q.limit, q.backlog, q.later, q.every = tenPerSecond(6), 0, 300, 100*msec
		}, ByLimit},
		{"a job every 20 ms, found by the next poll", func(q *toy) { q.backlog, q.later, q.every = 0, 500, 20*msec }, ByArrivals},
		{"a small backlog, then a job every second", func(q *toy) {
			q.limit, q.backlog, q.later, q.every = tenPerSecond(6), 12, 100, time.Second
		}, ByArrivals},
		{"no dispatcher brings anything back late", func(q *toy) { q.backlog, q.dispatcher, q.worker, q.sleepless = 60, 0, time.Second, true }, ByWorker},
	} {
		q := base
		c.change(&q)
		r := q.run()
		if r.BoundBy != c.want {
			w := &r.Whole
			t.Errorf("%s: %s, want %s (drain %.3g of %.3g/s, held %.2f, kept up %.2f, ready %v, full %v, lock %v of %.4g s, %.2f deferrals a job)",
				c.name, r.BoundBy, c.want, w[DrainPerS], w[DeclaredPerS], r.HeldRatio, r.KeptUp, r.Counts.ReadyTime, r.Counts.FullTime,
				r.Counts.LockBusy, w[MakespanS], w[DeferralsPerJob])
		}
	}
}

// Each sign of arrivals is enough by itself, and a budget that seldom refused
// was not too small, however near the drain is to a burst a cycle.
func TestBoundBySigns(t *testing.T) {
	s := scene(1, 0)
	s.Workers = []model.Worker{{Threads: 3, Processes: 1, Interval: time.Second}}
	for _, c := range []struct {
		name                         string
		ratio, held, keptUp, refused float64
		want                         string
	}{
		{"nearly all were claimed when the last came", 0.9, 0.8, 0.97, 1, ByArrivals},
		{"jobs seldom waited", 0.9, 0.3, 0.2, 1, ByArrivals},
		{"they waited, and budgets refused", 0.9, 0.8, 0.2, 1, ByBurst},
		{"they waited, and budgets let them pass", 0.9, 0.8, 0.2, 0.1, ByWorker},
		{"they waited, at the declared drain", 0.96, 0.8, 0.97, 1, ByLimit},
		{"the declared drain, but none waited", 0.96, 0, 0.97, 0, ByArrivals},
	} {
		v := Values{
			Jobs: 100, Claims: 100, MakespanS: 20, WaitMaxS: 9,
			DrainPerS: 5 * c.ratio, DrainRatio: c.ratio, DeferralsPerJob: c.refused,
		}
		r := &Run{Whole: v, Limits: []Values{v}, Classes: []Values{v}, HeldRatio: c.held, KeptUp: c.keptUp}
		if got := BoundBy(s, r, model.Counts{Drained: true}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Pauses and places have words of their own, once the drain is short of what
// the limit declares.
func TestBoundByRefusals(t *testing.T) {
	s := scene(1, 0)
	s.Workers = []model.Worker{{Threads: 1, Processes: 10, Interval: 100 * time.Millisecond}}
	second := time.Second
	for _, c := range []struct {
		name      string
		ratio     float64 // of the declared drain, over 100 s
		deferrals float64
		counts    model.Counts
		want      string
	}{
		{"pauses took 30 of the 40 s that are lost", 0.6, 100, model.Counts{Paused: 30 * second}, ByProvider},
		{"pauses took 10 of them", 0.6, 100, model.Counts{Paused: 10 * second}, ByDispatcher},
		{"pauses, and nothing is lost", 0.97, 100, model.Counts{Paused: 30 * second}, ByLimit},
		{"nearly all refusals were for a place", 0.6, 300, model.Counts{NoPlace: 200}, ByConcurrency},
		{"so they were, and workers blocked on them", 0.6, 300, model.Counts{NoPlace: 200, FullTime: 90 * second}, ByConcurrency},
		{"one in three was", 0.6, 300, model.Counts{NoPlace: 100}, ByDispatcher},
		{"all were, but few", 0.6, 10, model.Counts{NoPlace: 10, FullTime: 90 * second}, ByThreads},
	} {
		v := Values{Jobs: 100, Claims: 100, MakespanS: 100, WaitMaxS: 9, DrainRatio: c.ratio, DrainPerS: 0.001, Deferrals: c.deferrals, DeferralsPerJob: c.deferrals / 100}
		r := &Run{Whole: v, Limits: []Values{v}, Classes: []Values{v}, HeldRatio: 1}
		c.counts.Drained = true
		s.Dispatchers = []model.Dispatcher{{Interval: second}} // whose fault it is if nobody else's
		if got := BoundBy(s, r, c.counts); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// With several limits it is the slowest part's bound that counts, and a run
// without a claim lacks whoever would have made it.
func TestBoundByParts(t *testing.T) {
	s := scene(2, 0, 1, -1)
	s.Workers = []model.Worker{{Threads: 3, Processes: 1, Interval: 100 * time.Millisecond}}
	r := &Run{Limits: make([]Values, 2), Classes: make([]Values, 3), HeldRatio: 1}
	r.Whole[Jobs], r.Whole[Claims], r.Whole[MakespanS] = 100, 100, 20
	r.Limits[0] = Values{MakespanS: 10, DrainRatio: 0.5, WaitMaxS: 9}
	r.Limits[1] = Values{MakespanS: 20, DrainRatio: 0.97, WaitMaxS: 19}
	r.Classes[2] = Values{MakespanS: 1, DrainRatio: Absent}
	if got := BoundBy(s, r, model.Counts{Drained: true}); got != ByLimit {
		t.Errorf("the slower limit drains as declared: %s", got)
	}
	r.Limits[0], r.Limits[1] = r.Limits[1], r.Limits[0]
	r.Limits[0][DrainRatio], r.Limits[1][DrainRatio] = 0.5, 0.97
	if got := BoundBy(s, r, model.Counts{Drained: true, ReadyTime: 20 * time.Second}); got != ByWorker {
		t.Errorf("the slower limit does not: %s", got)
	}
	none := &Run{Limits: make([]Values, 2), Classes: make([]Values, 3)}
	none.Whole[Jobs] = 5
	if got := BoundBy(s, none, model.Counts{Stalled: true}); got != ByDispatcher {
		t.Errorf("jobs wait that no dispatcher brings back: %s", got)
	}
	if got := BoundBy(s, none, model.Counts{}); got != ByWorker {
		t.Errorf("nobody claimed: %s", got)
	}
}
