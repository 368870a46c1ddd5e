package tune

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/ratesim/ratesim/model/analytic"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// MostSlowdown is how much slower claims are tried.
const MostSlowdown = 100

// slowdownStep is how close the two sides of the named slowdown are, and
// quickRuns how many replications narrow it down to that.
const (
	slowdownStep = 1.04
	quickRuns    = 3
)

// Suggest answers a question. When ctx ends it returns the context's error, and
// beside it the answer as far as it got, if any candidate is done.
func Suggest(ctx context.Context, q *Question) (*Answer, error) {
	pool := sim.NewPool(q.Jobs)
	q = q.metered()
	a, err := q.answer(ctx, pool, (*search).cover)
	if err != nil {
		return a, err
	}
	// Where polls are a trifle beside the interval, neither quicker ones nor
	// slower claims change much, and finding that out would take minutes.
	if q.slow(a) {
		return a, nil
	}
	if err := q.nearby(ctx, pool, a); err != nil {
		return a, err
	}
	return a, q.slowdown(ctx, pool, a)
}

// slowPolls is how many polls a drain may take for settings close by to be
// simulated as well.
const slowPolls = 200_000

func (q *Question) slow(a *Answer) bool {
	drain := time.Duration(a.Suggested.Stats[measure.MakespanS].Value * float64(time.Second))
	return q.tooSlow(drain)
}

func (q *Question) tooSlow(drain time.Duration) bool {
	return q.Drain == 0 && drain > slowPolls*min(q.period(), q.worker()*10)
}

// suggestion is the suggested burst alone, as answer finds it too.
func (q *Question) suggestion(ctx context.Context, pool *sim.Pool) (*Finding, error) {
	a, err := q.answer(ctx, pool, func(s *search, ctx context.Context) error {
		s.alone = true
		return s.narrow(ctx)
	})
	if err != nil {
		return nil, err
	}
	return a.Suggested, nil
}

// answer is a search and its confirmation, for one pair of polls.
func (q *Question) answer(ctx context.Context, pool *sim.Pool, look func(*search, context.Context) error) (*Answer, error) {
	s := newSearch(q, pool, 0)
	err := look(s, ctx)
	if err == nil && q.Runs == 0 {
		err = s.confirm(ctx)
	}
	if s.forgetUndone(); len(s.tried) == 0 {
		return nil, err
	}
	a := &Answer{Backlog: s.backlog}
	burst, keeps := s.suggested()
	fastest, ties := s.fastest()
	a.KeepsUp, a.Ties = keeps, ties
	for _, b := range s.bursts() {
		f := s.finding(b)
		a.Candidates = append(a.Candidates, f)
		if b == burst {
			a.Suggested = f
		}
		if b == fastest {
			a.Fastest = f
		}
	}
	return a, err
}

// forgetUndone drops candidates without an interval: the search was
// interrupted before they had one.
func (s *search) forgetUndone() {
	for b, e := range s.tried {
		if len(e.Runs) < 2 && s.q.Runs != 1 {
			delete(s.tried, b)
		}
	}
}

// confirm looks again, with draws that the search never saw, at what it would
// name: the bursts around the suggested one and the fastest ones. Should that
// move the answer, the bursts around the new one are looked at again too.
func (s *search) confirm(ctx context.Context) error {
	fresh := newSearch(s.q, s.pool, freshFirst)
	for {
		burst, keeps := s.suggested()
		near := []int{burst - 1, burst}
		if !s.alone || !keeps {
			fastest, ties := s.fastest()
			near = append(append(near, burst+1, fastest), ties...)
		}
		slices.Sort(near)
		known := len(fresh.tried)
		var again []int
		for _, b := range slices.Compact(near) {
			if s.tried[b] != nil {
				again = append(again, b)
			}
		}
		if err := fresh.try(ctx, again...); err != nil {
			return err
		}
		if len(fresh.tried) == known {
			return nil
		}
		for b, e := range fresh.tried {
			s.tried[b] = e
		}
	}
}

// finding is a burst that was tried.
func (s *search) finding(b int) *Finding {
	e := s.tried[b]
	sum := measure.Combine(e.Scenario, e.Runs)
	return &Finding{Limit: e.Scenario.Limits[0].Limit, Runs: e.Runs, Stats: sum.Whole, BoundBy: sum.BoundBy, KeepsUp: s.keepsUp(b), Unsure: s.unsure(e)}
}

// intervals that people set.
var intervals = []time.Duration{5 * time.Second, 2 * time.Second, time.Second, 500 * time.Millisecond,
	200 * time.Millisecond, 100 * time.Millisecond, 50 * time.Millisecond, 20 * time.Millisecond, 10 * time.Millisecond}

// shorter are the first n intervals below d.
func shorter(d time.Duration, n int) (out []time.Duration) {
	for _, i := range intervals {
		if i < d && len(out) < n {
			out = append(out, i)
		}
	}
	return out
}

// nearby answers the question for polls close by; for a drain that is asked
// for, as many as it takes.
func (q *Question) nearby(ctx context.Context, pool *sim.Pool, a *Answer) error {
	d, w := q.period(), q.worker()
	type pair struct{ d, w time.Duration }
	var pairs []pair
	workers := []time.Duration{w}
	if usual := 100 * time.Millisecond; w > usual {
		workers = append(workers, usual)
		pairs = append(pairs, pair{d, usual})
	}
	most := 2
	if q.Drain > 0 {
		most = len(intervals)
	}
	for _, shorter := range shorter(d, most) {
		for _, w := range workers {
			pairs = append(pairs, pair{shorter, w})
		}
	}
	reaches := func(f *Finding) bool { return f.DrainPerS().Value >= q.Drain }
	if q.Drain > 0 && reaches(a.Suggested) {
		a.Reach = &Nearby{d, w, a.Suggested}
	}
	for _, p := range pairs {
		f, err := q.polling(p.d, p.w).suggestion(ctx, pool)
		if err != nil {
			return err
		}
		n := Nearby{p.d, p.w, f}
		if q.Drain > 0 && reaches(n.Suggested) && (a.Reach == nil || n.QueriesPerS() < a.Reach.QueriesPerS()) {
			a.Reach = &n
		}
		// Only what is better by more than chance is worth a line.
		if n.Suggested.DrainPerS().Low > a.Suggested.DrainPerS().High*(1+Tie) {
			a.Nearby = append(a.Nearby, n)
		}
	}
	return nil
}

// slowdown finds how much slower claims may get before the answer changes: a
// quick search brackets it, and the full answer is asked on both sides.
func (q *Question) slowdown(ctx context.Context, pool *sim.Pool, a *Answer) error {
	if q.Setting.Timing.Claim.Mean(1) == 0 || q.From > 0 || len(a.Candidates) < 2 {
		return nil
	}
	burst := a.Suggested.Limit.Burst
	quick := func(f float64) (bool, error) {
		s := newSearch(q.claiming(f), pool, freshFirst)
		short := *s.q
		short.Runs = quickRuns
		s.q = &short
		if err := s.try(ctx, burst-1, burst); err != nil {
			return false, err
		}
		below := s.tried[burst-1] != nil && s.keepsUp(burst-1)
		return s.keepsUp(burst) == a.KeepsUp && !below, nil
	}
	full := func(f float64) (int, bool, error) {
		o, err := q.claiming(f).suggestion(ctx, pool)
		if err != nil {
			return 0, false, err
		}
		return o.Limit.Burst, o.Limit.Burst == burst, nil
	}
	low, high := 1.0, 0.0
	for f := 2.0; high == 0; f = min(2*f, MostSlowdown) {
		same, err := quick(f)
		if err != nil {
			return err
		}
		switch {
		case !same:
			high = f
		case f == MostSlowdown:
			a.Slowdown = Slowdown{Keeps: MostSlowdown, Claim: q.claiming(MostSlowdown).Setting.Timing.Claim}
			return nil
		default:
			low = f
		}
	}
	for high > low*slowdownStep {
		f := low + (high-low)/2
		same, err := quick(f)
		if err != nil {
			return err
		}
		if same {
			low = f
		} else {
			high = f
		}
	}
	low, high = math.Floor(low*100)/100, math.Ceil(high*100)/100
	for low > 1 {
		_, same, err := full(low)
		if err != nil {
			return err
		}
		if same {
			break
		}
		high = low
		low = max(1, math.Floor(low/slowdownStep*100)/100)
	}
	for {
		other, same, err := full(high)
		if err != nil {
			return err
		}
		if !same {
			a.Slowdown = Slowdown{Keeps: low, Changes: high, Burst: other,
				Claim: q.claiming(low).Setting.Timing.Claim, Over: q.claiming(high).Setting.Timing.Claim}
			return nil
		}
		low, high = high, math.Ceil(high*slowdownStep*100)/100
		if high > MostSlowdown {
			a.Slowdown = Slowdown{Keeps: low, Claim: q.claiming(low).Setting.Timing.Claim}
			return nil
		}
	}
}

// Thumb is the rule of thumb's burst for the question, and whether the limit
// has as many.
func (q *Question) Thumb() (burst int, fits bool) {
	return analytic.RuleOfThumb(q.limit().To, q.limit().Per, q.period()+q.worker())
}
