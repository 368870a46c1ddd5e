package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// refuse does with jobs over their limit what the scenario's wait policy says.
func (s *Session) refuse(g *gate, limit int, r row, clock, done, now gcra.Instant, b *Batch) {
	t := s.t
	e := model.Event{Kind: model.Deferred, At: clock, Class: int(r.class), Limit: limit, Job: r.job, N: int(r.n), Next: gcra.Never}
	switch t.scenario.Rules.Wait.Kind {
	case model.WaitTail:
		b.Deferred += int(r.n)
		t.tell(e)
		t.toReady(r, done, now)
	case model.WaitHold:
		s.hold(g, r, clock, b)
	case model.WaitDrop:
		b.Dropped += int(r.n)
		e.Kind = model.Dropped
		t.tell(e)
	case model.WaitDelay, model.WaitBackoff:
		b.Deferred += int(r.n)
		for range r.n {
			one := r
			one.n = 1
			e.Job, e.N = one.job, 1
			e.Next = clock.Add(t.delay(one.job))
			t.tell(e)
			t.toScheduled(-1, wait{e.Next, 0, one}, done, now)
			r.key, r.job = r.key+1, r.job+1
		}
	default:
		b.Deferred += int(r.n)
		first, taken := g.slots(clock, int(r.n), t.horizon)
		if taken > 0 {
			slot := r
			slot.n = int32(taken)
			e.N, e.Next, e.Step = taken, first, g.pace.Interval
			t.tell(e)
			t.toScheduled(2*limit, wait{first, g.pace.Interval, slot}, done, now)
		}
		if rest := r.n - int32(taken); rest > 0 {
			// Beyond the horizon: look again then, take no slot.
			r.key, r.job, r.n = r.key+uint64(taken), r.job+int64(taken), rest
			e.Job, e.N, e.Next, e.Step = r.job, int(rest), clock.Add(gcra.Horizon), 0
			t.tell(e)
			t.toScheduled(2*limit+1, wait{e.Next, 0, r}, done, now)
		}
	}
}

// hold lets jobs keep their threads until the limiter admits them. They are
// admitted in this order, so each one's time is known: it is reserved.
func (s *Session) hold(g *gate, r row, clock gcra.Instant, b *Batch) {
	for range r.n {
		from := max(clock, g.reserved)
		at := max(from, g.earliest(from))
		// A limiter may only know a time before which it won't admit.
		for g.admit(at, 1) == 0 {
			at = max(at+1, g.earliest(at))
		}
		g.reserved = at
		s.claimed = append(s.claimed, Run{Class: int(r.class), Job: r.job, N: 1, Start: at})
		b.Jobs++
		r.job++
	}
}

func (t *Tables) toReady(r row, done, now gcra.Instant) {
	if t.hide(done, now) {
		t.pending = append(t.pending, pending{at: done, row: r})
		return
	}
	t.gauge.rows(done, int(r.n))
	t.push(r)
}

func (t *Tables) toScheduled(lane int, w wait, done, now gcra.Instant) {
	if t.hide(done, now) {
		t.pending = append(t.pending, pending{at: done, wait: w, lane: lane, due: true})
		return
	}
	t.schedule(lane, w)
}

// schedule adds to the scheduled table, where rows of one time are in the order
// of priority and id, whatever their places in ready were.
func (t *Tables) schedule(lane int, w wait) {
	w.key = key(t.scenario.Classes[w.class].Priority, w.job)
	t.scheduled.add(lane, w)
}

// delay is a job's next wait under a fixed, random or back-off policy. It
// belongs to the job: its k-th wait is the same whoever claims it, and when.
func (t *Tables) delay(job int64) time.Duration {
	w := &t.scenario.Rules.Wait
	k := t.jobs.waited(job)
	r := model.JobRand(t.seed, t.run, job+k<<40)
	if w.Kind == model.WaitDelay {
		return w.Delay.Draw(&r, 1)
	}
	d := w.Base
	for range w.Power {
		if d > time.Duration(gcra.Never)/time.Duration(k) {
			return time.Duration(gcra.Never)
		}
		d *= time.Duration(k)
	}
	d += w.Plus
	if w.Jitter > 0 {
		d += time.Duration(float64(float64(d) * float64(w.Jitter*r.Float64())))
	}
	return d
}

// waited counts a job's waits, this one included.
func (j *jobs) waited(job int64) int64 {
	for int64(len(j.waits)) < job {
		j.waits = append(j.waits, 0)
	}
	j.waits[job-1]++
	return int64(j.waits[job-1])
}
