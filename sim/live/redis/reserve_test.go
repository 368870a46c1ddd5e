package redis

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
)

const us = time.Microsecond

// The script and gcra.Reserved give the same answers to the same visits, and
// never are more than allow starts in a half-open window.
func TestReservedSlotsAreThoseOfTheSimulation(t *testing.T) {
	s, m := onMini(t)
	c := s.connect()
	keys := 0
	rapid.Check(t, func(t *rapid.T) {
		keys++
		key := s.key("throttle", fmt.Sprint(keys))
		r := gcra.Reserved{Allow: rapid.IntRange(1, 9).Draw(t, "allow"), Every: time.Duration(rapid.IntRange(1, 3).Draw(t, "every")) * time.Second}
		var sched gcra.Schedule
		jobs := make([]gcra.Reservation, rapid.IntRange(1, 30).Draw(t, "jobs"))
		var again []gcra.Instant
		now, crowd := time.Duration(0), 0
		var starts []time.Duration
		for n := range rapid.IntRange(1, 200).Draw(t, "visits") {
			step := 0
			if crowd--; crowd < 0 {
				step = rapid.IntRange(0, 400_000).Draw(t, "step")
				switch rapid.IntRange(0, 9).Draw(t, "kind") {
				case 0, 1, 2, 3: // all come late, and together
					crowd = rapid.IntRange(0, 2*len(jobs)).Draw(t, "crowd")
					step *= 10
				case 4:
					step *= 200 // the key is quiet
				case 5, 6:
					if len(again) > 0 { // exactly when somebody was told to come
						step = max(0, int(again[len(again)-1].Sub(gcra.Instant(now))/us))
					}
				}
			} else {
				step = rapid.SampledFrom([]int{0, 0, 1, 999, 20_000}).Draw(t, "close")
			}
			now += time.Duration(step) * us
			if m.SetTime(epoch.Add(now)); !m.Exists(key) {
				sched = gcra.Schedule{}
				clear(jobs)
			}
			if rapid.IntRange(0, 60).Draw(t, "pauses") == 7 {
				d := time.Duration(rapid.IntRange(0, 3000).Draw(t, "pause")) * time.Millisecond
				sched = r.Pause(sched, gcra.Instant(now), d)
				ends, err := c.pause(t.Context(), key, d)
				if want, _ := sched.Paused(gcra.Instant(now)); err != nil || since(ends) != want {
					t.Fatalf("paused until %v (%v), want %v", since(ends), err, want)
				}
			}
			i := n % len(jobs)
			most := time.Duration(rapid.SampledFrom([]int{200, 5000, 3_600_000}).Draw(t, "most")) * time.Millisecond
			after, want := r.Ask(sched, jobs[i], gcra.Instant(now))
			got, err := c.ask(t.Context(), key, r, visitor{uuid: fmt.Sprint(i)}, most)
			if err != nil {
				t.Fatal(err)
			}
			switch over := !want.Start && want.Again.Sub(gcra.Instant(now)) > most; {
			case over != (got.word == "over"):
				t.Fatalf("at %v job %d got %+v, want again at %v, of at most %v", now, i, got, want.Again, most)
			case over: // it fails, and takes no slot with it
				jobs[i] = gcra.Reservation{}
				continue
			}
			if got.came != jobs[i].Held {
				t.Fatalf("job %d came with a slot: %v", i, got.came)
			}
			sched = after
			if (got.word == "start") != want.Start || since(got.now) != gcra.Instant(now) || !want.Start && since(got.again) != want.Again {
				t.Fatalf("at %v job %d with %+v got %+v (again at %v), want %+v", now, i, jobs[i], got, since(got.again), want)
			}
			jobs[i] = gcra.Reservation{}
			if !want.Start {
				again = append(again, want.Again)
				if jobs[i] = want.Reservation; want.Reservation.Held && since(got.slot) != want.Reservation.Slot {
					t.Fatalf("slot %v, want %v", since(got.slot), want.Reservation.Slot)
				}
				continue
			}
			if starts = append(starts, now); len(starts) > r.Allow && now-starts[len(starts)-1-r.Allow] < r.Every {
				t.Fatalf("%d starts in less than %v", r.Allow+1, r.Every)
			}
		}
	})
}

// A key that is quiet is gone, and one that is not stays.
func TestAQuietThrottleIsForgotten(t *testing.T) {
	s, m := onMini(t)
	c, key := s.connect(), s.key("throttle")
	r := gcra.Reserved{Allow: 2, Every: time.Second}
	m.SetTime(epoch)
	for i := range 10 { // slots until 5 s
		if _, err := c.ask(t.Context(), key, r, visitor{uuid: fmt.Sprint(i)}, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		ms   int
		want bool
	}{{4900, true}, {64_900, true}, {65_100, false}} {
		m.SetTime(at(x.ms))
		if got := m.Exists(key); got != x.want {
			t.Errorf("after %d ms there is a key: %v", x.ms, got)
		}
	}
	if _, err := c.pause(t.Context(), key, time.Minute); err != nil {
		t.Fatal(err)
	}
	m.SetTime(at(126_000))
	if !m.Exists(key) {
		t.Error("a pause was forgotten while it lasted")
	}
}

func since(micros int64) gcra.Instant { return gcra.Instant(micros-epoch.UnixMicro()) * 1000 }

// A job that a throttle further inside released is let in again without a
// second start, until it has run.
func TestWhoWasLetInIsLetInAgain(t *testing.T) {
	s, m := onMini(t)
	c, key := s.connect(), s.key("throttle")
	r := gcra.Reserved{Allow: 1, Every: time.Second}
	m.SetTime(epoch)
	for i, x := range []struct {
		v    visitor
		want string
	}{
		{visitor{"a", 0, true}, "start"}, {visitor{"b", 0, true}, "slot"}, {visitor{"a", 0, true}, "start"}, {visitor{"a", 1, true}, "slot"},
	} {
		if got, err := c.ask(t.Context(), key, r, x.v, time.Hour); err != nil || got.word != x.want {
			t.Errorf("visit %d of %+v: %+v (%v), want %s", i, x.v, got, err, x.want)
		}
	}
}
