package sim_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
	"pgregory.net/rapid"
)

// laravelScenario reads a scenario of that system.
func laravelScenario(t interface{ Fatalf(string, ...any) }, yaml string) *model.Scenario {
	all, errs := scenarios.Read("laravel.yml", []byte("system: laravel\n"+yaml), scenarios.Options{})
	if errs != nil || len(all) != 1 {
		t.Fatalf("%v\n%s", errs, yaml)
	}
	return all[0]
}

// eventLog keeps the events of a run.
type eventLog []model.Event

func (l *eventLog) Observe(e *model.Event) { *l = append(*l, *e) }

// laravelRun runs a scenario once.
func laravelRun(t interface{ Fatalf(string, ...any) }, yaml string) (*measure.Run, eventLog) {
	s := laravelScenario(t, yaml)
	var log eventLog
	tally := measure.NewTally(s)
	c, err := sim.NewMachine(s).Run(1, 0, both{&log, tally})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return tally.Finish(c), log
}

type both [2]model.Probe

func (b both) Observe(e *model.Event) {
	b[0].Observe(e)
	b[1].Observe(e)
}

// Whatever the jobs, the workers and the costs: round trips are what the
// commands of a pop, a refusal and a release come to, and no window holds more
// than its throttle says.
//
// A pop is three commands. Behind Redis::throttle that tries once, a popped job
// costs two more, the try and its release or its delete. Behind the throttle
// with reserved slots a job that runs costs two more, one that waits three, for
// its try is given back, and each wait inside a worker is another check.
func TestRoundTripsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 150).Draw(t, "jobs")
		costs := rapid.SampledFrom([]string{"none", "default",
			"{wire: exp(1ms), redis: exp(0.2ms), command_cpu: exp(1ms), job_cpu: exp(2ms), cores: 2, wait_overshoot: exp(3ms)}",
			"{wire: 10ms, phase: same, overshoot: 0ms, wait_overshoot: 1ms, boot: 0ms}"}).Draw(t, "costs")
		allow := rapid.IntRange(1, 20).Draw(t, "allow")
		every := rapid.IntRange(1, 3).Draw(t, "every")
		rest := fmt.Sprintf(`
jobs: [{class: A, limit: api, backlog: %d, takes: %s, timeout: 1h}]
workers: [{processes: %d, sleep: %s, tries: 0}]
timing: %s
`, n, rapid.SampledFrom([]string{"0ms", "150ms", "exp(400ms)"}).Draw(t, "takes"), rapid.IntRange(1, 12).Draw(t, "workers"),
			rapid.SampledFrom([]string{"1s", "3s", "100ms"}).Draw(t, "sleep"), costs)
		value := func(r *measure.Run, k measure.Key) int { return int(r.Whole[k]) }

		r, _ := laravelRun(t, fmt.Sprintf("limits: {api: {limiter: redis_throttle, allow: %d, every: %ds, block: 0s, release: 1s}}", allow, every)+rest)
		if got, want := value(r, measure.RoundTrips), 5*value(r, measure.Pops)+3*value(r, measure.EmptyPops); got != want {
			t.Fatalf("redis_throttle: %d round trips, want %d", got, want)
		}
		// Where commands arrive in the order in which their clients read the clock.
		// Else one of the last second that arrives late finds a window that begins
		// after it, takes it for over, and begins one anew: so may the next.
		if most := value(r, measure.WindowMax); most > 2*allow && !strings.Contains(costs, "exp(") {
			t.Fatalf("redis_throttle: %d in a window, want at most %d", most, 2*allow)
		}
		if value(r, measure.Claims) != n || value(r, measure.Unfinished) != 0 {
			t.Fatalf("%v of %d jobs ran", r.Whole[measure.Claims], n)
		}

		mode := rapid.SampledFrom([]string{"each", "visit", "none"}).Draw(t, "in worker")
		r, _ = laravelRun(t, fmt.Sprintf("limits: {api: {allow: %d, every: %ds, in_worker: %s}}", allow, every, mode)+rest)
		if got, want := value(r, measure.RoundTrips), 6*value(r, measure.Pops)-n+3*value(r, measure.EmptyPops)+value(r, measure.InWorkerWaits); got != want {
			t.Fatalf("job_throttle, %s: %d round trips, want %d", mode, got, want)
		}
		if most := value(r, measure.WindowMax); most > allow { // L6
			t.Fatalf("job_throttle, %s: %d in a window, want at most %d", mode, most, allow)
		}
		if value(r, measure.Claims) != n || value(r, measure.Unfinished) != 0 {
			t.Fatalf("%v of %d jobs ran", r.Whole[measure.Claims], n)
		}
		if mode == "none" && value(r, measure.InWorkerWaits) != 0 {
			t.Fatal("a job waited in its worker")
		}
	})
}

// The published rows, once more for what must be exact: with waits of a second
// each no job but the first is popped more or less than twice, and none spends a
// try; Redis::throttle lets more than 8 and at most 16 start in a second.
func TestExactNumbersOfThePublishedRows(t *testing.T) {
	for _, n := range []string{"200", "1000", "3000"} {
		each := scenarios.Set{Path: "limits.provider.in_worker", Value: "each"}
		for _, r := range laravelRuns(t, "laravel-job-throttle-"+n, 10, each) {
			if r.Whole[measure.Pops] != 2*r.Whole[measure.Jobs]-1 || r.Whole[measure.WindowMax] > 8 || r.Whole[measure.AttemptsMax] > 2 {
				t.Errorf("%s jobs: %v pops, %v in a window, %v tries", n, r.Whole[measure.Pops], r.Whole[measure.WindowMax], r.Whole[measure.AttemptsMax])
			}
		}
		for _, r := range laravelRuns(t, "laravel-redis-throttle-"+n, 3) {
			if most := r.Whole[measure.WindowMax]; most <= 8 || most > 16 {
				t.Errorf("Redis::throttle, %s jobs: %v in a second, want more than 8 and at most 16", n, most)
			}
		}
	}
}

// Same seed, same numbers, however many runs go side by side; and a machine
// that ran before gives what a fresh one does.
func TestLaravelRunsAreTheSameAgain(t *testing.T) {
	s := laravelScenario(t, `
limits: {api: {allow: 8, concurrency: 5}, lock: {limiter: without_overlapping, expire_after: 5s, release_after: 1s}}
jobs:
  - {class: A, limit: [lock, api], backlog: 30, arrivals: poisson 1/s, takes: exp(150ms), fails: 10%, killed: 3%, timeout: 20s}
  - {class: B, limit: api, backlog: 30, takes: exp(150ms), queue: high}
workers: [{queues: [high, default], processes: 6, sleep: 1s, tries: 0}]
connection: {retry_after: 30s}
provider: {limit: 8/s, latency: exp(50ms), retry_after: 2s}
until: 200s
`)
	run := func(jobs int) []*measure.Run {
		runs, err := sim.Replicate(context.Background(), s, sim.Options{Seed: 3, Runs: 6, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		return runs
	}
	a, b := run(1), run(3)
	for i := range a {
		if fmt.Sprint(a[i]) != fmt.Sprint(b[i]) {
			t.Errorf("run %d differs: %v and %v", i, a[i], b[i])
		}
	}
	if reflect.DeepEqual(a[0].Counts, a[1].Counts) {
		t.Error("two replications are the same")
	}
}

// A worker more leaves what belongs to jobs alone: each takes as long as before.
func TestAWorkerMoreLeavesTheJobsDrawsAlone(t *testing.T) {
	lengths := func(workers int) map[int64]int64 {
		_, log := laravelRun(t, fmt.Sprintf(`
jobs: [{class: A, backlog: 40, takes: exp(150ms)}]
workers: [{processes: %d, sleep: 1s}]
timing: none
`, workers))
		from, took := map[int64]int64{}, map[int64]int64{}
		for _, e := range log {
			switch e.Kind {
			case model.Claimed:
				from[e.Job] = int64(e.At)
			case model.Finished:
				took[e.Job] = int64(e.At) - from[e.Job]
			}
		}
		return took
	}
	if a, b := lengths(2), lengths(5); !reflect.DeepEqual(a, b) || len(a) != 40 {
		t.Errorf("jobs took\n%v\nand with more workers\n%v", a, b)
	}
}

// laravelRunQuiet is laravelRun without a log, for long runs.
func laravelRunQuiet(t interface{ Fatalf(string, ...any) }, yaml string) (*measure.Run, error) {
	s := laravelScenario(t, yaml)
	tally := measure.NewTally(s)
	c, err := sim.NewMachine(s).Run(1, 0, tally)
	return tally.Finish(c), err
}
