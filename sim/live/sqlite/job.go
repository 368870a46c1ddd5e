package sqlite

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// most is how many rows one statement writes: far below SQLite's limit of
// 32,766 values.
const most = 1000

// Enqueue adds n jobs of a class that are ready at once, in one transaction,
// and gives the id of the first. Their ids are consecutive.
func (s *Session) Enqueue(class, n int, now gcra.Instant) (first int64, err error) {
	if err := s.begin(); err != nil {
		return 0, err
	}
	first, err = s.insert(class, n, now)
	return first, s.commit(err)
}

func (s *Session) insert(class, n int, now gcra.Instant) (first int64, err error) {
	c := &s.q.scenario.Classes[class]
	stamp := s.q.stamp(down(now))
	for left := n; left > 0; {
		k := min(left, most)
		args := make([]any, 0, 8*k)
		for i := range k {
			uuid := uuid(s.q.origin.UnixMicro(), uint64(class)<<48+uint64(n-left+i))
			payload, err := json.Marshal(map[string]any{
				"job_class": c.Name, "job_id": uuid, "provider_job_id": nil, "queue_name": c.Queue, "priority": c.Priority,
				"arguments": []any{}, "executions": 0, "exception_executions": map[string]any{}, "locale": "en", "timezone": "UTC", "enqueued_at": stamp,
			})
			if err != nil {
				return 0, err
			}
			args = append(args, c.Queue, c.Name, string(payload), c.Priority, uuid, stamp, stamp, stamp)
		}
		r, err := s.exec(`INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id, scheduled_at, created_at, updated_at) VALUES `+rows("(?,?,?,?,?,?,?,?)", k), args...)
		if err != nil {
			return 0, err
		}
		last, err := r.LastInsertId()
		if err != nil {
			return 0, err
		}
		from := last - int64(k) + 1
		if left == n {
			first = s.q.job(from)
		}
		if _, err := s.exec(`INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
			SELECT id, queue_name, priority, created_at FROM solid_queue_jobs WHERE id BETWEEN ? AND ? ORDER BY id`, from, last); err != nil {
			return 0, err
		}
		left -= k
	}
	return first, nil
}

// uuid is an id for Active Job that looks like its own, without chance.
func uuid(run int64, n uint64) string {
	r := uint64(run)*0x9E3779B97F4A7C15 ^ n*0xBF58476D1CE4E5B9
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", uint32(r>>32), uint16(r>>16), r&0xFFF, n>>48&0xFFF, n&0xFFFFFFFFFFFF)
}

const (
	lockClaim   = `SELECT id FROM solid_queue_claimed_executions WHERE job_id = ?`
	deleteClaim = `DELETE FROM solid_queue_claimed_executions WHERE id = ?`
	finishJob   = `UPDATE solid_queue_jobs SET finished_at = ?, updated_at = ? WHERE id = ?`
)

// Finish notes that a job has ended. It does nothing, and says so, if the
// claim is gone: the job's process was taken for dead.
func (s *Session) Finish(job int64, now gcra.Instant) (done bool, err error) {
	return s.end(job, func(row int64) error {
		stamp := s.q.stamp(s.read(now))
		_, err := s.exec(finishJob, stamp, stamp, row)
		return err
	})
}

// Fail notes that a job has failed: it stays unfinished, and is not tried
// again.
func (s *Session) Fail(job int64, exception, message string, now gcra.Instant) (done bool, err error) {
	return s.end(job, func(row int64) error { return s.fail(row, exception, message, s.q.stamp(s.read(now))) })
}

func (s *Session) fail(row int64, exception, message, stamp string) error {
	text, err := json.Marshal(map[string]any{"exception_class": exception, "message": message, "backtrace": []string{}})
	if err != nil {
		return err
	}
	_, err = s.exec(`INSERT INTO solid_queue_failed_executions (job_id, error, created_at) VALUES (?, ?, ?) ON CONFLICT (job_id) DO UPDATE SET error = excluded.error`, row, string(text), stamp)
	return err
}

func (s *Session) end(job int64, write func(row int64) error) (done bool, err error) {
	s.since = time.Now()
	if err := s.begin(); err != nil {
		return false, err
	}
	row := s.q.row(job)
	var claim int64
	err = s.each(lockClaim, []any{row}, []any{&claim}, func() error { return nil })
	if err == nil && claim != 0 {
		if err = write(row); err == nil {
			_, err = s.exec(deleteClaim, claim)
		}
	}
	if err := s.commit(err); err != nil {
		return false, err
	}
	s.timed(Finished, 1)
	return claim != 0, nil
}
