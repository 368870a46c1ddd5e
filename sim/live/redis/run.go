package redis

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/provider"
	"github.com/ratesim/ratesim/model/solidqueue"
)

// Options say how a scenario is run in real time.
type Options struct {
	Seed     uint64
	For      time.Duration // ends the run early; 0: when it is drained, or as the scenario says
	Shutdown time.Duration // that running jobs get to end; 0: 5 s
	Patience time.Duration // how long Redis may be away; 0: a minute
	Away     func(error)   // is told of the first command that found no Redis; nil: nobody is
	// Watch, if not nil, is told how the run stands, every Every.
	Watch func(Status)
	Every time.Duration
}

// How long running jobs get to end, and Redis may be away, by default.
const (
	Shutdown = 5 * time.Second
	Patience = time.Minute
)

// runner is one run under way.
type runner struct {
	server     *Server
	s          *model.Scenario
	o          Options
	clock      clock
	book       *book
	throttles  []throttle
	queues     map[string]*queue
	retryAfter int64
	jobs       context.Context // ends with the grace that running jobs get
	workers    []*worker
	feed       *client

	away     sync.Once
	mu       sync.Mutex
	provider *provider.Provider // nil: nobody counts the calls
}

// Run drives a queue until it is drained, the time is over or ctx ends. When ctx
// ends it returns what happened so far with the context's error. A Redis that
// goes away is waited for; jobs that are gone with it end the run with a [Lost].
func Run(ctx context.Context, server *Server, s *model.Scenario, o Options) (*Result, error) {
	if o.Shutdown == 0 {
		o.Shutdown = Shutdown
	}
	if o.Patience == 0 {
		o.Patience = Patience
	}
	if o.For == 0 {
		o.For = s.Until
	}
	r := &runner{server: server, s: s, o: o, queues: map[string]*queue{}, feed: server.connect()}
	defer r.feed.redis.Close()
	r.retryAfter = int64(s.Laravel.Connection.RetryAfter / time.Second)
	for i := range s.Laravel.Throttles {
		r.throttles = append(r.throttles, newThrottle(server, &s.Laravel.Throttles[i]))
	}
	if s.Provider != nil {
		r.provider = provider.New(s.Provider)
	}
	r.book = &book{s: s}
	turns, stop := context.WithCancel(ctx)
	defer stop()
	jobs, quit := context.WithCancel(context.WithoutCancel(ctx))
	defer quit()
	r.jobs = jobs

	arrivals, next, err := r.begin(ctx)
	if err != nil {
		return nil, err
	}
	var loops sync.WaitGroup
	for _, w := range r.workers {
		phase := phase(w.spec, w.name, s.Laravel.Timing.BootSpread, o.Seed)
		loops.Go(func() { w.run(turns, phase) })
	}
	came := make(chan struct{})
	go func() {
		defer close(came)
		r.arrive(turns, arrivals, next)
	}()
	err = r.watch(turns, came)
	stop()
	settle(&loops, o.Shutdown, quit)
	quit()
	<-came
	length := time.Since(r.clock.start)
	for _, w := range r.workers {
		_ = w.c.redis.Close()
	}
	if err == nil {
		err = ctx.Err()
	}
	return r.result(context.WithoutCancel(ctx), length, err), err
}

// settle waits for what runs, but no longer than timeout.
func settle(loops *sync.WaitGroup, timeout time.Duration, quit context.CancelFunc) {
	t := time.AfterFunc(timeout, quit)
	loops.Wait()
	t.Stop()
}

// begin puts the backlog into its queues and makes the workers. The run's clock
// starts then.
func (r *runner) begin(ctx context.Context) (*solidqueue.Arrivals, gcra.Instant, error) {
	ahead, err := r.server.differs(ctx)
	if err != nil {
		return nil, 0, err
	}
	if _, err := r.feed.do(ctx, "SET", r.server.key("run"), 1); err != nil {
		return nil, 0, r.server.sorted(err)
	}
	for i := range r.s.Workers {
		for k := range r.s.Workers[i].Processes {
			w := &worker{r: r, spec: &r.s.Workers[i], number: len(r.workers) + 1, c: r.server.connect(), name: fmt.Sprintf("worker %d.%d", i+1, k+1)}
			for _, q := range w.spec.Queues {
				w.queues = append(w.queues, r.queue(q))
			}
			r.workers = append(r.workers, w)
			// The connection is opened now, so that no first pop is slower for it.
			if err := w.c.redis.Ping(ctx).Err(); err != nil {
				return nil, 0, r.server.sorted(err)
			}
		}
	}
	a := solidqueue.NewArrivals(r.s, r.enqueue)
	next, err := a.Reset(r.o.Seed, 0)
	if err != nil {
		return nil, 0, r.server.sorted(err)
	}
	start := time.Now()
	r.clock = clock{start.Add(-time.Duration(start.Nanosecond() % 1000)), ahead}
	return a, next, nil
}

func (r *runner) queue(name string) *queue {
	if r.queues[name] == nil {
		r.queues[name] = r.server.queue(name)
	}
	return r.queues[name]
}

// bulk is how many jobs one transaction pushes.
const bulk = 500

// enqueue puts n new jobs of a class into their queue.
func (r *runner) enqueue(class, n int, now gcra.Instant) error {
	q := r.queue(r.s.Classes[class].Queue)
	for n > 0 {
		some := min(n, bulk)
		number := r.book.came(class, some, now)
		var payloads []string
		for i := range some {
			payloads = append(payloads, newPayload(r.s, r.o.Seed, class, number+int64(i)).String())
		}
		for {
			err := r.feed.push(context.Background(), q, payloads)
			if err == nil {
				break
			}
			if r.jobs.Err() != nil || now == 0 {
				return err
			}
			r.trouble(err)
			sleep(r.jobs, trouble)
		}
		r.book.arrived(some)
		n -= some
	}
	return nil
}

// arrive enqueues what comes after the start.
func (r *runner) arrive(ctx context.Context, a *solidqueue.Arrivals, next gcra.Instant) {
	for next != gcra.Never {
		if _, whole := sleep(ctx, next.Sub(r.clock.now())); !whole {
			return
		}
		var err error
		if next, err = a.Poll(r.clock.now()); err != nil {
			r.trouble(err)
			return
		}
	}
}

// phase is when a worker begins: as it was given, or drawn by the seed within
// the spread that workers have at their start.
func phase(spec *model.Worker, name string, spread time.Duration, seed uint64) time.Duration {
	if spec.Phase != nil {
		return *spec.Phase
	}
	r := model.ActorRand(seed, 0, name)
	return time.Duration(r.Float64() * float64(spread))
}

// trouble notes a command that found no Redis, or one that would not do it.
func (r *runner) trouble(err error) {
	b := r.book
	b.mu.Lock()
	b.counts.Troubles++
	if b.trouble = err; b.since.IsZero() {
		b.since = time.Now()
	}
	b.mu.Unlock()
	r.away.Do(func() {
		if r.o.Away != nil {
			r.o.Away(r.server.sorted(err))
		}
	})
}

// call is a job's call at the provider, whose windows are those of the wall
// clock: is it served?
func (r *runner) call() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.provider.Call(gcra.Instant(time.Since(r.clock.start.Truncate(time.Second))))
}
