package measure

import (
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// tick is what happened at one instant.
type tick struct {
	at     gcra.Instant
	n      int32 // claims, ends or promotions
	checks int32 // of claims: how often a job was looked at
}

// trail is what happened instant by instant. It grows by one tick for each
// distinct instant, not for each job.
type trail struct {
	ticks []tick
	mixed bool // some tick came before an earlier one: sort before reading
}

// add notes n and checks at an instant, merged into the last tick if that has
// the same one.
func (t *trail) add(at gcra.Instant, n, checks int) {
	if k := len(t.ticks) - 1; k >= 0 {
		last := &t.ticks[k]
		if last.at == at {
			last.n += int32(n)
			last.checks += int32(checks)
			return
		}
		t.mixed = t.mixed || at < last.at
	}
	t.ticks = append(t.ticks, tick{at, int32(n), int32(checks)})
}

func (t *trail) reset() { t.ticks, t.mixed = t.ticks[:0], false }

// sort brings the ticks in order and leaves one for each instant. One limit's
// events come in order; where write transactions run side by side, those of
// several are out of order by a few milliseconds, so that moving each tick a
// few places is quicker than sorting. If it isn't, sorting takes over.
func (t *trail) sort() {
	if !t.mixed {
		return
	}
	t.mixed = false
	s := t.ticks
	moves := 8 * len(s)
	for i := 1; i < len(s) && moves >= 0; i++ {
		x, j := s[i], i
		for ; j > 0 && s[j-1].at > x.at && moves >= 0; j-- {
			s[j] = s[j-1]
			moves--
		}
		s[j] = x
	}
	if moves < 0 {
		slices.SortFunc(s, func(a, b tick) int {
			if a.at < b.at {
				return -1
			}
			if a.at > b.at {
				return 1
			}
			return 0
		})
	}
	kept := 0
	for _, x := range s[1:] {
		if last := &s[kept]; last.at == x.at {
			last.n += x.n
			last.checks += x.checks
		} else {
			kept++
			s[kept] = x
		}
	}
	t.ticks = s[:kept+1]
}

// most is the largest sum of n in any half-open window of a length: some such
// window ends with a tick, so the windows (at-width, at] are all there is to
// look at, two pointers over the ticks.
func (t *trail) most(width time.Duration) int64 {
	var sum, most int64
	tail := 0
	for i := range t.ticks {
		x := &t.ticks[i]
		sum += int64(x.n)
		for x.at.Sub(t.ticks[tail].at) >= width {
			sum -= int64(t.ticks[tail].n)
			tail++
		}
		most = max(most, sum)
	}
	return most
}

// mostChecks is [trail.most] of the looks.
func (t *trail) mostChecks(width time.Duration) int64 {
	var sum, most int64
	tail := 0
	for i := range t.ticks {
		x := &t.ticks[i]
		sum += int64(x.checks)
		for x.at.Sub(t.ticks[tail].at) >= width {
			sum -= int64(t.ticks[tail].checks)
			tail++
		}
		most = max(most, sum)
	}
	return most
}

// peak is the largest n of one instant.
func (t *trail) peak() int64 {
	var most int32
	for i := range t.ticks {
		most = max(most, t.ticks[i].n)
	}
	return int64(most)
}

// until is how much had happened by an instant, itself included.
func (t *trail) until(at gcra.Instant) int64 {
	var sum int64
	for i := range t.ticks {
		if t.ticks[i].at > at {
			break
		}
		sum += int64(t.ticks[i].n)
	}
	return sum
}

// ends are the instants of the first and the last of n > 0.
func (t *trail) ends() (first, last gcra.Instant, ok bool) {
	i, j := 0, len(t.ticks)-1
	for i <= j && t.ticks[i].n == 0 {
		i++
	}
	for j >= i && t.ticks[j].n == 0 {
		j--
	}
	if i > j {
		return 0, 0, false
	}
	return t.ticks[i].at, t.ticks[j].at, true
}

// slope is the rate between the claim at 10 % and the claim at 90 % of all n
// of them, a second, so that neither the first burst nor the tail counts. The
// claim at 10 % is number n/10, rounded up, counted from 1. There is none if
// the two are the same claim or were made at one instant.
func (t *trail) slope(n int64) (perSecond float64, ok bool) {
	low, high := (n+9)/10, (9*n+9)/10
	var from gcra.Instant
	var sum int64
	seen := false
	for i := range t.ticks {
		x := &t.ticks[i]
		sum += int64(x.n)
		if !seen && sum >= low {
			from, seen = x.at, true
		}
		if seen && sum >= high {
			if high == low || x.at == from {
				return 0, false
			}
			return float64(high-low) / x.at.Sub(from).Seconds(), true
		}
	}
	return 0, false
}

// mostRunning is the most jobs that ran at a time, from claims and ends. A job
// runs in [claim, end): an end at the instant of a claim makes room for it.
func mostRunning(claims, ends *trail) int64 {
	var running, most int64
	e := 0
	for i := range claims.ticks {
		x := &claims.ticks[i]
		for e < len(ends.ticks) && ends.ticks[e].at <= x.at {
			running -= int64(ends.ticks[e].n)
			e++
		}
		running += int64(x.n)
		most = max(most, running)
	}
	return most
}
