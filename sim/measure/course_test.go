package measure

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// The most in a window is what counting by hand finds, and a window is empty
// again a whole length after the last claim.
func TestInWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := time.Duration(rapid.IntRange(1, 20).Draw(t, "length"))
		c := NewCourse(&model.Scenario{Limits: make([]model.Limit, 1)})
		var times []gcra.Instant
		now := gcra.Instant(0)
		for range rapid.IntRange(1, 30).Draw(t, "claims") {
			now += gcra.Instant(rapid.IntRange(0, 9).Draw(t, "gap"))
			n := rapid.IntRange(1, 3).Draw(t, "n")
			c.Observe(&model.Event{Kind: model.Claimed, At: now, N: n})
			for range n {
				times = append(times, now)
			}
		}
		levels := c.InWindow(0, length)
		for at := gcra.Instant(0); at <= now.Add(2*length); at++ {
			want := int64(0)
			for _, x := range times {
				if x <= at && at < x.Add(length) {
					want++
				}
			}
			got := int64(0)
			for _, l := range levels {
				if l.At <= at {
					got = l.N
				}
			}
			if got != want {
				t.Fatalf("at %d: %d, want %d of %v in windows of %d", at, got, want, times, length)
			}
		}
	})
}

func TestCourse(t *testing.T) {
	c := NewCourse(&model.Scenario{Limits: make([]model.Limit, 1)})
	for _, e := range []model.Event{
		{Kind: model.Enqueued, At: 0, N: 5}, {Kind: model.Enqueued, At: 0, N: 1}, {Kind: model.Claimed, At: 10, N: 2}, {Kind: model.Claimed, At: 10, N: 1, Limit: -1}, {Kind: model.Dropped, At: 20, N: 1},
	} {
		c.Observe(&e)
	}
	if want := []Level{{0, 6}, {10, 3}, {20, 2}}; !slices.Equal(c.Waiting, want) {
		t.Errorf("waiting %v, want %v", c.Waiting, want)
	}
	if c.Waits[10] != 3 || len(c.Claims[0]) != 1 || c.Claims[0][0].N != 2 {
		t.Errorf("%+v", c)
	}
}
