package redis

import (
	"fmt"
	"strconv"
	"time"

	"github.com/ratesim/ratesim/model"
)

// rateLimited is the RateLimited middleware over a cache in Redis: it reads a
// counter, and counts with three more commands if there was room. Whoever reads
// in between is let in as well.
type rateLimited struct {
	inside
	spec *model.Throttle
	key  string
}

func (t *rateLimited) timer() string { return t.key + ":timer" }

func (t *rateLimited) enter(w *worker, _ *visit, _ int) (answer, error) {
	full, err := t.full(w)
	if err != nil {
		return answer{}, err
	}
	if !full {
		return answer{}, t.hit(w)
	}
	if t.spec.ReleaseAfter != nil || t.spec.DontRelease {
		return afterWindow(t.spec, 0, 0), nil
	}
	left, err := t.left(w)
	return afterWindow(t.spec, left, 0), err
}

// full reads the counter, and the timer if that is at its limit. A counter that
// outlived its timer begins anew.
func (t *rateLimited) full(w *worker) (bool, error) {
	n, err := w.integer(t.key)
	if err != nil || n < int64(t.spec.Allow) {
		return false, err
	}
	ends, err := w.integer(t.timer())
	if err != nil || ends > 0 {
		return err == nil, err
	}
	_, err = w.c.do(w.r.jobs, "DEL", t.key)
	return false, err
}

// left is until when the window lasts.
func (t *rateLimited) left(w *worker) (time.Duration, error) {
	ends, err := w.integer(t.timer())
	return time.Duration(ends-second()) * time.Second, err
}

// hit counts: the first of a window opens it.
func (t *rateLimited) hit(w *worker) error {
	ctx, length := w.r.jobs, int64(t.spec.Every/time.Second)
	if _, err := w.c.eval(ctx, addScript, []string{t.timer()}, second()+length, length); err != nil {
		return err
	}
	added, err := w.c.eval(ctx, addScript, []string{t.key}, 0, length)
	if err != nil {
		return err
	}
	n, err := w.c.do(ctx, "INCRBY", t.key, 1)
	if err == nil && added == nil && number(n) == 1 {
		_, err = w.c.do(ctx, "SETEX", t.key, length, 1)
	}
	return err
}

// integer reads a number; 0 if there is none.
func (w *worker) integer(key string) (int64, error) {
	v, err := w.c.do(w.r.jobs, "GET", key)
	if err != nil || v == nil {
		return 0, err
	}
	n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s holds %v, want a number", key, v)
	}
	return n, nil
}

// throttlesExceptions is the middleware of that name: after so many exceptions
// in its window jobs wait for the window's end. It swallows exceptions, so the
// worker sees a released job. A success forgets them.
type throttlesExceptions struct {
	rateLimited
	spec *model.Throttle
}

func (t *throttlesExceptions) enter(w *worker, _ *visit, _ int) (answer, error) {
	full, err := t.full(w)
	if err != nil || !full {
		return answer{}, err
	}
	left, err := t.left(w)
	return afterWindow(t.spec, left, 0), err
}

func (t *throttlesExceptions) leave(w *worker, v *visit, _ int) (answer, error) {
	switch {
	case !v.body:
		return answer{}, nil
	case v.threw:
		// Its first read looks whether there is a timer to begin anew.
		if _, err := w.integer(t.key); err != nil {
			return answer{}, err
		}
		return answer{what: release, delay: t.spec.Backoff}, t.hit(w)
	}
	for _, key := range []string{t.key, t.timer()} {
		if _, err := w.c.do(w.r.jobs, "DEL", key); err != nil {
			return answer{}, err
		}
	}
	return answer{}, nil
}
