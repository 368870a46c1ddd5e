package model

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

// ksDistance is Kolmogorov's: the largest gap between the share of xs below a
// point and what cdf says. Sorts xs.
func ksDistance(xs []float64, cdf func(float64) float64) float64 {
	slices.Sort(xs)
	n, most := float64(len(xs)), 0.0
	for i, x := range xs {
		p := cdf(x)
		most = max(most, p-float64(i)/n, float64(i+1)/n-p)
	}
	return most
}

// ksLimit is passed by one sample in 100,000 of n that is right.
func ksLimit(n int) float64 { return 2.47 / math.Sqrt(float64(n)) }

func noFile(string) ([]byte, error) { return nil, errors.New("no such file") }

func files(text string) func(string) ([]byte, error) {
	return func(string) ([]byte, error) { return []byte(text), nil }
}

func mustDist(t testing.TB, s string) Dist {
	t.Helper()
	d, err := ParseDist(s, files("takes_ms\n1\n2\n3\n10\n"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestConstantsAreNotDrawn(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want time.Duration
	}{
		{"50ms", 1, 50 * time.Millisecond},
		{"50ms", 0, 50 * time.Millisecond},
		{"4.2ms + 0.25ms per job", 500, 129_200_000},
		{"0.25ms per job", 0, 0},
		{"0.25ms per job", -3, 0},
		{"1ms + 2ms + 3ms per job + 4ms per job", 2, 17 * time.Millisecond},
		{"100000 days + 100000 days", 1, longest},
		{"100000 days per job", 2, longest},
		{"2h per job", math.MaxInt, longest},
	} {
		d := mustDist(t, c.text)
		base, perJob, ok := d.Fixed()
		if !ok {
			t.Errorf("%s: not fixed", c.text)
		}
		r := Rand{7}
		if got := d.Draw(&r, c.n); got != c.want || d.Mean(c.n) != c.want {
			t.Errorf("%s for %d jobs: drawn %v, mean %v, want %v", c.text, c.n, got, d.Mean(c.n), c.want)
		}
		if r != (Rand{7}) {
			t.Errorf("%s: a number was drawn", c.text)
		}
		if c.n >= 0 && c.want < longest && base+time.Duration(c.n)*perJob != c.want {
			t.Errorf("%s: fixed %v + n*%v", c.text, base, perJob)
		}
	}
	if d := (Dist{}); d.Draw(&Rand{}, 5) != 0 || d.String() != "0s" {
		t.Errorf("the zero value is %v", d)
	}
	if d := Const(-1); d.Draw(&Rand{}, 1) != 0 {
		t.Errorf("a negative constant is %v", d)
	}
}

// Each distribution against its theory: the whole distribution function by
// Kolmogorov's distance, mean and variance within five standard errors.
func TestDrawsFollowTheory(t *testing.T) {
	ms := float64(time.Millisecond)
	phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	const n = 200_000
	for _, c := range []struct {
		text           string
		cdf            func(x float64) float64 // x in ms
		mean, variance float64
	}{
		{"exp(50ms)", func(x float64) float64 { return 1 - math.Exp(-x/50) }, 50, 2500},
		{"uniform(5ms, 25ms)", func(x float64) float64 { return (x - 5) / 20 }, 15, 400.0 / 12},
		{"normal(50ms, 10ms)", func(x float64) float64 { return phi((x - 50) / 10) }, 50, 100},
		{"lognormal(50ms, 0.3)", func(x float64) float64 { return phi(math.Log(x/50) / 0.3) },
			50 * math.Exp(0.045), 2500 * math.Exp(0.09) * (math.Exp(0.09) - 1)},
	} {
		d := mustDist(t, c.text)
		r := JobRand(1, 2, 3)
		xs := make([]float64, n)
		sum, squares := 0.0, 0.0
		for i := range xs {
			xs[i] = float64(d.Draw(&r, 1)) / ms
			sum += xs[i]
			squares += (xs[i] - c.mean) * (xs[i] - c.mean)
		}
		mean, variance := sum/n, squares/n
		fourth := 0.0
		for _, x := range xs {
			fourth += math.Pow(x-c.mean, 4) / n
		}
		if e := 5 * math.Sqrt(c.variance/n); math.Abs(mean-c.mean) > e {
			t.Errorf("%s: mean %v, want %v ± %v", c.text, mean, c.mean, e)
		}
		if e := 5 * math.Sqrt((fourth-c.variance*c.variance)/n); math.Abs(variance-c.variance) > e {
			t.Errorf("%s: variance %v, want %v ± %v", c.text, variance, c.variance, e)
		}
		if dist := ksDistance(xs, c.cdf); dist > ksLimit(n) {
			t.Errorf("%s: KS distance %v, want below %v", c.text, dist, ksLimit(n))
		}
		if got := float64(d.Mean(1)) / ms; math.Abs(got-c.mean) > 1e-5 {
			t.Errorf("%s: Mean is %v, want %v", c.text, got, c.mean)
		}
	}
}

// A normal that is cut at 0 has mass at 0, and a mean above its parameter.
func TestNormalIsCutAtZero(t *testing.T) {
	d := mustDist(t, "normal(5ms, 10ms)")
	r := JobRand(1, 0, 0)
	const n = 200_000
	zeros, sum := 0.0, 0.0
	for range n {
		x := d.Draw(&r, 1)
		if x < 0 {
			t.Fatal("a negative delay")
		}
		if x == 0 {
			zeros++
		}
		sum += x.Seconds() * 1000
	}
	p := math.Erfc(0.5/math.Sqrt2) / 2
	if e := 5 * math.Sqrt(p*(1-p)/n); math.Abs(zeros/n-p) > e {
		t.Errorf("share of zeros %v, want %v ± %v", zeros/n, p, e)
	}
	want := 5*(1-p) + 10*math.Exp(-0.125)/math.Sqrt(2*math.Pi)
	if math.Abs(sum/n-want) > 0.1 || math.Abs(d.Mean(1).Seconds()*1000-want) > 1e-5 {
		t.Errorf("mean %v, Mean %v, want %v", sum/n, d.Mean(1), want)
	}
}

func TestEmpiricalDrawsItsValues(t *testing.T) {
	d := mustDist(t, "empirical(delays.csv)")
	r := JobRand(1, 0, 0)
	count := map[time.Duration]float64{}
	const n = 100_000
	for range n {
		count[d.Draw(&r, 1)]++
	}
	for _, ms := range []time.Duration{1, 2, 3, 10} {
		if share := count[ms*time.Millisecond] / n; math.Abs(share-0.25) > 0.01 {
			t.Errorf("share of %d ms is %v, want a quarter", ms, share)
		}
	}
	if len(count) != 4 || d.Mean(1) != 4*time.Millisecond {
		t.Errorf("%d values, mean %v", len(count), d.Mean(1))
	}
}

// One number of the stream for each random term, whatever it is and however
// many jobs: so settings stay in step.
func TestOneNumberPerTerm(t *testing.T) {
	for text, terms := range map[string]int{
		"50ms": 0, "exp(1ms)": 1, "exp(0s)": 1, "normal(1ms, 1ms) per job": 1, "exp(1ms) + lognormal(1ms, 2) + 3ms + empirical(x.csv)": 3,
	} {
		for _, n := range []int{0, 1, 500} {
			r, want := Rand{9}, Rand{9}
			mustDist(t, text).Draw(&r, n)
			for range terms {
				want.Uint64()
			}
			if r != want {
				t.Errorf("%s for %d jobs: not %d numbers drawn", text, n, terms)
			}
		}
	}
}

// A larger number of the stream never gives a shorter delay.
func TestDrawsRiseWithTheirNumber(t *testing.T) {
	for _, text := range []string{"exp(50ms)", "uniform(1ms, 2ms)", "normal(5ms, 3ms)", "lognormal(1ms, 2)", "empirical(x.csv)", "uniform(0s, 100000 days)", "exp(100000 days)"} {
		for _, term := range *mustDist(t, text).terms {
			last := time.Duration(0)
			for i := range 10_000 {
				d := term.at((float64(i) + 0.5) / 10_000)
				if d < last {
					t.Fatalf("%s: %v after %v", text, d, last)
				}
				last = d
			}
			if lo, hi := term.at(0x1p-53), term.at(1-0x1p-53); lo < 0 || hi < last {
				t.Errorf("%s: from %v to %v", text, lo, hi)
			}
		}
	}
}

func TestPerJobMultipliesOneDraw(t *testing.T) {
	one, many := Rand{5}, Rand{5}
	d := mustDist(t, "exp(1ms) per job")
	if a, b := d.Draw(&one, 1), d.Draw(&many, 7); b != 7*a {
		t.Errorf("1 job %v, 7 jobs %v", a, b)
	}
	if got := d.Mean(7); got != 7*time.Millisecond {
		t.Errorf("mean for 7 jobs is %v", got)
	}
}

func TestScale(t *testing.T) {
	for text, want := range map[string]string{
		"10ms":                       "15ms",
		"4.2ms + 0.25ms per job":     "6.3ms + 375µs per job",
		"exp(50ms)":                  "exp(75ms)",
		"uniform(0ms, 20ms) per job": "uniform(0s, 30ms) per job",
		"normal(50ms, 10ms)":         "normal(75ms, 15ms)",
		"lognormal(50ms, 0.3)":       "lognormal(75ms, 0.3)",
		"empirical(a b.csv)":         "empirical(a b.csv, 1.5)",
	} {
		if got := mustDist(t, text).Scale(1.5).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, f := range []float64{0, -1, math.NaN(), math.Inf(1), math.MaxFloat64} {
		d := mustDist(t, "2ms + exp(50ms) + lognormal(1ms, 1) + uniform(1ms, 2ms) + empirical(x.csv)").Scale(f)
		if x := d.Draw(&Rand{}, 1); x < 0 || f <= 0 && x != 0 || f > 1 && x != longest {
			t.Errorf("scaled by %v: %v", f, x)
		}
		if again := mustDist(t, d.String()); again.String() != d.String() {
			t.Errorf("scaled by %v: %s, read as %s", f, d, again)
		}
	}
}

// The same nanoseconds on every processor: see TestSameBitsEverywhere.
func TestSameDrawsEverywhere(t *testing.T) {
	d := mustDist(t, "exp(50ms) + normal(5s, 2s) + lognormal(50ms, 2) per job + uniform(0s, 7h)").Scale(1.1)
	var h uint64 = 0xCBF29CE484222325
	for job := range int64(50_000) {
		r := JobRand(1, 2, job)
		h = (h ^ uint64(d.Draw(&r, 3))) * 0x100000001B3
	}
	h = (h ^ uint64(d.Mean(7))) * 0x100000001B3
	if want := uint64(0x59d586622c431374); h != want {
		t.Errorf("hash of the draws is %#x, want %#x", h, want)
	}
}

func TestDrawDoesNotAllocate(t *testing.T) {
	d := mustDist(t, "1ms + 1ms per job + exp(1ms) + normal(1ms, 1ms) per job + lognormal(1ms, 1) + uniform(0s, 1ms) + empirical(x.csv)")
	r := Rand{}
	if n := testing.AllocsPerRun(100, func() { d.Draw(&r, 3) }); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, text := range []string{"50ms", "4.2ms + 0.25ms per job", "uniform(0s, 5ms)", "exp(50ms)", "normal(50ms, 10ms)", "lognormal(50ms, 0.3)", "empirical(x.csv)"} {
		b.Run(text, func(b *testing.B) {
			d := mustDist(b, text)
			r := Rand{}
			b.ReportAllocs()
			for b.Loop() {
				d.Draw(&r, 5)
			}
		})
	}
}
