package redis

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// wrong is a server on a port that answers INFO as it is told.
func wrong(t *testing.T, info string) string {
	t.Helper()
	s, err := server.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if err := s.Register("INFO", func(c *server.Peer, _ string, _ []string) {
		if strings.HasPrefix(info, "-") {
			c.WriteError(info[1:])
			return
		}
		c.WriteBulk(info)
	}); err != nil {
		t.Fatal(err)
	}
	return "redis://" + s.Addr().String()
}

// What is wrong with a Redis is said in one line, without the password, and
// whether it is the caller's mistake or worth a second try.
func TestWrongServers(t *testing.T) {
	locked := miniredis.RunT(t)
	locked.RequireAuth("right")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	_ = l.Close()
	for _, x := range []struct {
		name, url, want string
		machine         bool
	}{
		{"nobody there", "redis://" + nobody, "Redis can't be reached: connect: connection refused", true},
		{"no URL", "localhost:6379", "want one such as redis://localhost:6379/0", false},
		{"another scheme", "http://:hunter2@localhost", "invalid URL scheme: http, want", false},
		{"no words", "::::", "it is no URL", false},
		{"a wrong path", "redis://localhost/a/b", "invalid URL path: /a/b, want", false},
		{"a wrong database", "redis://localhost/x", `invalid database number: "x", want`, false},
		{"no password", "redis://" + locked.Addr(), "it wants a password", false},
		{"a wrong password", "redis://:hunter2@" + locked.Addr(), "the user or the password is wrong", false},
		{"too old", wrong(t, "redis_version:6.0.16\r\nrole:master"), "Redis is 6.0.16, want 6.2 or later", false},
		{"a replica", wrong(t, "redis_version:7.0.0\r\nrole:slave"), "it is a replica", false},
		{"a cluster", wrong(t, "redis_version:7.0.0\r\nrole:master\r\ncluster_enabled:1"), "it is part of a cluster", false},
		{"loading", wrong(t, "-LOADING Redis is loading the dataset in memory"), "LOADING", true},
		{"not allowed", wrong(t, "-NOPERM this user has no permissions"), "may not do what a queue needs", false},
		{"no scripts", wrong(t, "redis_version:7.0.0\r\nrole:master"), "does not know a command", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := Open(t.Context(), x.url)
			var w *Wrong
			var f *Failure
			switch {
			case err == nil:
				t.Fatal("it was taken")
			case x.machine != errors.As(err, &f) || x.machine == errors.As(err, &w):
				t.Errorf("%T", err)
			}
			if text := err.Error(); !strings.Contains(text, x.want) || strings.ContainsAny(text, "\n\r") || strings.Contains(text, "hunter2") {
				t.Errorf("%q, want %q", text, x.want)
			}
		})
	}
}
