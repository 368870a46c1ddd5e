package redis

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// Result is what happened.
type Result struct {
	Scenario *model.Scenario
	Run      *measure.Run
	Events   []model.Event // in order of time
	Starts   []Start
	Counts   Counts
	Jobs     Jobs
	Delays   Delays
	Drained  bool
	Length   time.Duration
}

// Jobs is where the jobs were at the end.
type Jobs struct {
	Came, Finished, Failed, Dropped int64
	Ready, Delayed, Reserved        int64 // in Redis
	Lost                            int64 // nowhere
}

// Delays are what the run cost.
type Delays struct {
	Trips     []time.Duration // of each command, there and back
	Overshoot []time.Duration // by how much the loops' sleeps were too long
	Late      []time.Duration // by how much jobs, and waits in a worker, were
	Offset    time.Duration   // by how much Redis' clock is ahead of ours
}

// result adds up what the book says. Where Redis is gone, so are its numbers.
func (r *runner) result(ctx context.Context, length time.Duration, ended error) *Result {
	b := r.book
	out := &Result{Scenario: r.s, Length: length, Drained: b.left == 0 && ended == nil, Starts: b.starts, Events: b.events, Counts: b.counts}
	for _, w := range r.workers {
		out.Counts.RoundTrips += w.c.trips.Load()
		out.Counts.Evals += w.c.evals.Load()
		out.Delays.Trips = append(out.Delays.Trips, w.c.took...)
	}
	out.Delays.Overshoot, out.Delays.Late, out.Delays.Offset = b.over[inLoop], b.over[inJob], r.clock.ahead
	out.Jobs = b.where
	out.Jobs.Came = int64(len(b.jobs))
	slices.SortStableFunc(out.Events, func(a, b model.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(rank(a.Kind), rank(b.Kind)))
	})
	out.Run = r.tally(out)
	var lost *Lost
	if errors.As(ended, &lost) {
		lost.Jobs = b.left // some that were in hand have ended since
		out.Jobs.Lost = lost.Jobs
		return out
	}
	for _, q := range r.queues {
		ready, delayed, reserved, err := r.feed.size(ctx, q)
		if err == nil {
			out.Jobs.Ready, out.Jobs.Delayed, out.Jobs.Reserved = out.Jobs.Ready+ready, out.Jobs.Delayed+delayed, out.Jobs.Reserved+reserved
		}
	}
	out.Counts.FeedEvals = r.feed.evals.Load()
	return out
}

// tally measures the events as those of a simulation.
func (r *runner) tally(out *Result) *measure.Run {
	tally := measure.NewTally(r.s)
	c := &out.Counts
	counts := model.Counts{
		Drained: out.Drained, Queries: c.RoundTrips, WorkerPolls: c.Pops + c.EmptyPops,
		End: gcra.Instant(out.Length), Busy: r.book.busy, Threads: len(r.workers), Laravel: c.LaravelCounts,
	}
	if r.provider != nil {
		counts.Provider = r.provider.Counts()
	}
	for i := range out.Events {
		e := &out.Events[i]
		tally.Observe(e)
		if out.Drained && (e.Kind == model.Finished || e.Kind == model.Dropped) {
			counts.End = e.At
		}
	}
	return tally.Finish(counts)
}

// rank is the order of what happens at one instant: as in a simulation.
func rank(k model.Kind) int {
	switch k {
	case model.Enqueued:
		return 0
	case model.Finished, model.Retried:
		return 1
	}
	return 2
}
