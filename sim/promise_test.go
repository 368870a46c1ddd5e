package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
)

// TestPromises runs random scenarios on the engine and checks what must hold
// in all of them, from the events alone.
func TestPromises(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 200
	}
	for seed := range seeds {
		s := randomScenario(seed + 1e6)
		counts, events := runEngine(t, s, seed, 0)
		inOrder(events)
		for _, wrong := range append(lifeOfJobs(s, events, counts), windows(s, events)...) {
			t.Errorf("seed %d: %s\n%s", seed+1e6, wrong, compact(s))
		}
	}
}

// lifeOfJobs follows every job: it is ready, perhaps deferred and promoted any
// number of times, then claimed or dropped, once, and then ends, once. It is
// never looked at while it is not ready: so a row that is seen before the
// commit that shows it is found out.
func lifeOfJobs(s *model.Scenario, events []line, c model.Counts) (wrong []string) {
	const unknown, ready, scheduled, running, over = 0, 1, 2, 3, 4
	state := map[int64]int{}
	step := func(l line, from, to int) {
		if state[l.job] != from {
			wrong = append(wrong, fmt.Sprintf("%v in state %d", l, state[l.job]))
		}
		state[l.job] = to
	}
	for _, l := range events {
		switch l.kind {
		case model.Enqueued:
			step(l, unknown, ready)
		case model.Promoted:
			step(l, scheduled, ready)
		case model.Deferred:
			if l.next == gcra.Never { // at the tail
				step(l, ready, ready)
				continue
			}
			step(l, ready, scheduled)
			if l.next < l.at {
				wrong = append(wrong, fmt.Sprintf("%v is deferred into the past", l))
			}
		case model.Dropped:
			step(l, ready, over)
			if s.Rules.Wait.Kind != model.WaitDrop {
				wrong = append(wrong, fmt.Sprintf("%v though nothing drops", l))
			}
		case model.Claimed:
			step(l, ready, running)
		case model.Finished:
			step(l, running, over)
		}
	}
	if c.Drained {
		for job, at := range state {
			if at != over {
				wrong = append(wrong, fmt.Sprintf("job %d is lost in state %d", job, at))
			}
		}
	}
	jobs := 0
	for _, class := range s.Classes {
		n, finite := class.Arrivals.Total()
		jobs += class.Backlog + n
		if !finite {
			return wrong
		}
	}
	if c.Drained && len(state) != jobs {
		wrong = append(wrong, fmt.Sprintf("%d jobs came, want %d", len(state), jobs))
	}
	return wrong
}

// windows counts the claims of each limit in the half-open window that starts
// at each claim: no other window holds more.
func windows(s *model.Scenario, events []line) (wrong []string) {
	for i, l := range s.Limits {
		if gate, err := gcra.NewGate(string(l.Kind), l.Limit); err != nil || !gate.Promises() {
			continue // it promises less
		}
		var claims []gcra.Instant
		for _, e := range events {
			if e.kind == model.Claimed && e.limit == i {
				claims = append(claims, e.at)
			}
		}
		for k, from := range claims {
			n := 0
			for _, at := range claims[k:] {
				if at < from.Add(l.Per) {
					n++
				}
			}
			if n > l.To {
				wrong = append(wrong, fmt.Sprintf("%s: %d claims in the %v from %d on", l.Name, n, l.Per, from))
			}
		}
	}
	return wrong
}

// TestSameSeed: a machine that is used again says the same as a new one.
func TestSameSeed(t *testing.T) {
	for seed := range uint64(100) {
		s := randomScenario(seed)
		_, want := runEngine(t, s, seed, 1)
		m := sim.NewMachine(s)
		for range 2 {
			if _, err := m.Run(seed+1, 2, nil); err != nil {
				t.Fatal(err)
			}
			var got log
			if _, err := m.Run(seed, 1, &got); err != nil {
				t.Fatal(err)
			}
			if d := difference(got, want); d != "" {
				t.Fatalf("seed %d: a machine used again differs from a new one: %s\n%s", seed, d, compact(s))
			}
		}
	}
}

// TestOthersLeaveDrawsAlone: who joins after the end, with a phase of its own,
// changes nothing, though all periods, phases and costs are drawn.
func TestOthersLeaveDrawsAlone(t *testing.T) {
	late := time.Hour
	for seed := range uint64(100) {
		s := randomScenario(seed)
		s.Timing.RandomPhase, s.Timing.PeriodSpread, s.Timing.Overshoot = true, 5*time.Millisecond, must("exp(1ms)")
		s.Until = 5 * time.Second
		_, want := runEngine(t, s, seed, 0)
		s.Dispatchers = append(slices.Clone(s.Dispatchers), model.Dispatcher{Interval: time.Second, Batch: 500, Phase: &late})
		s.Workers = append(slices.Clone(s.Workers), model.Worker{Threads: 3, Processes: 2, Interval: time.Second, Phase: &late})
		_, got := runEngine(t, s, seed, 0)
		if d := difference(got, want); d != "" {
			t.Fatalf("seed %d: another dispatcher and worker move the first ones: %s\n%s", seed, d, compact(s))
		}
	}
}
