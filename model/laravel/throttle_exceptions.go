package laravel

import (
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// throttlesExceptions is the middleware of that name: after so many exceptions
// in its window jobs wait for the window's end. It swallows exceptions, so the
// worker sees a released job and max_exceptions counts none of them. A success
// forgets them.
type throttlesExceptions struct {
	spec  *model.Throttle
	hits  gcra.Hits
	count gcra.HitCount
}

func (t *throttlesExceptions) reset() { t.count = gcra.HitCount{} }

func (t *throttlesExceptions) ask(w *Worker, at gcra.Instant) verdict {
	switch {
	case w.stage == 0:
		if !t.hits.Full(t.count, at) {
			return verdict{what: pass}
		}
	case w.stage == 2:
		return afterWindow(t.spec, second(t.count.First).Add(t.spec.Every), w.sent, model.RateLimitedPad)
	}
	return verdict{what: next}
}

func (t *throttlesExceptions) leaves(w *Worker, _ int) bool { return w.ran }

// leave forgets after a success, with two commands more, and counts an
// exception with four.
func (t *throttlesExceptions) leave(w *Worker, _ int, at gcra.Instant) verdict {
	if !w.threw {
		if w.stage < 1 {
			return verdict{what: next}
		}
		t.count = gcra.HitCount{}
		return verdict{what: pass}
	}
	if w.stage < 3 {
		return verdict{what: next}
	}
	t.count = t.hits.Hit(t.count, at)
	return verdict{what: release, delay: t.spec.Backoff}
}
