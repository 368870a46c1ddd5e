package scenarios

import (
	"math"

	"github.com/ratesim/ratesim/model"
)

// The keys of a scenario file. What stands here is all the reader knows; the
// JSON Schema must name the same keys, and a test compares the two.

var scenarioKeys = []key[model.Scenario]{
	{"name", func(r *reader, n *node, path string, s *model.Scenario) {
		if text, ok := r.text(n, path, "a name"); ok {
			s.Name = text
		}
	}},
	{"about", func(r *reader, n *node, path string, s *model.Scenario) {
		if text, ok := r.text(n, path, "a sentence"); ok {
			s.About = text
		}
	}},
	{"system", func(r *reader, n *node, path string, s *model.Scenario) {
		word(r, n, path, &s.System, systems...)
	}},
	{"seed", func(r *reader, n *node, path string, s *model.Scenario) {
		if seed, ok := r.integer(n, path, 1, math.MaxInt); ok {
			s.Seed = uint64(seed)
		}
	}},
	{"runs", func(r *reader, n *node, path string, s *model.Scenario) {
		if runs, ok := r.integer(n, path, 1, 10_000); ok {
			s.Runs = runs
		}
	}},
	{"until", func(r *reader, n *node, path string, s *model.Scenario) {
		if n.shape == scalar && n.text == "drained" {
			return
		}
		d, ok := r.duration(n, path, 1)
		if r.untilOK = ok; ok {
			s.Until = d
		}
	}},
	{"connection", (*reader).connection},
	{"limits", (*reader).limits},
	{"jobs", (*reader).jobs},
	{"dispatchers", (*reader).dispatchers},
	{"workers", (*reader).workers},
	{"timing", (*reader).timing},
	{"rules", (*reader).rules},
	{"provider", (*reader).provider},
	{"expect", (*reader).expect},
}

// systems are the words of system.
var systems = []model.System{model.SolidQueue, model.Polls, model.Laravel}

var limitKeys = []key[model.Limit]{
	{"to", func(r *reader, n *node, path string, l *model.Limit) {
		if to, ok := r.integer(n, path, 1, math.MaxInt32); ok {
			l.To = to
		}
	}},
	{"per", func(r *reader, n *node, path string, l *model.Limit) {
		if per, ok := r.duration(n, path, 1); ok {
			l.Per = per
		}
	}},
	{"burst", func(r *reader, n *node, path string, l *model.Limit) {
		if burst, ok := r.integer(n, path, 1, math.MaxInt32); ok {
			l.Burst = burst
		}
	}},
	{"limiter", func(r *reader, n *node, path string, l *model.Limit) {
		word(r, n, path, &l.Kind, model.GCRA, model.TokenBucket, model.FixedWindow, model.OpenedWindow,
			model.SlidingLog, model.SlidingCounter, model.EvenSpacing)
	}},
}

var jobKeys = []key[model.Class]{
	{"class", func(r *reader, n *node, path string, c *model.Class) {
		if name, ok := r.name(n, path, "the name of a job class"); ok {
			c.Name = name
		}
	}},
	{"limit", (*reader).limitOf},
	{"backlog", func(r *reader, n *node, path string, c *model.Class) {
		if backlog, ok := r.integer(n, path, 0, math.MaxInt); ok {
			c.Backlog = backlog
		}
	}},
	{"arrivals", (*reader).arrivals},
	{"queue", func(r *reader, n *node, path string, c *model.Class) {
		if queue, ok := r.text(n, path, "the name of a queue"); ok {
			c.Queue = queue
		}
	}},
	{"priority", func(r *reader, n *node, path string, c *model.Class) {
		if priority, ok := r.integer(n, path, math.MinInt32, math.MaxInt32); ok {
			c.Priority = priority
		}
	}},
	{"takes", func(r *reader, n *node, path string, c *model.Class) { r.delay(n, path, &c.Takes) }},
}

var dispatcherKeys = []key[model.Dispatcher]{
	{"polling_interval", func(r *reader, n *node, path string, d *model.Dispatcher) { r.interval(n, path, &d.Interval) }},
	{"batch_size", func(r *reader, n *node, path string, d *model.Dispatcher) {
		if batch, ok := r.integer(n, path, 1, 1_000_000); ok {
			d.Batch = batch
		}
	}},
	{"phase", func(r *reader, n *node, path string, d *model.Dispatcher) { r.phase(n, path, &d.Phase) }},
}

var workerKeys = []key[model.Worker]{
	{"queues", (*reader).queues},
	{"threads", func(r *reader, n *node, path string, w *model.Worker) {
		if threads, ok := r.integer(n, path, 1, 10_000); ok {
			w.Threads = threads
		}
	}},
	{"processes", func(r *reader, n *node, path string, w *model.Worker) {
		if processes, ok := r.integer(n, path, 1, 1_000); ok {
			w.Processes = processes
		}
	}},
	{"polling_interval", func(r *reader, n *node, path string, w *model.Worker) { r.interval(n, path, &w.Interval) }},
	{"phase", func(r *reader, n *node, path string, w *model.Worker) { r.phase(n, path, &w.Phase) }},
}

var timingKeys = []key[model.Timing]{
	{"dispatch", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.Dispatch) }},
	{"empty_dispatch", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.EmptyDispatch) }},
	{"claim", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.Claim) }},
	{"empty_claim", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.EmptyClaim) }},
	{"overshoot", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.Overshoot) }},
	{"job_cpu", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.JobCPU) }},
	{"boot", func(r *reader, n *node, path string, t *model.Timing) { r.delay(n, path, &t.Boot) }},
	{"period_spread", func(r *reader, n *node, path string, t *model.Timing) {
		if d, ok := r.duration(n, path, 0); ok {
			t.PeriodSpread = d
		}
	}},
	{"database", func(r *reader, n *node, path string, t *model.Timing) {
		either(r, n, path, &t.Parallel, "serial", "parallel")
	}},
	{"phase", func(r *reader, n *node, path string, t *model.Timing) {
		either(r, n, path, &t.RandomPhase, "same", "random")
	}},
}

var ruleKeys = []key[model.Rules]{
	{"wake", func(r *reader, n *node, path string, u *model.Rules) {
		word(r, n, path, &u.Wake, model.WakeOnFinish, model.WakeNever)
	}},
	{"dispatch_again", func(r *reader, n *node, path string, u *model.Rules) {
		word(r, n, path, &u.DispatchAgain, model.AgainNonempty, model.AgainFull, model.AgainNever)
	}},
	{"poll", func(r *reader, n *node, path string, u *model.Rules) {
		either(r, n, path, &u.Grid, "after_work", "grid")
	}},
	{"claims_again", func(r *reader, n *node, path string, u *model.Rules) {
		if again, ok := r.integer(n, path, 0, 1_000); ok {
			u.ClaimsAgain = again
		}
	}},
	{"cap", func(r *reader, n *node, path string, u *model.Rules) {
		either(r, n, path, &u.CapAlways, "on_change", "always")
	}},
	{"order", func(r *reader, n *node, path string, u *model.Rules) {
		either(r, n, path, &u.FIFO, "id", "fifo")
	}},
	{"wait", (*reader).wait},
}

// either is a choice of two words that the model keeps as false and true.
func either(r *reader, n *node, path string, into *bool, no, yes string) {
	choice := no
	if *into {
		choice = yes
	}
	word(r, n, path, &choice, no, yes)
	*into = choice == yes
}
