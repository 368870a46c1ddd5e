// Package model is the vocabulary the rest of ratesim shares: what a scenario
// says, what happens in a queue, how long things take. It decides nothing and
// reads no clock.
package model

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// System names the queue whose habits are simulated.
type System string

const (
	SolidQueue System = "solid_queue" // Rails' Solid Queue with a rate limit checked at the claim
	Polls      System = "polls"       // a plain queue: polls on a fixed grid, no habits of its own
)

// Scenario is one setting to run, checked: every default is filled in and
// every index is in range. The reader in package scenarios makes one from a
// file, package tune from flags.
type Scenario struct {
	Name, About string
	File        string   // where it was read, "" if nowhere
	Data        []string // the files that its values name: delays, arrivals
	System      System
	Limits      []Limit
	Classes     []Class
	Dispatchers []Dispatcher
	Workers     []Worker
	Timing      Timing
	Rules       Rules
	Laravel     *LaravelParts // nil unless System is Laravel
	Provider    *Provider     // nil: nobody counts the calls
	Until       time.Duration // when to stop; 0: when drained
	Runs        int           // replications; 0: as many as the interval of the drain needs
	Seed        uint64        // 0: not given
	Expect      []Expectation
}

// Limit is a named limit and the limiter that keeps it.
type Limit struct {
	Name string
	gcra.Limit
	Kind LimiterKind
}

// LimiterKind names what stands at the gate.
type LimiterKind string

const (
	GCRA           LimiterKind = "gcra"            // the real limiter
	TokenBucket    LimiterKind = "token_bucket"    // Burst at once, refilled at To per Per: up to Burst+To-1 in a window
	FixedWindow    LimiterKind = "fixed_window"    // To per window aligned to the clock
	OpenedWindow   LimiterKind = "opened_window"   // To per window opened by the first claim after the last one closed
	SlidingLog     LimiterKind = "sliding_log"     // the last To instants kept: exact
	SlidingCounter LimiterKind = "sliding_counter" // two fixed windows, the older one weighted
	EvenSpacing    LimiterKind = "even_spacing"    // one per Per/To
)

// Class is a job class: its limit, and how its jobs come.
type Class struct {
	Name     string
	Limit    int // index into Scenario.Limits, -1: unlimited
	Backlog  int // waiting at time 0
	Arrivals Arrivals
	Queue    string
	Priority int // smaller goes first
	Takes    Dist
	Laravel  LaravelClass
}

// LimitsOf are the limits that jobs of a class pass, as indexes into Limits.
func (s *Scenario) LimitsOf(class int) []int {
	c := &s.Classes[class]
	if s.Laravel == nil {
		if c.Limit < 0 {
			return nil
		}
		return []int{c.Limit}
	}
	var all []int
	for _, t := range c.Laravel.Throttles {
		if l := s.Laravel.Throttles[t].Limit; l >= 0 {
			all = append(all, l)
		}
	}
	return all
}

// Dispatcher is one dispatcher process.
type Dispatcher struct {
	Interval time.Duration
	Batch    int
	Phase    *time.Duration // the first poll; nil: as Timing.Phase says
}

// Worker is Processes identical worker processes.
type Worker struct {
	Queues    []string
	Threads   int
	Processes int
	Interval  time.Duration // of Laravel: the sleep after an empty pop
	Phase     *time.Duration
	Laravel   LaravelWorker
}

// Timing is what things cost. The zero value is no cost at all, phases 0.
type Timing struct {
	Dispatch      Dist // a dispatch that moves something
	EmptyDispatch Dist
	Claim         Dist // a claim that finds something; its clock is read part way, see ClaimClock
	EmptyClaim    Dist
	Overshoot     Dist // by how much each sleep is too long
	JobCPU        Dist // per job, under its process's one lock
	Parallel      bool // write transactions run side by side (not SQLite)
	Boot          Dist // between the starts of two actors of one supervisor
	PeriodSpread  time.Duration
	RandomPhase   bool
}

// Rules are a queue's habits.
type Rules struct {
	Wake          Wake
	DispatchAgain Again
	Grid          bool // an interval starts on a fixed grid from the phase, not when the work ends
	ClaimsAgain   int  // how often more a poll claims while something was deferred and threads are free
	CapAlways     bool // apply [gcra.Limit.Cap] at every check
	FIFO          bool // of one priority, ready jobs go in the order in which they became ready, not by id
	Wait          Wait
}

// Wake says whether a finished job wakes its worker.
type Wake string

// Again says what makes a dispatcher poll again at once.
type Again string

const (
	WakeOnFinish Wake = "on_finish"
	WakeNever    Wake = "never"

	AgainNonempty Again = "nonempty"
	AgainFull     Again = "full"
	AgainNever    Again = "never"
)

// Wait is what a job over its limit does.
type Wait struct {
	Kind  WaitKind
	Delay Dist // for WaitDelay
	// For WaitBackoff: the k-th wait is Base * k^Power + Plus, with up to
	// Jitter (a fraction) on top.
	Base, Plus time.Duration
	Power      int
	Jitter     float64
}

// WaitKind names a wait policy.
type WaitKind string

const (
	WaitSlots     WaitKind = "slots"           // a staggered slot within the horizon
	WaitUnlimited WaitKind = "slots unlimited" // a staggered slot however far ahead
	WaitDelay     WaitKind = "delay"           // a fixed or random delay: "fixed 1s", "uniform(1s, 10s)"
	WaitBackoff   WaitKind = "backoff"
	WaitTail      WaitKind = "tail" // back to the end of the ready jobs
	WaitHold      WaitKind = "hold" // keeps its thread until the limiter admits it
	WaitDrop      WaitKind = "drop" // is lost
)

// Expectation is one line of expect: a summary key compared with numbers.
type Expectation struct {
	Key  string // as written: drain_per_s, webhooks.window_max
	Want string // as written: ">= 4.75"
	Op   Op
	A, B float64 // the bounds; B for Between only; Within: A is the value, B the fraction
	Line int     // where it stands in the file, 0 if nowhere
	Col  int
}

// Op is how an expectation compares.
type Op string

const (
	Less    Op = "<"
	AtMost  Op = "<="
	More    Op = ">"
	AtLeast Op = ">="
	Equal   Op = "=="
	Between Op = "between"
	Within  Op = "within"
)
