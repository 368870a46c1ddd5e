//go:build live

// These tests take real time: go test -tags live -run Real ./sim/live/redis
package redis

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// These tests mostly wait, so many of them wait at a time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// missing is a test that lacks a real Redis. Continuous integration has to have
// one.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("RATESIM_CI") != "" {
		t.Fatalf("%s, which continuous integration must have", what)
	}
	t.Skip(what)
}

// theirs is the real Redis that RATESIM_REDIS names.
func theirs(t *testing.T) *Server {
	t.Helper()
	url := os.Getenv("RATESIM_REDIS")
	if url == "" {
		missing(t, "RATESIM_REDIS names no Redis")
	}
	return opened(t, url)
}

// opened is a Redis whose run leaves nothing behind.
func opened(t *testing.T, url string) *Server {
	t.Helper()
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Clean(context.Background()); err != nil {
			t.Error(err)
		}
		s.Close()
	})
	return s
}

// own is a Redis of the test's own, which it may kill and start again.
type own struct {
	t         *testing.T
	dir, port string
	cmd       *exec.Cmd
}

func startOwn(t *testing.T) *own {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		missing(t, "there is no redis-server")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	o := &own{t: t, dir: t.TempDir(), port: port}
	o.start()
	t.Cleanup(o.kill)
	return o
}

func (o *own) start() {
	o.cmd = exec.Command("redis-server", "--port", o.port, "--bind", "127.0.0.1", "--dir", o.dir, "--appendonly", "yes", "--save", "")
	if err := o.cmd.Start(); err != nil {
		o.t.Error(err)
		return
	}
	for range 100 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+o.port); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	o.t.Error("redis-server did not start")
}

// kill is a crash: nothing is saved at the end.
func (o *own) kill() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

func (o *own) url() string { return "redis://127.0.0.1:" + o.port + "/2" }

// evals is how many EVALs the server counted.
func evals(t *testing.T, s *Server) int64 {
	t.Helper()
	text, err := s.admin.redis.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(fields(text)["cmdstat_eval"], "calls=")
	digits, _, _ := strings.Cut(after, ",")
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}

func TestRealQueue(t *testing.T) {
	t.Parallel()
	suite(t, theirs)
}

// The two throttles of the benchmark, on the embedded Redis and on a real one.
func TestRealThrottles(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name       string
		limit, job string
		check      func(*testing.T, *Result, int64)
	}{
		{"redis_throttle", redisThrottleLimit, "", checkThrottle},
		{"job_throttle", jobThrottleLimit, ", timeout: 60s", checkReserved},
	} {
		for where, open := range map[string]func(*testing.T) *Server{
			"embedded": func(t *testing.T) *Server { return opened(t, "") },
			"real":     theirs,
		} {
			t.Run(x.name+" "+where, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				const n = 80
				r, err := Run(t.Context(), s, bench(t, n, x.limit, x.job), Options{Seed: 1, For: 40 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				x.check(t, r, n)
				if r.Length < 8*time.Second || r.Length > 15*time.Second {
					t.Errorf("%d jobs at 8 a second took %v", n, r.Length)
				}
			})
		}
	}
}

// The scripts that the connections counted are those that Redis did.
func TestRealScriptsAreCountedAsRedisDoes(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{redisThrottleLimit, jobThrottleLimit, "{limiter: rate_limited, allow: 8, every: 1s}", "{limiter: redis_funnel, limit: 2, block: 0s}"} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			s := opened(t, startOwn(t).url())
			before := evals(t, s)
			r, err := Run(t.Context(), s, bench(t, 30, limit, ", timeout: 60s"), Options{Seed: 1, For: 30 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := evals(t, s)-before, r.Counts.Evals+r.Counts.FeedEvals; got != want || r.Counts.Evals < 100 {
				t.Errorf("Redis did %d EVALs, %d were counted: %+v", got, want, r.Counts)
			}
		})
	}
}

// Redis is killed in the middle and comes back: with its data the run goes on,
// and no job is lost; without it the run ends and says how many are.
func TestRealRedisIsKilled(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, limit string
		loses       bool
	}{
		{"with its data, fail open", "{allow: 8, every: 1s, fail_open: true}", false},
		{"with its data, fail closed", "{allow: 8, every: 1s, fail_open: false}", false},
		{"without its data", "{allow: 8, every: 1s}", true},
		{"for good", "{allow: 8, every: 1s}", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			o := startOwn(t)
			server, err := Open(t.Context(), o.url())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(server.Close)
			const n = 60
			s := bench(t, n, x.limit, ", timeout: 60s")
			s.Laravel.Connection.RetryAfter = 4 * time.Second
			done := make(chan struct{})
			go func() {
				defer close(done)
				time.Sleep(2500 * time.Millisecond)
				o.kill()
				if x.loses {
					_ = os.RemoveAll(o.dir + "/appendonlydir")
				}
				if x.name == "for good" {
					return
				}
				time.Sleep(1500 * time.Millisecond)
				o.start()
			}()
			r, err := Run(t.Context(), server, s, Options{Seed: 1, For: 50 * time.Second, Patience: 4 * time.Second})
			<-done
			if r == nil {
				t.Fatal(err)
			}
			t.Logf("%v after %v: %+v %+v", err, r.Length, r.Jobs, r.Counts)
			var lost *Lost
			switch {
			case x.loses && (!errors.As(err, &lost) || lost.Jobs == 0 || r.Jobs.Lost != lost.Jobs || r.Jobs.Finished+r.Jobs.Lost != n):
				t.Errorf("%v, %+v, want lost jobs", err, r.Jobs)
			case !x.loses && (err != nil || r.Jobs.Finished != n || !r.Drained):
				t.Errorf("%v, %+v, want all finished", err, r.Jobs)
			}
			if r.Counts.Troubles == 0 || r.Length > 40*time.Second {
				t.Errorf("after %v %d commands found no Redis", r.Length, r.Counts.Troubles)
			}
			if worst := most(admissions(r), time.Second); worst > 8 && r.Counts.Unthrottled == 0 && !x.loses {
				t.Errorf("%d starts in a second", worst)
			}
		})
	}
}

// A replica, a wrong password and an old address are told apart.
func TestRealReplica(t *testing.T) {
	t.Parallel()
	primary, replica := startOwn(t), startOwn(t)
	s := opened(t, replica.url())
	if err := s.admin.redis.ReplicaOf(t.Context(), "127.0.0.1", primary.port).Err(); err != nil {
		t.Fatal(err)
	}
	defer s.admin.redis.ReplicaOf(context.Background(), "NO", "ONE")
	var wrong *Wrong
	if _, err := Open(t.Context(), replica.url()); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "replica") {
		t.Errorf("%v, want a refusal", err)
	}
	_, err := s.admin.eval(t.Context(), addScript, []string{s.key("x")}, 1, 1)
	if err = s.sorted(err); !errors.As(err, &wrong) {
		t.Errorf("%T %v, want READONLY as the caller's mistake", err, err)
	}
	if err := s.admin.redis.ConfigSet(t.Context(), "requirepass", "hunter2").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), fmt.Sprintf("redis://:hunter3@127.0.0.1:%s", replica.port)); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "password") {
		t.Errorf("%v, want a wrong password", err)
	}
	_ = s.admin.redis.Do(context.Background(), "AUTH", "hunter2").Err()
	_ = s.admin.redis.ConfigSet(context.Background(), "requirepass", "").Err()
}
