package measure

import "math"

// student holds the 0.975 quantiles of Student's t distribution with 1, 2, …
// 30 degrees of freedom, as every table has them, here to twelve digits.
var student = [30]float64{
	12.7062047362, 4.30265272975, 3.18244630528, 2.77644510520, 2.57058183564,
	2.44691185114, 2.36462425159, 2.30600413520, 2.26215716280, 2.22813885199,
	2.20098516009, 2.17881282967, 2.16036865646, 2.14478668792, 2.13144954556,
	2.11990529922, 2.10981557783, 2.10092204024, 2.09302405441, 2.08596344727,
	2.07961384473, 2.07387306790, 2.06865761042, 2.06389856163, 2.05953855275,
	2.05552943864, 2.05183051648, 2.04840714180, 2.04522964213, 2.04227245630,
}

// The Cornish-Fisher expansion of the quantile in 1/df about z, the normal
// one (Abramowitz and Stegun 26.7.5). Constants are exact, so no processor
// rounds them otherwise.
const (
	z  = 1.95996398454005423552
	z2 = z * z
	g1 = z * (z2 + 1) / 4
	g2 = z * ((5*z2+16)*z2 + 3) / 96
	g3 = z * (((3*z2+19)*z2+17)*z2 - 15) / 384
	g4 = z * ((((79*z2+776)*z2+1482)*z2-1920)*z2 - 945) / 92160
)

// StudentT is the 0.975 quantile of Student's t distribution: 95 % of the
// values lie within plus or minus it. df, the degrees of freedom, is at least
// 1; the relative error is below 2e-8. It has the same bits on every
// processor.
func StudentT(df int) float64 {
	if df < 1 {
		return math.Inf(1)
	}
	if df <= len(student) {
		return student[df-1]
	}
	x := 1 / float64(df)
	// The conversions keep products from being fused with the sums.
	t := g3 + float64(g4*x)
	t = g2 + float64(t*x)
	t = g1 + float64(t*x)
	return z + float64(t*x)
}

// Stat is a number with its 95 % interval over N replications: NaN and 0 if it
// has no value in any. Of a single replication a mean has no interval: Low and
// High are NaN. A fact is its own interval.
type Stat struct {
	Value, Low, High float64
	N                int
}

// Half is half the width of the interval, NaN if there is none.
func (s Stat) Half() float64 { return (s.High - s.Low) / 2 }

// Mean is the mean of the values with its Student t interval. Absent values
// are left out.
func Mean(values []float64) Stat {
	sum, n := 0.0, 0
	for _, v := range values {
		if present(v) {
			sum += v
			n++
		}
	}
	if n == 0 {
		return Stat{Absent, Absent, Absent, 0}
	}
	mean := sum / float64(n)
	if n == 1 {
		return Stat{mean, Absent, Absent, 1}
	}
	// Twice over the values: the short cut by the sum of squares loses all
	// digits when the spread is small beside the mean.
	squares, same := 0.0, true
	first := math.NaN()
	for _, v := range values {
		if !present(v) {
			continue
		}
		if math.IsNaN(first) {
			first = v
		}
		same = same && v == first
		d := v - mean
		squares += float64(d * d)
	}
	if same {
		// Equal values have no spread, whatever the rounding of their mean.
		return Stat{first, first, first, n}
	}
	half := StudentT(n-1) * math.Sqrt(squares/float64(n-1)/float64(n))
	return Stat{mean, mean - float64(half), mean + float64(half), n}
}

// Worst is the largest of the values, or the smallest: a fact is not averaged.
func Worst(values []float64, least bool) Stat {
	worst, n := Absent, 0
	for _, v := range values {
		if !present(v) {
			continue
		}
		if n == 0 || (v < worst) == least && v != worst {
			worst = v
		}
		n++
	}
	return Stat{worst, worst, worst, n}
}

// MinRuns is how many replications there are before the interval is asked
// for: stopping at the first narrow one would claim more than it holds.
const MinRuns = 10

// Enough says whether replications may stop: at least [MinRuns] of them, and
// half the interval of their mean at most rel of it. If none has a value, more
// would have none either, and that is enough.
func Enough(values []float64, rel float64) bool {
	if len(values) < MinRuns {
		return false
	}
	m := Mean(values)
	return m.N == 0 || m.N > 1 && m.Half() <= float64(rel*math.Abs(m.Value))
}
