package model

import (
	"testing"
	"time"
)

// No two draws are further apart than the spread, and some nearly are.
func TestSpread(t *testing.T) {
	values := func(string) ([]byte, error) { return []byte("20ms\n5ms\n70ms\n"), nil }
	for text, want := range map[string]time.Duration{
		"50ms": 0, "uniform(10ms, 30ms)": 20 * time.Millisecond, "5ms + uniform(0ms, 1s) + uniform(1s, 2s)": 2 * time.Second, "empirical(v.csv)": 65 * time.Millisecond,
		"1ms + 2ms per job": 0,
	} {
		d, err := ParseDist(text, values)
		if err != nil {
			t.Fatal(err)
		}
		got, bounded := d.Spread()
		if !bounded || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, bounded, want)
		}
		low, high := time.Duration(1<<62), time.Duration(0)
		for job := range int64(2000) {
			r := JobRand(1, 0, job)
			v := d.Draw(&r, 1)
			low, high = min(low, v), max(high, v)
		}
		if high-low > got || float64(high-low) < 0.8*float64(got) {
			t.Errorf("%s: 2000 draws were %v apart, want nearly %v and no more", text, high-low, got)
		}
	}
	for _, text := range []string{"exp(5ms)", "normal(5ms, 1ms)", "lognormal(5ms, 0.3)", "5ms + exp(1ms)"} {
		d, err := ParseDist(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, bounded := d.Spread(); bounded {
			t.Errorf("%s is said to be bounded", text)
		}
	}
}
