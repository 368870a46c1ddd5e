package redis

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// read is a scenario from its text, without costs.
func read(t testing.TB, text string) *model.Scenario {
	t.Helper()
	all, errs := scenarios.Read("test.yml", []byte("system: laravel\n"+text), scenarios.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if err := Check(all[0]); err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// bench is the benchmark that the packages are compared by: so many jobs of
// 150 ms, eight a second, ten workers that sleep a second.
func bench(t testing.TB, n int, limit, job string) *model.Scenario {
	return read(t, fmt.Sprintf(`
limits: {api: %s}
jobs: [{class: Job, limit: api, backlog: %d, takes: 150ms, tries: 0%s}]
workers: [{processes: 10, sleep: 1s}]
timing: {boot: 0ms, boot_spread: 50ms}
`, limit, n, job))
}

// inBubble runs a scenario on a Redis in memory, in time that passes when all
// wait.
func inBubble(t *testing.T, s *model.Scenario, f func(*testing.T, *Result, error)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server, _ := onMini(t)
		r, err := Run(t.Context(), server, s, Options{Seed: 1, For: 10 * time.Minute})
		f(t, r, err)
	})
}

// most is the most instants in any half-open window.
func most(all []gcra.Instant, per time.Duration) int {
	slices.Sort(all)
	w := recent{}
	for _, at := range all {
		w.add(at, per)
	}
	return w.worst
}

func admissions(r *Result) (all []gcra.Instant) {
	for _, s := range r.Starts {
		all = append(all, s.Admitted)
	}
	return all
}

// checkThrottle holds a run under Redis::throttle to what is known of it.
func checkThrottle(t *testing.T, r *Result, n int64) {
	t.Helper()
	c := r.Counts
	t.Logf("%v: %+v, %d in a second", r.Length, c, most(admissions(r), time.Second))
	if r.Jobs.Finished != n || !r.Drained {
		t.Errorf("%+v, want %d finished", r.Jobs, n)
	}
	if want := 5*c.Pops + 3*c.EmptyPops; c.RoundTrips != want {
		t.Errorf("%d round trips, want 5 pops + 3 empty ones, %d", c.RoundTrips, want)
	}
	if worst := most(admissions(r), time.Second); worst <= 8 || worst > 16 {
		t.Errorf("%d starts in a second, want more than 8 and at most 16", worst)
	}
}

// checkReserved holds a run under reserved slots to what is known of it.
func checkReserved(t *testing.T, r *Result, n int64) {
	t.Helper()
	c := r.Counts
	t.Logf("%v: %+v, %d in a second", r.Length, c, most(admissions(r), time.Second))
	if r.Jobs.Finished != n || !r.Drained {
		t.Errorf("%+v, want %d finished", r.Jobs, n)
	}
	if want := 6*c.Pops - n + 3*c.EmptyPops + c.Holds; c.RoundTrips != want {
		t.Errorf("%d round trips, want 6 pops - N + 3 empty ones + waits, %d", c.RoundTrips, want)
	}
	if worst := most(admissions(r), time.Second); worst != 8 {
		t.Errorf("%d starts in a second, want 8", worst)
	}
}

const (
	redisThrottleLimit = "{limiter: redis_throttle, allow: 8, every: 1s, block: 0s, release: 1s}"
	jobThrottleLimit   = "{limiter: job_throttle, allow: 8, every: 1s}"
)

func TestRedisThrottle(t *testing.T) {
	inBubble(t, bench(t, 100, redisThrottleLimit, ""), func(t *testing.T, r *Result, err error) {
		if err != nil {
			t.Fatal(err)
		}
		checkThrottle(t, r, 100)
		if c := r.Counts; c.Checks != c.Pops || c.Releases != c.Pops-100 || c.TriesBurned != c.Releases {
			t.Errorf("%+v", c)
		}
	})
}

func TestJobThrottle(t *testing.T) {
	inBubble(t, bench(t, 100, jobThrottleLimit, ", timeout: 60s"), func(t *testing.T, r *Result, err error) {
		if err != nil {
			t.Fatal(err)
		}
		checkReserved(t, r, 100)
		if c := r.Counts; c.Pops != 199 || c.AttemptsMax != 1 || c.Rewrites != 99 {
			t.Errorf("%+v, want two pops a job but the first, and no try spent", c)
		}
	})
}

// Without waits inside the worker every refusal is a release.
func TestJobThrottleAlwaysReleased(t *testing.T) {
	inBubble(t, bench(t, 60, jobThrottleLimit, ""), func(t *testing.T, r *Result, err error) {
		if err != nil {
			t.Fatal(err)
		}
		checkReserved(t, r, 60)
		if c := r.Counts; c.Holds != 0 || c.Rewrites != c.Releases {
			t.Errorf("%+v", c)
		}
	})
}

// What each kind of throttle and job does to one or a few jobs, in numbers.
func TestWhatAJobMeets(t *testing.T) {
	for name, x := range map[string]struct {
		text string
		want func(*Result) bool
	}{
		"no throttle: three commands to pop, one to delete": {
			"jobs: [{class: A, backlog: 5}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 5 && r.Counts.RoundTrips == 5*4+3*r.Counts.EmptyPops
			}},
		"one try and Redis::throttle: a release is a failure": {
			"limits: {a: {limiter: redis_throttle, allow: 2, every: 10s, block: 0s}}\njobs: [{class: A, limit: a, backlog: 5}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 2 && r.Jobs.Failed == 3
			}},
		"Redis::throttle that blocks asks four or five times": {
			"limits: {a: {limiter: redis_throttle, allow: 1, every: 20s}}\njobs: [{class: A, limit: a, backlog: 2, tries: 1}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Counts.Holds == 4 && r.Counts.Checks == 6 // 1, and 5 within 3 s of a whole second
			}},
		"RateLimited: four commands to let in, three to refuse, and 3 s on top": {
			"limits: {a: {limiter: rate_limited, allow: 1, every: 5s}}\njobs: [{class: A, limit: a, backlog: 2, tries: 0}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 2 && r.Counts.Checks == 4+3+4 && second8(r)
			}},
		"RateLimitedWithRedis: one command, and 3 s on top": {
			"limits: {a: {limiter: rate_limited_redis, allow: 1, every: 5s}}\njobs: [{class: A, limit: a, backlog: 2, tries: 0}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 2 && r.Counts.Checks == 3 && second8(r)
			}},
		"a refused job may be dropped": {
			"limits: {a: {limiter: rate_limited_redis, allow: 1, every: 5s, dont_release: true}}\njobs: [{class: A, limit: a, backlog: 3}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 1 && r.Jobs.Dropped == 2
			}},
		"Redis::funnel: so many at a time": {
			"limits: {a: {limiter: redis_funnel, limit: 2, block: 0s}}\njobs: [{class: A, limit: a, backlog: 6, tries: 0, takes: 2.5s}]\nworkers: [{processes: 4, sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 6 && atOnce(r) == 2
			}},
		"WithoutOverlapping: one at a time, and a hot loop": {
			"limits: {a: {limiter: without_overlapping, release_after: 1s}}\njobs: [{class: A, limit: a, backlog: 4, tries: 0, takes: 1.5s}]\nworkers: [{processes: 4, sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 4 && atOnce(r) == 1
			}},
		"concurrency costs no try, and a place is given back": {
			"limits: {a: {concurrency: 2, concurrency_retry: 1s}}\njobs: [{class: A, limit: a, backlog: 6, takes: 2.5s}]\nworkers: [{processes: 4, sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 6 && atOnce(r) == 2 && r.Counts.AttemptsMax == 1
			}},
		"a wait longer than max_wait fails the job": {
			"limits: {a: {allow: 1, every: 10s, max_wait: 15s}}\njobs: [{class: A, limit: a, backlog: 4}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 2 && r.Jobs.Failed == 2
			}},
		"a free wait moves the deadline": {
			"limits: {a: {allow: 1, every: 10s}}\njobs: [{class: A, limit: a, backlog: 4, retry_until: 5s}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 4
			}},
		"ThrottlesExceptions waits for its window, and spends no exception": {
			"limits: {a: {limiter: throttles_exceptions, allow: 2, every: 60s}}\njobs: [{class: A, limit: a, backlog: 1, tries: 4, fails: 100%}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Failed == 1 && r.Counts.Pops == 5 && r.Length > 60*time.Second
			}},
		"an exception is retried by its backoff until tries are spent": {
			"jobs: [{class: A, backlog: 1, tries: 3, backoff: [2s, 5s], fails: 100%}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Failed == 1 && r.Counts.Pops == 3 && r.Length > 6*time.Second && r.Length < 9*time.Second
			}},
		"max_exceptions are counted in the cache: two commands each, one to begin, one to end": {
			"jobs: [{class: A, backlog: 1, tries: 0, max_exceptions: 2, fails: 100%}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Failed == 1 && r.Counts.RoundTrips-3*r.Counts.EmptyPops == 2*(3+2)+1+1+2
			}},
		"a job longer than its timeout kills its worker and comes back after retry_after": {
			"connection: {retry_after: 5s}\njobs: [{class: A, backlog: 1, tries: 2, timeout: 2s, takes: 3s}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Failed == 1 && r.Counts.Pops == 2 && r.Counts.Killed == 2
			}},
		"a job longer than retry_after runs twice, and then has no try left": {
			"connection: {retry_after: 2s}\njobs: [{class: A, backlog: 1, tries: 2, timeout: 0s, takes: 4.5s}]\nworkers: [{processes: 2, sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Failed == 1 && len(r.Starts) == 2 && r.Counts.Again == 1
			}},
		"a killed worker leaves its place taken until the lease ends": {
			"connection: {retry_after: 2s}\nlimits: {a: {concurrency: 1, concurrency_retry: 1s, lock_for: 10s}}\njobs: [{class: A, limit: a, backlog: 1, tries: 1, killed: 100%}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Failed == 1 && r.Counts.Killed == 1
			}},
		"queues are looked at in order": {
			"jobs: [{class: A, backlog: 3, queue: low}, {class: B, backlog: 3, queue: high}]\nworkers: [{sleep: 1s, queues: [high, low]}]", func(r *Result) bool {
				return r.Starts[0].Class == 1 && r.Starts[2].Class == 1 && r.Counts.RoundTrips == 3*4+3*(3+4)+3*(r.Counts.EmptyPops-3)
			}},
		"what blocks is woken by a token": {
			"connection: {block_for: 5s}\njobs: [{class: A, arrivals: 1 at 3s}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 1 && r.Starts[0].Began < gcra.Instant(3100*time.Millisecond)
			}},
		"the cache is asked before each pop": {
			"rules: {polls: pause_twice}\njobs: [{class: A, backlog: 1}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Counts.RoundTrips == 3+4+6*r.Counts.EmptyPops
			}},
		"an outer throttle lets in again whom an inner one released": {
			"limits: {a: {allow: 1, every: 1s}, b: {limiter: redis_throttle, allow: 1, every: 30s, block: 0s}}\njobs: [{class: A, limit: [a, b], backlog: 2, tries: 0}]\nworkers: [{sleep: 1s}]", func(r *Result) bool {
				return r.Jobs.Finished == 2 && r.Length < 33*time.Second
			}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, read(t, x.text+"\ntiming: none\n"), func(t *testing.T, r *Result, err error) {
				if err != nil || r == nil || !x.want(r) {
					t.Errorf("%v: after %v %+v %+v %+v", err, r.Length, r.Jobs, r.Counts, r.Starts)
				}
			})
		})
	}
}

// second8 is true of a second start 8 s after the first, and a poll.
func second8(r *Result) bool {
	d := r.Starts[1].Began.Sub(r.Starts[0].Began)
	return d >= 8*time.Second && d < 9500*time.Millisecond
}

// atOnce is the most jobs that ran at once.
func atOnce(r *Result) (most int) {
	n := 0
	for _, e := range r.Events {
		switch e.Kind {
		case model.Claimed:
			n++
		case model.Finished, model.Retried:
			n--
		}
		most = max(most, n)
	}
	return most
}
