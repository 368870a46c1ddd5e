package redis

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// quiet keeps what go-redis would print: whoever sent a command gets the error.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { goredis.SetLogger(quiet{}) }

// client is one connection. It counts its round trips: commands that were sent
// and answered; a script is one, whatever it does inside.
type client struct {
	server *Server
	redis  *goredis.Client
	trips  atomic.Int64
	evals  atomic.Int64 // of the trips

	mu   sync.Mutex
	took []time.Duration // by each trip
}

// eval sends a script and returns its answer; nil is one, too.
func (c *client) eval(ctx context.Context, text string, keys []string, args ...any) (any, error) {
	c.server.used(keys)
	began := time.Now()
	v, err := c.redis.Eval(ctx, text, keys, args...).Result()
	if answered(err) {
		c.evals.Add(1)
	}
	return c.got(v, err, began)
}

// do sends a plain command; its second word is the key.
func (c *client) do(ctx context.Context, args ...any) (any, error) {
	c.server.used([]string{args[1].(string)})
	began := time.Now()
	v, err := c.redis.Do(ctx, args...).Result()
	return c.got(v, err, began)
}

func (c *client) got(v any, err error, began time.Time) (any, error) {
	if answered(err) {
		c.trips.Add(1)
		c.mu.Lock()
		c.took = append(c.took, time.Since(began))
		c.mu.Unlock()
	}
	if errors.Is(err, goredis.Nil) {
		return nil, nil
	}
	return v, err
}

// block waits for a token; false if none came in time.
func (c *client) block(ctx context.Context, key string, d time.Duration) (bool, error) {
	c.server.used([]string{key})
	v, err := c.redis.BLPop(ctx, d, key).Result()
	if answered(err) {
		c.trips.Add(1)
	}
	if errors.Is(err, goredis.Nil) {
		return false, nil
	}
	return len(v) > 0, err
}

// number is an integer of an answer.
func number(v any) int64 {
	n, _ := v.(int64)
	return n
}

// list is an answer of so many parts.
func list(v any, n int) ([]any, error) {
	if all, ok := v.([]any); ok && len(all) == n {
		return all, nil
	}
	return nil, fmt.Errorf("a script answered %v, want %d values", v, n)
}
