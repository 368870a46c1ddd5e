package live

import (
	"math"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// What goes in as a cost a job and a cost beside it comes out so, and the mean
// of what is drawn is the mean of what was measured.
func TestFit(t *testing.T) {
	d := &Delays{}
	r := model.ActorRand(1, 0, "fit")
	noise, err := model.ParseDist("lognormal(1ms, 0.3)", nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := time.Duration(0)
	const n = 600
	for i := range n {
		jobs := 1 + i%3
		took := 4*time.Millisecond + noise.Draw(&r, 1) + time.Duration(jobs)*250*time.Microsecond
		sum += took
		d.add(sqlite.Dispatched, jobs, took)
		d.add(sqlite.NoneReady, 0, noise.Draw(&r, 1))
		d.slept(i%2, time.Duration(i%2)*time.Millisecond)
	}
	d.add(sqlite.NoneDue, 0, 3*time.Millisecond)
	f := d.Fit()
	_, perJob, _ := f.Timing.Dispatch.Fixed()
	if perJob < 200*time.Microsecond || perJob > 300*time.Microsecond {
		t.Errorf("%v a job, want 250µs", perJob)
	}
	drawn := time.Duration(0)
	for i := range n {
		drawn += f.Timing.Dispatch.Draw(&r, 1+i%3)
	}
	if off := math.Abs(float64(drawn)/float64(sum) - 1); off > 0.01 {
		t.Errorf("%v drawn, %v measured", drawn/n, sum/n)
	}
	if got := f.Timing.EmptyDispatch.Mean(0); got != 3*time.Millisecond {
		t.Errorf("what happened once takes %v, want 3ms", got)
	}
	if got := f.Timing.Claim.Mean(3); got != 0 {
		t.Errorf("what never happened takes %v", got)
	}
	// Workers slept 1 ms too long and dispatchers not at all; half of them each.
	if f.later != [2]time.Duration{-500 * time.Microsecond, 500 * time.Microsecond} {
		t.Errorf("later by %v", f.later)
	}
	if f.Timing.PeriodSpread != time.Millisecond {
		t.Errorf("periods spread by %v, the middle half of all sleeps by 1ms", f.Timing.PeriodSpread)
	}
}

// A pinned scenario has a worker a process, each with a phase of its own that
// hangs on the seed, and given phases stay.
func TestPinned(t *testing.T) {
	given := 7 * time.Millisecond
	s := &model.Scenario{
		Timing:      model.Timing{RandomPhase: true},
		Dispatchers: []model.Dispatcher{{Interval: time.Second}, {Interval: time.Second, Phase: &given}},
		Workers:     []model.Worker{{Interval: 100 * time.Millisecond, Processes: 3, Threads: 2}},
	}
	p, again, other := Pinned(s, 1), Pinned(s, 1), Pinned(s, 2)
	if len(p.Workers) != 3 || *p.Dispatchers[1].Phase != given || p.Timing.RandomPhase {
		t.Errorf("%+v", p)
	}
	seen := map[time.Duration]bool{}
	for i, w := range p.Workers {
		if seen[*w.Phase] || *w.Phase < 0 || *w.Phase >= w.Interval || w.Processes != 1 {
			t.Errorf("worker %d: %+v, phase %v", i, w, *w.Phase)
		}
		seen[*w.Phase] = true
		if *again.Workers[i].Phase != *w.Phase || *other.Workers[i].Phase == *w.Phase {
			t.Errorf("worker %d: phases %v, %v again, %v of another seed", i, *w.Phase, *again.Workers[i].Phase, *other.Workers[i].Phase)
		}
	}
	if s.Workers[0].Processes != 3 || s.Workers[0].Phase != nil {
		t.Error("the scenario itself was changed")
	}
}
