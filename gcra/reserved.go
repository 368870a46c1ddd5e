package gcra

import (
	"fmt"
	"time"
)

// Reserved is a limiter that gives every job a slot of its own once, spaced
// evenly, and lets it start when its slot has come. Think of it as tickets at a
// counter: the number is kept however often the job comes and goes, and a
// quiet key gives one ticket now, never several. Workers come late, so slots
// alone would not keep the promise; every start is also held against a sliding
// window of the last Allow starts.
//
// It is the limiter of Laravel Job Throttle, after that package's README. Where
// the README leaves a choice, it is said at [Reserved.Ask].
type Reserved struct {
	Allow int           // starts in any half-open Every; 0: no rate, pauses only
	Every time.Duration // the length of the window
}

// How long a pause may be, and is when nobody says. Whoever pauses a key was
// told by the other side, which may say anything.
const (
	PauseLeast = time.Second
	PauseMost  = 24 * time.Hour
	PauseUsual = time.Minute
)

// Schedule is all that is remembered of one key. The zero value is a quiet key.
// It owns the starts it remembers, so a copy is not a second schedule: go on
// with what came back.
type Schedule struct {
	next   Instant // the first slot that nobody has
	late   Instant // the last slot given to one who missed his own
	missed bool    // late means something
	pause  Instant // nobody starts before this
	starts Log
}

// Reservation is one job's slot. The zero value is none; a job carries it from
// one visit to the next.
type Reservation struct {
	Slot Instant
	Held bool
}

// Answer is what a visit comes to: the job starts now, or is told when to ask
// again. Its reservation is spent by a start and kept otherwise.
type Answer struct {
	Start       bool
	Again       Instant // when asking again makes sense, if it may not start
	Reservation Reservation
}

// Validate says in one sentence what is wrong with the limiter, or nothing.
func (r Reserved) Validate() error {
	switch {
	case r.Allow == 0:
		return nil
	case r.Allow < 0:
		return fmt.Errorf("allow is %d, want at least 1, or 0 for pauses only", r.Allow)
	case r.Every <= 0:
		return fmt.Errorf("every is %v, want a length above 0, such as 1s", r.Every)
	case int64(r.Allow) > int64(r.Every/time.Millisecond):
		return fmt.Errorf("allow is %d in %v, want at most one a millisecond", r.Allow, r.Every)
	}
	return nil
}

// Spacing is the time between two slots: Every/Allow rounded up to a whole
// millisecond, so 125 ms for 8 in a second and 334 ms for 3.
func (r Reserved) Spacing() time.Duration {
	if r.Allow == 0 {
		return 0
	}
	ms := (int64(r.Every)-1)/int64(time.Millisecond) + 1
	return time.Duration((ms-1)/int64(r.Allow)+1) * time.Millisecond
}

// Ask is a visit of a job that may have a reservation.
//
//   - During a pause nobody starts and nobody takes a slot: come again at its
//     end.
//   - A job without a reservation takes the next slot that nobody has.
//   - Before its slot: come again then; the reservation stays.
//   - From its slot on it starts if fewer than Allow started in the last Every.
//   - Otherwise it waits for room and keeps its place. Whoever missed his slot by
//     more than [Reserved.Kept], as after an outage, takes a fresh one: the
//     first that has room, and behind the others who did so, at the normal
//     spacing. So a crowd that comes back together does not ask together again.
//
// The last rule is a choice: the README promises both that a reservation is not
// lost and that late jobs get fresh slots. Behind all reserved slots they
// can't go, for with every refused job there a run of 3,000 at 8 a second would
// take a minute longer than the published one.
func (r Reserved) Ask(s Schedule, v Reservation, now Instant) (Schedule, Answer) {
	if now < s.pause {
		return s, Answer{Again: s.pause, Reservation: v}
	}
	if r.Allow == 0 {
		return s, Answer{Start: true}
	}
	if !v.Held {
		v = Reservation{max(now, s.next), true}
		s.next = v.Slot.Add(r.Spacing())
	}
	if now < v.Slot {
		return s, Answer{Again: v.Slot, Reservation: v}
	}
	window := SlidingLog{r.Allow, r.Every}
	starts, ok := window.Check(s.starts, now)
	if s.starts = starts; ok {
		return s, Answer{Start: true}
	}
	room := window.Earliest(s.starts, now)
	if now.Sub(v.Slot) <= r.Kept() {
		return s, Answer{Again: room, Reservation: v}
	}
	if s.missed {
		room = max(room, s.late.Add(r.Spacing()))
	}
	s.late, s.missed = room, true
	s.next = max(s.next, room.Add(r.Spacing()))
	return s, Answer{Again: room, Reservation: Reservation{room, true}}
}

// Once is a visit of a job that can carry no reservation: it starts if the next
// slot has come and the window has room, or is told when that will be, as is
// everybody else who asks. So a crowd comes back together.
func (r Reserved) Once(s Schedule, now Instant) (Schedule, Answer) {
	if now < s.pause {
		return s, Answer{Again: s.pause}
	}
	if r.Allow == 0 {
		return s, Answer{Start: true}
	}
	if now < s.next {
		return s, Answer{Again: s.next}
	}
	window := SlidingLog{r.Allow, r.Every}
	starts, ok := window.Check(s.starts, now)
	if s.starts = starts; !ok {
		return s, Answer{Again: window.Earliest(s.starts, now)}
	}
	s.next = now.Add(r.Spacing())
	return s, Answer{Start: true}
}

// Kept is by how much a job may miss its slot and still wait for room in its
// place: a window, and the second that a release in whole seconds may be late.
func (r Reserved) Kept() time.Duration { return r.Every + time.Second }

// Pause lets nobody start for d, which is held between [PauseLeast] and
// [PauseMost]. Of two pauses the later end counts.
func (r Reserved) Pause(s Schedule, now Instant, d time.Duration) Schedule {
	s.pause = max(s.pause, now.Add(min(max(d, PauseLeast), PauseMost)))
	return s
}

// Paused is when the pause ends, and whether there is one now.
func (s *Schedule) Paused(now Instant) (Instant, bool) { return s.pause, now < s.pause }

// MostInWindow is Allow.
func (r Reserved) MostInWindow() int { return r.Allow }

// Forget is the schedule of a quiet key in the memory of this one.
func (s Schedule) Forget() Schedule { return Schedule{starts: Log{ring: s.starts.ring[:0]}} }
