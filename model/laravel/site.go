package laravel

import (
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/provider"
)

// Site is what the workers of a scenario share: the jobs, the store, the
// throttles' state, the processors. It belongs to one goroutine, and is built
// once and run for any number of replications.
type Site struct {
	Scenario *model.Scenario
	Origin   gcra.Instant // the run's time 0, as instants inside count
	Workers  []*Worker
	Counts   model.LaravelCounts
	Wake     func(worker int, at gcra.Instant) // gives a worker an earlier turn

	parts      *model.LaravelParts
	store      store
	throttles  []throttle // by index into the scenario's
	chains     [][]throttle
	provider   *provider.Provider
	queueNames []string
	queueOf    []int32 // by class
	slots      int     // tickets a job carries
	jobs       []job
	tickets    []ticket
	server     server
	cores      cores
	gauge      gauge
	costs      struct{ wire, redis, commandCPU, jobCPU, overshoot, waitOvershoot cost }
	probe      model.Probe
	event      model.Event
	seed       uint64
	run        int
	remaining  int64 // jobs that came and are not gone
	enqueued   int64
	last       gcra.Instant // when something was last achieved
	popsThen   int64        // and how many pops there had been
	pausedTo   gcra.Instant // up to when pauses are counted
	pauses     time.Duration
	noPlace    int64
	busy       time.Duration
}

// NewSite makes the actors of a scenario of this system; [Site.Reset] must
// follow.
func NewSite(s *model.Scenario) *Site {
	x := &Site{Scenario: s, parts: s.Laravel}
	t := &x.parts.Timing
	x.costs.wire, x.costs.redis = newCost(t.Wire), newCost(t.Redis)
	x.costs.commandCPU, x.costs.jobCPU = newCost(t.CommandCPU), newCost(t.JobCPU)
	x.costs.overshoot, x.costs.waitOvershoot = newCost(t.Overshoot), newCost(t.WaitOvershoot)
	for i := range x.parts.Throttles {
		x.throttles = append(x.throttles, newThrottle(x, &x.parts.Throttles[i]))
	}
	for _, c := range s.Classes {
		var chain []throttle
		for _, i := range c.Laravel.Throttles {
			chain = append(chain, x.throttles[i])
		}
		x.chains = append(x.chains, chain)
		x.slots = max(x.slots, len(chain))
		x.queueOf = append(x.queueOf, x.queue(c.Queue))
	}
	if s.Provider != nil {
		x.provider = provider.New(s.Provider)
	}
	for i := range s.Workers {
		spec := &s.Workers[i]
		for k := range spec.Processes {
			x.Workers = append(x.Workers, newWorker(x, spec, fmt.Sprintf("worker %d.%d", i+1, k+1)))
		}
	}
	if t.Cores > 0 && t.Cores < len(x.Workers) { // else nobody ever waits for one
		x.cores.free = make([]gcra.Instant, t.Cores)
	}
	x.store = newStore(x)
	return x
}

// queue is a queue's number, given when it is first named.
func (s *Site) queue(name string) int32 {
	for i, q := range s.queueNames {
		if q == name {
			return int32(i)
		}
	}
	s.queueNames = append(s.queueNames, name)
	return int32(len(s.queueNames) - 1)
}

// Reset begins a replication: every draw hangs on seed, run and who draws.
func (s *Site) Reset(seed uint64, run int, probe model.Probe) {
	s.seed, s.run, s.probe = seed, run, probe
	s.Origin = 0
	if s.parts.Timing.RandomPhase {
		r := model.ActorRand(seed, run, "clock")
		s.Origin = gcra.Instant(r.Float64() * float64(time.Second))
	}
	s.jobs, s.tickets = s.jobs[:0], s.tickets[:0]
	s.Counts, s.remaining, s.enqueued, s.busy = model.LaravelCounts{}, 0, 0, 0
	s.pausedTo, s.pauses, s.noPlace = 0, 0, 0
	s.server = server{}
	clear(s.cores.free)
	s.store.reset()
	for _, t := range s.throttles {
		t.reset()
	}
	if s.provider != nil {
		s.provider.Reset(s.Origin)
	}
	s.gauge.reset(len(s.Workers), s.Origin)
	s.Progress(s.Origin)
	for _, w := range s.Workers {
		w.reset()
	}
}

func (s *Site) wake(worker int, at gcra.Instant) {
	s.Wake(worker, s.Workers[worker].served(at))
}

// tell shows an event to the probe.
func (s *Site) tell(e model.Event) {
	s.event = e
	s.probe.Observe(&s.event)
}

// happened tells what happened to one job at an instant inside.
func (s *Site) happened(kind model.Kind, id int32, at, next gcra.Instant) {
	j := &s.jobs[id]
	e := &s.event
	*e = model.Event{
		Kind: kind, At: at - s.Origin, Class: int(j.class), Limit: s.Scenario.Classes[j.class].Limit,
		Job: s.number(id), N: 1, Since: j.since - s.Origin, Next: next,
	}
	s.probe.Observe(e)
}

// retried tells that a try ended and the job waits again from an instant on.
func (s *Site) retried(id int32, at gcra.Instant) {
	s.jobs[id].since = at
	s.happened(model.Retried, id, at, 0)
}

// left notes that a job is gone for good.
func (s *Site) left(at gcra.Instant) {
	s.remaining--
	s.Progress(at)
}

// paused notes that a key lets nobody in for a time; keys that are paused at
// the same time count once.
func (s *Site) paused(from, to gcra.Instant) {
	from = max(from, s.pausedTo)
	if to > from {
		s.pauses += to.Sub(from)
		s.pausedTo = to
	}
}

// Progress notes that something was achieved: a job came, started or went.
func (s *Site) Progress(at gcra.Instant) { s.last, s.popsThen = at, s.Counts.Pops }

// Stuck says that nothing was achieved for so long that nothing will be: two
// days and longer than anything that can be waited for, or twenty million pops.
func (s *Site) Stuck(now gcra.Instant) bool {
	if s.remaining == 0 {
		return false
	}
	return s.Counts.Pops-s.popsThen > 20_000_000 || now.Sub(s.last) > s.patience()
}

func (s *Site) patience() time.Duration {
	longest := s.parts.Connection.RetryAfter
	for i := range s.parts.Throttles {
		t := &s.parts.Throttles[i]
		longest = max(longest, t.Every, t.LockFor, t.ExpireAfter, t.MaxWait)
	}
	return 48*time.Hour + 2*min(longest, 1<<61)
}

// Remaining is how many jobs came and are not gone, Enqueued how many came.
func (s *Site) Remaining() int64 { return s.remaining }

// Enqueued is how many jobs came.
func (s *Site) Enqueued() int64 { return s.enqueued }

// Finish adds up what was counted.
func (s *Site) Finish(c *model.Counts, now gcra.Instant) {
	s.gauge.at(now)
	c.Laravel = s.Counts
	c.Threads = len(s.Workers)
	c.WorkerPolls = s.Counts.Pops + s.Counts.EmptyPops
	c.Queries = s.Counts.RoundTrips
	c.Busy = s.busy
	c.ReadyTime, c.FullTime = s.gauge.readyTime, s.gauge.fullTime
	c.NoPlace, c.Paused = s.noPlace, s.pauses
	if s.provider != nil {
		c.Provider = s.provider.Counts()
	}
}
