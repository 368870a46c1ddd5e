package tune

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// Contest looks for the cheapest of many settings whose expectations hold,
// without running them all as often as it would take to tell them apart.
//
// It halves, and halves again: a run of each, then more of those that look
// cheap, all on common random numbers. The last few run on draws the search
// never saw, since the draws that chose them favour them, and until the
// intervals of the paired differences tell: worse, tied within [Tie], or not
// told apart. Karnin, Koren and Somekh (2013) have the halving, Kim and Nelson
// (2001) the end, here with 95 % for each pair.
type Contest struct {
	Settings []*model.Scenario
	Cost     []Term
	Seed     uint64
	Jobs     int // how many run side by side
	Progress func(done, total int)
}

// Term is a part of what a setting costs: so much for each unit of a key.
type Term struct {
	Price float64
	Key   string // of a summary, such as wait_p95_s or LIMIT.drain_per_s
}

// Standing is how a finalist stands to the best.
type Standing string

// The standings. Several may be as good as the best: it is only the first of
// them.
const (
	Best   Standing = "best"
	Tied   Standing = "tied"   // within Tie of the best, and shown to be
	Unsure Standing = "unsure" // not told apart from the best
	Worse  Standing = "worse"
	Broken Standing = "broken" // an expectation fails, or can't be decided
)

// Finalist is a setting that was looked at to the end.
type Finalist struct {
	Index    int // into Settings
	Runs     []*measure.Run
	Cost     measure.Stat
	Behind   measure.Stat // its cost less that of the best, run by run
	Standing Standing
}

// Ranking is the outcome of a contest.
type Ranking struct {
	Finalists []Finalist // the best first; none is Best if all are Broken
	Hopeless  int        // settings that were left out by formula
	Runs      int        // replications in all
}

// A contest's measures: few runs while many settings are left, and enough at
// the end for an interval.
const (
	finalists  = 5
	finalFirst = 20 // of each finalist, and at most so many more at a time: a bad run in ten may be unseen in ten
	finalRuns  = 30 // of each finalist on average
	// near is how far from a bound a few runs may be and still count as within.
	near = 0.02
)

// Check says why a contest can't be held.
func (c *Contest) Check() error {
	if len(c.Settings) == 0 || len(c.Cost) == 0 {
		return errors.New("nothing to compare")
	}
	for _, s := range c.Settings {
		for _, t := range c.Cost {
			if _, err := measure.Find(s, t.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

// Hold holds the contest.
func (c *Contest) Hold(ctx context.Context) (*Ranking, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := &Ranking{}
	field := c.field(r)
	h := &hall{Contest: c, pool: sim.NewPool(c.Jobs), left: expected(len(field))}
	for runs := 1; len(field) > finalists; runs *= 2 {
		for _, x := range field {
			if x.e == nil || runs == 2 { // after a short look
				x.e = h.pool.Add(x.length(runs), sim.Options{Seed: c.Seed, Runs: runs, Progress: h.told})
			}
		}
		if err := h.run(ctx, field, runs); err != nil {
			return nil, err
		}
		for _, x := range field {
			x.look(c)
		}
		slices.SortStableFunc(field, byLooks)
		field = field[:kept(len(field), runs)]
	}
	if err := h.final(ctx, field); err != nil {
		return nil, err
	}
	for _, x := range field {
		r.Finalists = append(r.Finalists, *x.Finalist)
	}
	r.Runs = h.done
	return r, nil
}

// kept is how many of n go on after so many runs of each: half after the
// first, which is little to go by, then a third, and half again of those that
// are left, which are close: with a third there the best was lost in one search
// of twelve.
func kept(n, runs int) int {
	if runs == 2 {
		return max(n/3, finalists)
	}
	return max(n/2, finalists)
}

// expected is about how many replications a field of n takes.
func expected(n int) int {
	sum := finalists * finalRuns
	for runs := 1; n > finalists; runs *= 2 {
		sum += n * max(runs/2, 1)
		n = kept(n, runs)
	}
	return sum
}

// hall is where a contest is held.
type hall struct {
	*Contest
	pool *sim.Pool
	mu   sync.Mutex
	done int
	left int
}

// told counts a replication. The total is a guess that may prove too low.
func (h *hall) told(int, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done++
	h.left = max(h.left-1, 0)
	if h.Progress != nil {
		h.Progress(h.done, h.done+h.left)
	}
}

// run brings all to n replications.
func (h *hall) run(ctx context.Context, field []*entrant, n int) error {
	all := make([]*sim.Experiment, len(field))
	for i, x := range field {
		all[i] = x.e
	}
	return h.pool.Extend(ctx, all, n)
}

// final runs the finalists on fresh draws until it is told how each stands, or
// the runs are used up. Those still open have equally many: a mean over other
// draws must not win. Who is out stays out.
func (h *hall) final(ctx context.Context, field []*entrant) error {
	for _, x := range field {
		x.e = h.pool.Add(x.s, sim.Options{Seed: h.Seed, Runs: finalRuns, First: freshFirst, Progress: h.told})
		x.Standing = Unsure
	}
	open, left := slices.Clone(field), finalRuns*len(field)
	for n, more := finalFirst, finalFirst; ; n += more {
		if err := h.run(ctx, open, n); err != nil {
			return err
		}
		left -= more * len(open)
		for _, x := range open {
			x.Runs = x.e.Runs
			x.Cost = measure.Mean(x.costs(h.Cost, x.Runs))
			x.score, x.Standing = x.Cost.Value, x.expected()
		}
		slices.SortStableFunc(open, byStanding)
		for _, x := range open[1:] {
			x.stand(h.Contest, open[0])
		}
		out := func(x *entrant) bool { return x.Standing == Worse || x.Standing == Broken }
		decided := !open[0].undecided && !slices.ContainsFunc(open[1:], func(x *entrant) bool { return x.Standing == Unsure })
		if rest := slices.DeleteFunc(slices.Clone(open), out); len(rest) > 0 {
			open = rest
		}
		if more = min(finalFirst, left/len(open)); decided || more == 0 {
			break
		}
	}
	// One whose expectations can't be decided has not been shown to hold them.
	for _, x := range field {
		if x.undecided {
			x.Standing = Broken
		}
	}
	order := map[Standing]int{Unsure: 0, Tied: 0, Worse: 1, Broken: 2}
	slices.SortStableFunc(field, func(a, b *entrant) int {
		return cmp.Or(cmp.Compare(order[a.Standing], order[b.Standing]), cmp.Compare(a.score, b.score))
	})
	if best := field[0]; best.Standing != Broken {
		best.Standing, best.Behind = Best, measure.Stat{N: len(best.Runs)}
		for _, x := range field[1:] {
			x.stand(h.Contest, best)
		}
	}
	return nil
}
