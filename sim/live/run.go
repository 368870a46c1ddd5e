package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/solidqueue"
	"github.com/ratesim/ratesim/sim/live/sqlite"
	"github.com/ratesim/ratesim/sim/measure"
)

// Solid Queue's own times.
const (
	Heartbeat = 60 * time.Second // between two heartbeats of a process
	Alive     = sqlite.Alive     // without one, after which it is taken for dead
	Shutdown  = 5 * time.Second  // that running jobs get to end
)

// Options say how a scenario is run in real time.
type Options struct {
	Seed      uint64
	For       time.Duration // ends the run early; 0: when it is drained, or as the scenario says
	Heartbeat time.Duration // 0: Solid Queue's
	Alive     time.Duration
	Shutdown  time.Duration
	Fleet     *Fleet // workers as processes of their own; nil: in this one
	// Watch, if not nil, is told how the run stands, every Every.
	Watch func(Status)
	Every time.Duration
}

// Result is what happened.
type Result struct {
	// Scenario is the one that was run, with the phases it had: simulated, it
	// begins as the run did.
	Scenario    *model.Scenario
	Run         *measure.Run
	Where       sqlite.Where
	Delays      *Delays
	Dispatchers []time.Duration // periods of polls that a timer alone brought about
	Workers     []time.Duration
	Drained     bool
	Length      time.Duration
	Killed      int // processes
}

// Start is when a run of a scenario can begin: by then the backlog has to be in
// the queue, and every actor to be ready for its first poll. The clock counts
// whole microseconds.
func Start(s *model.Scenario, processes bool) time.Time {
	jobs, workers := 0, 0
	for _, c := range s.Classes {
		jobs += c.Backlog
	}
	for _, w := range s.Workers {
		workers += w.Processes
	}
	before := 50*time.Millisecond + time.Duration(jobs)*40*time.Microsecond + time.Duration(workers+len(s.Dispatchers))*5*time.Millisecond
	if processes {
		before += 300*time.Millisecond + time.Duration(workers)*100*time.Millisecond
	}
	t := time.Now().Add(before)
	return t.Add(-time.Duration(t.Nanosecond() % 1000))
}

// runner is one run under way.
type runner struct {
	q      *sqlite.Queue
	s      *model.Scenario // flattened: a worker is one process, every phase is given
	o      Options
	clock  clock
	delays Delays
	dspP   periods
	wrkP   periods

	workers []*solidqueue.Worker

	stop  context.CancelFunc // no turn begins any more
	loops sync.WaitGroup
	once  sync.Once
	err   error
}

// Run drives the queue until it is drained, the time is over or ctx ends. start
// is the queue's origin. When ctx ends it returns what happened so far with the
// context's error; running jobs get a moment to end, and what is still claimed
// then goes back to ready.
func Run(ctx context.Context, q *sqlite.Queue, s *model.Scenario, start time.Time, o Options) (*Result, error) {
	if o.Heartbeat == 0 {
		o.Heartbeat = Heartbeat
	}
	if o.Alive == 0 {
		o.Alive = Alive
	}
	if o.Shutdown == 0 {
		o.Shutdown = Shutdown
	}
	if o.For == 0 {
		o.For = s.Until
	}
	r := &runner{q: q, s: Pinned(s, o.Seed), o: o, clock: clock{start}}
	turns, stop := context.WithCancel(ctx)
	defer stop()
	r.stop = stop
	jobs, quit := context.WithCancel(context.WithoutCancel(ctx))
	defer quit()

	arriving, feed, err := r.arrivals(ctx)
	if err != nil {
		return nil, err
	}
	defer feed.Close()
	supervisor, err := r.supervise(turns)
	if err != nil {
		return nil, err
	}
	defer supervisor.Close()

	pools, closers, err := r.actors(turns, jobs, arriving, supervisor)
	if err == nil {
		err = r.watch(turns, arriving)
	}
	stop()
	r.loops.Wait()
	r.countPolls()
	for _, p := range pools {
		p.settle(o.Shutdown, quit)
	}
	killed := 0
	if o.Fleet != nil {
		killed = o.Fleet.end()
	}
	length := time.Since(start)
	_, down := supervisor.deregister()
	for _, c := range closers {
		err = errors.Join(err, c())
	}
	err = errors.Join(r.err, err, down)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	// The report is read even when the run was interrupted.
	result, failed := r.result(context.WithoutCancel(ctx), length)
	if failed != nil {
		return nil, failed
	}
	result.Killed = killed
	return result, err
}

// failing ends the run: what one part could not do, all stop for.
func (r *runner) failing(err error) {
	r.once.Do(func() {
		r.err = err
		r.stop()
	})
}

// connect opens a connection whose clock is the run's. Its statements are ready
// before the run begins: nothing but the first claim would be slower for them.
func (r *runner) connect(ctx context.Context, claims int) (*sqlite.Session, error) {
	s, err := r.q.Session(ctx)
	if err != nil {
		return nil, err
	}
	s.Clock, s.Timed = r.clock.now, r.delays.add
	return s, s.Prepare(claims)
}

// source is the arrivals, and when they come next.
type source struct {
	*solidqueue.Arrivals
	first gcra.Instant
	mu    sync.Mutex
	next  gcra.Instant
}

// Poll is model.Actor's.
func (a *source) Poll(now gcra.Instant) (gcra.Instant, error) {
	next, err := a.Arrivals.Poll(now)
	a.mu.Lock()
	a.next = next
	a.mu.Unlock()
	return next, err
}

// over is true when no job is to come.
func (a *source) over() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.next == gcra.Never
}

// arrivals puts the backlog into the queue.
func (r *runner) arrivals(ctx context.Context) (*source, *sqlite.Session, error) {
	feed, err := r.q.Session(ctx)
	if err != nil {
		return nil, nil, err
	}
	a := &source{}
	a.Arrivals = solidqueue.NewArrivals(r.s, func(class, n int, now gcra.Instant) error {
		_, err := feed.Enqueue(class, n, now)
		return err
	})
	if a.first, err = a.Reset(r.o.Seed, 0); err != nil {
		return nil, nil, errors.Join(err, feed.Close())
	}
	a.next = a.first
	return a, feed, nil
}

// actors starts the loops.
func (r *runner) actors(turns, jobs context.Context, arriving *source, supervisor *supervisor) (pools []*pool, closers []func() error, err error) {
	r.start(turns, &loop{clock: r.clock, actor: arriving, delays: new(Delays), periods: new(periods)}, arriving.first)
	open := func(claims int) (*sqlite.Session, error) {
		s, err := r.connect(jobs, claims)
		if err == nil {
			closers = append(closers, s.Close)
		}
		return s, err
	}
	for i, d := range r.s.Dispatchers {
		session, err := open(0)
		if err != nil {
			return pools, closers, err
		}
		if session.Process, err = supervisor.register("Dispatcher", map[string]any{"polling_interval": d.Interval.Seconds(), "batch_size": d.Batch}); err != nil {
			return pools, closers, err
		}
		first := gcra.Instant(*r.s.Dispatchers[i].Phase)
		r.start(turns, &loop{clock: r.clock, of: ofDispatcher, delays: &r.delays, periods: &r.dspP, actor: &solidqueue.Dispatcher{
			Queue: session, Batch: d.Batch, Again: r.s.Rules.DispatchAgain,
			Sleep: solidqueue.Sleep{Interval: d.Interval, Grid: r.s.Rules.Grid, Phase: first},
		}}, first)
	}
	if r.o.Fleet != nil {
		return pools, closers, r.o.Fleet.start(r, turns, supervisor)
	}
	for i := range r.s.Workers {
		session, err := open(r.s.Workers[i].Threads)
		if err != nil {
			return pools, closers, err
		}
		ends, err := open(0)
		if err != nil {
			return pools, closers, err
		}
		w := &r.s.Workers[i]
		if session.Process, err = supervisor.register("Worker", workerMetadata(w)); err != nil {
			return pools, closers, err
		}
		p := newPool(r.s, r.o.Seed, w.Threads, ends, jobs, &r.delays, r.failing)
		pools = append(pools, p)
		r.work(turns, w, session, p)
	}
	return pools, closers, nil
}

// work starts a worker's loop.
func (r *runner) work(turns context.Context, spec *model.Worker, session *sqlite.Session, p *pool) {
	first := gcra.Instant(*spec.Phase)
	w := &solidqueue.Worker{
		Queue: session, Pool: p, Rounds: 1 + r.s.Rules.ClaimsAgain, Blind: r.s.Rules.Wake == model.WakeNever,
		Sleep: solidqueue.Sleep{Interval: spec.Interval, Grid: r.s.Rules.Grid, Phase: first},
	}
	r.workers = append(r.workers, w)
	r.start(turns, &loop{clock: r.clock, actor: w, of: ofWorker, wake: p.wake, woken: func() bool { return w.Finished() }, delays: &r.delays, periods: &r.wrkP}, first)
}

func workerMetadata(w *model.Worker) map[string]any {
	return map[string]any{"polling_interval": w.Interval.Seconds(), "queues": "*", "thread_pool_size": w.Threads}
}

// countPolls adds up the workers' polls when their loops have ended.
func (r *runner) countPolls() {
	for _, w := range r.workers {
		r.delays.mu.Lock()
		r.delays.polls += w.Polls
		r.delays.mu.Unlock()
	}
}

func (r *runner) start(ctx context.Context, l *loop, first gcra.Instant) {
	r.loops.Go(func() {
		if err := l.run(ctx, first); err != nil {
			r.failing(err)
		}
	})
}
