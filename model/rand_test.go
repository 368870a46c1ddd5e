package model

import (
	"math"
	"testing"
)

// Neither end may come: the logarithm of 0 and the normal quantile of 1 are
// infinite.
func TestFloat64StaysInsideTheInterval(t *testing.T) {
	for _, bits := range []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1, 1 << 63, 1<<63 - 1} {
		u := (float64(bits>>12) + 0.5) * 0x1p-52
		if !(u > 0 && u < 1) || math.IsInf(normalQuantile(u), 0) || 1-u == 0 {
			t.Errorf("bits %#x give %v", bits, u)
		}
	}
}

// The streams of neighbouring jobs, runs, seeds and names look independent:
// their first numbers are uniform and uncorrelated from one to the next.
func TestStreamsOfNeighboursAreIndependent(t *testing.T) {
	const n = 20_000
	for name, first := range map[string]func(i int) float64{
		"jobs":  func(i int) float64 { r := JobRand(1, 0, int64(i)); return r.Float64() },
		"runs":  func(i int) float64 { r := JobRand(1, i, 7); return r.Float64() },
		"seeds": func(i int) float64 { r := JobRand(uint64(i), 0, 7); return r.Float64() },
		"names": func(i int) float64 { r := ActorRand(1, 0, "worker "+itoa(i)); return r.Float64() },
		"draws": func() func(int) float64 { r := JobRand(1, 0, 0); return func(int) float64 { return r.Float64() } }(),
	} {
		xs := make([]float64, n)
		corr := 0.0
		for i := range xs {
			xs[i] = first(i)
			if i > 0 {
				corr += (xs[i] - 0.5) * (xs[i-1] - 0.5)
			}
		}
		if d := ksDistance(xs, func(x float64) float64 { return x }); d > ksLimit(n) {
			t.Errorf("%s: the first numbers are not uniform: KS distance %v, want below %v", name, d, ksLimit(n))
		}
		if corr = corr / n * 12; math.Abs(corr) > 5/math.Sqrt(n) {
			t.Errorf("%s: neighbours correlate: %v", name, corr)
		}
	}
}

func TestKeysOfAStreamMatter(t *testing.T) {
	seen := map[Rand]string{}
	for seed := range uint64(4) {
		for run := range 4 {
			for job := range int64(4) {
				seen[JobRand(seed, run, job)] = "job"
			}
			for _, name := range []string{"", "a", "b", "ab", "ba"} {
				seen[ActorRand(seed, run, name)] = "actor"
			}
		}
	}
	if len(seen) != 4*4*(4+5) {
		t.Errorf("%d streams, want %d", len(seen), 4*4*(4+5))
	}
}
