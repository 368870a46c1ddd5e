package tune

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// entrant is a setting in the contest.
type entrant struct {
	*Finalist
	s      *model.Scenario
	e      *sim.Experiment
	places []measure.Place
	score  float64 // what it seems to cost
	broken int     // how many of its expectations seem to fail

	undecided bool // an expectation of a finalist
}

// length is the setting for a first look: where jobs come all the time, a
// quarter of the time tells what is far too dear.
func (x *entrant) length(runs int) *model.Scenario {
	for _, class := range x.s.Classes {
		if _, finite := class.Arrivals.Total(); finite || class.Backlog > 0 {
			return x.s
		}
	}
	if runs > 1 || x.s.Until == 0 {
		return x.s
	}
	short := *x.s
	short.Until /= 4
	return &short
}

// look judges a setting by the few runs it has.
func (x *entrant) look(c *Contest) {
	x.score, x.broken = measure.Mean(x.costs(c.Cost, x.e.Runs)).Value, 0
	if len(x.s.Expect) == 0 {
		return
	}
	sum := measure.Combine(x.s, x.e.Runs)
	for _, e := range x.s.Expect {
		v := measure.Judge(e, sum)
		if v.Outcome != measure.Passed && !measure.Near(e, v.Got, near) {
			x.broken++
		}
	}
}

// byLooks orders settings: those whose expectations seem to hold first, then
// the cheap. One without a value comes last.
func byLooks(a, b *entrant) int {
	switch {
	case a.broken != b.broken:
		return cmp.Compare(a.broken, b.broken)
	case math.IsNaN(a.score) || math.IsNaN(b.score):
		return cmp.Compare(b2i(math.IsNaN(a.score)), b2i(math.IsNaN(b.score)))
	}
	return cmp.Compare(a.score, b.score)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// expected is Broken if an expectation fails, and else Unsure, for now.
func (x *entrant) expected() Standing {
	x.undecided = false
	if x.Cost.N == 0 || math.IsInf(x.Cost.Value, 0) {
		return Broken
	}
	sum := measure.Combine(x.s, x.Runs)
	for _, e := range x.s.Expect {
		switch measure.Judge(e, sum).Outcome {
		case measure.Failed:
			return Broken
		case measure.Undecided:
			x.undecided = true
		}
	}
	return Unsure
}

func byStanding(a, b *entrant) int {
	if x, y := b2i(a.Standing == Broken), b2i(b.Standing == Broken); x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.score, b.score)
}

// stand compares with the best, run by run.
func (x *entrant) stand(c *Contest, best *entrant) {
	if x.Standing == Broken || best.Standing == Broken {
		return
	}
	n := min(len(x.Runs), len(best.Runs))
	deltas := x.costs(c.Cost, x.Runs[:n])
	for i, v := range best.costs(c.Cost, best.Runs[:n]) {
		deltas[i] -= v
	}
	x.Behind = measure.Mean(deltas)
	tie := Tie * math.Abs(best.Cost.Value)
	switch d := x.Behind; {
	case x.Standing == Worse, d.Low > 0 && d.Value > tie:
		x.Standing = Worse
	case d.High <= tie:
		x.Standing = Tied
	default:
		x.Standing = Unsure
	}
}

// field is who takes part: all, but those that can't keep up with what comes,
// if it is the wait that counts. If none can, one of them has to do.
func (c *Contest) field(r *Ranking) []*entrant {
	waits := slices.ContainsFunc(c.Cost, func(t Term) bool { return t.Price > 0 && strings.Contains(t.Key, "wait_") })
	var field, lost []*entrant
	for i, s := range c.Settings {
		x := &entrant{Finalist: &Finalist{Index: i}, s: s}
		for _, t := range c.Cost {
			p, _ := measure.Find(s, t.Key) // checked
			x.places = append(x.places, p)
		}
		if waits && hopeless(s) {
			lost = append(lost, x)
		} else {
			field = append(field, x)
		}
	}
	if len(field) == 0 {
		return lost
	}
	r.Hopeless = len(lost)
	return field
}

// hopeless is true when more jobs come than a limit ever admits, so that they
// wait ever longer.
func hopeless(s *model.Scenario) bool {
	for i, l := range s.Limits {
		if l.Kind != model.GCRA {
			continue
		}
		load := 0.0
		for _, class := range s.Classes {
			if class.Limit == i {
				load += class.Arrivals.PerSecond()
			}
		}
		if load > 0 && load >= l.DrainPerSecond() {
			return true
		}
	}
	return false
}

// costs is what each replication cost. One that leaves so many jobs unclaimed
// that the wait asked for is theirs costs no end: a setting that lets few
// through would look quick by those few.
func (x *entrant) costs(terms []Term, runs []*measure.Run) []float64 {
	out := make([]float64, len(runs))
	for i, run := range runs {
		for k, t := range terms {
			p := x.places[k]
			out[i] += float64(t.Price * run.At(p)) // the conversion keeps it from being fused
			if share, wait := unclaimed[p.Key]; wait {
				jobs, claims := p, p
				jobs.Key, claims.Key = measure.Jobs, measure.Claims
				if n := run.At(jobs); n-run.At(claims) > float64(share*n) {
					out[i] = math.Inf(1)
				}
			}
		}
	}
	return out
}

// unclaimed is the share of the jobs beyond which a wait is that of jobs which
// are not claimed yet.
var unclaimed = map[measure.Key]float64{measure.WaitP50S: 0.5, measure.WaitP95S: 0.05, measure.WaitP99S: 0.01, measure.WaitMaxS: 0}
