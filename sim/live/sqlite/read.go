package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/ratesim/ratesim/gcra"
)

// Where is how many of a run's jobs are where.
type Where struct {
	Jobs, Finished, Failed, Ready, Scheduled, Claimed int64
	Claims, Deferrals                                 int64
}

// Waiting is how many jobs are neither done with nor held by a process.
func (w Where) Waiting() int64 { return w.Ready + w.Scheduled }

// Where counts, in one read transaction.
func (q *Queue) Where(ctx context.Context) (w Where, err error) {
	// Finished jobs stay in the table and are many; the index on finished_at
	// answers without looking at them one by one.
	err = q.db.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(max(id), ?1) - ?1 FROM solid_queue_jobs),
		(SELECT count(*) FROM solid_queue_jobs WHERE finished_at IS NOT NULL AND id > ?1),
		(SELECT count(*) FROM solid_queue_failed_executions WHERE job_id > ?1),
		(SELECT count(*) FROM solid_queue_ready_executions),
		(SELECT count(*) FROM solid_queue_scheduled_executions),
		(SELECT count(*) FROM solid_queue_claimed_executions),
		(SELECT count(*) FROM ratesim_decisions WHERE check_at IS NULL),
		(SELECT count(*) FROM ratesim_decisions WHERE check_at IS NOT NULL)`, q.base).
		Scan(&w.Jobs, &w.Finished, &w.Failed, &w.Ready, &w.Scheduled, &w.Claimed, &w.Claims, &w.Deferrals)
	return w, q.wrong(err)
}

// Drained is true when no job waits, is held or will come back.
func (q *Queue) Drained(ctx context.Context) (bool, error) {
	var left bool
	err := q.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM solid_queue_ready_executions) OR EXISTS (SELECT 1 FROM solid_queue_scheduled_executions)
		OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions)`).Scan(&left)
	return !left, q.wrong(err)
}

// NextSlot is the earliest check time of a job that waits for one, Never if
// none does.
func (q *Queue) NextSlot(ctx context.Context) (gcra.Instant, error) {
	var text sql.NullString
	if err := q.db.QueryRowContext(ctx, `SELECT min(scheduled_at) FROM solid_queue_scheduled_executions`).Scan(&text); err != nil {
		return gcra.Never, q.wrong(err)
	}
	if !text.Valid {
		return gcra.Never, nil
	}
	return q.instant(text.String)
}

// Decision is a claim, or a deferral with the time of the next check.
type Decision struct {
	Job     int64
	Class   int // -1: a class the scenario does not have
	Limit   int // -1: none
	At      gcra.Instant
	Next    gcra.Instant // of a deferral
	Claimed bool
	Process int64
}

// Decisions gives f all decisions after the one with id after, in the order of
// their commits, and the id of the last.
func (q *Queue) Decisions(ctx context.Context, after int64, f func(Decision) error) (last int64, err error) {
	rows, err := q.db.QueryContext(ctx, `SELECT d.id, d.job_id, j.class_name, CAST(d.decided_at AS text), CAST(d.check_at AS text), coalesce(d.process_id, 0)
		FROM ratesim_decisions d JOIN solid_queue_jobs j ON j.id = d.job_id WHERE d.id > ? ORDER BY d.id`, after)
	if err != nil {
		return after, q.wrong(err)
	}
	defer rows.Close()
	last = after
	for rows.Next() {
		d := Decision{Class: -1, Limit: -1}
		var at, name string
		var next sql.NullString
		if err := rows.Scan(&last, &d.Job, &name, &at, &next, &d.Process); err != nil {
			return last, q.wrong(err)
		}
		if class, ok := q.classes[name]; ok {
			d.Class, d.Limit = class, q.scenario.Classes[class].Limit
		}
		d.Job, d.Claimed = q.job(d.Job), !next.Valid
		if d.At, err = q.instant(at); err == nil && next.Valid {
			d.Next, err = q.instant(next.String)
		}
		if err != nil {
			return last, &Failure{q.path, fmt.Sprintf("decision %d: %v", last, err), err}
		}
		if err := f(d); err != nil {
			return last, err
		}
	}
	return last, q.wrong(rows.Err())
}

// Job is what became of a job.
type Job struct {
	Job      int64
	Class    int // -1: a class the scenario does not have
	Came     gcra.Instant
	Finished gcra.Instant // Never: it has not
}

// Jobs gives f the run's jobs in the order of their ids.
func (q *Queue) Jobs(ctx context.Context, f func(Job) error) error {
	rows, err := q.db.QueryContext(ctx, `SELECT id, class_name, CAST(created_at AS text), CAST(finished_at AS text) FROM solid_queue_jobs WHERE id > ? ORDER BY id`, q.base)
	if err != nil {
		return q.wrong(err)
	}
	defer rows.Close()
	for rows.Next() {
		j := Job{Class: -1, Finished: gcra.Never}
		var name, came string
		var finished sql.NullString
		if err := rows.Scan(&j.Job, &name, &came, &finished); err != nil {
			return q.wrong(err)
		}
		if class, ok := q.classes[name]; ok {
			j.Class = class
		}
		j.Job = q.job(j.Job)
		j.Came, err = q.instant(came)
		if err == nil && finished.Valid {
			j.Finished, err = q.instant(finished.String)
		}
		if err != nil {
			return &Failure{q.path, fmt.Sprintf("job %d: %v", j.Job, err), err}
		}
		if err := f(j); err != nil {
			return err
		}
	}
	return q.wrong(rows.Err())
}

// Check asks SQLite whether the file is whole.
func (q *Queue) Check(ctx context.Context) error {
	var text string
	if err := q.db.QueryRowContext(ctx, `PRAGMA integrity_check`).Scan(&text); err != nil {
		return q.wrong(err)
	}
	if text != "ok" {
		return &Failure{q.path, "the database is damaged: " + text, nil}
	}
	return nil
}
