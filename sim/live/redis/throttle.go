package redis

import (
	"fmt"
	"strconv"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// throttle is what stands before a job, for all jobs with its key.
type throttle interface {
	// enter asks whether a job may go on; it may hold the worker.
	enter(w *worker, v *visit, place int) (answer, error)
	// leave is called on the way out, after the job ran or was released further
	// in, or by this throttle itself.
	leave(w *worker, v *visit, place int) (answer, error)
}

// newThrottle makes the throttle of a kind.
func newThrottle(s *Server, t *model.Throttle) throttle {
	key := s.key("throttle", t.Name)
	switch t.Kind {
	case model.RedisThrottle:
		return &redisThrottle{spec: t, key: key}
	case model.RateLimited:
		return &rateLimited{spec: t, key: key}
	case model.RateLimitedRedis:
		return &rateLimitedRedis{spec: t, key: key}
	case model.RedisFunnel:
		return &redisFunnel{spec: t, keys: placeKeys(key, t.Places)}
	case model.WithoutOverlapping:
		return &withoutOverlapping{spec: t, key: key}
	case model.ThrottlesExceptions:
		return &throttlesExceptions{spec: t, rateLimited: rateLimited{spec: t, key: key}}
	}
	return &jobThrottle{
		spec: t, key: key, rate: gcra.Reserved{Allow: t.Allow, Every: t.Every}, places: placeKeys(key+":place", t.Concurrency),
	}
}

func placeKeys(key string, n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = key + strconv.Itoa(i+1)
	}
	return keys
}

// inside is a throttle that wants nothing on the way out.
type inside struct{}

func (inside) leave(*worker, *visit, int) (answer, error) { return answer{}, nil }

// blocks tries until it is let in, or until block has passed since the first
// try in whole seconds of the worker's clock; then the job is released.
func blocks(w *worker, v *visit, t *model.Throttle, try func() (ok bool, at gcra.Instant, err error)) (answer, error) {
	began := second()
	for {
		ok, at, err := try()
		switch {
		case err != nil:
			return answer{}, err
		case ok:
			return answer{at: at}, nil
		case second()-int64(t.Block/time.Second) >= began:
			return answer{what: release, delay: t.Release, at: at}, nil
		}
		if err := w.holdFor(v, t.Sleep, at); err != nil {
			return answer{}, err
		}
	}
}

// holdFor keeps a job inside the worker before it asks again.
func (w *worker) holdFor(v *visit, d time.Duration, at gcra.Instant) error {
	w.r.book.count(&w.r.book.counts.Holds)
	w.r.book.deferred(v, at, w.r.clock.now().Add(d))
	return w.hold(v, d)
}

// window is one try of a window that the first start opens: whether it lets the
// job in, the second in which it ends, and when it said so.
func (w *worker) window(key string, t *model.Throttle) (ok bool, ends int64, at gcra.Instant, err error) {
	return w.windowAt(time.Now(), key, t)
}

func (w *worker) windowAt(now time.Time, key string, t *model.Throttle) (ok bool, ends int64, at gcra.Instant, err error) {
	v, err := w.c.eval(w.r.jobs, windowScript, []string{key}, phpClock(now), now.Unix(), int64(t.Every/time.Second), t.Allow)
	if err != nil {
		return false, 0, 0, err
	}
	all, err := list(v, 3)
	if err != nil {
		return false, 0, 0, err
	}
	return number(all[0]) == 1, number(all[1]), w.r.clock.redis(number(all[2])), nil
}

// phpClock is a time as PHP prints microtime(true): four decimals, none that is
// a last zero.
func phpClock(t time.Time) string {
	tenths := (t.UnixMicro() + 50) / 100
	text := fmt.Sprintf("%d.%04d", tenths/10_000, tenths%10_000)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}

// afterWindow is a release until a window has ended, and the pad, unless the
// middleware was given a delay of its own, or told to drop.
func afterWindow(t *model.Throttle, left time.Duration, at gcra.Instant) answer {
	switch {
	case t.DontRelease:
		return answer{what: drop, at: at}
	case t.ReleaseAfter != nil:
		return answer{what: release, delay: *t.ReleaseAfter, at: at}
	}
	return answer{what: release, delay: max(left, 0) + model.RateLimitedPad, at: at}
}

// redisThrottle is Redis::throttle.
type redisThrottle struct {
	inside
	spec *model.Throttle
	key  string
}

func (t *redisThrottle) enter(w *worker, v *visit, _ int) (answer, error) {
	return blocks(w, v, t.spec, func() (bool, gcra.Instant, error) {
		ok, _, at, err := w.window(t.key, t.spec)
		return ok, at, err
	})
}

// rateLimitedRedis is the RateLimitedWithRedis middleware: one try of the same
// window.
type rateLimitedRedis struct {
	inside
	spec *model.Throttle
	key  string
}

func (t *rateLimitedRedis) enter(w *worker, _ *visit, _ int) (answer, error) {
	ok, ends, at, err := w.window(t.key, t.spec)
	if err != nil || ok {
		return answer{at: at}, err
	}
	return afterWindow(t.spec, time.Duration(ends-second())*time.Second, at), nil
}
