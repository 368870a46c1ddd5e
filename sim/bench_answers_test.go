package sim_test

import (
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// drain is a backlog under one limit that is drained by two loops on a fixed
// grid: nothing is drawn, so its answer is known to the nanosecond.
func drain(jobs int) *model.Scenario {
	zero := time.Duration(0)
	return &model.Scenario{
		Name:        "drain",
		System:      model.Polls,
		Limits:      []model.Limit{{Name: "limit", Limit: gcra.Limit{To: 110, Per: time.Second, Burst: 20}, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "Job", Backlog: jobs, Queue: "default", Takes: model.Const(50 * time.Millisecond)}},
		Dispatchers: []model.Dispatcher{{Interval: 100 * time.Millisecond, Batch: 500, Phase: &zero}},
		Workers: []model.Worker{{Queues: []string{"*"}, Threads: 50, Processes: 1,
			Interval: 100 * time.Millisecond, Phase: &zero}},
		Rules: model.Rules{Wake: model.WakeNever, DispatchAgain: model.AgainNever, Grid: true, ClaimsAgain: 4,
			Wait: model.Wait{Kind: model.WaitSlots}},
	}
}

// The answers come from programs that share nothing with this one: an event
// list, rings and arithmetic on runs of jobs, seven engines in all.
var drainAnswers = []struct {
	jobs              int
	end               time.Duration
	checks, deferrals int64
	polls             int64
	plain             bool // a million jobs are checked 16 million times: too slow one by one
}{
	{1_000, 10850 * time.Millisecond, 1_980, 980, 109, true},
	{10_000, 109750 * time.Millisecond, 19_980, 9_980, 1_098, true},
	{100_000, 1098850 * time.Millisecond, 322_787, 222_787, 10_989, true},
	{1_000_000, 10989850 * time.Millisecond, 16_277_018, 15_277_018, 109_899, false},
}

func TestDrainAnswersPlain(t *testing.T) {
	for _, a := range drainAnswers {
		if !a.plain || testing.Short() && a.jobs > 10_000 {
			continue
		}
		counts, events := runPlain(drain(a.jobs), 1, 0)
		var got tally
		for _, l := range events {
			got.add(l.kind, l.at, 1)
		}
		checkDrain(t, a.jobs, got, counts, a.end, a.checks, a.deferrals, a.polls)
	}
}

func TestDrainAnswersEngine(t *testing.T) {
	for _, a := range drainAnswers {
		var got tally
		counts := simulate(t, drain(a.jobs), 1, 0, &got)
		checkDrain(t, a.jobs, got, counts, a.end, a.checks, a.deferrals, a.polls)
		if counts.End != gcra.Instant(a.end) {
			t.Errorf("%d jobs: the run ends at %d, want %d", a.jobs, counts.End, int64(a.end))
		}
	}
}

func checkDrain(t *testing.T, jobs int, got tally, c model.Counts, end time.Duration, checks, deferrals, polls int64) {
	t.Helper()
	if got.ended != gcra.Instant(end) || got.claims+got.deferrals != checks || got.deferrals != deferrals {
		t.Errorf("%d jobs: ended at %d, %d checks, %d deferrals, want %d, %d, %d",
			jobs, got.ended, got.claims+got.deferrals, got.deferrals, int64(end), checks, deferrals)
	}
	if c.DispatcherPolls != polls || c.WorkerPolls != polls || !c.Drained {
		t.Errorf("%d jobs: %d dispatcher polls, %d worker polls, drained %v, want %d of each and drained",
			jobs, c.DispatcherPolls, c.WorkerPolls, c.Drained, polls)
	}
}

// tally counts events without keeping them.
type tally struct {
	claims, deferrals int64
	ended             gcra.Instant
}

func (c *tally) Observe(e *model.Event) { c.add(e.Kind, e.At, e.N) }

func (c *tally) add(kind model.Kind, at gcra.Instant, n int) {
	switch kind {
	case model.Claimed:
		c.claims += int64(n)
	case model.Deferred:
		c.deferrals += int64(n)
	case model.Finished:
		c.ended = max(c.ended, at)
	}
}
