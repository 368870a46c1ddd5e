package redis

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// onMini is a server in memory whose clock the test sets.
func onMini(t testing.TB) (*Server, *miniredis.Miniredis) {
	t.Helper()
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	s := &Server{Where: Embedded, embedded: m}
	s.options.Dialer = func(context.Context, string, string) (net.Conn, error) { return m.Dial() }
	if err := s.open(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, m
}

// epoch is a whole second.
var epoch = time.Unix(1_800_000_000, 0)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
