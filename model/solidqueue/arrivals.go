package solidqueue

import (
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Arrivals enqueues the jobs of all classes as they come, in memory or on disk.
type Arrivals struct {
	scenario *model.Scenario
	enqueue  func(class, n int, now gcra.Instant) error
	streams  []coming
}

// coming is a class's next arrival.
type coming struct {
	class  int
	stream *model.Stream
	at     gcra.Instant
	n      int
}

// NewArrivals makes the arrivals of a scenario; enqueue makes n jobs of a class
// ready. [Arrivals.Reset] must follow.
func NewArrivals(s *model.Scenario, enqueue func(class, n int, now gcra.Instant) error) *Arrivals {
	return &Arrivals{scenario: s, enqueue: enqueue}
}

// Reset puts every class's backlog into the ready table, in the order of the
// scenario, and says when the first job comes after that.
func (a *Arrivals) Reset(seed uint64, run int) (gcra.Instant, error) {
	a.streams = a.streams[:0]
	s := a.scenario
	for i := range s.Classes {
		c := &s.Classes[i]
		if c.Backlog > 0 {
			if err := a.enqueue(i, c.Backlog, 0); err != nil {
				return gcra.Never, err
			}
		}
		if c.Arrivals.None() {
			continue
		}
		in := coming{class: i, stream: c.Arrivals.Start(model.ActorRand(seed, run, "arrivals of "+c.Name))}
		in.advance()
		a.streams = append(a.streams, in)
	}
	return a.next(), nil
}

func (c *coming) advance() {
	at, n, ok := c.stream.Next()
	if !ok {
		at = gcra.Never
	}
	c.at, c.n = at, n
}

func (a *Arrivals) next() gcra.Instant {
	at := gcra.Never
	for i := range a.streams {
		at = min(at, a.streams[i].at)
	}
	return at
}

// Poll is one turn: all that comes at this instant.
func (a *Arrivals) Poll(now gcra.Instant) (gcra.Instant, error) {
	for i := range a.streams {
		for c := &a.streams[i]; c.at <= now; c.advance() {
			if err := a.enqueue(c.class, c.n, now); err != nil {
				return gcra.Never, err
			}
		}
	}
	return a.next(), nil
}
