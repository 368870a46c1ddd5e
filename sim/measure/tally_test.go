package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// off is how far a key may be from the dumb one: waits come from a histogram,
// a mean of times is added up in another order, all else is exact.
func off(k Key) float64 {
	switch k {
	case WaitP50S, WaitP95S, WaitP99S:
		return 0.002
	case RunningMean, DrainRatio:
		return 1e-12
	}
	return 1e-15
}

func same(t *testing.T, scope string, got, want *Values) {
	t.Helper()
	for k := range got {
		g, w := got[k], want[k]
		if present(g) != present(w) || math.Abs(g-w) > off(Key(k))*math.Abs(w) {
			t.Errorf("%s: %s = %v, want %v", scope, Key(k), g, w)
		}
	}
}

func observe(t *Tally, events []model.Event) {
	for i := range events {
		t.Observe(&events[i])
	}
}

// Every key of every scope is what a dumb count of single jobs gives, whatever
// the events and also when those of two limits come out of order.
func TestKeysMatchDumbCount(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := randomScenario(r)
		events, end := randomEvents(r, s, seed%2 == 1)
		counts := model.Counts{
			DispatcherPolls: 7, WorkerPolls: 70, Queries: 700, Busy: 5 * time.Second, Threads: 3, End: end,
		}
		tally := NewTally(s)
		observe(tally, events)
		run := tally.Finish(counts)

		sole := func(l int) int {
			n := 0
			for _, c := range s.Classes {
				if c.Limit == l {
					n++
				}
			}
			return n
		}
		for l := range s.Limits {
			want := dumb(events, func(c int) bool { return s.Classes[c].Limit == l }, s, &s.Limits[l], end)
			same(t, "limit "+s.Limits[l].Name, &run.Limits[l], &want)
		}
		for c := range s.Classes {
			var limit *model.Limit
			if l := s.Classes[c].Limit; l >= 0 && sole(l) == 1 {
				limit = &s.Limits[l]
			}
			want := dumb(events, func(o int) bool { return o == c }, s, limit, end)
			same(t, "class "+s.Classes[c].Name, &run.Classes[c], &want)
		}
		want := dumb(events, func(int) bool { return true }, s, nil, end)
		if len(s.Limits) == 1 {
			for _, k := range []Key{AfterBurstPerS, DeclaredPerS, DrainRatio, WindowMax, AtOnce} {
				want[k] = run.Limits[0][k]
			}
		}
		want[DispatcherPolls], want[WorkerPolls] = 7, 70
		span := float64(end) / 1e9
		if s.Until == 0 && present(want[FinishedS]) {
			span = want[FinishedS]
		}
		want[QueriesPerS], want[ThreadBusyRatio] = 700/span, 5/(3*span)
		if math.Abs(run.Whole[ThreadBusyRatio]-want[ThreadBusyRatio]) < 1e-12 {
			want[ThreadBusyRatio] = run.Whole[ThreadBusyRatio]
		}
		same(t, "whole", &run.Whole, &want)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func bitsOf(r *Run) string {
	return fmt.Sprintf("%b %b %b %s %b %b", r.Whole, r.Limits, r.Classes, r.BoundBy, r.HeldRatio, r.KeptUp)
}

// Runs of jobs are a way to write single jobs down: both give the same run, to
// the bit, and a tally that was reset gives what a new one does.
func TestRunsEqualSingleJobs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := randomScenario(r)
		events, end := randomEvents(r, s, seed%2 == 1)
		counts := model.Counts{End: end, Threads: 2}
		tally := NewTally(s)
		observe(tally, events)
		runs := bitsOf(tally.Finish(counts))
		tally.Reset()
		other, _ := randomEvents(r, s, true) // what came before must not show
		observe(tally, other)
		tally.Reset()
		observe(tally, unroll(events))
		if single := bitsOf(tally.Finish(counts)); single != runs {
			t.Fatalf("seed %d: runs give\n%s\nsingle jobs\n%s", seed, runs, single)
		}
	}
}

// Six jobs under 3 per second, burst 2, so one every half second and a
// declared drain of 2/s. Every key is worked out by hand.
//
//	time  0.0  jobs 1-5 come
//	      0.1  1, 2 claimed; 3, 4, 5 deferred
//	      0.2  1 ends
//	      0.5  6 comes
//	      0.6  2 ends
//	      1.0  3, 4 promoted
//	      1.1  4 claimed before 3, then 3; 6 deferred
//	      1.2  4 ends; 1.3: 3 ends
//	      1.5  5 promoted
//	      1.6  5 claimed; ends at 1.7
//	      2.0  6 promoted
//	      2.1  6 claimed; ends at 2.6
func TestSixJobsByHand(t *testing.T) {
	s := &model.Scenario{
		Limits:  []model.Limit{{Name: "api", Limit: gcra.Limit{To: 3, Per: time.Second, Burst: 2}, Kind: model.GCRA}},
		Classes: []model.Class{{Name: "Call", Limit: 0}},
	}
	at := func(tenths int) gcra.Instant { return gcra.Instant(tenths) * 100 * milli }
	tally := NewTally(s)
	observe(tally, []model.Event{
		{Kind: model.Enqueued, At: at(0), Job: 1, N: 5},
		{Kind: model.Claimed, At: at(1), Job: 1, N: 2},
		{Kind: model.Deferred, At: at(1), Job: 3, N: 3, Next: at(6), Step: 500 * time.Millisecond},
		{Kind: model.Finished, At: at(2), Job: 1, N: 1},
		{Kind: model.Enqueued, At: at(5), Job: 6, N: 1},
		{Kind: model.Finished, At: at(6), Job: 2, N: 1},
		{Kind: model.Promoted, At: at(10), Job: 3, N: 2},
		{Kind: model.Claimed, At: at(11), Job: 4, N: 1},
		{Kind: model.Claimed, At: at(11), Job: 3, N: 1},
		{Kind: model.Deferred, At: at(11), Job: 6, N: 1, Next: at(20)},
		{Kind: model.Finished, At: at(12), Job: 4, N: 1},
		{Kind: model.Finished, At: at(13), Job: 3, N: 1},
		{Kind: model.Promoted, At: at(15), Job: 5, N: 1},
		{Kind: model.Claimed, At: at(16), Job: 5, N: 1},
		{Kind: model.Finished, At: at(17), Job: 5, N: 1},
		{Kind: model.Promoted, At: at(20), Job: 6, N: 1},
		{Kind: model.Claimed, At: at(21), Job: 6, N: 1, Since: at(5)},
		{Kind: model.Finished, At: at(26), Job: 6, N: 1},
	})
	run := tally.Finish(model.Counts{
		DispatcherPolls: 3, WorkerPolls: 21, Queries: 104, Busy: 1500 * time.Millisecond, Threads: 2, End: at(21), Drained: true,
	})
	want := Values{
		Jobs: 6, Claims: 6, Unfinished: 0, Lost: 0,
		MakespanS:       2.1,       // 6 is the last claimed
		FinishedS:       2.6,       // and the last to end
		DrainPerS:       2.5,       // claim ceil(0.6) = 1 at 0.1, claim ceil(5.4) = 6 at 2.1: 5 / 2.0
		AfterBurstPerS:  2,         // (6 - 2) / (2.1 - 0.1)
		DeclaredPerS:    2,         // 3 - 2 + 1
		DrainRatio:      1.25,      // 2.5 / 2
		WindowMax:       3,         // [1.1, 2.1): 4, 3, 5; 6 at 2.1 is outside
		AtOnce:          2,         // the burst
		AtOncePeak:      2,         // at 0.1 and at 1.1
		ChecksPerJob:    10. / 6,   // 6 claims, 4 deferrals
		Deferrals:       4,         // 3, 4, 5 and 6
		DeferralsPerJob: 4. / 6,    //
		ChecksMaxPerS:   5,         // [0.1, 1.1); the three looks at 1.1 are outside
		WaitP50S:        1.1,       // waits 0.1 0.1 1.1 1.1 1.6 1.6: the third
		WaitP95S:        1.6,       // the sixth: 5.7 rounded up
		WaitP99S:        1.6,       //
		WaitMaxS:        1.6,       // of 5, and of 6 (2.1 - 0.5)
		RunningMax:      2,         // 1 and 2
		RunningMean:     1.5 / 2.6, // 0.1 + 0.5 + 0.2 + 0.1 + 0.1 + 0.5 over 2.6
		Overtaken:       1,         // 4 went before 3
		ThreadBusyRatio: 1.5 / 5.2, // of two threads' 2.6 s
		DispatcherPolls: 3,
		WorkerPolls:     21,
		QueriesPerS:     40, // 104 / 2.6
		PromotedMaxPerS: 3,  // [1.0, 2.0): 3, 4, 5
	}
	for k := Pops; int(k) < NumKeys; k++ {
		want[k] = Absent // of another system, and of a provider
	}
	same(t, "whole", &run.Whole, &want)
	if run.BoundBy != ByLimit {
		t.Errorf("bound by %s, want limit: it drains at more than is declared", run.BoundBy)
	}
	// A look left jobs waiting from 0.1 to the last claim at 2.1 of 2.1 s.
	if got := run.HeldRatio; math.Abs(got-2/2.1) > 1e-12 {
		t.Errorf("held %v of the time, want 2.0/2.1", got)
	}
	if got := run.KeptUp; got != 2./6 {
		t.Errorf("kept up with %v of the jobs, want 2/6: 1 and 2 were claimed before 6 came", got)
	}
	for _, k := range []Key{ThreadBusyRatio, DispatcherPolls, WorkerPolls, QueriesPerS} {
		want[k] = Absent
	}
	same(t, "limit", &run.Limits[0], &want)
	same(t, "class", &run.Classes[0], &want)
}

// A job is held back from the look that refused it, not from its coming, to
// its claim.
func TestHeldFromTheFirstRefusal(t *testing.T) {
	tally := NewTally(oneLimit())
	observe(tally, []model.Event{
		{Kind: model.Enqueued, N: 1},
		{Kind: model.Deferred, At: 1000 * milli, N: 1},
		{Kind: model.Claimed, At: 4000 * milli, N: 1},
	})
	if run := tally.Finish(model.Counts{}); run.HeldRatio != 0.75 {
		t.Errorf("held %v of the time, want 3 of 4 s", run.HeldRatio)
	}
}

// Before anything happens only counts have a value.
func TestNothingHappens(t *testing.T) {
	tally := NewTally(&model.Scenario{Classes: []model.Class{{Limit: -1}}})
	run := tally.Finish(model.Counts{})
	for k, v := range run.Whole {
		key := Key(k)
		switch key {
		case Jobs, Claims, Unfinished, Lost, AtOncePeak, Deferrals, ChecksMaxPerS, RunningMax, Overtaken,
			DispatcherPolls, WorkerPolls, PromotedMaxPerS:
			if v != 0 {
				t.Errorf("%s = %v, want 0", key, v)
			}
		default:
			if present(v) {
				t.Errorf("%s = %v, want none", key, v)
			}
		}
	}
	if run.BoundBy != ByArrivals {
		t.Errorf("bound by %s, want arrivals", run.BoundBy)
	}
}

// Ids that come before the first one seen, as from two writers, are known too.
func TestOlderIdsComeLater(t *testing.T) {
	var w waiting
	w.add(1000, 3)
	w.add(10, 200)
	if w.remove(209, 1) != true || w.remove(10, 199) != false || w.remove(1000, 1) != false {
		t.Error("jobs 10 to 208 wait before 209; none waits before 10, nor before 1000 once they are gone")
	}
	if w.remove(5000, 1) != true {
		t.Error("1001 waits before 5000, though 5000 never came")
	}
	w.remove(1001, 2)
	w.remove(5000, 1) // the set knows by now that none is older
	w.add(300, 1)
	if w.remove(1002, 1) != true {
		t.Error("300 came late and waits before 1002")
	}
}

// Ends may be told out of order, and so may all else, however far.
func TestTicksOutOfOrder(t *testing.T) {
	s := &model.Scenario{Classes: []model.Class{{Limit: -1}}}
	tally := NewTally(s)
	const n = 200
	tally.Observe(&model.Event{Kind: model.Enqueued, Job: 0, N: n})
	for i := range n {
		at := gcra.Instant(n-i) * 100 * milli
		tally.Observe(&model.Event{Kind: model.Claimed, At: at, Job: int64(i), N: 1})
		tally.Observe(&model.Event{Kind: model.Finished, At: at + 50*milli, Job: int64(i), N: 1})
	}
	w := &tally.Finish(model.Counts{}).Whole
	// Claims at 0.1, 0.2, ... 20.0: any half-open second holds ten.
	if w[MakespanS] != 20 || w[FinishedS] != 20.05 || w[ChecksMaxPerS] != 10 || w[RunningMax] != 1 || w[DrainPerS] != 10 {
		t.Errorf("backwards: %v", w)
	}
}
