package scenarios

import (
	"math"
	"time"

	"github.com/ratesim/ratesim/model"
)

// The keys of a scenario of system: laravel, in the words of its own
// configuration and classes.

var connectionKeys = []key[model.Connection]{
	{"driver", func(r *reader, n *node, path string, c *model.Connection) {
		word(r, n, path, &c.Driver, model.DriverRedis, model.DriverDatabase, model.DriverSQS)
	}},
	{"retry_after", func(r *reader, n *node, path string, c *model.Connection) { r.seconds(n, path, 1, &c.RetryAfter) }},
	{"block_for", func(r *reader, n *node, path string, c *model.Connection) { r.seconds(n, path, 0, &c.BlockFor) }},
	{"cluster", func(r *reader, n *node, path string, c *model.Connection) { r.yesNo(n, path, &c.Cluster) }},
	{"migration_batch_size", func(r *reader, n *node, path string, c *model.Connection) {
		if size, ok := r.integer(n, path, -1, 1_000_000); ok {
			if size == 0 {
				r.fail(n, path, "0 would move nothing, want -1 for all, or 1 and more")
				return
			}
			c.MigrationBatch = size
		}
	}},
}

var throttleKeys = []key[model.Throttle]{
	{"limiter", func(r *reader, n *node, path string, t *model.Throttle) {
		word(r, n, path, &t.Kind, throttleKinds...)
	}},
	{"allow", func(r *reader, n *node, path string, t *model.Throttle) {
		if allow, ok := r.integer(n, path, 1, 1_000_000); ok {
			t.Allow = allow
		}
	}},
	{"every", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 1, &t.Every) }},
	{"max_wait", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 1, &t.MaxWait) }},
	{"concurrency", func(r *reader, n *node, path string, t *model.Throttle) {
		if most, ok := r.integer(n, path, 1, 1_000_000); ok {
			t.Concurrency = most
		}
	}},
	{"concurrency_retry", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 1, &t.ConcurrencyRetry) }},
	{"lock_for", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 1, &t.LockFor) }},
	{"fail_open", func(r *reader, n *node, path string, t *model.Throttle) { r.yesNo(n, path, &t.FailOpen) }},
	{"down", func(r *reader, n *node, path string, t *model.Throttle) {
		r.timeFrom(n, path, "down", &t.DownFor, &t.DownAt)
	}},
	{"in_worker", func(r *reader, n *node, path string, t *model.Throttle) {
		word(r, n, path, &t.InWorker, model.InWorkerEach, model.InWorkerVisit, model.InWorkerNone)
	}},
	{"limit", func(r *reader, n *node, path string, t *model.Throttle) {
		if places, ok := r.integer(n, path, 1, 10_000); ok {
			t.Places = places
		}
	}},
	{"block", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 0, &t.Block) }},
	{"sleep", func(r *reader, n *node, path string, t *model.Throttle) {
		if d, ok := r.duration(n, path, time.Millisecond); ok {
			t.Sleep = d
		}
	}},
	{"release", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 0, &t.Release) }},
	{"release_after", func(r *reader, n *node, path string, t *model.Throttle) {
		var d time.Duration
		if r.seconds(n, path, 0, &d) {
			t.ReleaseAfter = &d
		}
	}},
	{"expire_after", func(r *reader, n *node, path string, t *model.Throttle) { r.seconds(n, path, 1, &t.ExpireAfter) }},
	{"dont_release", func(r *reader, n *node, path string, t *model.Throttle) { r.yesNo(n, path, &t.DontRelease) }},
	{"backoff", func(r *reader, n *node, path string, t *model.Throttle) {
		var d time.Duration
		if !r.seconds(n, path, 0, &d) {
			return
		}
		if d%time.Minute != 0 {
			r.fail(n, path, "%s is no whole number of minutes, which this middleware's backoff counts in", quote(n.text))
			return
		}
		t.Backoff = d
	}},
}

// throttleKinds are the limiters of this system.
var throttleKinds = []model.LimiterKind{
	model.JobThrottle, model.RedisThrottle, model.RateLimited, model.RateLimitedRedis,
	model.RedisFunnel, model.WithoutOverlapping, model.ThrottlesExceptions,
}

// keysOfKind are the keys that mean something to each limiter.
var keysOfKind = map[model.LimiterKind][]string{
	model.JobThrottle:         {"allow", "every", "max_wait", "concurrency", "concurrency_retry", "lock_for", "fail_open", "down", "in_worker"},
	model.RedisThrottle:       {"allow", "every", "block", "sleep", "release"},
	model.RateLimited:         {"allow", "every", "release_after", "dont_release"},
	model.RateLimitedRedis:    {"allow", "every", "release_after", "dont_release"},
	model.RedisFunnel:         {"limit", "release_after", "block", "sleep", "release"},
	model.WithoutOverlapping:  {"release_after", "expire_after", "dont_release"},
	model.ThrottlesExceptions: {"allow", "every", "backoff"},
}

var laravelJobKeys = append(without(jobKeys, "priority", "limit"), []key[model.Class]{
	{"limit", (*reader).throttlesOf},
	{"tries", func(r *reader, n *node, path string, c *model.Class) {
		if tries, ok := r.integer(n, path, 0, math.MaxInt32); ok {
			c.Laravel.Tries = &tries
		}
	}},
	{"backoff", func(r *reader, n *node, path string, c *model.Class) { r.backoff(n, path, &c.Laravel.Backoff) }},
	{"max_exceptions", func(r *reader, n *node, path string, c *model.Class) {
		if most, ok := r.integer(n, path, 1, math.MaxInt32); ok {
			c.Laravel.MaxExceptions = most
		}
	}},
	{"retry_until", func(r *reader, n *node, path string, c *model.Class) { r.seconds(n, path, 1, &c.Laravel.RetryUntil) }},
	{"unique_for", func(r *reader, n *node, path string, c *model.Class) { r.seconds(n, path, 1, &c.Laravel.UniqueFor) }},
	{"timeout", func(r *reader, n *node, path string, c *model.Class) {
		var d time.Duration
		if r.seconds(n, path, 0, &d) {
			c.Laravel.Timeout = &d
		}
	}},
	{"fail_on_timeout", func(r *reader, n *node, path string, c *model.Class) { r.yesNo(n, path, &c.Laravel.FailOnTimeout) }},
	{"fails", func(r *reader, n *node, path string, c *model.Class) { r.part(n, path, &c.Laravel.Fails) }},
	{"killed", func(r *reader, n *node, path string, c *model.Class) { r.part(n, path, &c.Laravel.Killed) }},
}...)

var laravelWorkerKeys = []key[model.Worker]{
	{"queues", (*reader).queueNames},
	{"processes", func(r *reader, n *node, path string, w *model.Worker) {
		if processes, ok := r.integer(n, path, 1, 1_000); ok {
			w.Processes = processes
		}
	}},
	{"sleep", func(r *reader, n *node, path string, w *model.Worker) {
		r.sleepOf(n, path, time.Millisecond, &w.Interval)
	}},
	{"rest", func(r *reader, n *node, path string, w *model.Worker) { r.sleepOf(n, path, 0, &w.Laravel.Rest) }},
	{"tries", func(r *reader, n *node, path string, w *model.Worker) {
		if tries, ok := r.integer(n, path, 0, math.MaxInt32); ok {
			w.Laravel.Tries = tries
		}
	}},
	{"timeout", func(r *reader, n *node, path string, w *model.Worker) { r.seconds(n, path, 0, &w.Laravel.Timeout) }},
	{"backoff", func(r *reader, n *node, path string, w *model.Worker) { r.backoff(n, path, &w.Laravel.Backoff) }},
	{"phase", func(r *reader, n *node, path string, w *model.Worker) { r.phase(n, path, &w.Phase) }},
}

var laravelTimingKeys = []key[model.LaravelTiming]{
	{"wire", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.Wire) }},
	{"redis", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.Redis) }},
	{"command_cpu", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.CommandCPU) }},
	{"job_cpu", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.JobCPU) }},
	{"cores", func(r *reader, n *node, path string, t *model.LaravelTiming) {
		if cores, ok := r.integer(n, path, 0, 10_000); ok {
			t.Cores = cores
		}
	}},
	{"overshoot", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.Overshoot) }},
	{"wait_overshoot", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.WaitOvershoot) }},
	{"boot", func(r *reader, n *node, path string, t *model.LaravelTiming) { r.delay(n, path, &t.Boot) }},
	{"boot_spread", func(r *reader, n *node, path string, t *model.LaravelTiming) {
		if d, ok := r.duration(n, path, 0); ok {
			t.BootSpread = d
		}
	}},
	{"phase", func(r *reader, n *node, path string, t *model.LaravelTiming) {
		either(r, n, path, &t.RandomPhase, "same", "random")
	}},
}

var laravelRuleKeys = []key[model.LaravelParts]{
	{"ties", func(r *reader, n *node, path string, p *model.LaravelParts) {
		word(r, n, path, &p.Ties, model.TiesUUID, model.TiesFIFO, model.TiesRandom)
	}},
	{"polls", func(r *reader, n *node, path string, p *model.LaravelParts) {
		word(r, n, path, &p.Polls, model.PollsNone, model.PollsRestart, model.PollsPerQueue, model.PollsPauseOnce, model.PollsPauseTwice)
	}},
}

var providerKeys = []key[model.Provider]{
	{"limit", (*reader).providerLimit},
	{"window", func(r *reader, n *node, path string, p *model.Provider) {
		word(r, n, path, &p.Window, model.ProviderSliding, model.ProviderFixed, model.ProviderBucket)
	}},
	{"retry_after", func(r *reader, n *node, path string, p *model.Provider) { r.seconds(n, path, 0, &p.RetryAfter) }},
	{"latency", func(r *reader, n *node, path string, p *model.Provider) { r.delay(n, path, &p.Latency) }},
	{"closes_longer", (*reader).closesLonger},
	{"closed", (*reader).closed},
}

// without is a table of keys but for some.
func without[T any](keys []key[T], gone ...string) []key[T] {
	var left []key[T]
	for _, k := range keys {
		if !contains(gone, k.name) {
			left = append(left, k)
		}
	}
	return left
}
