package main

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// A hundred jobs that waited 1 to 100 ms: the percentiles are their numbers,
// and each length of time has its share.
func TestWaits(t *testing.T) {
	c := measure.NewCourse(&model.Scenario{})
	for i := range 100 {
		c.Waits[int64(i+1)*int64(time.Millisecond)] = 1
	}
	d := &drawing{s: &model.Scenario{Name: "hundred"}, courses: []*measure.Course{c}}
	chart := waits([]*drawing{d})
	for i, want := range []float64{50, 95, 99} {
		if m := chart.Marks[i]; m.X != want || m.Y != want {
			t.Errorf("%s at %g ms and %g %%, want %g", m.Name, m.X, m.Y, want)
		}
	}
	line, each := chart.Series[0], chart.Series[1]
	if n := len(line.X) - 1; line.Y[n] != 100 || line.X[n] != 100 || line.Y[30] != 30 {
		t.Errorf("ends with %g %% at %g ms, and has %g %% at 30 ms", line.Y[n], line.X[n], line.Y[30])
	}
	sum := 0.0
	for _, share := range each.Y {
		sum += share
	}
	if each.X[1] != 5 || each.Y[1] != 5 || math.Abs(sum-100) > 1e-9 {
		t.Errorf("steps of %g ms with %g %% each add up to %g %%, want 5 and 5 and 100", each.X[1], each.Y[1], sum)
	}
	if two := waits([]*drawing{d, d}); len(two.Marks) > 0 || len(two.Series) != 2 {
		t.Errorf("two scenarios have %d marks and %d lines, want none and 2", len(two.Marks), len(two.Series))
	}
}

// A heat map has every burst of a small limit, and of a large one the small
// ones, where the best lie, and the last.
func TestColumns(t *testing.T) {
	for to, want := range map[int][]int{1: {1}, 5: {1, 2, 3, 4, 5}, 12: {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}} {
		if got := columns(to); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", to, got, want)
		}
	}
	for _, to := range []int{13, 20, 100, 1000, 1_000_000} {
		got := columns(to)
		if got[0] != 1 || to <= 100 && (got[1] != 2 || got[2] != 3) || got[len(got)-1] != to || !slices.IsSorted(got) || len(got) > heatBursts {
			t.Errorf("%d: %v", to, got)
		}
	}
}
