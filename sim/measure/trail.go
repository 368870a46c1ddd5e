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
	mixed bool  // some tick came before an earlier one: sort before reading
	known int64 // of a trail that is not kept: what would be worked out from it
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
		if at < last.at {
			t.mixed = true
		}
	}
	if len(t.ticks) == cap(t.ticks) {
		t.grow()
	}
	t.ticks = append(t.ticks, tick{at, int32(n), int32(checks)})
}

// grow doubles the room; append would give a quarter more and copy often.
func (t *trail) grow() {
	bigger := make([]tick, len(t.ticks), max(64, 2*len(t.ticks)))
	copy(bigger, t.ticks)
	t.ticks = bigger
}

func (t *trail) reset() { t.ticks, t.mixed, t.known = t.ticks[:0], false, 0 }

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

// most is the largest sum of n in any half-open window of a length.
func (t *trail) most(width time.Duration) int64 {
	var sum int64
	most := t.known
	tail := 0
	for i := range t.ticks {
		x := &t.ticks[i]
		sum += int64(x.n)
		for edge := x.at - gcra.Instant(width); t.ticks[tail].at <= edge; tail++ {
			sum -= int64(t.ticks[tail].n)
		}
		most = max(most, sum)
	}
	return most
}

// window is the last of what comes in order.
type window struct {
	ticks []tick
	head  int
	sum   int64 // of n in ticks from head on
}

func (w *window) reset() { w.ticks, w.head, w.sum = w.ticks[:0], 0, 0 }

// add notes n at an instant and gives the sum of all in the half-open window of
// a length that it ends.
func (w *window) add(at gcra.Instant, n int64, width time.Duration) int64 {
	if len(w.ticks) == cap(w.ticks) && w.head > len(w.ticks)/2 {
		w.ticks, w.head = slices.Delete(w.ticks, 0, w.head), 0
	}
	w.ticks = append(w.ticks, tick{at: at, n: int32(n)})
	w.sum += n
	for edge := at - gcra.Instant(width); w.ticks[w.head].at <= edge; w.head++ {
		w.sum -= int64(w.ticks[w.head].n)
	}
	return w.sum
}

// reading is what one pass over a trail of claims and looks gives.
type reading struct {
	first, last gcra.Instant // the first and the last claim, if claims > 0
	claims      int64
	peak        int64 // most claims at one instant
	window      int64 // most claims in any half-open window of the limit's length
	checks      int64 // most looks in any half-open second
	t10, t90    gcra.Instant
	c10, c90    int64 // the numbers, from 1, of the claims at 10 % and at 90 %
}

// read goes over the claims and looks once. claims is how many claims there
// are, per the length of the limit's window or 0 if there is no limit.
//
// Some window with the most in it ends with a tick, so the windows (at-per,
// at] are all there is to look at: two pointers over the ticks. The claim at
// 10 % is number claims/10, rounded up.
func (t *trail) read(claims int64, per time.Duration) reading {
	r := reading{claims: claims, c10: (claims + 9) / 10, c90: (9*claims + 9) / 10}
	var checks, window, sum int64
	oldCheck, oldClaim := 0, 0
	for i := range t.ticks {
		x := &t.ticks[i]
		checks += int64(x.checks)
		for edge := x.at - gcra.Instant(time.Second); t.ticks[oldCheck].at <= edge; oldCheck++ {
			checks -= int64(t.ticks[oldCheck].checks)
		}
		r.checks = max(r.checks, checks)
		if x.n == 0 {
			continue
		}
		n := int64(x.n)
		if sum == 0 {
			r.first = x.at
		}
		if sum < r.c10 && sum+n >= r.c10 {
			r.t10 = x.at
		}
		if sum < r.c90 && sum+n >= r.c90 {
			r.t90 = x.at
		}
		sum += n
		r.last = x.at
		r.peak = max(r.peak, n)
		if per > 0 {
			window += n
			for edge := x.at - gcra.Instant(per); t.ticks[oldClaim].at <= edge; oldClaim++ {
				window -= int64(t.ticks[oldClaim].n)
			}
			r.window = max(r.window, window)
		}
	}
	return r
}

// slope is the rate between the claim at 10 % and the claim at 90 % of all, a
// second, so that neither the first burst nor the tail counts. There is none
// if the two are the same claim or were made at one instant.
func (r *reading) slope() (perSecond float64, ok bool) {
	if r.t90 == r.t10 {
		return 0, false
	}
	return float64(r.c90-r.c10) / r.t90.Sub(r.t10).Seconds(), true
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

// mostRunning is the most jobs that ran at a time, from claims and ends. A job
// runs in [claim, end): an end at the instant of a claim makes room for it.
func mostRunning(claims, ends *trail) int64 {
	if ends.known > 0 {
		return ends.known
	}
	var running, most int64
	e := 0
	for i := range claims.ticks {
		x := &claims.ticks[i]
		if x.n == 0 {
			continue
		}
		for e < len(ends.ticks) && ends.ticks[e].at <= x.at {
			running -= int64(ends.ticks[e].n)
			e++
		}
		running += int64(x.n)
		most = max(most, running)
	}
	return most
}
