package sim

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// How many replications a summary rests on when nobody says: at least the
// first, then in steps until the interval of the drain is within Precision of
// it, at most the last.
const (
	LeastRuns = 10
	MostRuns  = 200
	Precision = 0.01
)

// Options say how a scenario is replicated.
type Options struct {
	Seed  uint64
	Runs  int // exactly so many; 0: as many as the interval needs
	First int // the number of the first replication: fresh draws for a second look
	Jobs  int // how many run side by side; 0: one a processor
	// Progress is told how many of how many replications are done; the total
	// may grow. It is called by several goroutines.
	Progress func(done, total int)
}

// Replicate runs a scenario over and over, each time with draws of its own,
// until the interval of its drain is narrow. The outcome hangs on the seed
// alone, not on how many run side by side: whether to go on is asked after
// whole steps. When ctx ends it returns the replications that are done, as far
// as they are the first ones, with the context's error.
func Replicate(ctx context.Context, s *model.Scenario, o Options) ([]*measure.Run, error) {
	p := NewPool(o.Jobs)
	e := p.Add(s, o)
	for n := e.Wanted(); n > len(e.Runs); n = e.Wanted() {
		if err := p.Extend(ctx, []*Experiment{e}, n); err != nil {
			return e.Runs, err
		}
	}
	return e.Runs, nil
}

// Experiment is a scenario and the replications of it so far.
type Experiment struct {
	Scenario *model.Scenario
	Runs     []*measure.Run
	o        Options
	engines  []*engine // one a lane of the pool
}

// engine is a machine and the tally that watches it.
type engine struct {
	machine *Machine
	tally   *measure.Tally
}

// Pool runs the replications of many experiments side by side. An experiment
// keeps a machine for each lane, so that nothing is built twice.
type Pool struct{ lanes int }

// NewPool makes a pool of n lanes; 0: one a processor.
func NewPool(n int) *Pool {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return &Pool{lanes: n}
}

// Add makes an experiment to be run in the pool.
func (p *Pool) Add(s *model.Scenario, o Options) *Experiment {
	return &Experiment{Scenario: s, o: o, engines: make([]*engine, p.lanes)}
}

// Wanted is how many replications the experiment should have by now: more than
// it has, unless they suffice.
func (e *Experiment) Wanted() int {
	n := len(e.Runs)
	switch {
	case e.o.Runs > 0:
		return e.o.Runs
	case n < LeastRuns:
		return LeastRuns
	case n >= MostRuns:
		return n
	}
	drains := measure.Column(e.Runs, measure.Place{Key: measure.DrainPerS})
	if measure.Enough(drains, Precision) || math.IsNaN(drains[0]) {
		return n
	}
	return min(n+max(n/2, 5), MostRuns)
}

// Extend brings every experiment to n replications at least. Interrupted, it
// keeps the first ones that are done without a gap.
func (p *Pool) Extend(ctx context.Context, experiments []*Experiment, n int) error {
	type task struct {
		e   *Experiment
		run int
	}
	var tasks []task
	for _, e := range experiments {
		for run := len(e.Runs); run < n; run++ {
			tasks = append(tasks, task{e, run})
		}
		if more := n - len(e.Runs); more > 0 {
			e.Runs = append(e.Runs, make([]*measure.Run, more)...)
		}
	}
	var next atomic.Int64
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var lanes sync.WaitGroup
	for lane := range min(p.lanes, len(tasks)) {
		lanes.Go(func() {
			for ctx.Err() == nil && failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				t := tasks[i]
				r, err := t.e.one(ctx, lane, t.run)
				if err != nil {
					failed.CompareAndSwap(nil, &err)
					return
				}
				t.e.Runs[t.run] = r
				if f := t.e.o.Progress; f != nil {
					f(int(done.Add(1)), len(tasks))
				}
			}
		})
	}
	lanes.Wait()
	for _, e := range experiments {
		for i, r := range e.Runs {
			if r == nil {
				e.Runs = e.Runs[:i]
				break
			}
		}
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// one runs a replication on a lane's own machine.
func (e *Experiment) one(ctx context.Context, lane, run int) (*measure.Run, error) {
	g := e.engines[lane]
	if g == nil {
		g = &engine{NewMachine(e.Scenario), measure.NewTally(e.Scenario)}
		e.engines[lane] = g
	}
	g.tally.Reset()
	c, err := g.machine.RunUntil(ctx, e.o.Seed, e.o.First+run, g.tally)
	if err != nil {
		return nil, err
	}
	return g.tally.Finish(c), nil
}
