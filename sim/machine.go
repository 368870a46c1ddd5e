package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/provider"
	"github.com/ratesim/ratesim/model/solidqueue"
)

// Machine is a scenario's actors in virtual time. It is built once and run for
// any number of replications, one at a time, without allocating anew.
type Machine struct {
	scenario    *model.Scenario
	tables      *solidqueue.Tables
	arrivals    *solidqueue.Arrivals
	pools       []*solidqueue.Pool
	workers     []*solidqueue.Worker
	dispatchers []*solidqueue.Dispatcher
	sessions    []*solidqueue.Session // of dispatchers, then workers
	names       []string              // the same order
	actors      []model.Actor         // by rank: arrivals, ends of jobs, dispatchers, workers
	agenda      agenda
	firstWorker int
	threads     int
	endless     bool
	stepwise    bool  // no poll is skipped and there is no grid: for tests
	grid        *grid // for scenarios that are plain enough
	seed        uint64
	run         int
	laravel     *laravelMachine // for that system, in place of all the others
	booted      time.Duration   // how long after the first actor the last one started so far
}

// NewMachine makes the actors of a scenario.
func NewMachine(s *model.Scenario) *Machine {
	if s.System == model.Laravel {
		return &Machine{scenario: s, laravel: newLaravelMachine(s)}
	}
	m := &Machine{scenario: s, tables: solidqueue.NewTables(s), grid: newGrid(s)}
	m.arrivals = solidqueue.NewArrivals(s, func(class, n int, now gcra.Instant) error {
		m.tables.Enqueue(class, n, now)
		return nil
	})
	for i, d := range s.Dispatchers {
		name := fmt.Sprintf("dispatcher %d", i+1)
		session := m.tables.Session(name)
		m.names, m.sessions = append(m.names, name), append(m.sessions, session)
		m.dispatchers = append(m.dispatchers, &solidqueue.Dispatcher{Queue: session, Batch: d.Batch, Again: s.Rules.DispatchAgain})
	}
	for i, w := range s.Workers {
		for k := range w.Processes {
			name := fmt.Sprintf("worker %d.%d", i+1, k+1)
			session := m.tables.Session(name)
			m.names, m.sessions = append(m.names, name), append(m.sessions, session)
			pool := &solidqueue.Pool{Size: w.Threads, Tables: m.tables}
			m.pools = append(m.pools, pool)
			m.threads += w.Threads
			m.workers = append(m.workers, &solidqueue.Worker{
				Queue: session, Pool: pool, Rounds: 1 + s.Rules.ClaimsAgain, Blind: s.Rules.Wake == model.WakeNever,
			})
		}
	}
	m.actors = append(m.actors, m.arrivals)
	for _, p := range m.pools {
		m.actors = append(m.actors, p)
	}
	for _, d := range m.dispatchers {
		m.actors = append(m.actors, d)
	}
	m.firstWorker = len(m.actors)
	for i, w := range m.workers {
		m.actors = append(m.actors, w)
		m.pools[i].Wake = func(now gcra.Instant) {
			if w.Finished() {
				m.agenda.Wake(m.firstWorker+i, now)
			}
		}
	}
	m.agenda = make(agenda, len(m.actors))
	for _, c := range s.Classes {
		if _, finite := c.Arrivals.Total(); !finite {
			m.endless = true
		}
	}
	return m
}

// reset starts replication run afresh: every draw hangs on seed, run and who
// draws.
func (m *Machine) reset(seed uint64, run int, probe model.Probe) error {
	m.seed, m.run, m.booted = seed, run, 0
	if err := m.tables.Reset(seed, run, probe); err != nil {
		return err
	}
	for i, s := range m.sessions {
		s.Reset(m.names[i])
	}
	for i, p := range m.pools {
		p.Reset(seed, run, m.names[len(m.dispatchers)+i]+" jobs")
		m.tables.AddThreads(p.Size)
	}
	clear(m.agenda)
	var err error
	if m.agenda[0], err = m.arrivals.Reset(seed, run); err != nil {
		return err
	}
	for i := range m.pools {
		m.agenda[1+i] = gcra.Never
	}
	// One supervisor starts all dispatchers within moments and their intervals
	// are equal, so they stay nearly in phase: they share one draw. Workers
	// are pushed around by the jobs that end in them.
	together := model.ActorRand(seed, run, "dispatchers phase")
	phase := together.Float64()
	at := 1 + len(m.pools)
	for i, d := range m.dispatchers {
		spec := &m.scenario.Dispatchers[i]
		*d = solidqueue.Dispatcher{Queue: m.sessions[i], Batch: spec.Batch, Again: m.scenario.Rules.DispatchAgain,
			Sleep: m.sleep(m.names[i], spec.Interval, spec.Phase, phase)}
		m.agenda[at] = d.Sleep.Phase
		at++
	}
	i := 0
	for k := range m.scenario.Workers {
		spec := &m.scenario.Workers[k]
		for range spec.Processes {
			w := m.workers[i]
			name := m.names[len(m.dispatchers)+i]
			own := model.ActorRand(seed, run, name+" phase")
			*w = solidqueue.Worker{Queue: w.Queue, Pool: w.Pool, Rounds: w.Rounds, Blind: w.Blind,
				Sleep: m.sleep(name, spec.Interval, spec.Phase, own.Float64())}
			m.agenda[at] = w.Sleep.Phase
			at++
			i++
		}
	}
	return nil
}

// sleep makes an actor's loop: its first poll at a given phase, a random one
// (fraction of its interval), or with the others; its mean period a little
// longer than the interval, by up to the period spread.
func (m *Machine) sleep(name string, interval time.Duration, given *time.Duration, fraction float64) solidqueue.Sleep {
	t := &m.scenario.Timing
	r := model.ActorRand(m.seed, m.run, name)
	s := solidqueue.Sleep{
		Interval:  interval + time.Duration(float64(t.PeriodSpread)*r.Float64()),
		Overshoot: t.Overshoot, Grid: m.scenario.Rules.Grid,
	}
	boot := t.Boot.Draw(&r, 1)
	s.Rand = r
	switch {
	case given != nil:
		s.Phase = gcra.Instant(*given)
		return s
	case t.RandomPhase:
		s.Phase = gcra.Instant(fraction * float64(interval))
	}
	s.Phase = s.Phase.Add(m.booted)
	m.booted += boot
	return s
}

// Run simulates one replication and shows its events to the probe.
func (m *Machine) Run(seed uint64, run int, probe model.Probe) (model.Counts, error) {
	return m.RunUntil(context.Background(), seed, run, probe)
}

// turnsBetweenLooks is how many turns pass between two looks at a context.
const turnsBetweenLooks = 1 << 14

// RunUntil is [Machine.Run], given up with the context's error when it ends.
func (m *Machine) RunUntil(ctx context.Context, seed uint64, run int, probe model.Probe) (model.Counts, error) {
	if m.laravel != nil {
		return m.laravel.run(ctx, seed, run, probe)
	}
	if spec := m.scenario.Provider; spec != nil {
		c := &calls{probe: probe, provider: provider.New(spec), latency: spec.Latency, seed: seed, run: run}
		counts, err := m.simulate(ctx, seed, run, c)
		counts.Provider = c.count()
		return counts, err
	}
	return m.simulate(ctx, seed, run, probe)
}

// simulate lets the actors poll until the run is over.
func (m *Machine) simulate(ctx context.Context, seed uint64, run int, probe model.Probe) (model.Counts, error) {
	if m.grid != nil && !m.stepwise {
		return m.grid.run(ctx, probe)
	}
	if err := m.reset(seed, run, probe); err != nil {
		return model.Counts{}, err
	}
	c := model.Counts{Threads: m.threads}
	until := gcra.Never
	if m.scenario.Until > 0 {
		until = gcra.Instant(m.scenario.Until)
	}
	growth := growth{next: growthFirst}
	var starving starving
	now := gcra.Instant(0)
	for turn := 1; ; turn++ {
		if turn%turnsBetweenLooks == 0 {
			if ctx.Err() != nil {
				return c, ctx.Err()
			}
			if starving.still(m.tables.Ready(), m.tables.Looks()) {
				c.Stalled = true
				break
			}
		}
		if m.scenario.Until == 0 {
			if m.tables.Waiting() == 0 && m.settled() {
				c.Drained = true
				break
			}
			if m.stalled() {
				c.Stalled = true
				break
			}
		}
		i, at := m.agenda.first()
		if at >= until || at == gcra.Never {
			now = min(at, until)
			break
		}
		if m.endless && m.scenario.Until == 0 && growth.past(at, m.tables.Waiting()) {
			c.Growing = true
			break
		}
		now = at
		if next, ok := m.skip(i, at, until); ok {
			m.agenda[i] = next
			continue
		}
		next, err := m.actors[i].Poll(now)
		if err != nil {
			return c, err
		}
		m.agenda[i] = next
		if i >= m.firstWorker {
			// What it handed over gives its pool a turn.
			pool := i - m.firstWorker
			m.agenda.Wake(1+pool, m.pools[pool].Next())
		}
	}
	m.finish(&c, now)
	return c, nil
}

// skip takes an actor's polls in one go as long as they find nothing and
// nobody else has a turn.
func (m *Machine) skip(actor int, at, until gcra.Instant) (next gcra.Instant, ok bool) {
	switch k := actor - 1 - len(m.pools); {
	case k < 0 || m.stepwise:
		return 0, false
	case k < len(m.dispatchers):
		return m.sessions[k].SkipDispatches(m.dispatchers[k], at, min(until, m.agenda.other(actor)))
	default:
		w := k - len(m.dispatchers)
		if m.tables.Ready() > 0 {
			return 0, false
		}
		return m.sessions[k].SkipClaims(m.workers[w], m.pools[w], at, min(until, m.agenda.other(actor)))
	}
}
