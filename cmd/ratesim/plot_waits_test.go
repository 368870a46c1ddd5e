package main

import (
	"math"
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
