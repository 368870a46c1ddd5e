package sqlite

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model/solidqueue"
)

const selectDue = `SELECT job_id FROM solid_queue_scheduled_executions WHERE scheduled_at <= ? ORDER BY scheduled_at ASC, priority ASC, job_id ASC LIMIT ?`

// Dispatch is solidqueue.Queue's: the statements of Solid Queue's dispatcher
// for jobs without a limit on how many run at a time.
func (s *Session) Dispatch(due, now gcra.Instant, batch int) (solidqueue.Moved, error) {
	m := solidqueue.Moved{}
	s.since = time.Now()
	if err := s.begin(); err != nil {
		return m, err
	}
	n, err := s.move(due, now, batch)
	if err := s.commit(err); err != nil {
		return m, err
	}
	m.Jobs = n
	if n > 0 {
		s.timed(Dispatched, n)
	} else {
		s.timed(NoneDue, 0)
	}
	m.Done = s.done(now)
	return m, nil
}

func (s *Session) move(due, now gcra.Instant, batch int) (int, error) {
	var ids []any
	var id int64
	// A clock that is read rounds down, so what is due by then is due.
	err := s.each(selectDue, []any{s.q.stamp(down(due)), batch}, []any{&id}, func() error { ids = append(ids, id); return nil })
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	in := rows("?", len(ids))
	var ready []any
	var queue string
	var priority int
	stamp := s.q.stamp(down(now))
	err = s.each(`SELECT id, queue_name, priority FROM solid_queue_jobs WHERE id IN (`+in+`)`, ids, []any{&id, &queue, &priority}, func() error {
		ready = append(ready, queue, priority, id, stamp)
		return nil
	})
	if err != nil {
		return 0, err
	}
	if _, err := s.exec(`INSERT INTO solid_queue_ready_executions (queue_name, priority, job_id, created_at) VALUES `+rows("(?,?,?,?)", len(ready)/4)+` ON CONFLICT DO NOTHING`, ready...); err != nil {
		return 0, err
	}
	// Only rows whose jobs are ready now are deleted.
	var keys []any
	err = s.each(`SELECT s.id FROM solid_queue_scheduled_executions s JOIN solid_queue_ready_executions r ON r.job_id = s.job_id WHERE s.job_id IN (`+in+`)`, ids, []any{&id}, func() error {
		keys = append(keys, id)
		return nil
	})
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	_, err = s.exec(`DELETE FROM solid_queue_scheduled_executions WHERE id IN (`+rows("?", len(keys))+`)`, keys...)
	return len(keys), err
}
