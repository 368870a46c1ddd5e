package measure

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Course is a probe that keeps how one run went, for pictures: how many jobs
// waited when, when jobs were claimed, and how long each had waited. It takes
// memory for each distinct instant and for each distinct wait.
type Course struct {
	Waiting []Level         // after each instant at which it changed
	Claims  [][]Level       // by limit: how many at each instant
	Waits   map[int64]int64 // jobs by how long they waited, in nanoseconds
	limits  int
}

// Level is a number at an instant.
type Level struct {
	At gcra.Instant
	N  int64
}

// NewCourse is a course of a run of the scenario.
func NewCourse(s *model.Scenario) *Course {
	return &Course{Claims: make([][]Level, len(s.Limits)), Waits: map[int64]int64{}, limits: len(s.Limits)}
}

// Observe is model.Probe's.
func (c *Course) Observe(e *model.Event) {
	switch e.Kind {
	case model.Enqueued, model.Retried:
		c.change(e.At, int64(e.N))
	case model.Dropped:
		c.change(e.At, -int64(e.N))
	case model.Claimed:
		c.change(e.At, -int64(e.N))
		c.Waits[int64(e.At.Sub(e.Since))] += int64(e.N)
		if e.Limit >= 0 {
			c.Claims[e.Limit] = add(c.Claims[e.Limit], e.At, int64(e.N))
		}
	}
}

func add(levels []Level, at gcra.Instant, n int64) []Level {
	if k := len(levels) - 1; k >= 0 && levels[k].At == at {
		levels[k].N += n
		return levels
	}
	return append(levels, Level{at, n})
}

func (c *Course) change(at gcra.Instant, n int64) {
	if k := len(c.Waiting) - 1; k >= 0 {
		if c.Waiting[k].At == at {
			c.Waiting[k].N += n
			return
		}
		n += c.Waiting[k].N
	}
	c.Waiting = append(c.Waiting, Level{at, n})
}

// InWindow is how many claims of a limit the window held that ends with each
// instant: it grows at a claim and falls when one is a whole length ago, for
// windows are half-open.
func (c *Course) InWindow(limit int, length time.Duration) (out []Level) {
	claims := c.Claims[limit]
	gone, n := 0, int64(0)
	for _, l := range claims {
		for gone < len(claims) && claims[gone].At.Add(length) <= l.At {
			n -= claims[gone].N
			if at := claims[gone].At.Add(length); at < l.At {
				out = append(out, Level{at, n})
			}
			gone++
		}
		n += l.N
		out = add(out, l.At, 0)
		out[len(out)-1].N = n
	}
	for ; gone < len(claims); gone++ {
		n -= claims[gone].N
		out = append(out, Level{claims[gone].At.Add(length), n})
	}
	return out
}
