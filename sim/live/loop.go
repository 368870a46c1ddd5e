package live

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// clock is the run's: instants since its start.
type clock struct{ start time.Time }

func (c clock) now() gcra.Instant { return gcra.Instant(time.Since(c.start)) }

// loop lets an actor have its turns.
type loop struct {
	clock   clock
	actor   model.Actor
	wake    <-chan struct{} // nil: nothing wakes it
	woken   func() bool     // whether a wake-up ends the actor's sleep
	of      int             // what it is a loop of, for its delays
	delays  *Delays
	periods *periods
}

// run goes on from the instant next until ctx ends or a turn fails. A turn that
// has begun is never cut off.
func (l *loop) run(ctx context.Context, next gcra.Instant) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	last := gcra.Never // the poll before, if the timer alone brought it about
	for {
		wait := next.Sub(l.clock.now())
		if wait > 0 {
			timer.Reset(wait)
		}
		// A wake-up that came during a turn is taken first, and one that ends
		// no sleep, being for a turn under way, changes nothing.
		for sleeping := wait > 0; sleeping; {
			select {
			case <-ctx.Done():
				return nil
			case <-l.wake:
				if l.woken() {
					sleeping, last = false, gcra.Never
				}
			case <-timer.C:
				sleeping = false
				now := l.clock.now()
				l.delays.slept(l.of, now.Sub(next))
				if last != gcra.Never {
					l.periods.add(now.Sub(last))
				}
				last = now
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		select {
		case <-l.wake:
			l.woken()
		default:
		}
		var err error
		if next, err = l.actor.Poll(l.clock.now()); err != nil {
			return err
		}
	}
}
