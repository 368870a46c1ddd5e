package redis

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
)

// notes is a probe that keeps what happened, a line for each job.
type notes []string

func (n *notes) Observe(e *model.Event) {
	e.Each(func(e model.Event) { *n = append(*n, line(&e)) })
}

var words = map[model.Kind]string{
	model.Enqueued: "came", model.Claimed: "started", model.Deferred: "waits", model.Dropped: "dropped", model.Finished: "ended", model.Retried: "again",
}

func line(e *model.Event) string {
	text := fmt.Sprintf("%v %s %d", time.Duration(e.At), words[e.Kind], e.Job)
	switch e.Kind {
	case model.Deferred:
		text += fmt.Sprintf(" until %v", time.Duration(e.Next))
	case model.Claimed:
		text += fmt.Sprintf(" since %v", time.Duration(e.Since))
	}
	return text
}

// The workers on a Redis in memory and those of the simulation do the same at
// the same instants: every start, wait and end, line for line, and the same
// counts. No two workers ever act at one instant here.
func TestSameAsTheSimulation(t *testing.T) {
	for name, text := range map[string]string{
		"redis_throttle":                     "limits: {a: {limiter: redis_throttle, allow: 3, every: 1s, block: 0s}}\njobs: [{class: A, limit: a, backlog: 25, tries: 0, takes: 150ms}]",
		"and it blocks":                      "limits: {a: {limiter: redis_throttle, allow: 3, every: 2s}}\njobs: [{class: A, limit: a, backlog: 15, tries: 0, takes: 150ms}]",
		"job_throttle":                       "limits: {a: {allow: 3, every: 1s, in_worker: none}}\njobs: [{class: A, limit: a, backlog: 25, takes: 150ms}]",
		"and it holds":                       "limits: {a: {allow: 3, every: 1s}}\njobs: [{class: A, limit: a, backlog: 25, takes: 150ms, timeout: 60s}]",
		"and a visit holds at most a second": "limits: {a: {allow: 3, every: 1s, in_worker: visit}}\njobs: [{class: A, limit: a, backlog: 25, takes: 150ms, timeout: 60s}]",
		"and most wait":                      "limits: {a: {allow: 3, every: 1s, max_wait: 6s}}\njobs: [{class: A, limit: a, backlog: 25, takes: 150ms}]",
		"and it fails":                       "limits: {a: {allow: 3, every: 1s}}\njobs: [{class: A, limit: a, backlog: 25, takes: 150ms, tries: 3, backoff: [1s, 3s], fails: 30%}]",
		"rate_limited":                       "limits: {a: {limiter: rate_limited, allow: 3, every: 1s}}\njobs: [{class: A, limit: a, backlog: 15, tries: 0, takes: 150ms}]",
		"rate_limited_redis":                 "limits: {a: {limiter: rate_limited_redis, allow: 3, every: 1s}}\njobs: [{class: A, limit: a, backlog: 15, tries: 0, takes: 150ms}]",
		"redis_funnel":                       "limits: {a: {limiter: redis_funnel, limit: 2, block: 0s}}\njobs: [{class: A, limit: a, backlog: 15, tries: 0, takes: 150ms}]",
		"without_overlapping":                "limits: {a: {limiter: without_overlapping, release_after: 1s}}\njobs: [{class: A, limit: a, backlog: 15, tries: 0, takes: 150ms}]",
		"throttles_exceptions": "limits: {a: {limiter: throttles_exceptions, allow: 3, every: 5s}}\n" +
			"jobs: [{class: A, limit: a, backlog: 15, tries: 9, takes: 150ms, fails: 50%}]",
		"concurrency":     "limits: {a: {concurrency: 2, allow: 5, every: 1s}}\njobs: [{class: A, limit: a, backlog: 15, takes: 450ms}]",
		"killed workers":  "connection: {retry_after: 3s}\njobs: [{class: A, backlog: 15, tries: 3, takes: 150ms, killed: 30%}]",
		"exceptions":      "jobs: [{class: A, backlog: 15, tries: 0, max_exceptions: 2, takes: 150ms, fails: 50%, backoff: 2s}]",
		"a short timeout": "connection: {retry_after: 3s}\njobs: [{class: A, backlog: 5, tries: 2, takes: 1150ms, timeout: 1s}]",
		"two throttles": "limits: {a: {allow: 3, every: 1s}, b: {limiter: redis_throttle, allow: 2, every: 2s, block: 0s}}\n" +
			"jobs: [{class: A, limit: [a, b], backlog: 15, tries: 0, takes: 150ms}]",
		"a provider": "limits: {a: {allow: 5, every: 1s}}\nprovider: {limit: 3/s, retry_after: 2s, latency: 10ms}\n" +
			"jobs: [{class: A, limit: a, backlog: 15, tries: 0, takes: 150ms}]",
		"two queues, and arrivals": "jobs: [{class: A, backlog: 5, queue: low, takes: 150ms}, {class: B, arrivals: every 707ms, queue: high, takes: 150ms}]\nuntil: 12s",
	} {
		t.Run(name, func(t *testing.T) {
			queues := "[default]"
			if name == "two queues, and arrivals" {
				queues = "[high, low]"
			}
			text += "\ntiming: none\nworkers:\n"
			for _, phase := range []int{3, 111, 217, 329, 437} {
				text += fmt.Sprintf("  - {sleep: 1s, tries: 2, timeout: 60s, phase: %dms, queues: %s}\n", phase, queues)
			}
			s := read(t, text)
			var want notes
			counts, err := sim.NewMachine(s).Run(1, 0, &want)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				server, _ := onMini(t)
				r, err := Run(t.Context(), server, s, Options{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				var got notes
				for i := range r.Events {
					got.Observe(&r.Events[i])
				}
				slices.SortStableFunc(want, instantOf)
				slices.SortStableFunc(got, instantOf)
				for i := range max(len(got), len(want)) {
					if i >= len(got) || i >= len(want) || got[i] != want[i] {
						t.Fatalf("line %d of %d and %d:\nlive       %q\nsimulation %q", i, len(got), len(want), from(got, i), from(want, i))
					}
				}
				// What a run does after its last event, only one of them may see.
				t.Logf("%d lines, %+v", len(got), r.Counts.LaravelCounts)
				g, w := r.Counts.LaravelCounts, counts.Laravel
				g.EmptyPops, w.EmptyPops, g.RoundTrips, w.RoundTrips = 0, 0, g.RoundTrips-3*g.EmptyPops, w.RoundTrips-3*w.EmptyPops
				if name != "two queues, and arrivals" && g != w {
					t.Errorf("live       %+v\nsimulation %+v", g, w)
				}
			})
		})
	}
}

func from(n notes, i int) notes { return n[min(max(i-3, 0), len(n)):min(i+2, len(n))] }

// instantOf orders lines by their instant, and lines of one instant by what
// they say: they may be told in another order.
func instantOf(a, b string) int {
	var x, y string
	_, _ = fmt.Sscan(a, &x)
	_, _ = fmt.Sscan(b, &y)
	dx, _ := time.ParseDuration(x)
	dy, _ := time.ParseDuration(y)
	switch {
	case dx < dy || dx == dy && a < b:
		return -1
	case dx == dy && a == b:
		return 0
	}
	return 1
}
