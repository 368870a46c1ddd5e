package sqlite

import (
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model/solidqueue"
)

// candidate is a ready job that a claim looks at.
type candidate struct {
	ready, row int64 // ids of its ready row and of itself
	name       string
	class      int // -1: a class that the scenario does not have
	at         gcra.Instant
	refused    bool
}

// budget is a limit's row as a claim found it, and as it leaves it.
type budget struct {
	state  gcra.Budget
	loaded bool
}

const (
	selectPaused = `SELECT queue_name FROM solid_queue_pauses`
	selectReady  = `SELECT id, job_id FROM solid_queue_ready_executions ORDER BY priority ASC, job_id ASC LIMIT ?`
	// As Solid Queue does while any queue is paused: by queue.
	selectUnpaused = `SELECT id, job_id FROM solid_queue_ready_executions WHERE queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses) ORDER BY queue_name ASC, priority ASC, job_id ASC LIMIT ?`
	selectBudget   = `SELECT CAST(theoretical_arrival_at AS text), CAST(last_slot_at AS text) FROM solid_queue_rate_limits WHERE key = ?`
	storeBudget    = `INSERT INTO solid_queue_rate_limits (key, theoretical_arrival_at, last_slot_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET theoretical_arrival_at = excluded.theoretical_arrival_at, last_slot_at = excluded.last_slot_at, updated_at = excluded.updated_at`
)

// The statements for n rows.
func selectNames(n int) string {
	return `SELECT id, class_name FROM solid_queue_jobs WHERE id IN (` + rows("?", n) + `)`
}
func insertClaimed(n int) string {
	return `INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at) VALUES ` + rows("(?,?,?)", n)
}
func insertScheduled(n int) string {
	return `INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at) VALUES ` + rows("(?,?,?,?,?)", n)
}
func deleteReady(n int) string {
	return `DELETE FROM solid_queue_ready_executions WHERE id IN (` + rows("?", n) + `)`
}
func insertDecisions(n int) string {
	return `INSERT INTO ratesim_decisions (job_id, decided_at, check_at, process_id) VALUES ` + rows("(?,?,?,?)", n)
}

// Claim is solidqueue.Queue's. The clock is read once, after the write lock is
// there.
func (s *Session) Claim(now gcra.Instant, limit int) (solidqueue.Batch, error) {
	b := solidqueue.Batch{}
	s.since = time.Now()
	var queue string
	paused := false
	if err := s.each(selectPaused, nil, []any{&queue}, func() error { paused = true; return nil }); err != nil {
		return b, err
	}
	if err := s.begin(); err != nil {
		return b, err
	}
	err := s.candidates(limit, paused)
	if err == nil && len(s.cands) > 0 {
		err = s.decide(s.read(now), &b)
	}
	if err := s.commit(err); err != nil {
		return solidqueue.Batch{}, err
	}
	if len(s.cands) == 0 {
		s.timed(NoneReady, 0)
	} else {
		s.timed(Claimed, len(s.cands))
	}
	b.Done = s.done(now)
	return b, nil
}

// candidates reads the ready jobs the claim looks at, and their classes.
func (s *Session) candidates(limit int, paused bool) error {
	s.cands = s.cands[:0]
	text := selectReady
	if paused {
		text = selectUnpaused
	}
	var c candidate
	err := s.each(text, []any{limit}, []any{&c.ready, &c.row}, func() error { s.cands = append(s.cands, c); return nil })
	if err != nil || len(s.cands) == 0 {
		return err
	}
	ids := make([]any, len(s.cands))
	place := make(map[int64]int, len(s.cands))
	for i, c := range s.cands {
		ids[i] = c.row
		place[c.row] = i
	}
	var row int64
	var name string
	return s.each(selectNames(len(ids)), ids, []any{&row, &name}, func() error {
		c := &s.cands[place[row]]
		c.name, c.class = name, -1
		if class, ok := s.q.classes[name]; ok {
			c.class = class
		}
		return nil
	})
}

// decide asks the budgets and writes down what follows: who passes is claimed,
// who does not becomes a scheduled job with its next check time.
func (s *Session) decide(at gcra.Instant, b *solidqueue.Batch) error {
	q := s.q
	stamp := q.stamp(at)
	budgets := make([]budget, len(q.scenario.Limits))
	for i := range s.cands {
		c := &s.cands[i]
		c.refused = false
		limit := -1
		if c.class >= 0 {
			limit = q.scenario.Classes[c.class].Limit
		}
		if limit >= 0 {
			l, u := &q.scenario.Limits[limit], &budgets[limit]
			if !u.loaded {
				if err := s.load(l.Name, u); err != nil {
					return err
				}
				if q.scenario.Rules.CapAlways {
					u.state = l.Cap(u.state, at)
				}
			}
			var pass bool
			if u.state, pass = l.Check(u.state, at); !pass {
				c.refused = true
				u.state, c.at, _ = l.Defer(u.state, at)
				b.Deferred++
				continue
			}
		}
		b.Claimed = append(b.Claimed, solidqueue.Run{Class: c.class, Job: q.job(c.row), N: 1})
		b.Jobs++
	}
	for i := range budgets {
		if u := &budgets[i]; u.loaded {
			if _, err := s.exec(storeBudget, q.scenario.Limits[i].Name, q.stamp(u.state.TAT), q.stamp(u.state.Slot), stamp, stamp); err != nil {
				return err
			}
		}
	}
	return s.write(b, stamp)
}

// load reads a limit's budget; a row that is not there is a quiet one.
func (s *Session) load(key string, u *budget) error {
	u.loaded = true
	var tat, slot string
	err := s.each(selectBudget, []any{key}, []any{&tat, &slot}, func() (err error) {
		if u.state.TAT, err = s.q.instant(tat); err == nil {
			u.state.Slot, err = s.q.instant(slot)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("budget %s: %w", key, err)
	}
	return nil
}

// write moves the candidates' rows and notes what was decided.
func (s *Session) write(b *solidqueue.Batch, stamp string) error {
	var ready, decided, claimed, scheduled []any
	process := any(s.Process)
	if s.Process == 0 {
		process = nil
	}
	for i := range s.cands {
		c := &s.cands[i]
		ready = append(ready, c.ready)
		if !c.refused {
			claimed = append(claimed, c.row, process, stamp)
			decided = append(decided, c.row, stamp, nil, process)
			continue
		}
		next := s.q.stamp(c.at)
		k := &s.q.scenario.Classes[c.class]
		scheduled = append(scheduled, c.row, k.Queue, k.Priority, next, stamp)
		decided = append(decided, c.row, stamp, next, process)
	}
	if len(claimed) > 0 {
		if _, err := s.exec(insertClaimed(b.Jobs), claimed...); err != nil {
			return err
		}
	}
	if len(scheduled) > 0 {
		if _, err := s.exec(insertScheduled(b.Deferred), scheduled...); err != nil {
			return err
		}
	}
	if _, err := s.exec(deleteReady(len(ready)), ready...); err != nil {
		return err
	}
	_, err := s.exec(insertDecisions(len(s.cands)), decided...)
	return err
}
