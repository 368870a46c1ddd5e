package redis

import (
	"context"
	"fmt"
)

// queue is a queue's keys, named as Laravel names them.
type queue struct {
	name                             string
	ready, delayed, reserved, notify string
}

func (s *Server) queue(name string) *queue {
	key := s.key("queues", name)
	return &queue{name, key, key + ":delayed", key + ":reserved", key + ":notify"}
}

// push appends jobs to the ready list, all at once: what Laravel's bulk sends as
// one transaction is one script here.
func (c *client) push(ctx context.Context, q *queue, payloads []string) error {
	args := make([]any, len(payloads))
	for i, p := range payloads {
		args[i] = p
	}
	_, err := c.eval(ctx, pushScript, []string{q.ready, q.notify}, args...)
	return err
}

// later adds a job that is due at a whole second.
func (c *client) later(ctx context.Context, q *queue, payload string, due int64) error {
	_, err := c.do(ctx, "ZADD", q.delayed, due, payload)
	return err
}

// pop is three scripts, found or not: what is due of the delayed jobs becomes
// ready, then of the reserved ones, then the head is taken. now is read before
// each, as the worker's clock is. It returns the copy that is reserved, or "".
func (c *client) pop(ctx context.Context, q *queue, now func() int64, retryAfter int64, batch int) (string, error) {
	for _, from := range []string{q.delayed, q.reserved} {
		if _, err := c.eval(ctx, migrateScript, []string{from, q.ready, q.notify}, now(), batch); err != nil {
			return "", err
		}
	}
	return c.head(ctx, q, now()+retryAfter)
}

// head takes the first ready job until a whole second.
func (c *client) head(ctx context.Context, q *queue, until int64) (string, error) {
	v, err := c.eval(ctx, headScript, []string{q.ready, q.reserved, q.notify}, until)
	if err != nil || v == nil {
		return "", err
	}
	text, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("a pop answered %v, want a payload", v)
	}
	return text, nil
}

// remove takes a reserved job off the queue for good.
func (c *client) remove(ctx context.Context, q *queue, reserved string) error {
	_, err := c.do(ctx, "ZREM", q.reserved, reserved)
	return err
}

// release gives a reserved job back, due at a whole second.
func (c *client) release(ctx context.Context, q *queue, reserved string, due int64) error {
	_, err := c.eval(ctx, releaseScript, []string{q.delayed, q.reserved}, reserved, due)
	return err
}

// rewrite puts another payload in the place of a job that was released; false
// if somebody popped it meanwhile.
func (c *client) rewrite(ctx context.Context, q *queue, released, instead string) (bool, error) {
	v, err := c.eval(ctx, rewriteScript, []string{q.delayed}, released, instead)
	return number(v) == 1, err
}

// size is how many jobs a queue holds.
func (c *client) size(ctx context.Context, q *queue) (ready, delayed, reserved int64, err error) {
	v, err := c.eval(ctx, sizeScript, []string{q.ready, q.delayed, q.reserved})
	if err != nil {
		return 0, 0, 0, err
	}
	all, err := list(v, 3)
	if err != nil {
		return 0, 0, 0, err
	}
	return number(all[0]), number(all[1]), number(all[2]), nil
}
