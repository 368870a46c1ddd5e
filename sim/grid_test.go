package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// plainest is the queue of the drain benchmarks: to 110 per 1s, burst 20, polls
// on a grid of 0.1 s, 50 threads, jobs of 50 ms.
func plainest(jobs int) *model.Scenario {
	return &model.Scenario{
		System:      model.Polls,
		Limits:      []model.Limit{{Name: "api", Limit: gcra.Limit{To: 110, Per: time.Second, Burst: 20}, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "Job", Backlog: jobs, Takes: model.Const(50 * time.Millisecond)}},
		Dispatchers: []model.Dispatcher{{Interval: 100 * time.Millisecond, Batch: 500}},
		Workers:     []model.Worker{{Threads: 50, Processes: 1, Interval: 100 * time.Millisecond}},
		Rules: model.Rules{Wake: model.WakeNever, DispatchAgain: model.AgainNever, Grid: true, FIFO: true, ClaimsAgain: 4,
			Wait: model.Wait{Kind: model.WaitSlots}},
	}
}

// singles keeps every event, job by job.
type singles []model.Event

func (l *singles) Observe(e *model.Event) { e.Each(func(e model.Event) { *l = append(*l, e) }) }

// TestTheGridIsTheGeneralEngine runs random scenarios of the plainest kind on
// both and compares every event and every count.
func TestTheGridIsTheGeneralEngine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(n ...int) int { return n[r.IntN(len(n))] }
	for range 400 {
		s := plainest(1 + r.IntN(pick(5, 300, 3000)))
		to := 1 + r.IntN(pick(3, 40))
		s.Limits[0].Limit = gcra.Limit{To: to, Per: time.Duration(pick(50, 1000, 7000, 60000)) * time.Millisecond, Burst: 1 + r.IntN(to)}
		if s.Limits[0].Validate() != nil {
			continue
		}
		every := time.Duration(pick(10, 100, 330, 1000)) * time.Millisecond
		s.Dispatchers[0].Interval, s.Workers[0].Interval = every, every
		if time.Duration(s.Classes[0].Backlog)*s.Limits[0].Interval() > 20_000*every {
			continue // the general engine takes its polls one by one
		}
		s.Dispatchers[0].Batch, s.Workers[0].Threads = pick(1, 3, 20, 500), pick(1, 3, 50)
		s.Rules.ClaimsAgain = pick(0, 1, 4, 5)
		s.Classes[0].Takes = model.Const(time.Duration(pick(1, 50, 100, 250, 1000)) * time.Millisecond)
		if r.IntN(2) == 0 {
			at := time.Duration(r.IntN(2000)) * time.Millisecond
			s.Dispatchers[0].Phase, s.Workers[0].Phase = &at, &at
		}
		fast, general := NewMachine(s), NewMachine(s)
		general.stepwise = true
		if fast.grid == nil {
			t.Fatal("the scenario is not plain enough for the grid")
		}
		for range 2 { // the second run uses the memory of the first
			var got, want singles
			gotCounts, err := fast.Run(1, 1, &got)
			if err != nil {
				t.Fatal(err)
			}
			wantCounts, err := general.Run(1, 1, &want)
			if err != nil {
				t.Fatal(err)
			}
			if gotCounts != wantCounts {
				t.Fatalf("%+v\ngrid    %+v\ngeneral %+v", s, gotCounts, wantCounts)
			}
			compareSingles(t, s, got, want)
		}
		// A tally is told less; it must make the same of it.
		a, b := measure.NewTally(s), measure.NewTally(s)
		ca, _ := fast.Run(1, 1, a)
		cb, _ := general.Run(1, 1, b)
		x, y := a.Finish(ca), b.Finish(cb)
		for k := range measure.NumKeys {
			if v, w := x.Whole[k], y.Whole[k]; v != w && (v == v || w == w) {
				t.Fatalf("%+v\n%v: grid %v, general %v", s, measure.Key(k), v, w)
			}
		}
		if x.BoundBy != y.BoundBy {
			t.Fatalf("bound by %s on the grid, by %s in general", x.BoundBy, y.BoundBy)
		}
	}
}

// compareSingles compares events in order, but for those of one instant and
// kind, which the two may tell in another order.
func compareSingles(t *testing.T, s *model.Scenario, got, want singles) {
	t.Helper()
	type key struct {
		kind model.Kind
		at   gcra.Instant
		job  int64
		next gcra.Instant
	}
	seen := map[key]int{}
	for _, e := range want {
		seen[key{e.Kind, e.At, e.Job, e.Next}]++
	}
	for i, e := range got {
		k := key{e.Kind, e.At, e.Job, e.Next}
		if seen[k]--; seen[k] < 0 {
			t.Fatalf("%+v\nevent %d of the grid, %+v, is none of the general engine's", s, i, e)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%+v\n%d events on the grid, %d in general", s, len(got), len(want))
	}
}

func TestNoAllocationsAfterSetUp(t *testing.T) {
	s := plainest(10_000)
	solid := plainest(10_000)
	solid.Rules = model.Rules{Wake: model.WakeOnFinish, DispatchAgain: model.AgainNonempty, ClaimsAgain: 5, Wait: model.Wait{Kind: model.WaitSlots}}
	for name, s := range map[string]*model.Scenario{"grid": s, "solid queue's rules": solid} {
		m, tally := NewMachine(s), measure.NewTally(s)
		run := func() {
			tally.Reset()
			if _, err := m.Run(1, 1, tally); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(5, run); n > 0 {
			t.Errorf("%s: %v allocations in a run of 10,000 jobs, want none", name, n)
		}
	}
}

func benchmarkDrain(b *testing.B, s *model.Scenario) {
	b.ReportAllocs()
	m, tally := NewMachine(s), measure.NewTally(s)
	for b.Loop() {
		tally.Reset()
		c, err := m.Run(1, 1, tally)
		if err != nil {
			b.Fatal(err)
		}
		tally.Finish(c)
	}
	jobs := s.Classes[0].Backlog
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(jobs), "ns/job")
}

func BenchmarkDrain100k(b *testing.B) { benchmarkDrain(b, plainest(100_000)) }
func BenchmarkDrain1M(b *testing.B)   { benchmarkDrain(b, plainest(1_000_000)) }

// BenchmarkDrainSolidQueue100k is the same backlog under Solid Queue's own
// rules, without costs.
func BenchmarkDrainSolidQueue100k(b *testing.B) {
	s := plainest(100_000)
	s.System = model.SolidQueue
	s.Rules = model.Rules{Wake: model.WakeOnFinish, DispatchAgain: model.AgainNonempty, ClaimsAgain: 5, Wait: model.Wait{Kind: model.WaitSlots}}
	benchmarkDrain(b, s)
}
