package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Worker is one worker process: one job at a time. A turn is either a command
// that arrives at its store or at a throttle's Redis, or something of its own:
// a sleep or a job that ends.
type Worker struct {
	site   *Site
	spec   *model.Worker
	name   string
	queues []int32
	draws  model.Rand

	step  step
	sent  gcra.Instant // when the command under way left, by the worker's clock
	queue int          // which of its queues it looks at
	stage int          // which command of the same kind
	plain int          // commands left whose answers change nothing
	later bool         // the last job came from a queue behind the first: don't block on that
	visit
}

// visit is what a worker knows of the job in its hand.
type visit struct {
	job, copy int32
	at        int          // the throttle that is asked
	out       int          // the next one to leave, on the way out
	places    []int32      // by throttle: the place it gave, -1: none
	began     gcra.Instant // the first try of the throttle that is asked
	deadline  gcra.Instant // the alarm
	held      time.Duration
	claimed   gcra.Instant
	ends      gcra.Instant // when its body does, if nothing happens to it
	delay     time.Duration
	then      verdict // of a throttle on the way out, for after its next command
	refused   bool    // by a throttle that takes several commands to say so
	free      bool    // the wait gives its try back
	ran       bool    // the job's body began
	threw     bool    // and threw
	told      bool    // the provider refused its call
	released  bool    // it goes back to the queue
	lost      bool    // it is deleted without success
}

type step uint8

const (
	begins   step = iota // an iteration
	polls                // commands to the cache, then a pop
	pops                 // a command of a pop
	waits                // the command that blocks arrives
	blocked              // and nothing came
	asks                 // a command of a throttle, inwards
	holds                // a wait inside the job is over
	calls                // the job's call arrives at the provider
	ends                 // the job's body ends
	dies                 // the process does
	timesOut             // the alarm rings
	leaves               // a command of a throttle, outwards
	releases             // a command of a release
	rewrites             // the command that gives the try back
	deletes              // a command of a delete
	counts               // commands that count an exception, then what follows
)

func newWorker(s *Site, spec *model.Worker, name string) *Worker {
	w := &Worker{site: s, spec: spec, name: name}
	for _, q := range spec.Queues {
		w.queues = append(w.queues, s.queue(q))
	}
	w.places = make([]int32, s.slots)
	return w
}

// reset starts the process: its first pop comes after it has booted, or at a
// given phase.
func (w *Worker) reset() {
	s := w.site
	w.draws = model.ActorRand(s.seed, s.run, w.name)
	spread := time.Duration(w.draws.Float64() * float64(s.parts.Timing.BootSpread))
	boot := s.parts.Timing.Boot.Draw(&w.draws, 1)
	if w.spec.Phase != nil {
		spread, boot = *w.spec.Phase, 0
	}
	w.step, w.later, w.sent = begins, false, s.Origin.Add(boot+spread)
	w.forget()
}

// First is when the worker wants its first turn.
func (w *Worker) First() gcra.Instant { return w.sent }

// Popping is true in the middle of a pop: some of its commands are answered.
func (w *Worker) Popping() bool { return w.step == pops && (w.stage > 0 || w.queue > 0) }

func (w *Worker) forget() {
	places := w.places
	for i := range places {
		places[i] = -1
	}
	w.visit = visit{places: places, job: -1}
}

// Poll is one turn. What the hot path needs, a pop, a refusal and a release,
// takes one for each command.
func (w *Worker) Poll(now gcra.Instant) (gcra.Instant, error) {
	switch w.step {
	case begins:
		return w.begin(now), nil
	case polls:
		return w.poll(now), nil
	case pops:
		return w.pop(now), nil
	case waits:
		return w.wait(now), nil
	case blocked:
		return w.gaveUp(now), nil
	case asks:
		return w.ask(now), nil
	case holds:
		w.step, w.stage = asks, 0
		return w.send(now), nil
	case calls:
		return w.call(now), nil
	case ends:
		return w.end(now), nil
	case dies:
		return w.die(now), nil
	case timesOut:
		return w.timeOut(now), nil
	case leaves:
		return w.leave(now), nil
	case releases:
		return w.release(now), nil
	case rewrites:
		return w.rewrite(now), nil
	case counts:
		return w.count(now), nil
	}
	return w.delete(now), nil
}

// command is a command that arrives: when it is executed, and when its answer
// is back.
func (w *Worker) command(now gcra.Instant) (at, back gcra.Instant) {
	s := w.site
	s.Counts.RoundTrips++
	at, done := s.server.serve(now, s.costs.redis.draw(&w.draws))
	return at, done.Add(s.costs.wire.draw(&w.draws))
}

// send is when the next command arrives, if the worker turns to it now.
func (w *Worker) send(now gcra.Instant) gcra.Instant { return w.sendAfter(now, 0) }

// sendAfter is send with some more work before it.
func (w *Worker) sendAfter(now gcra.Instant, work time.Duration) gcra.Instant {
	s := w.site
	w.sent = s.cores.book(now, work+s.costs.commandCPU.draw(&w.draws))
	return w.sent.Add(s.costs.wire.draw(&w.draws))
}

// begin is the top of the loop: what is asked of the cache, then a pop.
func (w *Worker) begin(now gcra.Instant) gcra.Instant {
	w.queue, w.stage = 0, 0
	switch w.site.parts.Polls {
	case model.PollsRestart:
		w.plain = 1
	case model.PollsPerQueue, model.PollsPauseOnce:
		w.plain = 2
	case model.PollsPauseTwice:
		w.plain = 3
	default:
		w.step = pops
		return w.send(now)
	}
	w.step = polls
	return w.send(now)
}

// poll is a command to the cache.
func (w *Worker) poll(now gcra.Instant) gcra.Instant {
	_, back := w.command(now)
	if w.plain--; w.plain == 0 {
		w.step = pops
	}
	return w.send(back)
}

// pop is a command of a pop. Queues are looked at in order, from the first in
// every iteration; only the first may block.
func (w *Worker) pop(now gcra.Instant) gcra.Instant {
	at, back := w.command(now)
	s := w.site
	switch s.store.pop(w.queues[w.queue], w.stage, &w.job, w.sent, at) {
	case more:
		w.stage++
		return w.send(back)
	case found:
		w.later = w.queue > 0
		return w.popped(at, back)
	}
	if w.queue == 0 && w.stage == 2 && s.parts.Connection.BlockFor > 0 && !w.later {
		w.step = waits
		return w.send(back)
	}
	return w.nothing(back)
}

// nothing is an empty queue: on to the next one, or to sleep.
func (w *Worker) nothing(back gcra.Instant) gcra.Instant {
	s := w.site
	s.Counts.EmptyPops++
	if w.queue++; w.queue < len(w.queues) {
		w.stage, w.step = 0, pops
		if s.parts.Polls == model.PollsPerQueue {
			w.step, w.plain = polls, 1
		}
		return w.send(back)
	}
	w.later = false
	w.step = begins
	return back.Add(w.spec.Interval + s.costs.overshoot.draw(&w.draws))
}

// wait is the command that blocks: until a token comes, or block_for is over.
func (w *Worker) wait(now gcra.Instant) gcra.Instant {
	at, back := w.command(now)
	if w.site.store.wait(w.queues[0], w.number(), at) {
		w.step, w.stage = pops, 3
		return w.send(back)
	}
	w.step = blocked
	return at.Add(w.site.parts.Connection.BlockFor)
}

func (w *Worker) number() int {
	for i, o := range w.site.Workers {
		if o == w {
			return i
		}
	}
	return -1
}

// served is when a blocked worker, to whom a token came, pops again.
func (w *Worker) served(at gcra.Instant) gcra.Instant {
	w.step, w.stage = pops, 3
	return w.send(at.Add(w.site.costs.wire.draw(&w.draws)))
}

// gaveUp is a block that ran out: it sleeps besides.
func (w *Worker) gaveUp(now gcra.Instant) gcra.Instant {
	if q, ok := w.site.store.(*redis); ok {
		q.gaveUp(w.queues[0], w.number())
	}
	return w.nothing(now.Add(w.site.costs.wire.draw(&w.draws)))
}

// rest is the end of an iteration with a job, also one that was released: the
// next begins at once unless the worker is told to rest.
func (w *Worker) rest(now gcra.Instant) gcra.Instant {
	w.forget()
	if w.spec.Laravel.Rest > 0 {
		w.step = begins
		return now.Add(w.spec.Laravel.Rest + w.site.costs.overshoot.draw(&w.draws))
	}
	return w.begin(now)
}
