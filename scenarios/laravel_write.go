package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
)

// laravel writes the parts of a scenario of system: laravel.
func (w *writer) laravel(s *model.Scenario) {
	p := s.Laravel
	block := ""
	if p.Connection.Driver == model.DriverRedis {
		block = fmt.Sprintf(", block_for: %s, migration_batch_size: %d, cluster: %t", model.FormatDuration(p.Connection.BlockFor), p.Connection.MigrationBatch, p.Connection.Cluster)
	}
	w.line(fmt.Sprintf("connection: {driver: %s, retry_after: %s%s}", p.Connection.Driver, model.FormatDuration(p.Connection.RetryAfter), block))
	if len(p.Throttles) > 0 {
		w.line("limits:")
	}
	for i := range p.Throttles {
		t := &p.Throttles[i]
		w.pair("  "+quoted(t.Name), "{"+strings.Join(throttlePairs(t), ", ")+"}")
	}
	w.line("jobs:")
	for i := range s.Classes {
		w.laravelJob(s, &s.Classes[i])
	}
	if len(s.Workers) == 0 {
		w.pair("workers", "[]")
	} else {
		w.line("workers:")
	}
	for i := range s.Workers {
		w.laravelWorker(&s.Workers[i])
	}
	w.costs(laravelTimingPairs(p.Timing), laravelTimingPairs(DefaultLaravelTiming()), laravelTimingPairs(model.LaravelTiming{}))
	w.line(fmt.Sprintf("rules: {ties: %s, polls: %s}", p.Ties, p.Polls))
}

func (w *writer) laravelJob(s *model.Scenario, c *model.Class) {
	w.pair("  - class", quoted(c.Name))
	l := &c.Laravel
	if len(l.Throttles) > 0 {
		names := make([]string, len(l.Throttles))
		for i, t := range l.Throttles {
			names[i] = quoted(s.Laravel.Throttles[t].Name)
		}
		w.pair("    limit", "["+strings.Join(names, ", ")+"]")
	}
	w.pair("    backlog", strconv.Itoa(c.Backlog))
	w.pair("    arrivals", quoted(c.Arrivals.String()))
	w.pair("    queue", quoted(c.Queue))
	w.pair("    takes", quoted(c.Takes.String()))
	if l.Tries != nil {
		w.pair("    tries", strconv.Itoa(*l.Tries))
	}
	if len(l.Backoff) > 0 {
		w.pair("    backoff", lengths(l.Backoff))
	}
	if l.MaxExceptions > 0 {
		w.pair("    max_exceptions", strconv.Itoa(l.MaxExceptions))
	}
	if l.RetryUntil > 0 {
		w.pair("    retry_until", model.FormatDuration(l.RetryUntil))
	}
	if l.UniqueFor > 0 {
		w.pair("    unique_for", model.FormatDuration(l.UniqueFor))
	}
	if l.Timeout != nil {
		w.pair("    timeout", model.FormatDuration(*l.Timeout))
	}
	w.pair("    fail_on_timeout", strconv.FormatBool(l.FailOnTimeout))
	w.pair("    fails", formatPart(l.Fails))
	w.pair("    killed", formatPart(l.Killed))
}

func (w *writer) laravelWorker(k *model.Worker) {
	names := make([]string, len(k.Queues))
	for i, q := range k.Queues {
		names[i] = quoted(q)
	}
	more := ""
	if len(k.Laravel.Backoff) > 0 {
		more += ", backoff: " + lengths(k.Laravel.Backoff)
	}
	if k.Phase != nil {
		more += ", phase: " + model.FormatDuration(*k.Phase)
	}
	w.line(fmt.Sprintf("  - {queues: [%s], processes: %d, sleep: %s, rest: %s, tries: %d, timeout: %s%s}",
		strings.Join(names, ", "), k.Processes, model.FormatDuration(k.Interval), model.FormatDuration(k.Laravel.Rest),
		k.Laravel.Tries, model.FormatDuration(k.Laravel.Timeout), more))
}

// throttlePairs are the keys that mean something to a throttle, with values.
func throttlePairs(t *model.Throttle) []string {
	length := model.FormatDuration
	out := []string{"limiter: " + string(t.Kind)}
	for _, k := range keysOfKind[t.Kind] {
		v := ""
		switch k {
		case "allow":
			v = unlessZero(t.Allow)
		case "every":
			if t.Allow > 0 {
				v = length(t.Every)
			}
		case "max_wait":
			v = length(t.MaxWait)
		case "concurrency":
			v = unlessZero(t.Concurrency)
		case "concurrency_retry":
			v = length(t.ConcurrencyRetry)
		case "lock_for":
			if t.LockFor > 0 {
				v = length(t.LockFor)
			}
		case "fail_open":
			v = strconv.FormatBool(t.FailOpen)
		case "down":
			if t.DownFor > 0 {
				v = model.FormatDuration(t.DownFor) + " at " + model.FormatDuration(t.DownAt)
			}
		case "in_worker":
			v = string(t.InWorker)
		case "limit":
			v = unlessZero(t.Places)
		case "block":
			v = length(t.Block)
		case "sleep":
			v = length(t.Sleep)
		case "release":
			v = length(t.Release)
		case "release_after":
			if t.ReleaseAfter != nil {
				v = length(*t.ReleaseAfter)
			}
		case "expire_after":
			if t.ExpireAfter > 0 {
				v = length(t.ExpireAfter)
			}
		case "dont_release":
			v = strconv.FormatBool(t.DontRelease)
		case "backoff":
			v = length(t.Backoff)
		}
		if v != "" {
			out = append(out, k+": "+v)
		}
	}
	return out
}

func unlessZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func lengths(all []time.Duration) string {
	texts := make([]string, len(all))
	for i, d := range all {
		texts[i] = model.FormatDuration(d)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// laravelTimingPairs are all keys of a timing with their values.
func laravelTimingPairs(t model.LaravelTiming) [][2]string {
	return [][2]string{
		{"wire", formatDelay(t.Wire)},
		{"redis", formatDelay(t.Redis)},
		{"command_cpu", formatDelay(t.CommandCPU)},
		{"job_cpu", formatDelay(t.JobCPU)},
		{"cores", strconv.Itoa(t.Cores)},
		{"overshoot", formatDelay(t.Overshoot)},
		{"wait_overshoot", formatDelay(t.WaitOvershoot)},
		{"boot", formatDelay(t.Boot)},
		{"boot_spread", model.FormatDuration(t.BootSpread)},
		{"phase", choose(t.RandomPhase, "same", "random")},
	}
}

func (w *writer) provider(p *model.Provider) {
	w.line("provider:")
	w.pair("  limit", model.FormatRate(float64(p.Limit), p.Per))
	w.pair("  window", string(p.Window))
	w.pair("  retry_after", model.FormatDuration(p.RetryAfter))
	w.pair("  latency", quoted(formatDelay(p.Latency)))
	w.pair("  closes_longer", model.FormatDuration(p.ClosesLonger)+" per hit")
	if p.ClosedFor > 0 {
		w.pair("  closed", model.FormatDuration(p.ClosedFor)+" at "+model.FormatDuration(p.ClosedAt))
	}
}
