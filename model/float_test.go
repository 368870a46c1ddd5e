package model

import (
	"math"
	"testing"
)

func closeTo(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

func TestLnAgreesWithMath(t *testing.T) {
	r := JobRand(1, 0, 0)
	for range 200_000 {
		u := r.Float64()
		for _, x := range []float64{u, 1 + u*1e-6, 1 - u*1e-6, 1 / u, math.Ldexp(u, -900), math.Ldexp(u, 900)} {
			if got, want := ln(x), math.Log(x); !closeTo(got, want, 1e-15) {
				t.Fatalf("ln(%v) is %v, want %v", x, got, want)
			}
		}
	}
	for _, x := range []float64{1, 0x1p-1022, math.MaxFloat64, math.Sqrt2 / 2, 0x1p-53, 1 - 0x1p-53} {
		if got, want := ln(x), math.Log(x); !closeTo(got, want, 1e-15) {
			t.Errorf("ln(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestExpAgreesWithMath(t *testing.T) {
	r := JobRand(2, 0, 0)
	for range 200_000 {
		u := r.Float64() - 0.5
		for _, x := range []float64{u, 20 * u, 1400 * u, u * 1e-9} {
			if got, want := exp(x), math.Exp(x); !closeTo(got, want, 1e-15) {
				t.Fatalf("exp(%v) is %v, want %v", x, got, want)
			}
		}
	}
	for _, x := range []float64{0, 709.7, 710, 1e300, -740, -745, -746, math.Inf(1), math.Inf(-1)} {
		// Below the normal range a result has fewer bits than 1e-15 asks for.
		if got, want := exp(x), math.Exp(x); !closeTo(got, want, 1e-15) && math.Abs(got-want) > math.SmallestNonzeroFloat64 {
			t.Errorf("exp(%v) is %v, want %v", x, got, want)
		}
	}
	if !math.IsNaN(exp(math.NaN())) {
		t.Error("exp(NaN) is a number")
	}
}

func TestNormalQuantileKnownValues(t *testing.T) {
	// The first two are the check values printed with AS 241, the others from
	// tables of the normal distribution.
	for _, c := range []struct{ u, z, rel float64 }{
		{0.25, -0.6744897501960817, 2e-15},
		{0.001, -3.090232306167814, 2e-15},
		{1e-20, -9.262340089798408, 2e-15},
		{0.5, 0, 0},
		{0.975, 1.959963984540054, 2e-15},
		{0.8413447460685429, 1, 2e-15},
		{0.9986501019683699, 3, 2e-15},
		{0.99, 2.3263478740408408, 2e-15},
	} {
		if got := normalQuantile(c.u); !closeTo(got, c.z, c.rel) {
			t.Errorf("quantile of %v is %v, want %v", c.u, got, c.z)
		}
	}
}

// The distribution function takes the quantile back to where it came from, in
// the body and in both tails.
func TestNormalQuantileInvertsErfc(t *testing.T) {
	for e := 1; e <= 300; e++ {
		for _, u := range []float64{math.Pow(10, -float64(e)), math.Pow(2, -float64(e)) * 0.7} {
			z := normalQuantile(u)
			back := math.Erfc(-z/math.Sqrt2) / 2
			// An error of z is z times as large in the tail's logarithm.
			if !closeTo(back, u, 1e-14*(1+z*z)) {
				t.Fatalf("quantile of %g is %v, which lies at %g", u, z, back)
			}
			// 1-u is rounded, by up to 2^-54, which moves its quantile by that over the tail.
			if u > 1e-9 && !closeTo(normalQuantile(1-u), -z, 1e-14+0x1p-53/u) {
				t.Fatalf("quantile of 1-%g is %v, want %v", u, normalQuantile(1-u), -z)
			}
		}
	}
	for i := 1; i < 1000; i++ {
		u := float64(i) / 1000
		if back := math.Erfc(-normalQuantile(u)/math.Sqrt2) / 2; !closeTo(back, u, 1e-14) {
			t.Fatalf("quantile of %g lies at %g", u, back)
		}
	}
}

func TestNormalCDFAgreesWithErfc(t *testing.T) {
	for z := 0.0; z < 10; z += 0.01 {
		if got, want := normalCDF(z), math.Erfc(-z/math.Sqrt2)/2; !closeTo(got, want, 1e-14) {
			t.Fatalf("CDF at %v is %v, want %v", z, got, want)
		}
	}
}

// The hash is not someone's last digits but the purpose of float.go: the same
// bits on every processor, with GODEBUG=cpu.fma=off and compiled with GOAMD64=v3
// alike. Whoever has to change it changes every seeded result.
func TestSameBitsEverywhere(t *testing.T) {
	var h uint64 = 0xCBF29CE484222325
	add := func(x float64) { h = (h ^ math.Float64bits(x)) * 0x100000001B3 }
	r := JobRand(3, 1, 4)
	for range 100_000 {
		u := r.Float64()
		add(ln(u))
		add(exp(10 * (u - 0.5)))
		add(normalQuantile(u))
	}
	if want := uint64(0xd1131d61c91ee888); h != want {
		t.Errorf("hash of the results is %#x, want %#x", h, want)
	}
}
