package redis

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
)

// Fitted is the scenario with the delays that the run had, as a simulation is to
// repeat it: workers begin when they did, and every command takes as long as
// one of the run's did.
func (r *Result) Fitted(seed uint64) (*model.Scenario, error) {
	s := *r.Scenario
	l := *s.Laravel
	t := model.LaravelTiming{RandomPhase: true}
	var err error
	half := make([]time.Duration, len(r.Delays.Trips))
	for i, d := range r.Delays.Trips {
		half[i] = d / 2
	}
	for _, x := range []struct {
		into *model.Dist
		all  []time.Duration
	}{{&t.Wire, half}, {&t.Overshoot, r.Delays.Overshoot}, {&t.WaitOvershoot, r.Delays.Late}} {
		if *x.into, err = drawnFrom(x.all); err != nil {
			return nil, err
		}
	}
	l.Timing = t
	s.Laravel = &l
	late, err := drawnFrom(r.Delays.Late)
	if err != nil {
		return nil, err
	}
	s.Classes = slices.Clone(s.Classes)
	for i := range s.Classes {
		s.Classes[i].Takes = s.Classes[i].Takes.Plus(late)
	}
	s.Workers = nil
	for i, w := range r.Scenario.Workers {
		for k := range w.Processes {
			one := w
			one.Processes = 1
			phase := phase(&w, fmt.Sprintf("worker %d.%d", i+1, k+1), r.Scenario.Laravel.Timing.BootSpread, seed)
			one.Phase = &phase
			s.Workers = append(s.Workers, one)
		}
	}
	return &s, nil
}

// few is how many values of a delay are enough to draw from.
const few = 1000

// drawnFrom is a delay that is any of some values, all equally likely.
func drawnFrom(all []time.Duration) (model.Dist, error) {
	if len(all) == 0 {
		return model.Dist{}, nil
	}
	var b strings.Builder
	b.WriteString("delay_us\n")
	step := max(1, len(all)/few)
	for i := 0; i < len(all); i += step {
		fmt.Fprintf(&b, "%.3f\n", float64(all[i])/1e3)
	}
	return model.ParseDist("empirical(values.csv)", func(string) ([]byte, error) { return []byte(b.String()), nil })
}
