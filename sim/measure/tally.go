package measure

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Tally is a probe that counts one replication. It takes memory for each
// distinct instant of a claim, an end or a promotion and one bit for each job,
// and none for an event: after [Tally.Reset] the next replication uses the
// same memory. [Tally.Finish] works everything out.
//
// A tally wants every event of the run, the backlog's Enqueued at time 0 too.
type Tally struct {
	scenario *model.Scenario
	classes  []classTally
	series   []*series
	budgets  []*waiting
	merged   Histogram // of the scope being worked out

	// The series of each scope; scopes of the same jobs share one.
	whole    *series
	ofLimit  []*series
	ofClass  []*series
	lastCame gcra.Instant
	first    gcra.Instant // when the first job came

	// Whether jobs wait although they were looked for; see [Run.HeldRatio].
	waiting int64
	behind  bool
	since   gcra.Instant
	held    time.Duration
}

// classTally counts the jobs of one class.
type classTally struct {
	series []*series // of its scopes, each once
	budget *waiting
	wait   Histogram
	locks  locks

	jobs, claims, deferrals, drops, ends, retries, overtaken int64
	lastEnd                                                  gcra.Instant

	// Sums of the instants of all claims and of all ends. They may pass the
	// end of 64 bits; their difference, the time run, does not, and is right.
	claimSum, endSum uint64
}

// series is what happened to the jobs of one set of classes.
type series struct {
	classes []int
	limit   int     // the limit whose jobs, all of them, these are; -1: none
	promise Promise // of that limit
	looks   trail
	ends    trail
	ups     trail        // promotions
	recent  window       // promotions of polls
	last    gcra.Instant // the last claim, once it is worked out
}

// NewTally makes a tally for the replications of a scenario.
func NewTally(s *model.Scenario) *Tally {
	t := &Tally{
		scenario: s,
		classes:  make([]classTally, len(s.Classes)),
		ofLimit:  make([]*series, len(s.Limits)),
		ofClass:  make([]*series, len(s.Classes)),
	}
	members := make([][]int, len(s.Limits))
	all := make([]int, len(s.Classes))
	for c := range s.Classes {
		all[c] = c
		for _, l := range s.LimitsOf(c) {
			members[l] = append(members[l], c)
		}
	}
	budgets := make([]*waiting, len(s.Limits))
	for l := range s.Limits {
		budgets[l] = &waiting{}
		t.ofLimit[l] = t.newSeries(members[l], l)
	}
	for c, class := range s.Classes {
		t.classes[c].locks.holds = class.Laravel.UniqueFor
		if class.Limit >= 0 && len(members[class.Limit]) == 1 {
			t.ofClass[c] = t.ofLimit[class.Limit]
		} else {
			t.ofClass[c] = t.newSeries(all[c:c+1], -1)
		}
		if class.Limit >= 0 {
			t.classes[c].budget = budgets[class.Limit]
		} else {
			t.classes[c].budget = &waiting{}
			budgets = append(budgets, t.classes[c].budget)
		}
	}
	t.budgets = budgets
	switch {
	case len(s.Classes) == 1:
		t.whole = t.ofClass[0]
	case len(s.Limits) == 1 && len(members[0]) == len(all):
		t.whole = t.ofLimit[0]
	default:
		t.whole = t.newSeries(all, -1)
	}
	for _, r := range t.series {
		for _, c := range r.classes {
			t.classes[c].series = append(t.classes[c].series, r)
		}
	}
	t.Reset()
	return t
}

func (t *Tally) newSeries(classes []int, limit int) *series {
	s := &series{classes: classes, limit: limit}
	if limit >= 0 {
		s.promise = PromiseOf(t.scenario.Limits[limit])
	}
	t.series = append(t.series, s)
	return s
}

// Reset forgets the replication and keeps the memory.
func (t *Tally) Reset() {
	for i := range t.classes {
		c := &t.classes[i]
		c.wait.Reset()
		c.locks.reset()
		*c = classTally{series: c.series, budget: c.budget, wait: c.wait, locks: c.locks}
	}
	for _, s := range t.series {
		s.looks.reset()
		s.ends.reset()
		s.ups.reset()
		s.recent.reset()
	}
	for _, w := range t.budgets {
		w.reset()
	}
	t.lastCame, t.first = 0, gcra.Never
	t.waiting, t.behind, t.since, t.held = 0, false, 0, 0
}

// Observe counts an event.
func (t *Tally) Observe(e *model.Event) {
	c := &t.classes[e.Class]
	switch e.Kind {
	case model.Claimed:
		c.claims += int64(e.N)
		c.claimSum += uint64(e.N) * uint64(e.At)
		c.wait.Add(int64(e.At.Sub(e.Since)), int64(e.N))
		if c.budget.remove(e.Job, e.N) {
			// Within the run the oldest goes first: none overtakes another.
			c.overtaken += int64(e.N)
		}
		for _, s := range c.series {
			s.looks.add(e.At, e.N, e.N)
		}
		t.waiting -= int64(e.N)
		t.looked(e.At)
	case model.Deferred:
		c.deferrals += int64(e.N)
		for _, s := range c.series {
			s.looks.add(e.At, 0, e.N)
		}
		t.looked(e.At)
	case model.Finished:
		c.ends += int64(e.N)
		c.endSum += uint64(e.N) * uint64(e.At)
		c.lastEnd = max(c.lastEnd, e.At)
		c.locks.ended(e.Job, e.At)
		for _, s := range c.series {
			s.ends.add(e.At, e.N, 0)
		}
	case model.Retried:
		// Its try ended, and it waits like one that just came.
		c.ends += int64(e.N)
		c.retries += int64(e.N)
		c.endSum += uint64(e.N) * uint64(e.At)
		for _, s := range c.series {
			s.ends.add(e.At, e.N, 0)
		}
		c.budget.add(e.Job, e.N)
		t.waiting += int64(e.N)
	case model.Promoted:
		for _, s := range c.series {
			s.ups.add(e.At, e.N, 0)
		}
	case model.Enqueued:
		c.jobs += int64(e.N)
		c.locks.came(e.Job, e.N, e.At)
		c.budget.add(e.Job, e.N)
		t.waiting += int64(e.N)
		t.lastCame, t.first = max(t.lastCame, e.At), min(t.first, e.At)
	case model.Dropped:
		c.drops += int64(e.N)
		c.locks.ended(e.Job, e.At)
		c.budget.remove(e.Job, e.N)
		for _, s := range c.series {
			s.looks.add(e.At, 0, e.N)
		}
		t.waiting -= int64(e.N)
		t.looked(e.At)
	}
}

// Poll is what one poll did to the jobs of a scenario with one class that were
// all enqueued at 0: an event of each kind, its ids left out where a tally
// doesn't look at them.
type Poll struct {
	At       gcra.Instant
	Promoted int64
	Claimed  int64
	Deferred int64
	Claims   []IDs        // the ids of the claimed
	End      gcra.Instant // when they will end
	Running  int64        // how many jobs ran after the claims
}

// IDs are N consecutive ids, the first Job.
type IDs struct{ Job, N int32 }

// Poll counts what a poll did, and the end of what it claimed. A tally that is
// told of polls, in the order of time, needs no other event than Enqueued, and
// keeps no trail of ends and promotions.
func (t *Tally) Poll(p *Poll) {
	c, s := &t.classes[0], t.whole
	if p.Promoted > 0 {
		s.ups.known = max(s.ups.known, s.recent.add(p.At, p.Promoted, time.Second))
	}
	if n := p.Claimed; n > 0 {
		c.claims += n
		c.ends += n
		c.claimSum += uint64(n) * uint64(p.At)
		c.endSum += uint64(n) * uint64(p.End)
		c.lastEnd = max(c.lastEnd, p.End)
		s.ends.known = max(s.ends.known, p.Running)
		c.wait.Add(int64(p.At), n)
		for _, x := range p.Claims {
			if c.budget.remove(int64(x.Job), int(x.N)) {
				c.overtaken += int64(x.N)
			}
		}
		t.waiting -= n
	}
	c.deferrals += p.Deferred
	if looks := p.Claimed + p.Deferred; looks > 0 {
		s.looks.add(p.At, int(p.Claimed), int(looks))
		t.looked(p.At)
	}
}

// looked notes whether a look at jobs left some waiting. Jobs that came since
// and wait for their first look don't count: however quick a queue is, there
// is always one of those.
func (t *Tally) looked(at gcra.Instant) {
	if left := t.waiting > 0; left != t.behind {
		if left {
			t.since = at
		} else {
			t.held += at.Sub(t.since)
		}
		t.behind = left
	}
}
