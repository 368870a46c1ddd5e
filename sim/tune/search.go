package tune

import (
	"context"
	"slices"
	"sort"

	"github.com/ratesim/ratesim/model/analytic"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

const (
	// allUpTo is how many bursts are simply all tried.
	allUpTo = 12
	// Tie is how much slower than the fastest a drain may be to be called as
	// fast.
	Tie = 0.01
	// freshFirst is the number of the first replication that confirms: the
	// search never gets there.
	freshFirst = 1 << 20
)

// search tries the bursts of one question on one set of draws.
type search struct {
	q       *Question
	pool    *sim.Pool
	backlog int
	first   int // the number of the first replication
	tried   map[int]*sim.Experiment
	from    int
	to      int
	alone   bool // nothing is asked but the suggested burst
}

func newSearch(q *Question, pool *sim.Pool, first int) *search {
	l := q.limit()
	s := &search{q: q, pool: pool, backlog: q.backlog(), first: first, tried: map[int]*sim.Experiment{}, from: max(q.From, 1), to: l.To}
	if q.To > 0 {
		s.to = min(s.to, q.To)
	}
	if q.AtOnce > 0 {
		s.to = min(s.to, q.AtOnce)
	}
	// With less the interval would be under its least.
	s.from = max(s.from, min(analytic.Least(l.To, l.Per), s.to))
	return s
}

// try runs bursts that were not run yet, until their drains are known.
func (s *search) try(ctx context.Context, bursts ...int) error {
	var open []*sim.Experiment
	for _, b := range bursts {
		if b < s.from || b > s.to || s.tried[b] != nil {
			continue
		}
		e := s.pool.Add(s.q.with(b, s.backlog), sim.Options{Seed: s.q.Seed, Runs: s.q.Runs, First: s.first, Progress: s.q.Progress})
		s.tried[b] = e
		open = append(open, e)
	}
	return s.settle(ctx, open)
}

// settle runs experiments until each has the replications it wants, and more
// if whether it keeps up still hangs on chance.
func (s *search) settle(ctx context.Context, open []*sim.Experiment) error {
	for {
		var more []*sim.Experiment
		n := sim.MostRuns
		for _, e := range open {
			w := e.Wanted()
			if have := len(e.Runs); w == have && s.q.Runs == 0 && have < sim.MostRuns && s.unsure(e) {
				w = min(have+have/2, sim.MostRuns)
			}
			if w > len(e.Runs) {
				more = append(more, e)
				n = min(n, w)
			}
		}
		if len(more) == 0 {
			return nil
		}
		if s.q.Runs > 0 {
			n = s.q.Runs
		}
		if err := s.pool.Extend(ctx, more, n); err != nil {
			return err
		}
	}
}

func ratio(e *sim.Experiment) measure.Stat {
	return measure.Mean(measure.Column(e.Runs, measure.Place{Key: measure.DrainRatio}))
}

// unsure is true when the interval of the drain ratio holds the bound.
func (s *search) unsure(e *sim.Experiment) bool {
	r := ratio(e)
	return r.N > 0 && r.Low < s.q.KeepUp && s.q.KeepUp < r.High
}

func (s *search) keepsUp(b int) bool {
	r := ratio(s.tried[b])
	return r.N > 0 && r.Value >= s.q.KeepUp
}

func (s *search) drain(b int) float64 {
	return measure.Mean(measure.Column(s.tried[b].Runs, measure.Place{Key: measure.DrainPerS})).Value
}

// bursts are those tried, in order.
func (s *search) bursts() []int {
	var bs []int
	for b := range s.tried {
		bs = append(bs, b)
	}
	sort.Ints(bs)
	return bs
}

// cover tries as many bursts as it takes to know the smallest that keeps up
// and the fastest.
func (s *search) cover(ctx context.Context) error {
	if s.to-s.from < allUpTo {
		all := make([]int, 0, allUpTo)
		for b := s.from; b <= s.to; b++ {
			all = append(all, b)
		}
		return s.try(ctx, all...)
	}
	if err := s.narrow(ctx, s.from, s.from+1); err != nil {
		return err
	}
	return s.bracketFastest(ctx)
}

// narrow tries only the bursts it takes to know the smallest that keeps up,
// beginning where formulas put it, and others that are asked for. If none
// keeps up it covers them all.
func (s *search) narrow(ctx context.Context, others ...int) error {
	l := s.q.limit()
	thumb, _ := s.q.Thumb()
	best := analytic.BestPolled(l.To, l.Per, s.q.period())
	first := append(others, thumb-1, thumb, best-1, best)
	for i := range first {
		first[i] = min(max(first[i], s.from), s.to)
	}
	slices.Sort(first)
	if err := s.try(ctx, slices.Compact(first)...); err != nil {
		return err
	}
	if s.smallest() == 0 {
		if err := s.try(ctx, s.to); err != nil {
			return err
		}
	}
	if err := s.bracketKeeping(ctx); err != nil {
		return err
	}
	if s.smallest() == 0 && len(others) == 0 {
		return s.cover(ctx)
	}
	return nil
}

// smallest is the smallest burst tried that keeps up; 0: none.
func (s *search) smallest() int {
	for _, b := range s.bursts() {
		if s.keepsUp(b) {
			return b
		}
	}
	return 0
}

// bracketKeeping halves the gap below the smallest burst that keeps up.
func (s *search) bracketKeeping(ctx context.Context) error {
	for {
		low, high := s.from-1, s.smallest()
		for _, b := range s.bursts() {
			if b < high {
				low = b
			}
		}
		if high == 0 || high-low <= 1 {
			return nil
		}
		if err := s.try(ctx, (low+high)/2); err != nil {
			return err
		}
	}
}

// bracketFastest halves the gaps on both sides of the fastest burst so far,
// until its neighbours are known.
func (s *search) bracketFastest(ctx context.Context) error {
	for {
		bs := s.bursts()
		i := 0
		for k := range bs {
			if s.drain(bs[k]) > s.drain(bs[i]) {
				i = k
			}
		}
		var next []int
		if i > 0 && bs[i]-bs[i-1] > 1 {
			next = append(next, (bs[i]+bs[i-1])/2)
		}
		if i+1 < len(bs) && bs[i+1]-bs[i] > 1 {
			next = append(next, (bs[i]+bs[i+1])/2)
		}
		if len(next) == 0 {
			return nil
		}
		if err := s.try(ctx, next...); err != nil {
			return err
		}
	}
}

// fastest is the burst that drains fastest, and all that are as fast, by
// paired runs; the smallest of them is named.
func (s *search) fastest() (int, []int) {
	bs := s.bursts()
	best := bs[0]
	for _, b := range bs {
		if s.drain(b) > s.drain(best) {
			best = b
		}
	}
	var ties []int
	drain := measure.Place{Key: measure.DrainPerS}
	for _, b := range bs {
		n := min(len(s.tried[b].Runs), len(s.tried[best].Runs))
		d := measure.Compare(s.tried[best].Runs[:n], s.tried[b].Runs[:n], drain, drain)
		if b == best || d.Delta.Value >= -Tie*d.A.Value {
			ties = append(ties, b)
		}
	}
	return ties[0], ties
}

// suggested is the smallest burst that keeps up, or the fastest if none does.
func (s *search) suggested() (burst int, keeps bool) {
	if b := s.smallest(); b > 0 {
		return b, true
	}
	b, _ := s.fastest()
	return b, false
}
