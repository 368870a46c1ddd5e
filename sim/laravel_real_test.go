package sim_test

import (
	"math"
	"testing"

	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/measure"
)

// laravelHere is what things cost on the machine of the real runs: Laravel
// 12.67 on PHP 8.2, PhpRedis and Redis 7.0, ten worker processes on two cores
// that were shared with other work. A refused pop took 0.9 ms of a core there,
// with what others took; one set serves all runs.
const laravelHere = `{wire: 20us, redis: 18us, command_cpu: 120us, job_cpu: 300us, cores: 2,
  overshoot: exp(4ms), wait_overshoot: 1ms + exp(1ms), boot: 200ms, boot_spread: 300ms, phase: random}`

// Runs with real workers: their finish, from the start of the workers to the
// last job's end, and their pops. The throttle with reserved slots is a
// middleware written after the README of Laravel Job Throttle. Runs on a
// machine that had nothing left for long are not among them: no number of
// cores is known for those.
func TestRealLaravelWorkers(t *testing.T) {
	for _, row := range []struct {
		what, scenario, inWorker string
		finish, pops             float64
	}{
		{"Redis::throttle, two runs", "laravel-redis-throttle-200", "", 24.9, (2428 + 2230) / 2.},
		{"Redis::throttle, the quietest run", "laravel-redis-throttle-1000", "", 126.99, 51690},
		{"Redis::throttle, 31 % idle", "laravel-redis-throttle-1000", "", 125.6, 51765},
		{"slots, waits of 1 s each", "laravel-job-throttle-200", "each", 26.5, 399},
		{"slots, waits of 1 s each", "laravel-job-throttle-1000", "each", 127.3, 1999},
		{"slots, waits of 1 s each", "laravel-job-throttle-3000", "each", 376.9, 5999},
		{"slots, 1 s a visit", "laravel-job-throttle-1000", "visit", 127.48, 2141},
		{"slots, 1 s a visit", "laravel-job-throttle-3000", "visit", 377.74, 6722},
	} {
		t.Run(row.what+", "+row.scenario, func(t *testing.T) {
			sets := []scenarios.Set{{Path: "timing", Value: laravelHere}}
			if row.inWorker != "" {
				sets = append(sets, scenarios.Set{Path: "limits.provider.in_worker", Value: row.inWorker})
			}
			runs := laravelRuns(t, row.scenario, 20, sets...)
			finish, pops := spreadOf(runs, measure.FinishedS), spreadOf(runs, measure.Pops)
			t.Logf("finish %.1f [%.1f..%.1f] of %.1f, pops %.0f [%.0f..%.0f] of %.0f (%+.1f %%)",
				finish.mean, finish.low, finish.high, row.finish, pops.mean, pops.low, pops.high, row.pops, 100*(pops.mean/row.pops-1))
			if math.Abs(finish.mean-row.finish) > 2 {
				t.Errorf("finish %.1f s, real %.1f", finish.mean, row.finish)
			}
			if math.Abs(pops.mean/row.pops-1) > 0.10 {
				t.Errorf("pops %.0f, real %.0f", pops.mean, row.pops)
			}
		})
	}
}
