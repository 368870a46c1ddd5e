package solidqueue

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Statements of a transaction as the reference counts them: BEGIN and COMMIT
// left out.
const (
	QueriesEmptyDispatch = 1 // the select
	QueriesDispatch      = 7 // select, jobs, insert, two read-backs, keys, delete
	QueriesEmptyClaim    = 2 // paused queues, the select
	QueriesTake          = 3 // insert claimed, read back, delete ready
	QueriesNames         = 2 // class names and keys of the locked jobs
	QueriesBudget        = 2 // lock and store a budget's row
	QueriesDefer         = 2 // insert scheduled, delete ready
)

// The part of a claim's own cost that passes before its clock is read: 1.9 of
// the 3.0 ms that were measured on the real queue. It scales with the claim.
const clockParts, claimParts = 19, 30

// Session is one actor's connection to the tables: what its transactions cost
// is drawn from the actor's own stream.
type Session struct {
	t                              *Tables
	rand                           model.Rand
	dispatch, emptyDispatch, claim dist
	emptyClaim                     dist
	claimed                        []Run
	rows                           []row   // the claim's candidates
	budgets                        []int32 // the claim's limits, each once
}

// Session opens a connection for an actor of that name.
func (t *Tables) Session(name string) *Session {
	s := &Session{
		t:             t,
		dispatch:      newDist(t.timing.Dispatch),
		emptyDispatch: newDist(t.timing.EmptyDispatch),
		claim:         newDist(t.timing.Claim),
		emptyClaim:    newDist(t.timing.EmptyClaim),
	}
	s.Reset(name)
	return s
}

// Reset starts the session's stream for the tables' run.
func (s *Session) Reset(name string) {
	s.rand = model.ActorRand(s.t.seed, s.t.run, name+" cost")
}

// Dispatch is [Queue.Dispatch].
func (s *Session) Dispatch(due, now gcra.Instant, batch int) (Moved, error) {
	t := s.t
	if at, ok := t.begin(now); !ok {
		return Moved{Busy: true, Done: at}, nil
	}
	t.moved = t.scheduled.take(due, batch, t.moved[:0])
	jobs := 0
	for i := range t.moved {
		jobs += int(t.moved[i].n)
	}
	var done gcra.Instant
	if jobs == 0 {
		done = now.Add(s.emptyDispatch.draw(&s.rand, 0))
		t.queries += QueriesEmptyDispatch
	} else {
		done = now.Add(s.dispatch.draw(&s.rand, jobs))
		t.queries += QueriesDispatch
	}
	t.commit(now, done)
	hide := t.hide(done, now)
	for i := range t.moved {
		r := t.moved[i]
		t.tell(model.Event{Kind: model.Promoted, At: done, Class: int(r.class), Limit: t.scenario.Classes[r.class].Limit, Job: r.job, N: int(r.n)})
		if hide {
			t.pending = append(t.pending, pending{at: done, row: r})
			continue
		}
		t.gauge.rows(done, int(r.n))
		t.push(r)
	}
	return Moved{Jobs: jobs, Done: done}, nil
}

// Claim is [Queue.Claim]. One reading of the clock serves the whole claim.
func (s *Session) Claim(now gcra.Instant, limit int) (Batch, error) {
	t := s.t
	if at, ok := t.begin(now); !ok {
		return Batch{Busy: true, Done: at}, nil
	}
	look := min(limit, t.ready.jobs)
	if look == 0 {
		done := now.Add(s.emptyClaim.draw(&s.rand, 0))
		t.queries += QueriesEmptyClaim
		t.commit(now, done)
		return Batch{Done: done}, nil
	}
	// All rows are locked first: one sent to the tail is not met again.
	s.rows = s.rows[:0]
	for n := look; n > 0; {
		r := t.ready.take(n)
		n -= int(r.n)
		s.rows = append(s.rows, r)
	}
	t.looks += int64(look)
	clock, done := s.clock(now, look)
	t.gauge.rows(clock, -look)
	s.claimed, s.budgets = s.claimed[:0], s.budgets[:0]
	b := Batch{}
	for _, r := range s.rows {
		s.decide(r, clock, done, now, &b)
	}
	t.queries += QueriesEmptyClaim
	if b.Jobs > 0 {
		t.queries += QueriesTake
	}
	if b.Deferred > 0 {
		t.queries += QueriesDefer
	}
	if n := len(s.budgets); n > 0 {
		t.queries += QueriesNames + int64(n)*QueriesBudget
	}
	t.commit(now, done)
	b.Claimed, b.Done = s.claimed, done
	return b, nil
}

// clock is when a claim of n jobs that begins now reads its clock, and when it
// commits. On a parallel database it waits for the budgets' rows first.
func (s *Session) clock(now gcra.Instant, n int) (clock, done gcra.Instant) {
	var cost, read time.Duration
	if s.claim.fixed {
		cost = s.claim.base + time.Duration(n)*s.claim.each
		read = s.claim.base * clockParts / claimParts
	} else {
		cost = s.claim.Draw(&s.rand, n)
		read = cost / claimParts * clockParts
	}
	clock = now.Add(read)
	if s.t.timing.Parallel && cost > 0 {
		clock = max(clock, s.lockedUntil())
	}
	return clock, clock.Add(cost - read)
}

// decide lets the first jobs of r pass and sends the others away.
func (s *Session) decide(r row, clock, done, now gcra.Instant, b *Batch) {
	t := s.t
	limit := t.scenario.Classes[r.class].Limit
	n := int(r.n)
	pass := n
	var g *gate
	if limit >= 0 {
		g = &t.gates[limit]
		s.note(int32(limit))
		g.locked = done
		// What is reserved for held jobs is no debt that a clock ran up.
		if t.scenario.Rules.CapAlways && g.other == nil && g.reserved == 0 {
			g.budget = g.limit.Cap(g.budget, clock)
		}
		pass = g.admit(clock, n)
	}
	if pass > 0 {
		t.claimed(int(r.class), limit, r.job, pass, clock)
		s.claimed = append(s.claimed, Run{Class: int(r.class), Job: r.job, N: pass})
		b.Jobs += pass
	}
	if pass == n {
		return
	}
	r.key, r.job, r.n = r.key+uint64(pass), r.job+int64(pass), int32(n-pass)
	s.refuse(g, limit, r, clock, done, now, b)
}

// claimed tells of claims, split where jobs came at different times.
func (t *Tables) claimed(class, limit int, job int64, n int, clock gcra.Instant) {
	for n > 0 {
		since, k := t.jobs.came(job, n)
		t.tell(model.Event{Kind: model.Claimed, At: clock, Class: class, Limit: limit, Job: job, N: k, Since: since})
		job, n = job+int64(k), n-k
	}
}

// admitHeld tells of held jobs whose time has come.
func (t *Tables) admitHeld(r Run, now gcra.Instant) {
	t.claimed(r.Class, t.scenario.Classes[r.Class].Limit, r.Job, r.N, now)
}

// note remembers the limits of a claim, for the count of its statements.
func (s *Session) note(limit int32) {
	for _, l := range s.budgets {
		if l == limit {
			return
		}
	}
	s.budgets = append(s.budgets, limit)
}

// lockedUntil is when the budgets of the claim's candidates are all unlocked.
// The rows are locked in one order, so the last one decides.
func (s *Session) lockedUntil() gcra.Instant {
	var at gcra.Instant
	for i := range s.rows {
		if l := s.t.scenario.Classes[s.rows[i].class].Limit; l >= 0 {
			at = max(at, s.t.gates[l].locked)
		}
	}
	return at
}
