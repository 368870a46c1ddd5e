package redis

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// The window's script and gcra.SecondWindow let the same tries in. Clients look
// at their clocks in tenths of a millisecond, as PHP prints them; a window's last
// instant itself is left out, which the text of a clock can't tell from its end.
func TestWindowsAreThoseOfTheSimulation(t *testing.T) {
	s, m := onMini(t)
	c := s.connect()
	keys := 0
	rapid.Check(t, func(t *rapid.T) {
		keys++
		key := s.key("throttle", fmt.Sprint(keys))
		w := gcra.SecondWindow{Allow: rapid.IntRange(1, 4).Draw(t, "allow"), Every: time.Duration(rapid.IntRange(1, 3).Draw(t, "every")) * time.Second}
		spec := &model.Throttle{Allow: w.Allow, Every: w.Every}
		var count gcra.SecondCount
		tenths := 0
		for range rapid.IntRange(1, 60).Draw(t, "tries") {
			tenths += rapid.SampledFrom([]int{0, 1, 900, 2500, 9999, 31_234}).Draw(t, "step")
			now := epoch.Add(time.Duration(tenths) * 100 * time.Microsecond)
			if now.Nanosecond() == 0 {
				tenths++
				now = now.Add(100 * time.Microsecond)
			}
			m.SetTime(now)
			var want bool
			count, want = w.Try(count, gcra.Instant(now.Sub(epoch)))
			ok, ends, _, err := (&worker{c: c, r: &runner{jobs: t.Context()}}).windowAt(now, key, spec)
			if err != nil || ok != want || gcra.Instant(time.Unix(ends, 0).Sub(epoch)) != w.Ends(count) {
				t.Fatalf("at %v: %v until %v (%v), want %v until %v", now.Sub(epoch), ok, ends, err, want, w.Ends(count))
			}
		}
	})
}

// A clock prints as PHP prints it.
func TestPHPClock(t *testing.T) {
	for micros, want := range map[int64]string{
		1765000001_000000: "1765000001", 1765000001_000100: "1765000001.0001", 1765000001_250000: "1765000001.25", 1765000001_999960: "1765000002",
		1765000001_100049: "1765000001.1",
	} {
		if got := phpClock(time.UnixMicro(micros)); got != want {
			t.Errorf("%d prints %s, want %s", micros, got, want)
		}
	}
}
