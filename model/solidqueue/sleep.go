package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Sleep is how a loop waits between two polls. Solid Queue's starts when the
// work ends, so the period is interval, work and overshoot together and never
// a fixed grid; a plain queue may keep a grid from its phase.
type Sleep struct {
	Interval  time.Duration
	Overshoot model.Dist // by how much each sleep is too long
	Rand      model.Rand
	Grid      bool
	Phase     gcra.Instant
}

// Until is when a poll that began at begin and ended at done is followed by
// the next one.
func (s *Sleep) Until(begin, done gcra.Instant) gcra.Instant {
	if !s.Grid {
		d := s.Interval
		if base, _, fixed := s.Overshoot.Fixed(); fixed {
			d += base
		} else {
			d += s.Overshoot.Draw(&s.Rand, 0)
		}
		return done.Add(d)
	}
	// The first grid point after begin; one that passed during the work is
	// taken at its end.
	next := begin.Add(s.Interval)
	if k := next.Sub(s.Phase) % s.Interval; k != 0 {
		next = next.Add(-k)
	}
	return max(next, done)
}
