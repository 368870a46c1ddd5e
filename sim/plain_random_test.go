package sim_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
)

// must parses a delay or panics: these are written in the tests.
func must(text string) model.Dist {
	d, err := model.ParseDist(text, nil)
	if err != nil {
		panic(err)
	}
	return d
}

func mustArrive(text string) model.Arrivals {
	a, err := model.ParseArrivals(text, nil)
	if err != nil {
		panic(err)
	}
	return a
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// randomScenario is a small scenario with every rule in reach. The round
// numbers are on purpose: they make many things happen at one instant.
func randomScenario(seed uint64) *model.Scenario {
	r := rand.New(rand.NewPCG(seed, 0x5eed))
	s := &model.Scenario{Name: fmt.Sprintf("random %d", seed), System: model.SolidQueue}
	for i := range 1 + r.IntN(3) {
		l := model.Limit{Name: fmt.Sprintf("limit%d", i), Kind: randomKind(r)}
		l.To = 1 + r.IntN(12)
		l.Per = pick(r, 100*time.Millisecond, 500*time.Millisecond, time.Second, 2*time.Second)
		l.Burst = 1 + r.IntN(l.To)
		if r.IntN(40) == 0 {
			// So slow that the last ones of a backlog lie past the horizon.
			l.To, l.Per, l.Burst = 1, 20*time.Second, 1
		}
		s.Limits = append(s.Limits, l)
	}
	endless := r.IntN(3) == 0
	for i := range 1 + r.IntN(4) {
		c := model.Class{Name: fmt.Sprintf("Job%d", i), Queue: "default", Limit: r.IntN(len(s.Limits)+1) - 1}
		c.Backlog = pick(r, 0, 1, r.IntN(10), r.IntN(40))
		c.Priority = r.IntN(4) - 1
		c.Takes = must(pick(r, "0s", "10ms", "50ms", "100ms", "700ms", "exp(50ms)", "uniform(0ms, 200ms)", "lognormal(30ms, 0.5)"))
		arrivals := pick(r, "none", "none", "5 at 1s", "3 at 0s + 4 at 300ms", "20 at 500ms + 1 at 500ms")
		if endless {
			arrivals = pick(r, arrivals, "poisson 2/s", "every 200ms", "poisson 10/s", "every 700ms + 3 at 1s")
		}
		c.Arrivals = mustArrive(arrivals)
		s.Classes = append(s.Classes, c)
	}
	for range pick(r, 0, 1, 1, 1, 2, 2) {
		s.Dispatchers = append(s.Dispatchers, model.Dispatcher{
			Interval: pick(r, 100*time.Millisecond, 200*time.Millisecond, 330*time.Millisecond, time.Second),
			Batch:    pick(r, 1, 2+r.IntN(9), 500),
			Phase:    randomPhase(r),
		})
	}
	for range 1 + r.IntN(3) {
		s.Workers = append(s.Workers, model.Worker{
			Queues:    []string{"*"},
			Threads:   1 + r.IntN(20),
			Processes: 1 + r.IntN(2),
			Interval:  pick(r, 70*time.Millisecond, 100*time.Millisecond, 250*time.Millisecond, time.Second),
			Phase:     randomPhase(r),
		})
	}
	s.Timing = randomTiming(r)
	s.Rules = model.Rules{
		Wake:          pick(r, model.WakeOnFinish, model.WakeOnFinish, model.WakeNever),
		DispatchAgain: pick(r, model.AgainNonempty, model.AgainFull, model.AgainNever),
		Grid:          r.IntN(3) == 0,
		ClaimsAgain:   pick(r, 0, 1, 4, 5),
		CapAlways:     r.IntN(4) == 0,
		FIFO:          r.IntN(4) == 0,
		Wait:          randomWait(r),
	}
	if t := &s.Timing; t.Claim.Mean(1) == 0 && t.JobCPU.Mean(1) == 0 {
		// A job that ends at the instant of a claim that costs nothing: the
		// rules don't say whether it ends before or after the next claim of
		// the same poll.
		for i := range s.Classes {
			if s.Classes[i].Takes.Mean(1) == 0 {
				s.Classes[i].Takes = must("1ms")
			}
		}
	}
	if s.Rules.Wait.Kind == model.WaitHold {
		// What held jobs have reserved is no debt to cut.
		s.Rules.CapAlways = false
	}
	if endless || r.IntN(3) == 0 {
		s.Until = time.Duration(1+r.IntN(20)) * time.Second / 2
	}
	return s
}

func randomPhase(r *rand.Rand) *time.Duration {
	phase := pick(r, nil, new(time.Duration(r.IntN(4))*100*time.Millisecond), new(time.Duration(r.Int64N(1e9))))
	return phase
}

func randomTiming(r *rand.Rand) model.Timing {
	t := model.Timing{Parallel: r.IntN(3) == 0, RandomPhase: r.IntN(2) == 0}
	switch r.IntN(4) {
	case 0: // none
		return t
	case 1: // as measured
		t.Dispatch, t.EmptyDispatch = must("4.2ms + 0.25ms per job"), must("1.6ms")
		t.Claim, t.EmptyClaim = must("3ms + 0.1ms per job"), must("1.1ms")
		t.Overshoot, t.JobCPU = must("0.55ms"), must("5.3ms")
		t.PeriodSpread = time.Millisecond
	case 2: // drawn
		t.Dispatch, t.EmptyDispatch = must("lognormal(4ms, 0.3) + 0.25ms per job"), must("exp(2ms)")
		t.Claim, t.EmptyClaim = must("uniform(1ms, 20ms)"), must("normal(2ms, 1ms)")
		t.Overshoot, t.JobCPU = must("exp(1ms)"), must("uniform(0ms, 10ms)")
		t.PeriodSpread, t.Boot = 5*time.Millisecond, must("uniform(0ms, 30ms)")
	case 3: // any of them, and so round that they meet
		costs := []string{"0s", "0s", "10ms", "20ms", "50ms", "10ms + 10ms per job"}
		for _, d := range []*model.Dist{&t.Dispatch, &t.EmptyDispatch, &t.Claim, &t.EmptyClaim, &t.Overshoot, &t.JobCPU, &t.Boot} {
			*d = must(pick(r, costs...))
		}
		// Those who come first go first. If their looking at nothing took all
		// of the database's time, the others would never have a turn.
		t.EmptyDispatch, t.EmptyClaim = must(pick(r, "0s", "10ms")), must(pick(r, "0s", "5ms"))
	}
	return t
}

func randomWait(r *rand.Rand) model.Wait {
	switch r.IntN(9) {
	case 0:
		return model.Wait{Kind: model.WaitUnlimited}
	case 1:
		return model.Wait{Kind: model.WaitDelay, Delay: must(pick(r, "100ms", "1s", "uniform(100ms, 900ms)"))}
	case 2:
		return model.Wait{Kind: model.WaitBackoff, Base: 100 * time.Millisecond, Plus: 50 * time.Millisecond,
			Power: r.IntN(3), Jitter: pick(r, 0, 0.15, 1)}
	case 3:
		return model.Wait{Kind: model.WaitTail}
	case 4:
		return model.Wait{Kind: model.WaitHold}
	case 5:
		return model.Wait{Kind: model.WaitDrop}
	}
	return model.Wait{Kind: model.WaitSlots}
}

func randomKind(r *rand.Rand) model.LimiterKind {
	if r.IntN(2) == 0 {
		return model.GCRA
	}
	return pick(r, model.TokenBucket, model.FixedWindow, model.OpenedWindow, model.SlidingLog, model.SlidingCounter, model.EvenSpacing)
}

// compact is a scenario in a few lines, for a failure.
func compact(s *model.Scenario) string {
	var b strings.Builder
	for _, l := range s.Limits {
		fmt.Fprintf(&b, "%s: %s to %d per %v burst %d\n", l.Name, l.Kind, l.To, l.Per, l.Burst)
	}
	for _, c := range s.Classes {
		fmt.Fprintf(&b, "%s: limit %d backlog %d arrivals %v priority %d takes %v\n", c.Name, c.Limit, c.Backlog, c.Arrivals, c.Priority, c.Takes)
	}
	for _, d := range s.Dispatchers {
		fmt.Fprintf(&b, "dispatcher: every %v batch %d phase %v\n", d.Interval, d.Batch, phaseText(d.Phase))
	}
	for _, w := range s.Workers {
		fmt.Fprintf(&b, "worker: every %v threads %d processes %d phase %v\n", w.Interval, w.Threads, w.Processes, phaseText(w.Phase))
	}
	t := s.Timing
	fmt.Fprintf(&b, "timing: dispatch %v / %v claim %v / %v overshoot %v cpu %v boot %v spread %v parallel %v random phase %v\n",
		t.Dispatch, t.EmptyDispatch, t.Claim, t.EmptyClaim, t.Overshoot, t.JobCPU, t.Boot, t.PeriodSpread, t.Parallel, t.RandomPhase)
	fmt.Fprintf(&b, "rules: %+v until %v\n", s.Rules, s.Until)
	return b.String()
}

func phaseText(d *time.Duration) string {
	if d == nil {
		return "not given"
	}
	return d.String()
}

// TestRandomScenarios keeps the generator honest: a scenario no reader would
// let through proves nothing.
func TestRandomScenarios(t *testing.T) {
	for seed := range uint64(300) {
		s := randomScenario(seed)
		for _, l := range s.Limits {
			if err := l.Validate(); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
}
