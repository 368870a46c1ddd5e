package gcra

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The spacing is in whole milliseconds, rounded up (8/s, 7/s and 3/s in the
// package's README).
func TestSlotsAreSpacedInWholeMilliseconds(t *testing.T) {
	for _, c := range []struct {
		allow int
		every time.Duration
		want  time.Duration
	}{
		{8, time.Second, 125 * time.Millisecond}, {7, time.Second, 143 * time.Millisecond},
		{3, time.Second, 334 * time.Millisecond}, {1, time.Second, time.Second},
		{100, time.Minute, 600 * time.Millisecond}, {1000, time.Second, time.Millisecond}, {0, 0, 0},
	} {
		if got := (Reserved{c.allow, c.every}).Spacing(); got != c.want {
			t.Errorf("%d in %v: slots every %v, want %v", c.allow, c.every, got, c.want)
		}
	}
}

func TestReservedSaysWhatIsWrong(t *testing.T) {
	for _, r := range []Reserved{{-1, time.Second}, {1, 0}, {1001, time.Second}} {
		if r.Validate() == nil {
			t.Errorf("%+v passes", r)
		}
	}
	for _, r := range []Reserved{{0, 0}, {1, time.Second}, {1000, time.Second}} {
		if err := r.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// visit is one line of a script: a job asks.
type visit struct {
	job   int
	at    Instant
	want  string // start, or again
	again Instant
}

func script(t *testing.T, r Reserved, pauseAt Instant, pause time.Duration, visits []visit) {
	t.Helper()
	var s Schedule
	slots := map[int]Reservation{}
	for i, v := range visits {
		if pause > 0 && v.at >= pauseAt {
			s, pause = r.Pause(s, pauseAt, pause), 0
		}
		var a Answer
		s, a = r.Ask(s, slots[v.job], v.at)
		slots[v.job] = a.Reservation
		got := "again"
		if a.Start {
			got = "start"
		}
		if got != v.want || a.Again != v.again {
			t.Errorf("visit %d, job %d at %v: %s at %v, want %s at %v", i, v.job, v.at, got, a.Again, v.want, v.again)
		}
	}
}

// L3: an idle key gives one slot now, the next a spacing later. L5: before its
// slot a job waits and the reservation stays, whoever came meanwhile.
func TestEachJobKeepsTheSlotItTookOnce(t *testing.T) {
	script(t, Reserved{8, time.Second}, 0, 0, []visit{
		{1, 10 * sec, "start", 0},
		{2, 10 * sec, "again", 10*sec + 125*ms},
		{3, 10 * sec, "again", 10*sec + 250*ms},
		{2, 10*sec + 124*ms, "again", 10*sec + 125*ms},
		{3, 10*sec + 200*ms, "again", 10*sec + 250*ms},
		{4, 10*sec + 200*ms, "again", 10*sec + 375*ms},
		{3, 10*sec + 250*ms, "start", 0},
		{2, 10*sec + 260*ms, "start", 0}, // L15: late, and there is room
		{4, 11 * sec, "start", 0},
		{5, 30 * sec, "start", 0}, // no credit for the quiet time
		{6, 30 * sec, "again", 30*sec + 125*ms},
	})
}

// L6 and L7: a window that late starts filled makes a job whose slot has come
// wait for room, in its place.
func TestAFullWindowMakesASlotWait(t *testing.T) {
	script(t, Reserved{2, time.Second}, 0, 0, []visit{
		{1, 0, "start", 0},
		{2, 0, "again", 500 * ms},
		{3, 0, "again", sec},
		{2, 900 * ms, "start", 0},
		{3, sec, "start", 0},
		{4, sec, "again", 1500 * ms},
		{4, 1500 * ms, "again", 1900 * ms},
		{5, 1500 * ms, "again", 2 * sec},
		{4, 1900 * ms, "start", 0},
		{5, 2 * sec, "start", 0},
	})
}

// L16: after an outage the room decides who starts, and the others take fresh
// slots at the normal spacing, not all the same one.
func TestAfterAnOutageLateJobsTakeFreshSlots(t *testing.T) {
	var visits []visit
	for job := range 8 {
		v := visit{job, 0, "again", Instant(job) * 500 * ms}
		if job == 0 {
			v.want = "start"
		}
		visits = append(visits, v)
	}
	back := 60 * sec
	visits = append(visits,
		visit{1, back, "start", 0}, visit{2, back, "start", 0},
		visit{3, back, "again", back + 1000*ms}, visit{4, back, "again", back + 1500*ms},
		visit{5, back, "again", back + 2000*ms},
		visit{8, back, "again", back + 2500*ms}, // who comes new stands behind them
		visit{3, back + 1000*ms, "start", 0},
		visit{4, back + 1500*ms, "start", 0},
	)
	script(t, Reserved{2, time.Second}, 0, 0, visits)
}

// L31: all wait for the pause, then slots go on at the normal rate.
func TestAPauseHoldsEverybody(t *testing.T) {
	script(t, Reserved{8, time.Second}, 100*ms, 30*time.Second, []visit{
		{1, 0, "start", 0},
		{2, 0, "again", 125 * ms},
		{2, 125 * ms, "again", 30*sec + 100*ms},
		{3, 200 * ms, "again", 30*sec + 100*ms},
		{3, 30*sec + 100*ms, "start", 0},
		{4, 30*sec + 100*ms, "again", 30*sec + 225*ms},
		{2, 30*sec + 100*ms, "start", 0}, // its slot had come
	})
	// L32: without a rate only pauses hold.
	script(t, Reserved{}, 0, time.Second, []visit{{1, 0, "again", sec}, {1, sec, "start", 0}, {2, sec, "start", 0}})
}

// L29 and L30: a pause is 1 s to 24 h, and of two the later end counts.
func TestOfTwoPausesTheLaterEndCounts(t *testing.T) {
	r := Reserved{8, time.Second}
	for _, c := range []struct {
		pauses []time.Duration // all at 10 s
		want   Instant
	}{
		{[]time.Duration{30 * time.Second}, 40 * sec},
		{[]time.Duration{30 * time.Second, 5 * time.Second}, 40 * sec},
		{[]time.Duration{5 * time.Second, 30 * time.Second}, 40 * sec},
		{[]time.Duration{0}, 11 * sec},
		{[]time.Duration{-time.Hour}, 11 * sec},
		{[]time.Duration{1000 * time.Hour}, 10*sec + Instant(24*time.Hour)},
	} {
		var s Schedule
		for _, d := range c.pauses {
			s = r.Pause(s, 10*sec, d)
		}
		if end, on := s.Paused(10 * sec); !on || end != c.want {
			t.Errorf("%v: until %v, %v, want %v", c.pauses, end, on, c.want)
		}
	}
}

// L23: without a reservation all who wait are told the same time.
func TestWithoutReservationsAllComeBackTogether(t *testing.T) {
	r := Reserved{8, time.Second}
	var s Schedule
	var a Answer
	if s, a = r.Once(s, 10*sec); !a.Start {
		t.Fatal("a quiet key refuses")
	}
	for job := range 5 {
		if s, a = r.Once(s, 10*sec); a.Start || a.Again != 10*sec+125*ms || a.Reservation.Held {
			t.Errorf("job %d: %+v, want 125 ms later", job, a)
		}
	}
	if s, a = r.Once(s, 10*sec+125*ms); !a.Start {
		t.Error("the first to come back may not start")
	}
	if s, a = r.Once(s, 10*sec+125*ms); a.Start || a.Again != 10*sec+250*ms {
		t.Errorf("the second: %+v", a)
	}
	s = r.Pause(s, 11*sec, time.Minute)
	if _, a = r.Once(s, 12*sec); a.Again != 71*sec {
		t.Errorf("in a pause: %+v", a)
	}
	if _, a = (Reserved{}).Once(s, 71*sec); !a.Start {
		t.Error("without a rate a job waits after the pause")
	}
}

// THE PROMISE. Never more than Allow starts in any half-open Every, whatever
// the order in which jobs come, however late, with pauses or without. And no
// reservation is lost: a job that keeps asking when it is told to, starts.
func TestReservedNeverStartsMoreThanAllowInAnyWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Reserved{rapid.IntRange(1, 8).Draw(t, "allow"), time.Duration(rapid.IntRange(1, 5).Draw(t, "every")) * time.Second}
		var s Schedule
		jobs := make([]Reservation, rapid.IntRange(1, 30).Draw(t, "jobs"))
		done := make([]bool, len(jobs))
		due := make([]Instant, len(jobs))
		now := Instant(0)
		var started []Instant
		ask := func(j int) {
			if done[j] {
				return
			}
			var a Answer
			s, a = r.Ask(s, jobs[j], now)
			jobs[j], due[j] = a.Reservation, a.Again
			if a.Start {
				done[j] = true
				started = append(started, now)
			} else if a.Again <= now {
				t.Fatalf("at %v job %d is told to ask again at %v", now, j, a.Again)
			}
		}
		for range rapid.IntRange(0, 120).Draw(t, "visits") {
			if rapid.IntRange(0, 30).Draw(t, "pause") == 0 {
				s = r.Pause(s, now, time.Duration(rapid.IntRange(0, 9).Draw(t, "seconds"))*time.Second)
			}
			now = now.Add(rapid.SampledFrom([]time.Duration{0, 0, 1, r.Spacing() - 1, r.Spacing(), r.Every - 1, r.Every, 3 * r.Every, 20 * time.Second}).Draw(t, "gap"))
			ask(rapid.IntRange(0, len(jobs)-1).Draw(t, "job"))
		}
		// From here on all come when they are told.
		for turns := 0; ; turns++ {
			first := -1
			for j := range jobs {
				if !done[j] && (first < 0 || due[j] < due[first]) {
					first = j
				}
			}
			if first < 0 {
				break
			}
			if turns > 100*len(jobs) {
				t.Fatalf("%d jobs never start", len(jobs)-len(started))
			}
			now = max(now, due[first])
			ask(first)
		}
		if most := mostIn(started, r.Every); most > r.Allow {
			t.Fatalf("%d started in %v, want at most %d", most, r.Every, r.Allow)
		}
	})
}

// L34, L36, L37: so many at a time; who dies is out after a while, and who
// comes late takes nobody's place away.
func TestPlacesAreTakenLowestFirstAndExpire(t *testing.T) {
	p := NewPlaces(2)
	for _, c := range []struct {
		what         string
		owner        int64
		now, until   Instant
		number       int
		ok, giveBack bool
	}{
		{"the lowest is free", 1, 0, 10 * sec, 0, true, false},
		{"then the next", 2, 0, Never, 1, true, false},
		{"then none", 3, 9 * sec, 20 * sec, 0, false, false},
		{"a place whose time is up is free", 3, 10 * sec, 20 * sec, 0, true, false},
		{"its old owner frees nothing", 1, 11 * sec, 0, 0, false, true},
		{"so none is free", 4, 11 * sec, 20 * sec, 0, false, false},
		{"its owner frees it", 3, 12 * sec, 0, 0, false, true},
		{"and it is free", 4, 12 * sec, 20 * sec, 0, true, false},
	} {
		if c.giveBack {
			p.GiveBack(c.number, c.owner)
			continue
		}
		if number, ok := p.Take(c.owner, c.now, c.until); number != c.number || ok != c.ok {
			t.Errorf("%s: place %d, %v, want %d, %v", c.what, number, ok, c.number, c.ok)
		}
	}
	if n := p.Taken(19 * sec); n != 2 {
		t.Errorf("%d are held, want 2", n)
	}
	if p.Reset(); p.Taken(0) != 0 {
		t.Error("some are held after a reset")
	}
}

// A window of Redis::throttle begins at the whole second of its first try, and
// refused tries count.
func TestSecondWindowByScript(t *testing.T) {
	w := SecondWindow{2, 3 * time.Second}
	var s SecondCount
	for i, c := range []struct {
		at Instant
		ok bool
	}{
		{900 * ms, true}, {950 * ms, true}, {960 * ms, false}, {2999 * ms, false},
		{3000 * ms, true}, {5999 * ms, true}, {5999 * ms, false}, {6000 * ms, true},
		{20500 * ms, true}, {22999 * ms, true}, {23000 * ms, true},
	} {
		var ok bool
		if s, ok = w.Try(s, c.at); ok != c.ok {
			t.Errorf("try %d at %v: %v", i, c.at, ok)
		}
	}
	if s.Start != 23*sec || w.Ends(s) != 26*sec {
		t.Errorf("the last window is %v to %v", s.Start, w.Ends(s))
	}
}

// A counter with a time to live: asking and counting are apart.
func TestHitsByScript(t *testing.T) {
	h := Hits{2, time.Second}
	var s HitCount
	for i, c := range []struct {
		at   Instant
		full bool
		hits int
	}{
		{900 * ms, false, 2}, {1000 * ms, true, 1}, {1899 * ms, true, 0}, {1900 * ms, false, 1}, {2000 * ms, false, 0},
	} {
		if full := h.Full(s, c.at); full != c.full {
			t.Errorf("line %d at %v: full %v", i, c.at, full)
		}
		for range c.hits {
			s = h.Hit(s, c.at)
		}
	}
	if h.Ends(s) != 2900*ms {
		t.Errorf("the window ends at %v", h.Ends(s))
	}
}

// Whatever the tries: windows don't overlap, so any length of Every touches two
// at most.
func TestSecondWindowPassesAtMostTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := SecondWindow{rapid.IntRange(1, 5).Draw(t, "allow"), time.Duration(rapid.IntRange(1, 3).Draw(t, "every")) * time.Second}
		var s SecondCount
		var passed []Instant
		now := Instant(0)
		for range rapid.IntRange(1, 80).Draw(t, "tries") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(w.Every)/2).Draw(t, "gap")))
			var ok bool
			if s, ok = w.Try(s, now); ok {
				passed = append(passed, now)
			}
		}
		if most := mostIn(passed, w.Every); most > w.MostInWindow() {
			t.Fatalf("%d passed", most)
		}
	})
}
