package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A percentile from buckets is at most 0.2 % off the one from a sorted list,
// the longest wait is exact, and adding in two parts is adding in one.
func TestHistogramWithinTwoPerMille(t *testing.T) {
	draws := map[string]func(*rand.Rand) int64{
		"nanoseconds": func(r *rand.Rand) int64 { return r.Int64N(2000) },
		"lognormal":   func(r *rand.Rand) int64 { return int64(1e8 * math.Exp(2*r.NormFloat64())) },
		"constant":    func(*rand.Rand) int64 { return 123_456_789 },
		"all there is": func(r *rand.Rand) int64 {
			return r.Int64() >> r.IntN(63)
		},
	}
	for name, draw := range draws {
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{1, 2, 9, 10, 99, 100, 101, 5000} {
			var one, two, other Histogram
			var values []int64
			for i := range n {
				v, many := draw(r), int64(1+i%3)
				one.Add(v, many)
				part := &two
				if i%2 == 1 {
					part = &other
				}
				part.Add(v, many)
				for range many {
					values = append(values, v)
				}
			}
			two.Merge(&other)
			slices.Sort(values)
			for p := 1; p <= 100; p++ {
				want := values[(len(values)*p+99)/100-1]
				got := one.Percentile(p)
				if d := math.Abs(float64(got - want)); d > 0.002*float64(want) || want < 512 && d != 0 {
					t.Fatalf("%s, %d values: percentile %d is %d, want %d", name, n, p, got, want)
				}
				if got != two.Percentile(p) {
					t.Fatalf("%s, %d values: percentile %d differs after merging", name, n, p)
				}
			}
			if last := values[len(values)-1]; one.Max() != last || two.Max() != last || one.N() != int64(len(values)) {
				t.Fatalf("%s: max %d, n %d, want %d, %d", name, one.Max(), one.N(), last, len(values))
			}
			one.Reset()
			if one.Add(7, 1); one.Percentile(50) != 7 || one.N() != 1 || one.Max() != 7 {
				t.Fatalf("%s: something was left over after a reset", name)
			}
		}
	}
}

// Both ends of each bucket are within the error of its middle.
func TestHistogramEdges(t *testing.T) {
	for octave := range 62 {
		for _, v := range []int64{1 << octave, 1<<octave + 1, 1<<octave - 1, 3 << octave >> 1} {
			m := middle(bucket(v))
			if math.Abs(float64(m-v)) > float64(v)/512 {
				t.Errorf("%d is counted as %d", v, m)
			}
		}
	}
	if m := middle(bucket(math.MaxInt64)); m < math.MaxInt64-math.MaxInt64/512 {
		t.Errorf("the longest length is counted as %d", m)
	}
	var h Histogram
	h.Add(-5, 2)
	if h.Percentile(50) != 0 || h.N() != 2 {
		t.Error("a negative wait counts as none")
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]int64, 1024)
	for i := range values {
		values[i] = int64(1e8 * math.Exp(r.NormFloat64()))
	}
	var h Histogram
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		h.Add(values[i&1023], 1)
	}
}
