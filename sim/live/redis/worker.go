package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ratesim/ratesim/model"
)

// worker is one worker process: one job at a time, one connection.
type worker struct {
	r      *runner
	spec   *model.Worker
	number int
	name   string
	c      *client
	queues []*queue
	later  bool // the last job came from a queue behind the first: don't block on that
	visits int  // so far: makes the owners of locks distinct
}

// trouble is how long a worker waits after a pop that found no Redis.
const trouble = time.Second

// run has turns until ctx ends. A turn that has begun is never cut off by that.
func (w *worker) run(ctx context.Context, phase time.Duration) {
	if _, whole := sleep(ctx, phase); !whole {
		return
	}
	for ctx.Err() == nil {
		v, err := w.next(ctx)
		switch {
		case err != nil:
			if ctx.Err() == nil {
				w.r.trouble(err)
				w.sleep(ctx, trouble)
				w.sleep(ctx, w.spec.Interval)
			}
		case v == nil:
			w.sleep(ctx, w.spec.Interval)
		default:
			if err := w.serve(v); err != nil {
				w.r.trouble(err)
			}
			w.r.book.let()
			if w.spec.Laravel.Rest > 0 {
				w.sleep(ctx, w.spec.Laravel.Rest)
			}
		}
	}
}

func (w *worker) sleep(ctx context.Context, d time.Duration) {
	if over, whole := sleep(ctx, d); whole && d > 0 {
		w.r.book.slept(inLoop, over)
	}
}

// next is a job, or nil: what is asked of the cache, then a pop of each queue in
// order, from the first in every turn. Only the first may block.
func (w *worker) next(turns context.Context) (*visit, error) {
	ctx, l := w.r.jobs, w.r.s.Laravel
	if err := w.polls(ctx); err != nil {
		return nil, err
	}
	for i, q := range w.queues {
		if i > 0 && l.Polls == model.PollsPerQueue {
			if _, err := w.c.do(ctx, "GET", w.r.server.key("paused", q.name)); err != nil {
				return nil, err
			}
		}
		text, err := w.c.pop(ctx, q, second, w.r.retryAfter, l.Connection.MigrationBatch)
		if err == nil && text == "" && i == 0 && l.Connection.BlockFor > 0 && !w.later {
			text, err = w.blocks(turns, q)
		}
		if err != nil {
			return nil, err
		}
		if w.r.book.served(text != ""); text == "" {
			continue
		}
		w.later = i > 0
		return w.taken(q, text)
	}
	w.later = false
	return nil, nil
}

// blocks waits for a token; with one it pops again, and migrates nothing.
func (w *worker) blocks(turns context.Context, q *queue) (string, error) {
	w.r.book.count(&w.r.book.counts.Blocks)
	// The connection of a worker that is told to end is cut: else it would
	// block on.
	stop := context.AfterFunc(turns, func() { _ = w.c.redis.Close() })
	ok, err := w.c.block(w.r.jobs, q.notify, w.r.s.Laravel.Connection.BlockFor)
	stop()
	if err != nil || !ok {
		return "", err
	}
	return w.c.head(w.r.jobs, q, second()+w.r.retryAfter)
}

// polls asks the cache whether to restart and whether queues are paused.
func (w *worker) polls(ctx context.Context) error {
	s := w.r.server
	var commands [][]any
	names := []any{"MGET"}
	for _, q := range w.queues {
		names = append(names, s.key("paused", q.name))
	}
	restart := []any{"GET", s.key("restart")}
	switch w.r.s.Laravel.Polls {
	case model.PollsRestart:
		commands = [][]any{restart}
	case model.PollsPerQueue:
		commands = [][]any{restart, {"GET", s.key("paused", w.queues[0].name)}}
	case model.PollsPauseOnce:
		commands = [][]any{restart, names}
	case model.PollsPauseTwice:
		commands = [][]any{restart, {"GET", s.key("paused")}, names}
	}
	for _, c := range commands {
		if _, err := w.c.do(ctx, c...); err != nil {
			return err
		}
	}
	return nil
}

// visit is a job in a worker's hand.
type visit struct {
	q        *queue
	text     string // the reserved copy
	p        payload
	class    *model.Class
	copy     int // which pop of the job
	ran      int // how often its body had begun before
	owner    string
	deadline time.Time // the alarm; zero: none
	places   []string  // by place in its throttles: the key of what it holds
	out      int       // the throttle to leave next
	held     time.Duration

	admitted    instant // the last throttle's word
	unthrottled bool
	free        bool // the wait gives its try back
	body        bool // its body began
	threw       bool
	told        bool // the provider refused its call
	released    bool
	failed      bool
	over        instant // when its body ended, or it was given up
}

func (w *worker) taken(q *queue, text string) (*visit, error) {
	p, err := parsePayload(text, len(w.r.s.Classes))
	if err != nil {
		return nil, err
	}
	w.visits++
	v := &visit{q: q, text: text, p: p, class: &w.r.s.Classes[p.Class], out: -1, owner: fmt.Sprintf("%d.%d", w.number, w.visits)}
	v.places = make([]string, len(v.class.Laravel.Throttles))
	if t := w.timeout(v); t > 0 {
		v.deadline = time.Now().Add(t)
	}
	w.r.book.take(v)
	return v, nil
}

// timeout is the job's, or the worker's; 0: none.
func (w *worker) timeout(v *visit) time.Duration {
	if t := v.class.Laravel.Timeout; t != nil {
		return *t
	}
	return w.spec.Laravel.Timeout
}

// tries is the job's, or the worker's; 0: any number.
func (w *worker) tries(v *visit) int {
	if v.p.MaxTries != nil {
		return *v.p.MaxTries
	}
	return w.spec.Laravel.Tries
}

// errDied is the end of a worker's process with a job in its hand.
var errDied = errors.New("the worker died")
