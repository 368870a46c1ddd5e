package laravel

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// throttle is what stands before a job, for all jobs with its key. Each call
// that takes an instant is one command to its Redis, at the instant at which it
// is executed; the worker says which command of the visit it is.
type throttle interface {
	reset()
	// ask is command w.stage of the way in.
	ask(w *Worker, at gcra.Instant) verdict
	// leaves is true if the throttle wants commands on the way out, after the
	// job ran or was released by a throttle further in.
	leaves(w *Worker, place int) bool
	// leave is command w.stage of the way out.
	leave(w *Worker, place int, at gcra.Instant) verdict
}

// verdict is what a command came to.
type verdict struct {
	what  answer
	until gcra.Instant  // of hold: when to ask again; of releaseAt: not before
	delay time.Duration // of release: whole seconds
}

type answer uint8

const (
	pass      answer = iota // go on inwards, or outwards
	next                    // one more command of the same throttle
	hold                    // wait inside the worker, then ask again
	release                 // back to the queue for a delay
	releaseAt               // back to the queue until the whole second from which the job may ask again
	drop                    // the job counts as done and does not run
	fail                    // the job fails
	throws                  // the throttle itself throws, as a job may
)

// newThrottle makes the throttle of a kind.
func newThrottle(s *Site, t *model.Throttle) throttle {
	switch t.Kind {
	case model.RedisThrottle:
		return &redisThrottle{site: s, spec: t, window: gcra.SecondWindow{Allow: t.Allow, Every: t.Every}}
	case model.RateLimited:
		return &rateLimited{site: s, spec: t, hits: gcra.Hits{Allow: t.Allow, Every: t.Every}}
	case model.RateLimitedRedis:
		return &rateLimitedRedis{spec: t, window: gcra.SecondWindow{Allow: t.Allow, Every: t.Every}}
	case model.RedisFunnel:
		return &redisFunnel{spec: t, places: gcra.NewPlaces(t.Places)}
	case model.WithoutOverlapping:
		return &withoutOverlapping{spec: t, lock: gcra.NewPlaces(1)}
	case model.ThrottlesExceptions:
		return &throttlesExceptions{spec: t, hits: gcra.Hits{Allow: t.Allow, Every: t.Every}}
	}
	return newJobThrottle(s, t)
}

// inside is a throttle that wants nothing on the way out.
type inside struct{}

func (inside) leaves(*Worker, int) bool                       { return false }
func (inside) leave(_ *Worker, _ int, _ gcra.Instant) verdict { return verdict{} }

// blocks is how a Redis::throttle or Redis::funnel that is full goes on: it
// tries again after its sleep until, in whole seconds of the worker's clock,
// block has passed since its first try, and then the job is released.
func blocks(w *Worker, spec *model.Throttle) verdict {
	if second(w.sent).Add(-spec.Block) >= second(w.began) {
		return verdict{what: release, delay: spec.Release}
	}
	return verdict{what: hold, until: w.sent.Add(spec.Sleep)}
}

// afterWindow is a release until a window has ended, and the pad, unless the
// middleware was given a delay of its own, or told to drop.
func afterWindow(spec *model.Throttle, ends, sent gcra.Instant, pad time.Duration) verdict {
	switch {
	case spec.DontRelease:
		return verdict{what: drop}
	case spec.ReleaseAfter != nil:
		return verdict{what: release, delay: *spec.ReleaseAfter}
	}
	return verdict{what: release, delay: max(ends.Sub(second(sent)), 0) + pad}
}
