package redis

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Reserved slots on Redis, whose clock counts in microseconds since 1970.

// none is a job's slot where it has none, and no end to what it may wait.
const none = int64(-1)

// asked is what a visit to a throttle with reserved slots came to.
type asked struct {
	word  string // start, slot, room, paused, over
	now   int64  // by Redis' clock, µs
	again int64
	slot  int64 // none: it has none
}

func (a asked) wait() time.Duration { return time.Duration(a.again-a.now) * time.Microsecond }

// ask is a visit of a job with a slot, or none, that may wait for so long.
func (c *client) ask(ctx context.Context, key string, r gcra.Reserved, slot int64, most time.Duration) (asked, error) {
	has := any("")
	if slot != none {
		has = slot
	}
	v, err := c.eval(ctx, jobThrottleScript, []string{key},
		r.Allow, r.Every.Microseconds(), r.Spacing().Microseconds(), r.Kept().Microseconds(), has, most.Microseconds())
	if err != nil {
		return asked{}, err
	}
	all, err := list(v, 4)
	if err != nil {
		return asked{}, err
	}
	word, _ := all[0].(string)
	return asked{word, number(all[1]), number(all[2]), number(all[3])}, nil
}

// pause lets nobody start for a while, and says when that ends.
func (c *client) pause(ctx context.Context, key string, d time.Duration) (int64, error) {
	d = min(max(d, gcra.PauseLeast), gcra.PauseMost)
	v, err := c.eval(ctx, pauseScript, []string{key}, d.Microseconds())
	return number(v), err
}
