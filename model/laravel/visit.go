package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

func (w *Worker) class() *model.Class { return &w.site.Scenario.Classes[w.site.jobs[w.job].class] }

// timeout is the job's, or the worker's; 0: none.
func (w *Worker) timeout() time.Duration {
	if t := w.class().Laravel.Timeout; t != nil {
		return *t
	}
	return w.spec.Laravel.Timeout
}

// tries is the job's, or the worker's; 0: any number.
func (w *Worker) tries() int {
	if t := w.class().Laravel.Tries; t != nil {
		return *t
	}
	return w.spec.Laravel.Tries
}

// popped is a job in hand: the alarm is set, and what is tried too often, or
// too late, fails before it runs.
func (w *Worker) popped(at, back gcra.Instant) gcra.Instant {
	s := w.site
	j := &s.jobs[w.job]
	w.copy = j.copy
	w.deadline = gcra.Never
	if t := w.timeout(); t > 0 {
		w.deadline = back.Add(t)
	}
	work := s.costs.jobCPU.draw(&w.draws)
	w.at, w.stage = 0, 0
	if w.exceeded(j, back) {
		s.Counts.Failed++
		w.lost = true
		s.happened(model.Dropped, w.job, at, 0)
		w.step = deletes
		return w.sendAfter(back, work)
	}
	if len(s.chains[j.class]) == 0 {
		return w.claim(at, s.cores.book(back, work))
	}
	w.step = asks
	next := w.sendAfter(back, work)
	w.began = w.sent
	return next
}

// exceeded is asked before a job runs. With a deadline the tries don't count.
func (w *Worker) exceeded(j *job, now gcra.Instant) bool {
	if j.until > 0 {
		return second(now) > j.until
	}
	tries := w.tries()
	return tries > 0 && int(j.tries) > tries
}

// ask is a command of a throttle.
func (w *Worker) ask(now gcra.Instant) gcra.Instant {
	at, back := w.command(now)
	s := w.site
	s.Counts.Checks++
	chain := s.chains[s.jobs[w.job].class]
	v := chain[w.at].ask(w, at)
	switch v.what {
	case next:
		w.stage++
		return w.send(back)
	case hold:
		return w.hold(v.until, at, back)
	case release, releaseAt:
		w.delay = w.delayOf(v, back)
		s.happened(model.Deferred, w.job, at, second(back).Add(w.delay)-s.Origin)
		w.out = w.at
		w.step, w.stage, w.released = releases, 0, true
		return w.send(back)
	case throws:
		w.threw, w.out = true, w.at-1
		return w.outwards(back)
	case drop, fail:
		if v.what == fail {
			s.Counts.Failed++
		}
		w.lost = true
		s.happened(model.Dropped, w.job, at, 0)
		w.out = w.at
		return w.outwards(back)
	}
	if w.at++; w.at < len(chain) {
		w.stage = 0
		next := w.send(back)
		w.began = w.sent
		return next
	}
	w.at--
	return w.claim(at, back)
}

// hold keeps the job inside the worker until an instant, unless its alarm rings
// before.
func (w *Worker) hold(until, at, back gcra.Instant) gcra.Instant {
	s := w.site
	s.Counts.Holds++
	s.happened(model.Deferred, w.job, at, until-s.Origin)
	wakes := max(until, back).Add(s.costs.waitOvershoot.draw(&w.draws))
	w.step = holds
	if w.deadline < wakes {
		w.step, wakes = timesOut, w.deadline
	}
	return wakes
}

// delayOf is a release's delay in whole seconds. One until an instant ends with
// the first second of the queue's clock that is not before it; Amazon's queue
// counts from the moment it is told.
func (w *Worker) delayOf(v verdict, now gcra.Instant) time.Duration {
	if v.what == release {
		return v.delay
	}
	if w.site.parts.Connection.Driver == model.DriverSQS {
		return secondFrom(gcra.Instant(max(v.until.Sub(now), 0))).Sub(0)
	}
	return max(secondFrom(v.until).Sub(second(now)), 0)
}

// claim starts the job: at is when it was let in, start when its body begins.
func (w *Worker) claim(at, start gcra.Instant) gcra.Instant {
	s := w.site
	j := &s.jobs[w.job]
	// A job that runs again may never be done, unless chance has a part in it:
	// one longer than retry_after is handed out for ever.
	if spec := &w.class().Laravel; !j.begun || spec.Fails > 0 || spec.Killed > 0 || s.provider != nil {
		s.Progress(at)
	}
	j.begun = true
	for place := range s.chains[j.class] {
		s.ticket(w.job, place).passed = false
	}
	j.running, w.ran, w.claimed = true, true, at
	s.gauge.runs(at, 1)
	s.happened(model.Claimed, w.job, at, 0)
	takes := s.takes(w.job)
	w.ends = start.Add(takes)
	w.step = ends
	turn := w.ends
	l := &w.class().Laravel
	switch {
	case s.chance(w.job, drawKilled, l.Killed):
		w.step, turn = dies, start.Add(takes/2)
	case s.provider != nil:
		w.step, turn = calls, start.Add(s.latency(w.job))
	}
	return w.alarmed(turn)
}

// alarmed is a turn of the job's body, or the alarm's if that rings before it.
func (w *Worker) alarmed(turn gcra.Instant) gcra.Instant {
	if turn <= w.deadline {
		return turn
	}
	w.step = timesOut
	return w.deadline
}

// latency is how long a job's call is on its way.
func (s *Site) latency(id int32) time.Duration {
	r := model.JobRand(s.seed, s.run, s.number(id)+drawCall+int64(s.jobs[id].pops)<<48)
	return s.Scenario.Provider.Latency.Draw(&r, 1)
}

// call is the job's call at the provider. One that is refused makes it throw,
// before it has done anything.
func (w *Worker) call(now gcra.Instant) gcra.Instant {
	if w.site.provider.Call(now) {
		w.step = ends
		return w.alarmed(max(w.ends, now))
	}
	w.told = true
	w.step = ends
	return now
}

// end is the end of the job's body.
func (w *Worker) end(now gcra.Instant) gcra.Instant {
	s := w.site
	w.stop(now)
	w.threw = w.told || s.chance(w.job, drawFails, w.class().Laravel.Fails)
	if !w.threw && s.holds(w.job, w.copy) {
		s.jobs[w.job].running = false
		s.happened(model.Finished, w.job, now, 0)
	}
	w.out = w.at
	return w.outwards(now)
}

// stop ends the time in which the job had its worker.
func (w *Worker) stop(now gcra.Instant) {
	w.site.gauge.runs(now, -1)
	w.site.busy += now.Sub(w.claimed)
}

// outwards leaves the throttles from the innermost that let the job in, then
// does with the job what is to be done.
func (w *Worker) outwards(now gcra.Instant) gcra.Instant {
	chain := w.site.chains[w.site.jobs[w.job].class]
	for ; w.out >= 0 && len(chain) > 0; w.out-- {
		if chain[w.out].leaves(w, w.out) {
			w.step, w.stage = leaves, 0
			return w.send(now)
		}
	}
	switch {
	case w.released:
		return w.rest(now)
	case w.threw:
		return w.exception(now)
	}
	w.step, w.stage = deletes, 0
	return w.send(now)
}

// leave is a command of a throttle on the way out.
func (w *Worker) leave(now gcra.Instant) gcra.Instant {
	at, back := w.command(now)
	s := w.site
	v := s.chains[s.jobs[w.job].class][w.out].leave(w, w.out, at)
	switch v.what {
	case next:
		w.stage++
		return w.send(back)
	case release, releaseAt:
		w.threw, w.told = false, false
		w.out--
		w.released, w.delay = true, w.delayOf(v, back)
		w.again(at)
		w.step, w.stage = releases, 0
		return w.send(back)
	case fail:
		w.threw = false
		w.failed(at)
	}
	w.out--
	return w.outwards(back)
}

// takePlace takes one of a throttle's places for the job in hand.
func (w *Worker) takePlace(p gcra.Places, at, until gcra.Instant) bool {
	number, ok := p.Take(w.owner(), at, until)
	if ok {
		w.places[w.at] = int32(number)
	} else {
		w.site.noPlace++
	}
	return ok
}

func (w *Worker) giveBack(p gcra.Places, place int) {
	p.GiveBack(int(w.places[place]), w.owner())
	w.places[place] = -1
}

// owner tells this try of the job from all others.
func (w *Worker) owner() int64 { return int64(w.job)<<24 | int64(w.copy&0xFFFFFF) + 1 }
