package sim_test

import (
	"container/heap"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// plain is a second simulation of the same queue, written from the rules
// alone and as plainly as they can be put: one event list, one struct a job,
// one check at a time, what a transaction writes is an event at its commit. It
// shares the limiter and the random streams with the real engine and nothing
// else, so what both say is what the rules say.
type plain struct {
	s    *model.Scenario
	seed uint64
	run  int

	now    gcra.Instant
	events plainEvents
	seq    int64

	jobs      []*plainJob // by id, from 1
	places    int64       // handed out at the end of ready
	ready     plainJobs   // by priority and place
	scheduled plainJobs   // by due time, priority and id
	waiting   int         // jobs that are neither handed to a thread nor dropped
	running   int         // jobs that have a thread
	coming    int         // classes that have arrivals left
	gates     []plainGate // by limit
	writing   gcra.Instant
	unlocked  []gcra.Instant // by limit: the last commit of a claim that used it

	workers []*plainWorker
	log     []line
	counts  model.Counts
}

type plainJob struct {
	id       int64
	class    int
	priority int
	since    gcra.Instant
	place    int64        // in ready
	due      gcra.Instant // in scheduled
	waits    int64
}

// line is one event of one job, as both simulations log it.
type line struct {
	kind  model.Kind
	at    gcra.Instant
	class int
	limit int
	job   int64
	next  gcra.Instant // of a deferral
	since gcra.Instant // of a claim
}

// runPlain simulates one run of s.
func runPlain(s *model.Scenario, seed uint64, run int) (model.Counts, []line) {
	p := &plain{s: s, seed: seed, run: run, unlocked: make([]gcra.Instant, len(s.Limits))}
	p.ready.before = func(a, b *plainJob) bool {
		if a.priority != b.priority {
			return a.priority < b.priority
		}
		return a.place < b.place
	}
	p.scheduled.before = func(a, b *plainJob) bool {
		switch {
		case a.due != b.due:
			return a.due < b.due
		case a.priority != b.priority:
			return a.priority < b.priority
		}
		return a.id < b.id
	}
	for _, l := range s.Limits {
		p.gates = append(p.gates, newPlainGate(l))
	}
	for class := range s.Classes {
		for range s.Classes[class].Backlog {
			p.enqueue(class)
		}
	}
	p.start()
	p.loop()
	return p.counts, p.log
}

// The ranks of one instant. What commits is visible to all that happens at the
// same instant.
const (
	rankCommit = iota
	rankArrival
	rankActor
)

// start puts the first turn of everybody on the event list.
func (p *plain) start() {
	streams := make([]*plainStream, len(p.s.Classes))
	for class, c := range p.s.Classes {
		s := c.Arrivals.Start(model.ActorRand(p.seed, p.run, "arrivals of "+c.Name))
		streams[class] = &plainStream{p: p, class: class, stream: s}
		streams[class].advance()
	}
	p.arrive(streams)

	processes := 0
	for _, w := range p.s.Workers {
		processes += w.Processes
	}
	rank := rankActor + processes // job ends come first, a rank for each process
	shared := model.ActorRand(p.seed, p.run, "dispatchers phase")
	fraction := shared.Float64()
	var booted gcra.Instant
	for i, d := range p.s.Dispatchers {
		a := p.newActor("dispatcher", i+1, 0, rank, d.Interval, d.Phase, fraction, &booted)
		dispatcher := &plainDispatcher{plainActor: a, batch: d.Batch}
		p.at(a.phase, rank, dispatcher.poll)
		rank++
	}
	process := 0
	for i, w := range p.s.Workers {
		for k := range w.Processes {
			a := p.newActor("worker", i+1, k+1, rank, w.Interval, w.Phase, 0, &booted)
			worker := &plainWorker{plainActor: a, ends: rankActor + process, idle: w.Threads}
			worker.cpu = model.ActorRand(p.seed, p.run, a.name+" jobs")
			p.counts.Threads += w.Threads
			p.workers = append(p.workers, worker)
			worker.sleepUntil(a.phase)
			rank++
			process++
		}
	}
}

// loop takes one event after the other until the run is over.
func (p *plain) loop() {
	until := gcra.Instant(p.s.Until)
	for turn := 0; ; turn++ {
		if turn == 3_000_000 {
			panic(p.s.Name + " does not come to an end\n" + compact(p.s))
		}
		if until == 0 && p.waiting == 0 && p.coming == 0 {
			p.counts.Drained = true
			break
		}
		if p.stalled() {
			p.counts.Stalled = true
			break
		}
		e := heap.Pop(&p.events).(plainEvent)
		if until > 0 && e.at >= until {
			return
		}
		p.now = e.at
		e.do()
	}
	for _, w := range p.workers {
		w.unlock() // the run is over for polls: they let go of the locks
	}
	for len(p.events) > 0 && p.running > 0 {
		e := heap.Pop(&p.events).(plainEvent)
		if e.end {
			p.now = e.at
			e.do()
		}
	}
}

// stalled is true when all that is left waits for a dispatcher there isn't.
func (p *plain) stalled() bool {
	return p.s.Until == 0 && len(p.s.Dispatchers) == 0 && p.coming == 0 && p.running == 0 &&
		p.waiting > 0 && p.waiting == len(p.scheduled.list)
}

func (p *plain) tell(kind model.Kind, at gcra.Instant, j *plainJob) *line {
	p.log = append(p.log, line{kind: kind, at: at, class: j.class, limit: p.s.Classes[j.class].Limit, job: j.id})
	return &p.log[len(p.log)-1]
}

func (p *plain) enqueue(class int) {
	j := &plainJob{id: int64(len(p.jobs)) + 1, class: class, priority: p.s.Classes[class].Priority, since: p.now}
	p.jobs = append(p.jobs, j)
	p.waiting++
	p.toReady(j)
	p.tell(model.Enqueued, p.now, j)
}

// toReady puts a job at the end of the ready ones of its priority. If all jobs
// come here once, their places are in the order of their ids.
func (p *plain) toReady(j *plainJob) {
	p.places++
	j.place = p.places
	heap.Push(&p.ready, j)
}

// plainStream is one class's arrivals and the next of them.
type plainStream struct {
	p      *plain
	class  int
	stream *model.Stream
	at     gcra.Instant
	n      int
	more   bool
}

func (s *plainStream) advance() {
	more := s.more
	s.at, s.n, s.more = s.stream.Next()
	switch {
	case s.more && !more:
		s.p.coming++
	case !s.more && more:
		s.p.coming--
	}
}

// arrive waits for the next arrival of any class and enqueues all of its
// instant, in the order of the classes.
func (p *plain) arrive(streams []*plainStream) {
	next := gcra.Never
	for _, s := range streams {
		if s.more {
			next = min(next, s.at)
		}
	}
	if next == gcra.Never {
		return
	}
	p.at(next, rankArrival, func() {
		for _, s := range streams {
			for s.more && s.at == p.now {
				for range s.n {
					p.enqueue(s.class)
				}
				s.advance()
			}
		}
		p.arrive(streams)
	})
}

// The event list: by time, then rank, then first come.
type plainEvent struct {
	at   gcra.Instant
	rank int
	seq  int64
	end  bool // the end of a job, which a drained run still waits for
	do   func()
}

func (p *plain) at(at gcra.Instant, rank int, do func()) {
	p.seq++
	heap.Push(&p.events, plainEvent{at: at, rank: rank, seq: p.seq, do: do})
}

// commit does at the end of a transaction what it wrote.
func (p *plain) commit(at gcra.Instant, do func()) {
	if at == p.now {
		do()
		return
	}
	p.at(at, rankCommit, do)
}

type plainEvents []plainEvent

func (h plainEvents) Len() int { return len(h) }
func (h plainEvents) Less(i, j int) bool {
	a, b := h[i], h[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.rank != b.rank:
		return a.rank < b.rank
	}
	return a.seq < b.seq
}
func (h plainEvents) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *plainEvents) Push(x any)   { *h = append(*h, x.(plainEvent)) }
func (h *plainEvents) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}

// plainJobs are jobs in an order.
type plainJobs struct {
	list   []*plainJob
	before func(a, b *plainJob) bool
}

func (h *plainJobs) Len() int           { return len(h.list) }
func (h *plainJobs) Less(i, j int) bool { return h.before(h.list[i], h.list[j]) }
func (h *plainJobs) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *plainJobs) Push(x any)         { h.list = append(h.list, x.(*plainJob)) }
func (h *plainJobs) Pop() any {
	last := len(h.list) - 1
	j := h.list[last]
	h.list = h.list[:last]
	return j
}
