package redis

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// clock is the run's: instants since its start. A worker's whole seconds are
// those of the machine; Redis may be on another.
type clock struct {
	start time.Time
	ahead time.Duration // by how much Redis' clock is ahead of ours
}

func (c clock) now() gcra.Instant { return gcra.Instant(time.Since(c.start)) }

// second is the whole second a worker's clock shows.
func second() int64 { return time.Now().Unix() }

// redis is an instant of Redis' clock, in microseconds since 1970.
func (c clock) redis(micros int64) gcra.Instant {
	return gcra.Instant(time.UnixMicro(micros).Add(-c.ahead).Sub(c.start))
}

// unix is an instant in whole seconds since 1970, later rather than earlier.
func (c clock) unix(at gcra.Instant) int64 {
	t := c.start.Add(time.Duration(at))
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

// instant is a whole second since 1970 as an instant of the run.
func (c clock) instant(unix int64) gcra.Instant {
	return gcra.Instant(time.Unix(unix, 0).Sub(c.start))
}

// sleep waits, and says by how much that was too long; false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) (over time.Duration, whole bool) {
	began := time.Now()
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return time.Since(began) - d, ctx.Err() == nil
}

// differs measures by how much Redis' clock is ahead of ours; what the journey
// of the question can explain is none.
func (s *Server) differs(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	t, err := s.admin.redis.Time(ctx).Result()
	if err != nil {
		return 0, s.sorted(err)
	}
	took := time.Since(began)
	ahead := t.Sub(began.Add(took / 2))
	if ahead.Abs() <= took+time.Millisecond {
		ahead = 0
	}
	return ahead, nil
}
