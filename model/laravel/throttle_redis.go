package laravel

import (
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// redisThrottle is Redis::throttle: one script a try, timed by the worker's
// clock. Tries that are refused count too.
type redisThrottle struct {
	inside
	site   *Site
	spec   *model.Throttle
	window gcra.SecondWindow
	count  gcra.SecondCount
}

func (t *redisThrottle) reset() { t.count = gcra.SecondCount{} }

func (t *redisThrottle) ask(w *Worker, _ gcra.Instant) verdict {
	var ok bool
	if t.count, ok = t.window.Try(t.count, w.sent); ok {
		return verdict{what: pass}
	}
	return blocks(w, t.spec)
}
