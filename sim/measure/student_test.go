package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The quantile is that of an independent implementation; at 30 the table ends.
func TestStudentT(t *testing.T) {
	for _, df := range []int{1, 2, 3, 9, 19, 29, 30, 31, 32, 40, 50, 99, 199, 1000, 1e6} {
		want := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.975)
		if got := StudentT(df); math.Abs(got-want) > 2e-8*want {
			t.Errorf("%d degrees of freedom: %.12g, want %.12g", df, got, want)
		}
	}
	for df := 1; df < 2000; df++ {
		if StudentT(df+1) >= StudentT(df) {
			t.Errorf("not falling at %d", df)
		}
	}
	if !math.IsInf(StudentT(0), 1) {
		t.Error("without a degree of freedom anything is possible")
	}
}

// A 95 % interval holds the true mean about 95 times in 100, with few values
// as with many.
func TestIntervalCoversTheMean(t *testing.T) {
	for _, n := range []int{2, 5, 10, 40} {
		covered := 0
		const seeds = 200
		for seed := range uint64(seeds) {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			values := make([]float64, n)
			for i := range values {
				values[i] = 7 + 3*r.NormFloat64()
			}
			if m := Mean(values); m.Low <= 7 && 7 <= m.High {
				covered++
			}
		}
		if covered < 0.90*seeds || covered > 0.99*seeds {
			t.Errorf("n = %d: %d of %d intervals hold the mean", n, covered, seeds)
		}
	}
}

func TestMean(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		mean, low float64
		n         int
	}{
		{nil, Absent, Absent, 0},
		{[]float64{Absent, Absent}, Absent, Absent, 0},
		{[]float64{4}, 4, Absent, 1},
		{[]float64{4, Absent, 4}, 4, 4, 2},
		{[]float64{0.1, 0.1, 0.1}, 0.1, 0.1, 3},               // no spread at all, though 0.1 is not exact
		{[]float64{1, 2, 3}, 2, 2 - 4.302652730/1.7320508, 3}, // sd 1, t of 2 degrees
		{[]float64{1, Absent, 2, 3}, 2, 2 - 4.302652730/1.7320508, 3},
	} {
		m := Mean(c.values)
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-7 || math.IsNaN(a) && math.IsNaN(b) }
		if !near(m.Value, c.mean) || !near(m.Low, c.low) || !near(m.High, 2*c.mean-c.low) || m.N != c.n {
			t.Errorf("of %v: %+v, want %v from %v, n %d", c.values, m, c.mean, c.low, c.n)
		}
	}
}

func TestWorst(t *testing.T) {
	values := []float64{Absent, 5, 9, Absent, 2}
	if w := Worst(values, false); w != (Stat{9, 9, 9, 3}) {
		t.Errorf("the largest is %+v", w)
	}
	if w := Worst(values, true); w != (Stat{2, 2, 2, 3}) {
		t.Errorf("the smallest is %+v", w)
	}
	if w := Worst(values[:1], true); w.N != 0 || present(w.Value) {
		t.Errorf("of none: %+v", w)
	}
}

func TestEnough(t *testing.T) {
	even := []float64{9.99, 10.01, 9.99, 10.01, 9.99, 10.01, 9.99, 10.01, 9.99, 10.01}
	wild := []float64{9, 11, 9, 11, 9, 11, 9, 11, 9, 11}
	none := []float64{Absent, Absent, Absent, Absent, Absent, Absent, Absent, Absent, Absent, Absent}
	for _, c := range []struct {
		name   string
		values []float64
		rel    float64
		want   bool
	}{
		{"narrow", even, 0.01, true},
		{"narrow, but nine runs", even[:9], 0.01, false},
		{"wide", wild, 0.01, false},
		{"wide, and nobody minds", wild, 0.1, true},
		{"never a value", none, 0.01, true},
		{"one value", append([]float64{3}, none...), 0.01, false},
		{"always 0", make([]float64, 10), 0.01, true},
	} {
		if got := Enough(c.values, c.rel); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
