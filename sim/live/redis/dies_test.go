package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	miniserver "github.com/alicebob/miniredis/v2/server"
)

// Ctrl-C ends the run soon, and says what happened so far.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, _ := onMini(t)
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		s := read(t, "connection: {block_for: 60s}\njobs: [{class: A, backlog: 10, takes: 1s}, {class: B, arrivals: every 90s, takes: 100s}]\nworkers: [{processes: 2, sleep: 1s}]\ntiming: none\nuntil: 1h")
		r, err := Run(ctx, server, s, Options{Seed: 1})
		if !errors.Is(err, context.DeadlineExceeded) || r == nil {
			t.Fatalf("%v, %v", r, err)
		}
		if r.Jobs.Finished < 4 || r.Jobs.Finished+r.Jobs.Ready+r.Jobs.Reserved != r.Jobs.Came || r.Length > 4*time.Second {
			t.Errorf("after %v %+v", r.Length, r.Jobs)
		}
	})
}

// A Redis that comes back with its data goes on; one that lost it ends the run.
func TestRedisDies(t *testing.T) {
	for _, x := range []struct {
		name  string
		limit string
		loses bool
	}{
		{"data kept, fail open", "{allow: 8, every: 1s, fail_open: true}", false},
		{"data kept, fail closed", "{allow: 8, every: 1s, fail_open: false}", false},
		{"data lost", "{allow: 8, every: 1s}", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, m := onMini(t)
				s := bench(t, 40, x.limit, "")
				s.Laravel.Connection.RetryAfter = 3 * time.Second
				away := time.AfterFunc(2100*time.Millisecond, func() { m.SetError("gone") })
				back := time.AfterFunc(4100*time.Millisecond, func() {
					if x.loses {
						m.FlushAll()
					}
					m.SetError("")
				})
				defer away.Stop()
				defer back.Stop()
				r, err := Run(t.Context(), server, s, Options{Seed: 1, For: 10 * time.Minute})
				if r == nil {
					t.Fatal(err)
				}
				t.Logf("%v: %+v %+v", err, r.Jobs, r.Counts)
				var lost *Lost
				switch {
				case x.loses && (!errors.As(err, &lost) || lost.Jobs == 0 || lost.Jobs != r.Jobs.Lost || r.Jobs.Finished+r.Jobs.Lost != 40 || !strings.Contains(lost.Why, "without its data")):
					t.Errorf("%v, %+v, want lost jobs", err, r.Jobs)
				case !x.loses && (err != nil || r.Jobs.Finished+r.Jobs.Failed != 40 || r.Jobs.Failed > 0):
					t.Errorf("%v, %+v, want 40 finished", err, r.Jobs)
				}
				if r.Counts.Troubles == 0 {
					t.Error("nobody noticed")
				}
			})
		})
	}
}

// Redis goes away while a worker asks a throttle, or between any two other
// commands: all jobs are done in the end; a throttle that fails open lets them
// run without it, one that fails closed lets none.
func TestRedisDiesAtAnyCommand(t *testing.T) {
	for _, x := range []struct {
		name, script string
		open         bool
		unthrottled  bool
	}{
		{"fails open", jobThrottleScript, true, true},
		{"fails closed", jobThrottleScript, false, false},
		{"at a pop", headScript, true, false},
		{"at a release", releaseScript, true, false},
		{"at a rewrite", rewriteScript, true, false},
		{"at a delete", "", true, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, m := onMini(t)
				s := bench(t, 24, fmt.Sprintf("{allow: 8, every: 1s, fail_open: %v}", x.open), ", timeout: 60s")
				s.Laravel.Connection.RetryAfter = 3 * time.Second
				if err := server.admin.redis.Ping(t.Context()).Err(); err != nil { // it starts with its first command
					t.Fatal(err)
				}
				seen := 0
				var died time.Time
				var mu sync.Mutex
				m.Server().SetPreHook(func(c *miniserver.Peer, cmd string, args ...string) bool {
					mu.Lock()
					defer mu.Unlock()
					if died.IsZero() && (x.script != "" && cmd == "EVAL" && args[0] == x.script || x.script == "" && cmd == "ZREM" && len(args) == 2 && strings.HasSuffix(args[0], "reserved")) {
						if seen++; seen == 10 {
							died = time.Now()
						}
					}
					if died.IsZero() || time.Since(died) > 1500*time.Millisecond {
						return false
					}
					c.WriteError("gone")
					return true
				})
				r, err := Run(t.Context(), server, s, Options{Seed: 1, For: 10 * time.Minute})
				if err != nil || r.Jobs.Finished != 24 || r.Counts.Troubles == 0 {
					t.Errorf("%v, %+v, %+v", err, r.Jobs, r.Counts)
				}
				if x.unthrottled != (r.Counts.Unthrottled > 0) {
					t.Errorf("%d jobs ran unthrottled", r.Counts.Unthrottled)
				}
				if worst := most(admissions(r), time.Second); worst > 8 && !x.unthrottled {
					t.Errorf("%d starts in a second", worst)
				}
				if x.name == "at a delete" && r.Counts.Again == 0 {
					t.Error("a job whose delete failed did not run again")
				}
			})
		})
	}
}

// A Redis that answers, but takes no writes any more, ends the run in the end.
func TestRedisRefusesFromNowOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, m := onMini(t)
		if err := server.admin.redis.Ping(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		m.Server().SetPreHook(func(c *miniserver.Peer, cmd string, _ ...string) bool {
			if cmd != "EVAL" || time.Since(begun) < 2*time.Second {
				return false
			}
			c.WriteError("READONLY You can't write against a read only replica.")
			return true
		})
		r, err := Run(t.Context(), server, bench(t, 40, jobThrottleLimit, ""), Options{Seed: 1, Patience: 20 * time.Second})
		var failure *Failure
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), "READONLY") || r == nil || r.Jobs.Finished == 0 || r.Length > 30*time.Second {
			t.Errorf("%v, %+v", err, r)
		}
	})
}
