package laravel

import (
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// rateLimited is the RateLimited middleware over a cache in Redis: it reads the
// counter, and counts with three more commands if there was room. Whoever reads
// in between is let in as well.
type rateLimited struct {
	inside
	site  *Site
	spec  *model.Throttle
	hits  gcra.Hits
	count gcra.HitCount
}

func (t *rateLimited) reset() { t.count = gcra.HitCount{} }

func (t *rateLimited) ask(w *Worker, at gcra.Instant) verdict {
	switch {
	case w.stage == 0:
		w.refused = t.hits.Full(t.count, at)
	case !w.refused && w.stage == 3:
		t.count = t.hits.Hit(t.count, at)
		return verdict{what: pass}
	case w.refused && w.stage == t.reads()-1:
		w.refused = false
		// The end is stored as a whole second: the first hit's, and Every.
		return afterWindow(t.spec, second(t.count.First).Add(t.spec.Every), w.sent, model.RateLimitedPad)
	}
	return verdict{what: next}
}

// reads is how many commands a refusal takes: the counter, the timer, and when
// the window ends, if that is asked.
func (t *rateLimited) reads() int {
	if t.spec.ReleaseAfter != nil || t.spec.DontRelease {
		return 2
	}
	return 3
}

// rateLimitedRedis is the RateLimitedWithRedis middleware: one try of
// Redis::throttle's window.
type rateLimitedRedis struct {
	inside
	spec   *model.Throttle
	window gcra.SecondWindow
	count  gcra.SecondCount
}

func (t *rateLimitedRedis) reset() { t.count = gcra.SecondCount{} }

func (t *rateLimitedRedis) ask(w *Worker, _ gcra.Instant) verdict {
	var ok bool
	if t.count, ok = t.window.Try(t.count, w.sent); ok {
		return verdict{what: pass}
	}
	return afterWindow(t.spec, t.window.Ends(t.count), w.sent, model.RateLimitedPad)
}
