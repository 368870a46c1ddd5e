package sim_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// small is Solid Queue with its own habits and no costs: one class, one limit,
// one dispatcher at its phase, one worker of three threads from 0.
func small(l gcra.Limit, backlog int, takes, phase time.Duration) *model.Scenario {
	zero := time.Duration(0)
	return &model.Scenario{
		Name:        "small",
		System:      model.SolidQueue,
		Limits:      []model.Limit{{Name: "limit", Limit: l, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "Job", Backlog: backlog, Queue: "default", Takes: model.Const(takes)}},
		Dispatchers: []model.Dispatcher{{Interval: time.Second, Batch: 500, Phase: &phase}},
		Workers: []model.Worker{{Queues: []string{"*"}, Threads: 3, Processes: 1,
			Interval: 100 * time.Millisecond, Phase: &zero}},
		Rules: model.Rules{Wake: model.WakeOnFinish, DispatchAgain: model.AgainNonempty, ClaimsAgain: 5,
			Wait: model.Wait{Kind: model.WaitSlots}},
	}
}

// TestByHand is six jobs, to 2 per 1s, burst 1 (one every 0.5s), dispatcher
// every 1s from 0.3s, worker every 0.1s from 0, jobs of 50ms, worked out with
// pencil and paper. The dispatcher brings back two jobs at each poll, one
// passes: it drains at half the rate that was declared.
//
//	0.00  W1  looks at 1 2 3: 1 passes (TAT 0.5), 2 and 3 get slots 0.5 and 1.0;
//	          again, 2 threads are idle: 4 and 5 get 1.5 and 2.0; again: 6 gets
//	          2.5; again: nothing there. It sleeps till 0.10,
//	0.05  W2  but 1 ends and wakes it: nothing. Then 0.15, 0.25 … 1.25: W3-W14
//	0.30  D1  nothing is due
//	1.30  D2  2 and 3 are due; D3 at once: nothing more
//	1.35  W15 2 passes (TAT 1.85), 3 gets slot 3.0, one after 6's
//	1.40  W16 2 ended. Then 1.50 … 2.20: W17-W24
//	2.30  D4  4 (1.5) and 5 (2.0) are due; D5: nothing more
//	2.30  W25 sees them: 4 passes (TAT 2.8), 5 gets 3.5
//	2.35  W26 4 ended. Then 2.45 … 3.25: W27-W35
//	3.30  D6  6 (2.5) and 3 (3.0) are due; D7: nothing more
//	3.35  W36 3 goes before 6, for its id is lower: it passes (TAT 3.85), 6 gets 4.0
//	3.40  W37 3 ended. Then 3.50 … 4.20: W38-W45
//	4.30  D8  5 (3.5) and 6 (4.0) are due; D9: nothing more
//	4.30  W46 5 passes (TAT 4.8), 6 gets 4.8, for the budget admits no sooner
//	4.35  W47 5 ended. Then 4.45 … 5.25: W48-W56
//	5.30  D10 6 is due; D11: nothing more
//	5.35  W57 6 passes: nothing waits, the run is over when 6 has ended, at 5.40
func TestByHand(t *testing.T) {
	s := small(gcra.Limit{To: 2, Per: time.Second, Burst: 1}, 6, 50*time.Millisecond, 300*time.Millisecond)
	ms := func(n int) gcra.Instant { return gcra.Instant(n) * gcra.Instant(time.Millisecond) }
	at := func(kind model.Kind, when int, job int64) line { return line{kind: kind, at: ms(when), job: job} }
	later := func(when int, job int64, next int) line {
		return line{kind: model.Deferred, at: ms(when), job: job, next: ms(next)}
	}
	var want []line
	for job := range int64(6) {
		want = append(want, at(model.Enqueued, 0, job+1))
	}
	want = append(want,
		at(model.Claimed, 0, 1), later(0, 2, 500), later(0, 3, 1000), later(0, 4, 1500), later(0, 5, 2000), later(0, 6, 2500),
		at(model.Finished, 50, 1),
		at(model.Promoted, 1300, 2), at(model.Promoted, 1300, 3),
		at(model.Claimed, 1350, 2), later(1350, 3, 3000),
		at(model.Finished, 1400, 2),
		at(model.Promoted, 2300, 4), at(model.Promoted, 2300, 5),
		at(model.Claimed, 2300, 4), later(2300, 5, 3500),
		at(model.Finished, 2350, 4),
		at(model.Promoted, 3300, 6), at(model.Promoted, 3300, 3),
		at(model.Claimed, 3350, 3), later(3350, 6, 4000),
		at(model.Finished, 3400, 3),
		at(model.Promoted, 4300, 5), at(model.Promoted, 4300, 6),
		at(model.Claimed, 4300, 5), later(4300, 6, 4800),
		at(model.Finished, 4350, 5),
		at(model.Promoted, 5300, 6),
		at(model.Claimed, 5350, 6),
		at(model.Finished, 5400, 6),
	)
	for name, simulate := range map[string]func() (model.Counts, []line){
		"plain":  func() (model.Counts, []line) { return runPlain(s, 1, 0) },
		"engine": func() (model.Counts, []line) { return runEngine(t, s, 1, 0) },
	} {
		counts, got := simulate()
		if d := difference(got, want); d != "" {
			t.Errorf("%s against the hand count (shown as plain): %s", name, d)
		}
		if counts.DispatcherPolls != 11 || counts.WorkerPolls != 57 {
			t.Errorf("%s: %d dispatcher polls, %d worker polls, want 11 and 57", name, counts.DispatcherPolls, counts.WorkerPolls)
		}
	}
}

// TestWakeUps: jobs that end while a claim is under way cause one more poll
// when it is over, however many they are.
//
//	0      claims 3 to 5 jobs, which start at 20ms: two of 30ms, the others 40ms
//	50ms   the short ones end and wake the worker: it claims the job that came
//	       at 45ms, until 70ms
//	60ms   the long ones end: latched
//	70ms   one more poll; it finds nothing and sleeps 10s
func TestWakeUps(t *testing.T) {
	for _, long := range []int{0, 1, 2, 3} {
		s := small(gcra.Limit{To: 100, Per: time.Second, Burst: 100}, 0, 0, 0)
		s.Classes = []model.Class{
			{Name: "Short", Limit: -1, Backlog: 2, Takes: model.Const(30 * time.Millisecond)},
			{Name: "Long", Limit: -1, Backlog: long, Takes: model.Const(40 * time.Millisecond)},
			{Name: "Next", Limit: -1, Arrivals: mustArrive("1 at 45ms"), Takes: model.Const(time.Minute)},
		}
		s.Workers[0].Threads, s.Workers[0].Interval = 10, 10*time.Second
		s.Timing.Claim = model.Const(20 * time.Millisecond)
		s.Until = 9 * time.Second
		want := int64(2)
		if long > 0 {
			want = 3
		}
		if counts, _ := runEngine(t, s, 1, 0); counts.WorkerPolls != want {
			t.Errorf("%d jobs end during a poll: %d polls in all, want %d", long, counts.WorkerPolls, want)
		}
		s.Rules.Wake = model.WakeNever
		if counts, _ := runEngine(t, s, 1, 0); counts.WorkerPolls != 1 {
			t.Errorf("nothing wakes the worker: %d polls, want 1", counts.WorkerPolls)
		}
	}
}

// TestWakeUpWaitsForLock: three jobs start at 20, 40 and 60ms, for each needs
// its process's lock for 20ms, and run 5ms. The first end, at 25ms, wakes the
// worker, which gets the lock at 60ms. The second, at 45ms, is latched: the
// sleep had returned before it. The third wakes the worker again.
func TestWakeUpWaitsForLock(t *testing.T) {
	s := small(gcra.Limit{To: 100, Per: time.Second, Burst: 100}, 3, 5*time.Millisecond, 0)
	s.Workers[0].Interval = 10 * time.Second
	s.Timing.JobCPU = model.Const(20 * time.Millisecond)
	s.Until = 8 * time.Second
	// At 0, twice at 60ms and at 65ms.
	if counts, _ := runEngine(t, s, 1, 0); counts.WorkerPolls != 4 {
		t.Errorf("%d polls, want 4", counts.WorkerPolls)
	}
}

// TestVisibleAtCommit: what a dispatch of 250ms moves is claimed by the first
// poll at or after its commit, on either kind of database.
func TestVisibleAtCommit(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		s := small(gcra.Limit{To: 1, Per: 500 * time.Millisecond, Burst: 1}, 2, 10*time.Second, 600*time.Millisecond)
		s.Timing.Dispatch, s.Timing.Parallel = model.Const(250*time.Millisecond), parallel
		_, events := runEngine(t, s, 1, 0)
		last := slices.MaxFunc(events, func(a, b line) int { return cmp.Compare(claimedAt(a), claimedAt(b)) })
		// Job 2 is due at 500ms, moved from 600ms to 850ms. On a serial
		// database the poll at 600ms waits for the write lock, until then.
		want := 850 * time.Millisecond
		if parallel {
			want = 900 * time.Millisecond
		}
		if last.at != gcra.Instant(want) {
			t.Errorf("parallel %v: claimed at %d, want %v", parallel, last.at, want)
		}
	}
}

func claimedAt(l line) gcra.Instant {
	if l.kind != model.Claimed {
		return -1
	}
	return l.at
}

// TestPeriods: an interval starts when the work ends, so with work of 10ms and
// an overshoot of 5ms a loop of 1s polls 100 times in 101.5s.
func TestPeriods(t *testing.T) {
	for _, grid := range []bool{false, true} {
		s := small(gcra.Limit{To: 1, Per: time.Second, Burst: 1}, 0, 0, 0)
		s.Workers[0].Interval = time.Second
		s.Timing.EmptyDispatch, s.Timing.EmptyClaim = model.Const(10*time.Millisecond), model.Const(10*time.Millisecond)
		s.Timing.Overshoot = model.Const(5 * time.Millisecond)
		s.Timing.Parallel = true
		s.Rules.Grid = grid
		s.Until = 101500 * time.Millisecond
		want := int64(100)
		if grid {
			want = 102
		}
		counts, _ := runEngine(t, s, 1, 0)
		if counts.DispatcherPolls != want || counts.WorkerPolls != want {
			t.Errorf("grid %v: %d dispatcher polls, %d worker polls, want %d of each", grid, counts.DispatcherPolls, counts.WorkerPolls, want)
		}
	}
}

// TestNeverEnding: a run that can't drain says why it stopped.
func TestNeverEnding(t *testing.T) {
	s := small(gcra.Limit{To: 1, Per: time.Second, Burst: 1}, 3, 50*time.Millisecond, 0)
	s.Dispatchers = nil
	// What a claim that is under way has taken must not be forgotten.
	for _, claim := range []time.Duration{0, 20 * time.Millisecond} {
		s.Timing.Claim = model.Const(claim)
		counts, events := runEngine(t, s, 1, 0)
		if !counts.Stalled || counts.Drained || counts.Growing {
			t.Errorf("no dispatcher: %s, want stalled", polls(counts))
		}
		if last := events[len(events)-1]; last.kind != model.Finished || last.job != 1 {
			t.Errorf("no dispatcher, claims of %v: the last event is %v, want the end of job 1", claim, last)
		}
	}

	s = small(gcra.Limit{To: 1, Per: time.Second, Burst: 1}, 0, 50*time.Millisecond, 0)
	s.Classes[0].Arrivals = mustArrive("poisson 5/s")
	counts := simulate(t, s, 1, 0, nil)
	if !counts.Growing || counts.Drained || counts.Stalled {
		t.Errorf("five times as many jobs come as may pass: %s, want growing", polls(counts))
	}
}

// TestLastJobsEnd: a run that is drained by a claim that takes time still
// hands over what it claimed, and what the limiter let through, for a thread
// that holds it, between the clock of the claim and its commit.
func TestLastJobsEnd(t *testing.T) {
	for _, kind := range []model.WaitKind{model.WaitSlots, model.WaitHold} {
		s := small(gcra.Limit{To: 2, Per: 500 * time.Millisecond, Burst: 2}, 3, 50*time.Millisecond, 0)
		s.Timing.Claim = model.Const(2 * time.Second)
		s.Rules.Wait.Kind = kind
		_, events := runEngine(t, s, 1, 0)
		claims, ends := 0, 0
		for _, e := range events {
			switch e.kind {
			case model.Claimed:
				claims++
			case model.Finished:
				ends++
			}
		}
		if claims != 3 || ends != 3 {
			t.Errorf("%s: %d claims, %d ends, want 3 of each", kind, claims, ends)
		}
	}
}
