package sim_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
)

// TestAgree holds the engine to the plain simulation, event for event and poll
// for poll.
func TestAgree(t *testing.T) {
	seeds := uint64(2500)
	if testing.Short() {
		seeds = 500
	}
	for seed := range seeds {
		agree(t, seed)
	}
}

func FuzzAgree(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(agree)
}

func agree(t *testing.T, seed uint64) {
	s := randomScenario(seed)
	run := int(seed % 4)
	wantCounts, want := runPlain(s, seed, run)
	gotCounts, got := runEngine(t, s, seed, run)
	// The lock is held while jobs and polls take or wait: never where nothing
	// costs any time.
	costs := s.Timing.JobCPU.Mean(1) + s.Timing.Claim.Mean(1) + s.Timing.EmptyClaim.Mean(1) + s.Timing.Dispatch.Mean(1) + s.Timing.EmptyDispatch.Mean(1)
	if costs == 0 && gotCounts.LockBusy != 0 {
		t.Errorf("seed %d: nothing costs time, yet the lock was held for %v\n%s", seed, gotCounts.LockBusy, compact(s))
	}
	inOrder(want)
	inOrder(got)
	if d := difference(got, want); d != "" {
		t.Errorf("seed %d: %s\n%s", seed, d, compact(s))
	} else if g, w := polls(gotCounts), polls(wantCounts); g != w && !wantCounts.Stalled {
		// When a stalled run notices it is nobody's business.
		t.Errorf("seed %d: the engine counts %s, the plain simulation %s\n%s", seed, g, w, compact(s))
	}
}

func polls(c model.Counts) string {
	return fmt.Sprintf("%d dispatcher polls, %d worker polls, %d threads, drained %v, stalled %v, growing %v",
		c.DispatcherPolls, c.WorkerPolls, c.Threads, c.Drained, c.Stalled, c.Growing)
}

// runEngine is one run of s on the real engine, logged job by job.
func runEngine(t testing.TB, s *model.Scenario, seed uint64, run int) (model.Counts, []line) {
	t.Helper()
	var p log
	c := simulate(t, s, seed, run, &p)
	return c, p
}

// simulate is one run of s on the real engine. One that doesn't end is a
// failure that names its scenario, not a test that hangs.
func simulate(t testing.TB, s *model.Scenario, seed uint64, run int, probe model.Probe) model.Counts {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	c, err := sim.NewMachine(s).RunUntil(ctx, seed, run, probe)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, compact(s))
	}
	return c
}

// log is a probe that keeps every event of every job.
type log []line

func (p *log) Observe(e *model.Event) {
	e.Each(func(e model.Event) {
		l := line{kind: e.Kind, at: e.At, class: e.Class, limit: e.Limit, job: e.Job}
		switch e.Kind {
		case model.Deferred:
			l.next = e.Next
		case model.Claimed:
			l.since = e.Since
		}
		*p = append(*p, l)
	})
}

// inOrder sorts by time, keeping the order of what happened at one instant: a
// transaction is told as a whole, and what it decides and what it commits lie
// at different times.
func inOrder(l []line) {
	slices.SortStableFunc(l, func(a, b line) int { return cmp.Compare(a.at, b.at) })
}

// difference shows the first line in which two logs differ, with what comes
// before and after it on both sides; "" if none does.
func difference(got, want []line) string {
	for i := range max(len(got), len(want)) {
		if i < len(got) && i < len(want) && got[i] == want[i] {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "event %d differs (engine %d events, plain %d)\n", i, len(got), len(want))
		for _, side := range []struct {
			name string
			log  []line
		}{{"engine", got}, {"plain", want}} {
			fmt.Fprintf(&b, "%s:\n", side.name)
			for k := max(0, i-3); k < min(i+4, len(side.log)); k++ {
				mark := "   "
				if k == i {
					mark = " > "
				}
				fmt.Fprintf(&b, "%s%v\n", mark, side.log[k])
			}
		}
		return b.String()
	}
	return ""
}

var kinds = [...]string{"enqueued", "promoted", "claimed", "deferred", "dropped", "finished"}

func (l line) String() string {
	s := fmt.Sprintf("%-8s at %d class %d limit %d job %d", kinds[l.kind], int64(l.at), l.class, l.limit, l.job)
	switch l.kind {
	case model.Deferred:
		s += fmt.Sprintf(" next %d", int64(l.next))
	case model.Claimed:
		s += fmt.Sprintf(" since %d", int64(l.since))
	}
	return s
}
