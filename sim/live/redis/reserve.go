package redis

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Reserved slots on Redis, whose clock counts in microseconds since 1970.

// visitor is the job that asks.
type visitor struct {
	uuid   string
	ran    int  // how often its body began
	inside bool // more throttles stand behind this one
}

// asked is what a visit to a throttle with reserved slots came to.
type asked struct {
	word  string // start, slot, room, paused, over
	now   int64  // by Redis' clock, µs
	again int64
	came  bool  // with a slot
	slot  int64 // -1: it has none
}

func (a asked) wait() time.Duration { return time.Duration(a.again-a.now) * time.Microsecond }

// ask is a visit of a job that may wait for so long.
func (c *client) ask(ctx context.Context, key string, r gcra.Reserved, v visitor, most time.Duration) (asked, error) {
	inside := 0
	if v.inside {
		inside = 1
	}
	got, err := c.eval(ctx, jobThrottleScript, []string{key},
		r.Allow, r.Every.Microseconds(), r.Spacing().Microseconds(), r.Kept().Microseconds(), v.uuid, most.Microseconds(), inside, v.ran)
	if err != nil {
		return asked{}, err
	}
	all, err := list(got, 5)
	if err != nil {
		return asked{}, err
	}
	word, _ := all[0].(string)
	return asked{word, number(all[1]), number(all[2]), number(all[3]) == 1, number(all[4])}, nil
}

// pause lets nobody start for a while, and says when that ends.
func (c *client) pause(ctx context.Context, key string, d time.Duration) (int64, error) {
	d = min(max(d, gcra.PauseLeast), gcra.PauseMost)
	v, err := c.eval(ctx, pauseScript, []string{key}, d.Microseconds())
	return number(v), err
}
