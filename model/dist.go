package model

import (
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Dist is how long something takes: a sum of terms, each a constant, a
// distribution, or either per job of a batch. The zero value is no time.
// Think of it as a recipe: it holds no random state, and is shared freely.
//
// Every random term uses exactly one number of the stream per draw and turns
// it round by the inverse of its distribution function. So two settings that
// draw from the same stream stay in step whatever their terms, and a longer
// delay here is a longer delay there. The arithmetic is the package's own, and
// gives the same nanoseconds on every processor.
type Dist struct {
	base, perJob time.Duration // the constant terms, added up
	terms        *[]term       // the random ones in order; nil: none
}

// term is a distribution of a length, drawn once for a batch.
type term interface {
	// at is the length below which the term stays with probability u.
	at(u float64) time.Duration
	mean() float64 // nanoseconds
	scale(f float64) term
	String() string
}

// perJobTerm takes what its term drew once for every job of the batch. The
// jobs of one batch share the draw.
type perJobTerm struct{ term }

// Const is a delay that is always d. A negative d is no time.
func Const(d time.Duration) Dist { return Dist{base: max(d, 0)} }

// Draw is one delay for a batch of n jobs, at least 0, in whole nanoseconds
// (each term rounded to the nearest) and held at the longest time.Duration. It
// never allocates, and draws nothing when nothing is random.
func (d Dist) Draw(r *Rand, n int) time.Duration {
	if d.terms == nil && d.perJob == 0 {
		return d.base
	}
	return d.draw(r, n)
}

func (d Dist) draw(r *Rand, n int) time.Duration {
	sum := d.fixed(n)
	if d.terms == nil {
		return sum
	}
	for _, t := range *d.terms {
		u := r.Float64()
		if p, ok := t.(perJobTerm); ok {
			sum = addUpTo(sum, timesUpTo(p.term.at(u), n))
			continue
		}
		sum = addUpTo(sum, t.at(u))
	}
	return sum
}

func (d Dist) fixed(n int) time.Duration { return addUpTo(d.base, timesUpTo(d.perJob, n)) }

// Fixed is true when nothing is drawn: then Draw is base + n*perJob.
func (d Dist) Fixed() (base, perJob time.Duration, ok bool) {
	return d.base, d.perJob, d.terms == nil
}

// Mean is the expected delay for a batch of n jobs.
func (d Dist) Mean(n int) time.Duration {
	sum := d.fixed(n)
	if d.terms == nil {
		return sum
	}
	for _, t := range *d.terms {
		m := t.mean()
		if _, ok := t.(perJobTerm); ok {
			m = mul(m, float64(max(n, 0)))
		}
		sum = addUpTo(sum, wholeNS(m))
	}
	return sum
}

// Plus is the sum of two delays, drawn independently.
func (d Dist) Plus(o Dist) Dist {
	out := Dist{base: addUpTo(d.base, o.base), perJob: addUpTo(d.perJob, o.perJob)}
	var terms []term
	for _, side := range []*[]term{d.terms, o.terms} {
		if side != nil {
			terms = append(terms, *side...)
		}
	}
	if len(terms) > 0 {
		out.terms = &terms
	}
	return out
}

// Scale is the same distribution f times as long; its lengths are rounded to
// whole nanoseconds. An f below 0, or that is no number, counts as 0.
func (d Dist) Scale(f float64) Dist {
	if !(f >= 0) {
		f = 0
	}
	out := Dist{base: scaled(d.base, f), perJob: scaled(d.perJob, f)}
	if d.terms != nil {
		terms := slices.Clone(*d.terms)
		for i := range terms {
			terms[i] = terms[i].scale(f)
		}
		out.terms = &terms
	}
	return out
}

// String is the delay as ParseDist reads it: constants first, added up.
func (d Dist) String() string {
	var parts []string
	if d.base > 0 || d.perJob == 0 && d.terms == nil {
		parts = append(parts, FormatDuration(d.base))
	}
	if d.perJob > 0 {
		parts = append(parts, FormatDuration(d.perJob)+" per job")
	}
	if d.terms != nil {
		for _, t := range *d.terms {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, " + ")
}

func (t perJobTerm) scale(f float64) term { return perJobTerm{t.term.scale(f)} }
func (t perJobTerm) String() string       { return t.term.String() + " per job" }

func scaled(d time.Duration, f float64) time.Duration {
	if f == 1 || d == 0 {
		return d // a float64 can't hold every Duration
	}
	return wholeNS(mul(float64(d), f))
}

const longest = time.Duration(1<<63 - 1)

// addUpTo is a+b for a and b of at least 0, at most the longest Duration.
func addUpTo(a, b time.Duration) time.Duration {
	if sum := a + b; sum >= 0 {
		return sum
	}
	return longest
}

// timesUpTo is d*n for d of at least 0, at most the longest Duration.
func timesUpTo(d time.Duration, n int) time.Duration {
	if n <= 0 {
		return 0
	}
	if over, product := bits.Mul64(uint64(d), uint64(n)); over == 0 && product <= uint64(longest) {
		return time.Duration(product)
	}
	return longest
}
