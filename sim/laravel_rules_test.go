package sim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/measure"
)

// timesOf are the instants at which something happened, in seconds.
func (l eventLog) timesOf(kind model.Kind) (at []float64) {
	for _, e := range l {
		if e.Kind == kind {
			at = append(at, time.Duration(e.At).Seconds())
		}
	}
	return at
}

// classes are the classes of the jobs that started, in order.
func (l eventLog) classes(names ...string) string {
	var out []string
	for _, e := range l {
		if e.Kind == model.Claimed {
			out = append(out, names[e.Class])
		}
	}
	return strings.Join(out, "")
}

// alone is one worker in a world where nothing costs time and time 0 is a whole
// second: what it does can be worked out by hand.
const alone = "workers: [{sleep: 1s, tries: 0}]\ntiming: none\n"

// rule is a scenario and what must come of it.
type rule struct {
	name, yaml string
	keys       map[measure.Key]float64
	starts     []float64 // seconds; nil: not looked at
}

func checkRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, c := range rules {
		t.Run(c.name, func(t *testing.T) {
			r, log := laravelRun(t, c.yaml)
			for k, want := range c.keys {
				if got := r.Whole[k]; got != want {
					t.Errorf("%v = %v, want %v", k, got, want)
				}
			}
			if got := log.timesOf(model.Claimed); c.starts != nil && fmt.Sprint(got) != fmt.Sprint(c.starts) {
				t.Errorf("starts at %v, want %v", got, c.starts)
			}
		})
	}
}

func TestTheWorkersLoop(t *testing.T) {
	checkRules(t, []rule{
		{"a worker sleeps only after an empty pop", "jobs: [{class: A, backlog: 3, takes: 150ms}]\n" + alone,
			map[measure.Key]float64{measure.Pops: 3, measure.EmptyPops: 0, measure.RoundTrips: 12}, []float64{0, 0.15, 0.3}},
		{"and nothing wakes a sleeper", "jobs: [{class: A, arrivals: 1 at 100ms + 1 at 1200ms, takes: 150ms}]\n" + alone,
			map[measure.Key]float64{measure.EmptyPops: 2}, []float64{1, 2.15}},
		{"rest follows every job", "jobs: [{class: A, backlog: 3, takes: 150ms}]\nworkers: [{sleep: 1s, rest: 2s}]\ntiming: none",
			nil, []float64{0, 2.15, 4.3}},
		{"a released one too", `limits: {a: {limiter: redis_throttle, allow: 1, block: 0s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]
workers: [{sleep: 1s, rest: 5s, tries: 0}]
timing: none`, map[measure.Key]float64{measure.Pops: 2}, []float64{0, 5}},
		{"polls of a cache cost round trips", "jobs: [{class: A, backlog: 1, takes: 0ms}]\nrules: {polls: pause_twice}\n" + alone,
			map[measure.Key]float64{measure.RoundTrips: 3 + 4}, nil},
		{"a pause asked for each queue", "jobs: [{class: A, backlog: 1, queue: b, takes: 0ms}]\nrules: {polls: pause_each}\nworkers: [{queues: [a, b]}]\ntiming: none",
			map[measure.Key]float64{measure.RoundTrips: 2 + 3 + 1 + 3 + 1, measure.EmptyPops: 1}, nil},
		// L11: whole seconds, so 0 to 1 s for a release by one.
		{"release(1) is to the next whole second", `limits: {a: {limiter: redis_throttle, allow: 2, block: 0s}}
jobs: [{class: A, backlog: 2, arrivals: 1 at 300ms + 1 at 700ms, limit: a, takes: 0ms}]
workers: [{sleep: 100ms, tries: 0}]
timing: none`, map[measure.Key]float64{measure.Pops: 6, measure.TriesBurned: 2}, []float64{0, 0, 1, 1}},
		{"block_for waits for a job, and sleeps besides", `connection: {block_for: 2s}
jobs: [{class: A, arrivals: 1 at 500ms + 1 at 9s, takes: 0ms}]
workers: [{sleep: 3s}]
timing: none`, // woken at 0.5; blocks to 2.5 and sleeps to 5.5, blocks to 7.5 and sleeps to 10.5
			map[measure.Key]float64{measure.RoundTrips: (3 + 1 + 1 + 1) + 4 + 4 + (3 + 1), measure.EmptyPops: 2}, []float64{0.5, 10.5}},
	})
}

// Earlier queues go first in every turn, so later ones starve.
func TestQueuesInOrder(t *testing.T) {
	_, log := laravelRun(t, `
jobs:
  - {class: Low, backlog: 3, queue: low, takes: 100ms}
  - {class: High, backlog: 2, arrivals: 1 at 250ms, queue: high, takes: 100ms}
workers: [{queues: "high,low", sleep: 1s}]
timing: none`)
	if got := log.classes("l", "h"); got != "hhlhll" {
		t.Errorf("started %s, want hhlhll", got)
	}
}

// Of the jobs of one second the lower uuid goes first, the same every time; in
// a world of fifo the one that was released first.
func TestTies(t *testing.T) {
	order := func(ties string) (ids []int64) {
		_, log := laravelRun(t, `
limits: {a: {limiter: redis_throttle, allow: 1, block: 0s}}
jobs: [{class: A, backlog: 30, limit: a, takes: 0ms}]
rules: {ties: `+ties+"}\n"+alone)
		for _, e := range log {
			if e.Kind == model.Claimed {
				ids = append(ids, e.Job)
			}
		}
		return ids
	}
	if got := order("fifo"); !slices.IsSorted(got) {
		t.Errorf("fifo: %v", got)
	}
	uuid := order("uuid")
	if slices.IsSorted(uuid) || len(uuid) != 30 {
		t.Errorf("uuid: %v", uuid)
	}
	if got := order("random"); slices.Equal(got, uuid) || slices.IsSorted(got) {
		t.Errorf("random: %v", got)
	}
}

// At most a batch of due jobs becomes ready with a pop.
func TestMigrationBatch(t *testing.T) {
	r, _ := laravelRun(t, `
connection: {migration_batch_size: 2}
limits: {a: {limiter: rate_limited_redis, allow: 1, every: 1s, release_after: 1s}}
jobs: [{class: A, backlog: 10, limit: a, takes: 0ms}]
workers: [{sleep: 100ms, tries: 0}]
timing: {boot: 0ms, phase: same, cores: 0, overshoot: 0ms}`)
	if r.Whole[measure.Claims] != 10 {
		t.Errorf("%v started", r.Whole[measure.Claims])
	}
}

// L8: N at R per second take N/R at least, and whole seconds come on top.
// L9: a job is let in before its body begins, and the body before the call.
func TestAdmissionIsNotTheCall(t *testing.T) {
	r, log := laravelRun(t, `
limits: {a: {allow: 4}}
jobs: [{class: A, backlog: 40, limit: a, takes: 300ms, timeout: 60s}]
workers: [{processes: 8, sleep: 1s, tries: 0}]
provider: {limit: 1000/s, latency: exp(150ms)}`)
	if f := r.Whole[measure.FinishedS]; f < 10 || f > 13 {
		t.Errorf("40 at 4/s took %v s", f)
	}
	if let, seen := r.Whole[measure.WindowMax], r.Whole[measure.ProviderWindowMax]; let > 4 || seen <= 4 {
		t.Errorf("%v let in and %v seen in a second, want at most 4, and more", let, seen)
	}
	if len(log.timesOf(model.Claimed)) != 40 {
		t.Error("not all started")
	}
}

// L12 to L14: only jobs with a timeout of their own of 10 s or more, and no
// deadline, wait inside the worker.
func TestWhoWaitsInsideTheWorker(t *testing.T) {
	for _, c := range []struct {
		class string
		holds bool
	}{
		{"timeout: 10s", true}, {"timeout: 9s", false}, {"timeout: 0s", true}, {"queue: default", false},
		{"timeout: 60s, retry_until: 1h", false},
	} {
		r, _ := laravelRun(t, `
limits: {a: {allow: 8}}
jobs: [{class: A, backlog: 100, limit: a, takes: 150ms, `+c.class+`}]
workers: [{processes: 10, sleep: 1s, tries: 0}]`)
		if got := r.Whole[measure.InWorkerWaits] > 0; got != c.holds {
			t.Errorf("%s: %v waits in the worker, want some: %v", c.class, r.Whole[measure.InWorkerWaits], c.holds)
		}
		if r.Whole[measure.Claims] != 100 || r.Whole[measure.FailedJobs] != 0 {
			t.Errorf("%s: %v started, %v failed", c.class, r.Whole[measure.Claims], r.Whole[measure.FailedJobs])
		}
	}
	// L13: the alarm is set before, so the wait counts against the timeout: the
	// job waits a second in its worker at times, and has none left to run in.
	r, _ := laravelRun(t, `
limits: {a: {allow: 1}}
jobs: [{class: A, backlog: 30, limit: a, takes: 9500ms, timeout: 10s}]
workers: [{processes: 10, sleep: 1s, tries: 3}]
until: 600s`)
	if r.Counts.Laravel.Killed == 0 {
		t.Error("no alarm rang")
	}
}

// L17: with a sleep of three seconds one second's worth starts at a time.
func TestALongSleepMeetsSeveralSecondsAtOnce(t *testing.T) {
	finish := map[string]float64{}
	for _, sleep := range []string{"1s", "3s"} {
		r, _ := laravelRun(t, `
limits: {a: {limiter: redis_throttle, allow: 8, block: 0s}}
jobs: [{class: A, backlog: 200, limit: a, takes: 10ms}]
workers: [{processes: 2, tries: 0, sleep: `+sleep+"}]")
		finish[sleep] = r.Whole[measure.FinishedS]
	}
	if finish["3s"] < 1.4*finish["1s"] {
		t.Errorf("with sleep 3s %v s, with 1s %v s: want it much slower", finish["3s"], finish["1s"])
	}
}

// L18 and L19: waits spend no try, so one try is enough; with Redis::throttle
// every released job fails at its second pop.
func TestWaitsSpendNoTry(t *testing.T) {
	const jobs = "\njobs: [{class: A, backlog: 100, limit: a, takes: 10ms}]\nworkers: [{processes: 4, sleep: 1s}]\n"
	r, _ := laravelRun(t, "limits: {a: {allow: 8}}"+jobs)
	if r.Whole[measure.FailedJobs] != 0 || r.Whole[measure.AttemptsMax] != 1 || r.Whole[measure.TriesBurned] != 0 {
		t.Errorf("job_throttle: %v failed, %v tries, %v burned", r.Whole[measure.FailedJobs], r.Whole[measure.AttemptsMax], r.Whole[measure.TriesBurned])
	}
	r, _ = laravelRun(t, "limits: {a: {limiter: redis_throttle, allow: 8, block: 0s}}"+jobs)
	if got := r.Whole[measure.FailedJobs]; got < 80 || r.Whole[measure.Lost] != got || r.Whole[measure.AttemptsMax] != 2 {
		t.Errorf("redis_throttle: %v failed, %v lost, %v tries", got, r.Whole[measure.Lost], r.Whole[measure.AttemptsMax])
	}
	// A deadline moves by the wait.
	r, _ = laravelRun(t, "limits: {a: {allow: 8}}\njobs: [{class: A, backlog: 100, limit: a, takes: 10ms, retry_until: 2s}]\nworkers: [{processes: 4, sleep: 1s}]")
	if r.Whole[measure.FailedJobs] != 0 {
		t.Errorf("%v jobs with a deadline failed", r.Whole[measure.FailedJobs])
	}
	r, _ = laravelRun(t, "limits: {a: {limiter: redis_throttle, allow: 8, block: 0s}}\njobs: [{class: A, backlog: 100, limit: a, takes: 10ms, retry_until: 2s}]\nworkers: [{processes: 4, sleep: 1s}]")
	if got := r.Whole[measure.FailedJobs]; got < 60 || got > 84 {
		t.Errorf("Redis::throttle and a deadline of 2 s: %v failed", got)
	}
}

// L21: a pop before the rewrite costs the wait a try, and no job runs twice.
func TestTheRaceWithTheRewrite(t *testing.T) {
	r, _ := laravelRun(t, `
limits: {a: {allow: 8}}
jobs: [{class: A, backlog: 100, limit: a, takes: 10ms}]
workers: [{processes: 20, sleep: 100ms, tries: 0}]
timing: {wire: exp(100ms)}`)
	if r.Whole[measure.TriesBurned] == 0 || r.Whole[measure.Claims] != 100 || r.Whole[measure.Unfinished] != 0 {
		t.Errorf("%v tries burned, %v starts", r.Whole[measure.TriesBurned], r.Whole[measure.Claims])
	}
}

// L23: other queues reserve nothing and spend a try a wait; all ask anew at the
// time of the next slot.
func TestQueuesWithoutReservations(t *testing.T) {
	pops := map[string]float64{}
	for _, driver := range []string{"redis", "database", "sqs"} {
		r, _ := laravelRun(t, `
connection: {driver: `+driver+`}
limits: {a: {allow: 8, max_wait: 24h}}
jobs: [{class: A, backlog: 100, limit: a, takes: 10ms, timeout: 60s}]
workers: [{processes: 5, sleep: 1s, tries: 0}]`)
		pops[driver] = r.Whole[measure.Pops]
		if r.Whole[measure.WindowMax] > 8 || r.Whole[measure.Claims] != 100 {
			t.Errorf("%s: %v in a window, %v starts", driver, r.Whole[measure.WindowMax], r.Whole[measure.Claims])
		}
		if burned := r.Whole[measure.TriesBurned]; (burned > 0) != (driver != "redis") {
			t.Errorf("%s: %v tries burned", driver, burned)
		}
	}
	if pops["database"] < 2*pops["redis"] || pops["sqs"] < 2*pops["redis"] {
		t.Errorf("pops %v: want many more without reservations", pops)
	}
}

// L25 and L26: who would wait longer than max_wait in all fails, on any queue;
// and takes no slot with him.
func TestMaxWait(t *testing.T) {
	r, _ := laravelRun(t, `
limits: {a: {allow: 8, max_wait: 5s}}
jobs: [{class: A, backlog: 100, limit: a, takes: 10ms}]
workers: [{processes: 5, sleep: 1s, tries: 0}]`)
	if got := r.Whole[measure.Claims]; got < 38 || got > 45 || r.Whole[measure.FailedJobs] != 100-got || r.Whole[measure.Lost] != 100-got {
		t.Errorf("%v started and %v failed, want about 41 of 100 to start", got, r.Whole[measure.FailedJobs])
	}
	r, _ = laravelRun(t, `
connection: {driver: database}
limits: {a: {allow: 8, max_wait: 5s}}
jobs: [{class: A, backlog: 200, limit: a, takes: 10ms}]
workers: [{processes: 5, sleep: 1s, tries: 0}]`)
	if r.Whole[measure.FailedJobs] == 0 || r.Whole[measure.FailedJobs]+r.Whole[measure.Claims] != 200 {
		t.Errorf("database: %v failed, %v started", r.Whole[measure.FailedJobs], r.Whole[measure.Claims])
	}
}

// L28, L30 and L31: a refused call pauses the key for Retry-After, its job is
// released without a try, and after the pause starts go on at the normal rate.
func TestARefusedCallPausesTheKey(t *testing.T) {
	r, log := laravelRun(t, `
limits: {a: {allow: 8}}
jobs: [{class: A, backlog: 200, limit: a, takes: 150ms, timeout: 60s}]
workers: [{processes: 10, sleep: 1s}]
provider: {limit: 100/min, window: sliding, retry_after: 30s}`)
	refused := r.Whole[measure.ProviderRefused]
	if refused == 0 || refused > 30 || r.Whole[measure.FailedJobs] != 0 || r.Whole[measure.Unfinished] != 0 || r.Whole[measure.AttemptsMax] != 1 {
		t.Errorf("%v refused, %v failed, %v unfinished, %v tries", refused, r.Whole[measure.FailedJobs], r.Whole[measure.Unfinished], r.Whole[measure.AttemptsMax])
	}
	if r.Whole[measure.ProviderCalls] != 200+refused || r.Whole[measure.WindowMax] > 8 {
		t.Errorf("%v calls, %v in a window", r.Whole[measure.ProviderCalls], r.Whole[measure.WindowMax])
	}
	// Nothing starts for the length of the pause.
	longest := 0.0
	starts := log.timesOf(model.Claimed)
	for i := 1; i < len(starts); i++ {
		longest = max(longest, starts[i]-starts[i-1])
	}
	if longest < 29 || longest > 32 {
		t.Errorf("the longest gap between two starts is %v s, want the pause of 30", longest)
	}
	// Without the middleware each refused call is an exception and a try.
	r, _ = laravelRun(t, `
limits: {a: {limiter: redis_throttle, allow: 8, block: 0s}}
jobs: [{class: A, backlog: 200, limit: a, takes: 150ms, backoff: 1s}]
workers: [{processes: 10, sleep: 1s, tries: 0}]
provider: {limit: 100/min, window: sliding, retry_after: 30s}`)
	if got := r.Whole[measure.ProviderRefused]; got < 10*refused {
		t.Errorf("without a pause %v calls are refused, with it %v: want many more", got, refused)
	}
}

// L29: a refusal that does not say for how long pauses for 60 s. L32: a key
// without a rate only pauses.
func TestAPauseWithoutARate(t *testing.T) {
	_, log := laravelRun(t, `
limits: {a: {}}
jobs: [{class: A, backlog: 20, limit: a, takes: 0ms}]
workers: [{processes: 1, sleep: 1s}]
provider: {limit: 10/s, window: fixed}
timing: none`)
	starts := log.timesOf(model.Claimed)
	if len(starts) != 21 || starts[10] != 0 || starts[11] != 60 {
		t.Errorf("starts at %v, want 11 at once, one of them refused, and the rest a minute later", starts)
	}
}

// L24: one release on SQS is 12 h at most; the job then waits again.
func TestSQSWaitsTwiceForALongPause(t *testing.T) {
	r, log := laravelRun(t, `
connection: {driver: sqs}
limits: {a: {max_wait: 48h}}
jobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]
workers: [{processes: 1, sleep: 60s, tries: 0}]
provider: {limit: 1/s, window: fixed, retry_after: 20h}
timing: none`)
	if starts := log.timesOf(model.Claimed); len(starts) != 3 || starts[2] < 20*3600 || starts[2] > 20*3600+120 {
		t.Errorf("starts at %v s, want the last after the pause of 20 h", starts)
	}
	if r.Whole[measure.PopsMax] != 3 {
		t.Errorf("%v pops of one job, want 3: refused, early after 12 h, let in", r.Whole[measure.PopsMax])
	}
}

// L34 to L36: so many at a time, with a rate or without; who finds none is
// released for concurrency_retry and spends no try.
func TestConcurrency(t *testing.T) {
	for _, rate := range []string{"", "allow: 8, "} {
		r, _ := laravelRun(t, `
limits: {a: {`+rate+`concurrency: 3}}
jobs: [{class: A, backlog: 60, limit: a, takes: 500ms, fails: 10%, tries: 3, backoff: 1s}]
workers: [{processes: 10, sleep: 1s}]`)
		if r.Whole[measure.RunningMax] != 3 || r.Whole[measure.Unfinished] != 0 || r.Whole[measure.TriesBurned] != 0 {
			t.Errorf("%s%v at a time, %v unfinished, %v tries burned", rate, r.Whole[measure.RunningMax], r.Whole[measure.Unfinished], r.Whole[measure.TriesBurned])
		}
	}
	// It counts toward max_wait.
	r, _ := laravelRun(t, `
limits: {a: {concurrency: 1, max_wait: 4s}}
jobs: [{class: A, backlog: 10, limit: a, takes: 60s}]
workers: [{processes: 10, sleep: 1s, tries: 0, timeout: 0s}]`)
	if r.Whole[measure.FailedJobs] != 9 {
		t.Errorf("%v failed, want all but the one that runs", r.Whole[measure.FailedJobs])
	}
}

// L37: the place of a dead worker stays taken for lock_for; too short a one
// lets one job more in.
func TestTheLeaseOfADeadWorker(t *testing.T) {
	for _, c := range []struct {
		what, lock string
		most       float64
	}{{"longer than a job", "60s", 1}, {"shorter", "1s", 2}} {
		r, _ := laravelRun(t, `
limits: {a: {concurrency: 1, concurrency_retry: 1s, lock_for: `+c.lock+`}}
jobs: [{class: A, backlog: 4, limit: a, takes: 1900ms}]
workers: [{processes: 4, sleep: 1s, tries: 0}]`)
		if got := r.Whole[measure.RunningMax]; got != c.most {
			t.Errorf("a lease %s: %v at a time, want %v", c.what, got, c.most)
		}
	}
	r, log := laravelRun(t, `
connection: {retry_after: 20s}
limits: {a: {concurrency: 1, lock_for: 100s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 1s, killed: 40%}]
workers: [{processes: 2, sleep: 1s, tries: 0}]
until: 2000s`)
	if r.Counts.Laravel.Killed == 0 {
		t.Fatal("no worker died: choose other draws")
	}
	killed, starts := log.timesOf(model.Retried), log.timesOf(model.Claimed)
	for _, at := range killed {
		for _, start := range starts {
			if start > at && start < at+98 {
				t.Errorf("a worker died at %v and a job started at %v, before its place was free", at, start)
			}
		}
	}
}

// L40: the outer throttle has let the job in when the inner one releases it; on
// return it has not to ask for another start.
func TestStackedThrottles(t *testing.T) {
	r, _ := laravelRun(t, `
limits:
  outer: {allow: 10}
  inner: {limiter: redis_throttle, allow: 2, block: 0s}
jobs: [{class: A, backlog: 40, limit: [outer, inner], takes: 10ms, timeout: 60s}]
workers: [{processes: 5, sleep: 1s, tries: 0}]`)
	if r.Limits[1][measure.WindowMax] > 4 || r.Whole[measure.Unfinished] != 0 {
		t.Errorf("%v through the inner one in a second", r.Limits[1][measure.WindowMax])
	}
	if f := r.Whole[measure.FinishedS]; f < 19 || f > 24 {
		t.Errorf("40 at 2/s took %v s: the outer one should cost no more", f)
	}
	if r.Limits[0][measure.Claims] != 40 || r.Limits[1][measure.Claims] != 40 {
		t.Error("both limits have all starts")
	}
}

func TestAttemptsAndDeadlines(t *testing.T) {
	checkRules(t, []rule{
		{"an exception is released by its backoff, by the try", "jobs: [{class: A, backlog: 1, takes: 0ms, fails: 100%, tries: 4, backoff: [1s, 5s]}]\n" + alone,
			map[measure.Key]float64{measure.FailedJobs: 1, measure.Lost: 0, measure.Pops: 4, measure.Unfinished: 0}, []float64{0, 1, 6, 11}},
		{"the worker's tries and backoff, if the job has none", "jobs: [{class: A, backlog: 1, takes: 0ms, fails: 100%}]\nworkers: [{sleep: 1s, tries: 2, backoff: 3s}]\ntiming: none\n",
			map[measure.Key]float64{measure.Pops: 2, measure.FailedJobs: 1}, []float64{0, 3}},
		{"with a deadline tries don't count", "jobs: [{class: A, backlog: 1, takes: 0ms, fails: 100%, tries: 1, backoff: 1s, retry_until: 3s}]\n" + alone,
			map[measure.Key]float64{measure.FailedJobs: 1}, []float64{0, 1, 2, 3}},
		{"max_exceptions counts exceptions alone, and costs commands", "jobs: [{class: A, backlog: 1, takes: 0ms, fails: 100%, tries: 0, backoff: 1s, max_exceptions: 2}]\n" + alone,
			map[measure.Key]float64{measure.Pops: 2, measure.FailedJobs: 1, measure.EmptyPops: 1, measure.RoundTrips: 3 + 3 + 1 + 3 + 3 + 3 + 1}, []float64{0, 1}},
		{"a job that takes longer than its alarm is killed and comes back after retry_after",
			"connection: {retry_after: 10s}\njobs: [{class: A, backlog: 1, takes: 5s, timeout: 2s, tries: 2}]\n" + alone,
			map[measure.Key]float64{measure.FailedJobs: 1, measure.Pops: 2}, []float64{0, 10}},
		{"or fails at once", "jobs: [{class: A, backlog: 1, takes: 5s, timeout: 2s, tries: 0, fail_on_timeout: true}]\n" + alone,
			map[measure.Key]float64{measure.FailedJobs: 1, measure.Pops: 1, measure.FinishedS: 2}, []float64{0}},
		{"a job longer than retry_after runs twice", "connection: {retry_after: 3s}\njobs: [{class: A, backlog: 1, takes: 5s}]\nworkers: [{processes: 2, sleep: 1s, tries: 0, timeout: 0s}]\ntiming: none\nuntil: 20s",
			nil, []float64{0, 3, 6, 9, 12, 15, 18}},
	})
}

// L20, L27: a unique lock holds from the dispatch on, however often the job
// waits or is tried, until it ends or the lock's time is over.
func TestUniqueLocks(t *testing.T) {
	waits := func(lock, rest string) string {
		return `limits: {a: {limiter: job_throttle, allow: 1, every: 2s}}
jobs: [{class: A, backlog: 5, limit: a, takes: 0ms, unique_for: ` + lock + "}]\n" + alone + rest
	}
	starts := []float64{0, 2, 4, 6, 8}
	checkRules(t, []rule{
		{"as long as the longest wait: none is outlived", waits("8s", ""), map[measure.Key]float64{measure.Unlocked: 0}, starts},
		{"shorter: those that wait longer are", waits("5s", ""), map[measure.Key]float64{measure.Unlocked: 2}, starts},
		{"a job that has not ended when the run does counts", waits("5s", "until: 7s"), map[measure.Key]float64{measure.Unlocked: 2, measure.Unfinished: 1}, nil},
		{"if its lock has", waits("7s", "until: 7s"), map[measure.Key]float64{measure.Unlocked: 0, measure.Unfinished: 1}, nil},
		{"each dispatch has a lock of its own", "jobs: [{class: A, arrivals: 1 at 1s + 1 at 5s, takes: 3s, unique_for: 3s}]\n" + alone, map[measure.Key]float64{measure.Unlocked: 0}, []float64{1, 5}},
		{"tries leave it as it is", "jobs: [{class: A, backlog: 2, takes: 2s, fails: 100%, tries: 2, backoff: 4s, unique_for: 5s}]\n" + alone,
			map[measure.Key]float64{measure.FailedJobs: 2, measure.Unlocked: 2}, []float64{0, 2, 6, 8}},
		{"a failure frees it", "jobs: [{class: A, backlog: 1, takes: 2s, fails: 100%, tries: 1, unique_for: 2s}]\n" + alone,
			map[measure.Key]float64{measure.FailedJobs: 1, measure.Unlocked: 0}, []float64{0}},
		{"and so does a refusal that drops the job", `limits: {a: {limiter: rate_limited, allow: 1, every: 60s, dont_release: true}}
jobs: [{class: A, backlog: 3, limit: a, takes: 0ms, unique_for: 1s}]
` + alone, map[measure.Key]float64{measure.Lost: 2, measure.Unlocked: 0}, nil},
	})
	if r, _ := laravelRun(t, "jobs: [{class: A, backlog: 1}]\n"+alone); !math.IsNaN(r.Whole[measure.Unlocked]) {
		t.Errorf("without unique jobs unlocked is %v, want none", r.Whole[measure.Unlocked])
	}
}

// What a killed worker had comes back after retry_after, with a try more.
func TestAKilledWorkersJobComesBack(t *testing.T) {
	r, log := laravelRun(t, "connection: {retry_after: 30s}\njobs: [{class: A, backlog: 50, takes: 1s, killed: 20%}]\nworkers: [{processes: 5, sleep: 1s, tries: 0}]\n")
	died := log.timesOf(model.Retried)
	if len(died) == 0 || int64(len(died)) != r.Counts.Laravel.Killed || r.Whole[measure.Unfinished] != 0 {
		t.Errorf("%d came back of %d killed, %v unfinished", len(died), r.Counts.Laravel.Killed, r.Whole[measure.Unfinished])
	}
	if f := r.Whole[measure.FinishedS]; f < 30 {
		t.Errorf("all done after %v s, want retry_after to be waited for", f)
	}
	if got := r.Whole[measure.AttemptsMax]; got < 2 {
		t.Errorf("%v tries", got)
	}
}

func TestTheOtherThrottles(t *testing.T) {
	checkRules(t, []rule{
		{"RateLimited: 4 commands to pass, 3 to be refused; back after the window and 3 s", `limits: {a: {limiter: rate_limited, allow: 1, every: 2s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]
` + alone, map[measure.Key]float64{measure.RoundTrips: 3 + 4 + 1 + 3 + 3 + 1 + 5*3 + 3 + 4 + 1, measure.EmptyPops: 5}, []float64{0, 5}},
		{"release_after in its place, and a command less", `limits: {a: {limiter: rate_limited, allow: 1, every: 2s, release_after: 2s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]
` + alone, map[measure.Key]float64{measure.RoundTrips: 3 + 4 + 1 + 3 + 2 + 1 + 2*3 + 3 + 4 + 1}, []float64{0, 2}},
		{"RateLimitedWithRedis: one command", `limits: {a: {limiter: rate_limited_redis, allow: 1, every: 2s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]
` + alone, map[measure.Key]float64{measure.RoundTrips: 5 + 5 + 5*3 + 5}, []float64{0, 5}},
		{"dontRelease drops", `limits: {a: {limiter: rate_limited_redis, allow: 1, every: 2s, dont_release: true}}
jobs: [{class: A, backlog: 3, limit: a, takes: 0ms}]
` + alone, map[measure.Key]float64{measure.Lost: 2, measure.FailedJobs: 0, measure.Unfinished: 0}, []float64{0}},
		{"Redis::throttle blocks its worker for 3 s by default, tries 5 times and releases", `limits: {a: {limiter: redis_throttle, allow: 1, every: 60s, release: 60s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]
` + alone, map[measure.Key]float64{measure.InWorkerWaits: 4, measure.TriesBurned: 1}, nil},
		{"Redis::funnel: two commands to run", `limits: {a: {limiter: redis_funnel, limit: 1, block: 0s}}
jobs: [{class: A, backlog: 2, limit: a, takes: 100ms}]
` + alone, map[measure.Key]float64{measure.RoundTrips: 2 * 6}, []float64{0, 0.1}},
		{"WithoutOverlapping releases at once, so a refused job spins until its tries are gone", `limits: {a: {limiter: without_overlapping}}
jobs: [{class: A, backlog: 2, limit: a, takes: 10s}]
workers: [{processes: 2, sleep: 1s, tries: 20}]
timing: {boot: 0ms, boot_spread: 0s, phase: same}`, map[measure.Key]float64{measure.FailedJobs: 1, measure.Pops: 1 + 20 + 1, measure.EmptyPops: 10}, nil},
		{"ThrottlesExceptions swallows them: no try ends a job, and jobs wait for the window's end", `limits: {a: {limiter: throttles_exceptions, allow: 2, every: 10s}}
jobs: [{class: A, backlog: 1, limit: a, takes: 0ms, fails: 100%, max_exceptions: 1}]
` + alone + "until: 30s", map[measure.Key]float64{measure.FailedJobs: 0}, []float64{0, 0, 13, 13, 26, 26}},
	})
}

// The counter of RateLimited is read and counted apart: workers that ask at one
// moment are all let in.
func TestRateLimitedLetsMoreIn(t *testing.T) {
	r, log := laravelRun(t, `
limits: {a: {limiter: rate_limited, allow: 1, every: 60s}}
jobs: [{class: A, backlog: 5, limit: a, takes: 0ms}]
workers: [{processes: 5, sleep: 1s, tries: 0, phase: 0s}]
timing: {wire: 1ms, phase: same, cores: 0}
until: 5s`)
	if got := r.Whole[measure.Claims]; got != 5 {
		t.Errorf("%v started in one window of 1, want all five workers' jobs: %v", got, log.timesOf(model.Claimed))
	}
}

// A lock that never ends by itself, and a worker that died with it: no other
// job ever runs, and the run says so instead of going on for ever.
func TestALockWithoutAnEndIsStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("counts twenty million pops")
	}
	for _, c := range []struct {
		expire  string
		stalled bool
	}{{"", true}, {", expire_after: 60s", false}} {
		r, _ := laravelRunQuiet(t, `
connection: {retry_after: 10s}
limits: {a: {limiter: without_overlapping, release_after: 60s`+c.expire+`}}
jobs: [{class: A, backlog: 2, limit: a, takes: 1s, killed: 60%}]
workers: [{sleep: 60s, tries: 0}]`)
		if r.Counts.Stalled != c.stalled {
			t.Errorf("%s: stalled %v, want %v", c.expire, r.Counts.Stalled, c.stalled)
		}
	}
}

// The site's instants begin at a whole second, the run's at 0.
func TestTheClocksPhaseIsDrawn(t *testing.T) {
	_, log := laravelRun(t, "limits: {a: {limiter: redis_throttle, allow: 1, block: 0s}}\njobs: [{class: A, backlog: 2, limit: a, takes: 0ms}]\nworkers: [{sleep: 100ms, tries: 0, phase: 0s}]")
	second := log.timesOf(model.Claimed)[1]
	if second <= 0 || second > 1.1 || gcra.Instant(second*1e9)%1e9 == 0 {
		t.Errorf("the second window begins at %v s", second)
	}
}

// L39: without its Redis a throttle lets everybody run, or throws, which costs
// each its try. Who asks while it is away are those whose slots come up then.
func TestAThrottleWhoseRedisIsAway(t *testing.T) {
	for _, open := range []string{"true", "false"} {
		runs := laravelRuns(t, "laravel-throttle-down-fail-open", 10, scenarios.Set{Path: "limits.api.fail_open", Value: open})
		for _, r := range runs {
			lost, most := r.Whole[measure.FailedJobs], r.Whole[measure.WindowMax]
			switch {
			case open == "true" && (lost > 0 || most <= 8 || most > 16):
				t.Errorf("open: %g jobs failed, %g in a window, want none and more than 8", lost, most)
			case open == "false" && (lost < 16 || lost > 34 || most > 8):
				t.Errorf("closed: %g jobs failed, %g in a window, want about 24 and at most 8", lost, most)
			}
			if r.Whole[measure.Claims]+lost != 200 {
				t.Errorf("fail_open %s: %g jobs ran and %g failed, want 200 in all", open, r.Whole[measure.Claims], lost)
			}
		}
	}
}

// L22: on a Redis Cluster the rewrite finds no copy, so each wait costs its try
// where it is free elsewhere; the slots are kept all the same.
func TestAClusterSpendsTries(t *testing.T) {
	for _, cluster := range []string{"false", "true"} {
		runs := laravelRuns(t, "laravel-job-throttle-200", 5, scenarios.Set{Path: "connection.cluster", Value: cluster}, scenarios.Set{Path: "workers.tries", Value: "0"})
		for _, r := range runs {
			// 199 jobs wait once, for their slot.
			if burned := r.Whole[measure.TriesBurned]; cluster == "true" && burned < 199 || cluster == "false" && burned > 5 {
				t.Errorf("cluster %s: %g tries went into waiting, want one a wait or none", cluster, burned)
			}
			if pops := r.Whole[measure.Pops]; pops < 399 || pops > 450 {
				t.Errorf("cluster %s: %g pops, want about 399", cluster, pops)
			}
		}
	}
}
