package live

import (
	"errors"
	"fmt"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// Pinned is a scenario as one run of it begins: a worker is one process, and
// every dispatcher and worker has its phase, drawn by the seed where none is
// given and the scenario's timing says so.
func Pinned(s *model.Scenario, seed uint64) *model.Scenario {
	p := *s
	p.Dispatchers, p.Workers = nil, nil
	together := model.ActorRand(seed, 0, "dispatchers phase")
	fraction := together.Float64()
	phase := func(given *time.Duration, interval time.Duration, fraction float64) *time.Duration {
		at := time.Duration(0)
		switch {
		case given != nil:
			at = *given
		case s.Timing.RandomPhase:
			at = time.Duration(fraction * float64(interval)).Truncate(time.Microsecond)
		}
		return &at
	}
	for _, d := range s.Dispatchers {
		d.Phase = phase(d.Phase, d.Interval, fraction)
		p.Dispatchers = append(p.Dispatchers, d)
	}
	for i, w := range s.Workers {
		for k := range w.Processes {
			own := model.ActorRand(seed, 0, fmt.Sprintf("worker %d.%d phase", i+1, k+1))
			one := w
			one.Processes = 1
			one.Phase = phase(w.Phase, w.Interval, own.Float64())
			p.Workers = append(p.Workers, one)
		}
	}
	p.Timing.RandomPhase = false
	return &p
}

// Check says why a scenario can't be run in real time, or nil. Its sentence
// begins with the key.
func Check(s *model.Scenario) error {
	r := &s.Rules
	switch {
	case s.System != model.SolidQueue:
		return fmt.Errorf("system: %s is not run live, want %s", s.System, model.SolidQueue)
	case r.Wait.Kind != model.WaitSlots:
		return fmt.Errorf("rules.wait: %s is not run live, want %s", r.Wait.Kind, model.WaitSlots)
	case r.FIFO:
		return errors.New("rules.order: fifo is not run live, want id: Solid Queue's ready table has no other order")
	}
	for _, l := range s.Limits {
		if l.Kind != model.GCRA && l.Kind != "" {
			return fmt.Errorf("limits.%s.limiter: %s is not run live, want %s", l.Name, l.Kind, model.GCRA)
		}
	}
	for i, w := range s.Workers {
		if w.Threads > sqlite.MostClaimed {
			return fmt.Errorf("workers[%d].threads: %d jobs can't be claimed in one transaction, want at most %d", i, w.Threads, sqlite.MostClaimed)
		}
	}
	for i, d := range s.Dispatchers {
		if d.Batch > sqlite.MostMoved {
			return fmt.Errorf("dispatchers[%d].batch_size: %d jobs can't be moved in one transaction, want at most %d", i, d.Batch, sqlite.MostMoved)
		}
	}
	return nil
}
