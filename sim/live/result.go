package live

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
	"github.com/ratesim/ratesim/sim/measure"
)

// result reads what happened from the database.
func (r *runner) result(ctx context.Context, length time.Duration) (*Result, error) {
	out := &Result{Scenario: r.s, Delays: &r.delays, Dispatchers: r.dspP.list(), Workers: r.wrkP.list(), Length: length}
	var err error
	if out.Where, err = r.q.Where(ctx); err != nil {
		return nil, err
	}
	out.Drained = out.Where.Waiting() == 0 && out.Where.Claimed == 0
	events, err := Events(ctx, r.q, r.s)
	if err != nil {
		return nil, err
	}
	tally := measure.NewTally(r.s)
	counts := model.Counts{Drained: out.Drained, Queries: r.q.Queries(), End: gcra.Instant(length)}
	for _, w := range r.s.Workers {
		counts.Threads += w.Threads
	}
	claimed := map[int64]gcra.Instant{}
	for i := range events {
		e := &events[i]
		tally.Observe(e)
		switch e.Kind {
		case model.Claimed:
			claimed[e.Job] = e.At
		case model.Finished:
			counts.Busy += e.At.Sub(claimed[e.Job])
			if out.Drained {
				counts.End = e.At
			}
		}
	}
	counts.DispatcherPolls = int64(len(r.delays.Of(sqlite.Dispatched)) + len(r.delays.Of(sqlite.NoneDue)))
	counts.WorkerPolls = r.delays.polls
	out.Run = tally.Finish(counts)
	return out, nil
}

// Events are what happened in a queue, job by job, in order of time: what a
// probe of a simulation of the scenario would see, promotions left out.
func Events(ctx context.Context, q *sqlite.Queue, s *model.Scenario) ([]model.Event, error) {
	var events []model.Event
	came := map[int64]gcra.Instant{}
	err := q.Jobs(ctx, func(j sqlite.Job) error {
		came[j.Job] = j.Came
		if j.Class < 0 {
			return nil
		}
		limit := s.Classes[j.Class].Limit
		events = append(events, model.Event{Kind: model.Enqueued, At: j.Came, Class: j.Class, Limit: limit, Job: j.Job, N: 1})
		if j.Finished != gcra.Never {
			events = append(events, model.Event{Kind: model.Finished, At: j.Finished, Class: j.Class, Limit: limit, Job: j.Job, N: 1})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, err = q.Decisions(ctx, 0, func(d sqlite.Decision) error {
		if d.Class < 0 {
			return nil
		}
		e := model.Event{Kind: model.Claimed, At: d.At, Class: d.Class, Limit: d.Limit, Job: d.Job, N: 1}
		if d.Claimed {
			e.Since = came[d.Job]
		} else {
			e.Kind, e.Next = model.Deferred, d.Next
		}
		events = append(events, e)
		return nil
	})
	slices.SortStableFunc(events, func(a, b model.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(rank(a.Kind), rank(b.Kind)))
	})
	return events, err
}

// rank is the order of what happens at one instant: as in a simulation.
func rank(k model.Kind) int {
	switch k {
	case model.Enqueued:
		return 0
	case model.Finished:
		return 1
	}
	return 2
}
