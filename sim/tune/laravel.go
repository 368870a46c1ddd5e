package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// LaravelSetup is one setting of a Laravel queue to be tried.
type LaravelSetup struct {
	Throttle model.LimiterKind // model.JobThrottle or model.RedisThrottle
	Workers  int
	Sleep    time.Duration
	Tries    int           // 0: any number
	MaxWait  time.Duration // of job_throttle; 0: so long that nothing is lost
}

// LaravelQuestion is what suggest is asked of a Laravel queue: a blast of jobs
// at once under a throttle.
type LaravelQuestion struct {
	Given LaravelSetup // but for its throttle
	// Scenario is a setup as something to run: a blast of one class under one
	// throttle.
	Scenario func(LaravelSetup) (*model.Scenario, error)
	Allow    int
	Every    time.Duration
	Takes    time.Duration // the mean length of a job
	Blast    int
	KeepUp   float64 // the share of the allowed rate at which a setup keeps up, such as 0.95: see Deadline
	Seed     uint64
	Runs     int // replications of each setup; 0: LaravelRuns
	Jobs     int // how many run side by side
	Progress func(done, total int)
}

// LaravelRuns is how many replications a setup gets where nobody says: the
// phases of a second are what differs, and the published table's own range is
// over so many.
const LaravelRuns = 20

// PerSecond is the allowed rate.
func (q *LaravelQuestion) PerSecond() float64 { return float64(q.Allow) / q.Every.Seconds() }

// Ideal is when the last job of the blast starts if none is ever late.
func (q *LaravelQuestion) Ideal() time.Duration {
	return time.Duration(float64(q.Blast-1) / q.PerSecond() * float64(time.Second))
}

// Grace is what a blast may take besides: workers boot, and a queue that counts
// in whole seconds brings jobs back up to one late.
const Grace = 2 * time.Second

// Deadline is when the last job must have started for a setup to keep up.
func (q *LaravelQuestion) Deadline() time.Duration {
	return time.Duration(float64(q.Ideal())/q.KeepUp) + Grace
}

// FewestWorkers is how many workers jobs of this length keep busy at the
// allowed rate: fewer can't reach it, whatever else is set.
func (q *LaravelQuestion) FewestWorkers() int {
	return max(int(math.Ceil(q.PerSecond()*q.Takes.Seconds()-1e-9)), 1)
}

// Check says why the question has no answer, or nil: workers that are too few
// are what binds, not the limit.
func (q *LaravelQuestion) Check() error {
	if least := q.FewestWorkers(); q.Given.Workers < least {
		return fmt.Errorf("%d can start at most %.4g jobs a second of %v each, so they bind and the limit of %.4g a second never does; want at least %d",
			q.Given.Workers, float64(q.Given.Workers)/q.Takes.Seconds(), q.Takes, q.PerSecond(), least)
	}
	return nil
}

// LaravelFinding is a setup and what it showed.
type LaravelFinding struct {
	LaravelSetup
	Runs    []*measure.Run
	Stats   measure.Stats
	KeepsUp bool
}

// LaravelAnswer is what suggest found.
type LaravelAnswer struct {
	// Throttles are both throttles with the given setup, the reserved slots
	// first.
	Throttles []*LaravelFinding
	// Workers and Sleeps are job_throttle with other numbers of workers and
	// other sleeps, ascending; the given one is among them.
	Workers, Sleeps []*LaravelFinding
	FewestWorkers   int           // that keep up; 0: none did
	LongestSleep    time.Duration // that keeps up; 0: none did
	TooLong         time.Duration // the next longer one, which does not; 0: none was too long
	Tries           [2]int        // the least that lost no job, by throttle as in Throttles
	MaxWait         time.Duration // the least that lost no job
}

// sleeps are the values of --sleep that people set.
var sleeps = []time.Duration{100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second}

// SuggestLaravel answers. When ctx ends it returns nothing but the error.
func SuggestLaravel(ctx context.Context, q *LaravelQuestion) (*LaravelAnswer, error) {
	s := &laravelSearch{ctx: ctx, q: q, known: map[LaravelSetup]*LaravelFinding{}}
	a := &LaravelAnswer{}
	s.total = 2 + len(sleeps) + 8 + 3 // a guess that the search corrects
	for _, kind := range []model.LimiterKind{model.JobThrottle, model.RedisThrottle} {
		setup := q.Given
		setup.Throttle = kind
		f, err := s.try(setup)
		if err != nil {
			return nil, err
		}
		a.Throttles = append(a.Throttles, f)
	}
	if err := s.sleeps(a); err != nil {
		return nil, err
	}
	if err := s.workers(a); err != nil {
		return nil, err
	}
	if err := s.limits(a); err != nil {
		return nil, err
	}
	s.tell(s.total)
	return a, nil
}

// laravelSearch is a search under way.
type laravelSearch struct {
	ctx         context.Context
	q           *LaravelQuestion
	known       map[LaravelSetup]*LaravelFinding
	done, total int
}

func (s *laravelSearch) tell(done int) {
	s.done = min(done, s.total)
	if s.q.Progress != nil {
		s.q.Progress(s.done, s.total)
	}
}

func (s *laravelSearch) runs() int {
	if s.q.Runs > 0 {
		return s.q.Runs
	}
	return LaravelRuns
}

// try runs a setup, once.
func (s *laravelSearch) try(setup LaravelSetup) (*LaravelFinding, error) {
	if f := s.known[setup]; f != nil {
		return f, nil
	}
	runs, scenario, err := s.replicate(setup, 0)
	if err != nil {
		return nil, err
	}
	f := &LaravelFinding{LaravelSetup: setup, Runs: runs, Stats: measure.Combine(scenario, runs).Whole}
	if m := f.Stats[measure.MakespanS]; m.N > 0 {
		f.KeepsUp = m.Value <= s.q.Deadline().Seconds()
	}
	s.known[setup] = f
	return f, nil
}

func (s *laravelSearch) replicate(setup LaravelSetup, first int) ([]*measure.Run, *model.Scenario, error) {
	scenario, err := s.q.Scenario(setup)
	if err != nil {
		return nil, nil, err
	}
	runs, err := sim.Replicate(s.ctx, scenario, sim.Options{Seed: s.q.Seed, Runs: s.runs(), First: first, Jobs: s.q.Jobs})
	s.tell(s.done + 1)
	return runs, scenario, err
}

// sleeps tries the usual values of --sleep and the given one.
func (s *laravelSearch) sleeps(a *LaravelAnswer) error {
	all := append([]time.Duration{s.q.Given.Sleep}, sleeps...)
	slices.Sort(all)
	for _, sleep := range slices.Compact(all) {
		setup := s.q.Given
		setup.Throttle, setup.Sleep = model.JobThrottle, sleep
		f, err := s.try(setup)
		if err != nil {
			return err
		}
		a.Sleeps = append(a.Sleeps, f)
	}
	for _, f := range a.Sleeps {
		if !f.KeepsUp {
			a.TooLong = f.Sleep
			break
		}
		a.LongestSleep = f.Sleep
	}
	return nil
}

// workers looks for the fewest that keep up: by doubling until some do, then by
// halving what is between.
func (s *laravelSearch) workers(a *LaravelAnswer) error {
	with := func(n int) (*LaravelFinding, error) {
		setup := s.q.Given
		setup.Throttle, setup.Workers = model.JobThrottle, n
		f, err := s.try(setup)
		if err == nil && !slices.Contains(a.Workers, f) {
			a.Workers = append(a.Workers, f)
		}
		return f, err
	}
	low, high := s.q.FewestWorkers(), 0
	for n := low; n <= mostWorkers; n *= 2 {
		f, err := with(n)
		if err != nil {
			return err
		}
		if f.KeepsUp {
			high = n
			break
		}
		low = n + 1
	}
	for high > 0 && low < high {
		middle := (low + high) / 2
		f, err := with(middle)
		if err != nil {
			return err
		}
		if f.KeepsUp {
			high = middle
		} else {
			low = middle + 1
		}
	}
	a.FewestWorkers = high
	if _, err := with(s.q.Given.Workers); err != nil {
		return err
	}
	slices.SortFunc(a.Workers, func(x, y *LaravelFinding) int { return x.Workers - y.Workers })
	return nil
}

// mostWorkers is how many a search goes up to.
const mostWorkers = 1000

// limits finds the least tries and the shortest longest wait that lose no job:
// what the worst job of all runs needed, held against runs with other draws.
func (s *laravelSearch) limits(a *LaravelAnswer) error {
	for i, f := range a.Throttles {
		setup := f.LaravelSetup
		setup.Tries = max(int(worst(f.Runs, measure.AttemptsMax)), 1)
		if err := s.untilNoneIsLost(setup, func(l *LaravelSetup) { l.Tries += max(l.Tries/20, 1) }, func(l LaravelSetup) { a.Tries[i] = l.Tries }); err != nil {
			return err
		}
	}
	setup := a.Throttles[0].LaravelSetup
	setup.MaxWait = wholeSeconds(worst(a.Throttles[0].Runs, measure.WaitMaxS))
	return s.untilNoneIsLost(setup, func(l *LaravelSetup) { l.MaxWait += time.Second }, func(l LaravelSetup) { a.MaxWait = l.MaxWait })
}

// untilNoneIsLost gives more until runs with fresh draws lose nothing.
func (s *laravelSearch) untilNoneIsLost(setup LaravelSetup, more func(*LaravelSetup), found func(LaravelSetup)) error {
	for range mostMore {
		runs, _, err := s.replicate(setup, s.runs())
		if err != nil {
			return err
		}
		if worst(runs, measure.FailedJobs) == 0 {
			found(setup)
			return nil
		}
		more(&setup)
	}
	return nil // the answer says 0: none was found
}

// mostMore is how often a bound is raised before the search gives up.
const mostMore = 50

func worst(runs []*measure.Run, k measure.Key) float64 {
	most := 0.0
	for _, r := range runs {
		if v := r.Whole[k]; v > most {
			most = v
		}
	}
	return most
}

func wholeSeconds(s float64) time.Duration {
	return time.Duration(math.Ceil(s)) * time.Second
}
