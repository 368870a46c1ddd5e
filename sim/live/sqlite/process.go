package sqlite

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Process is a row of the processes table.
type Process struct {
	Kind       string // Worker, Dispatcher, Supervisor(fork)
	Name       string
	PID        int
	Supervisor int64 // the supervisor's row; 0: none
	Metadata   map[string]any
}

// Register adds a process and gives its row.
func (s *Session) Register(p Process, now gcra.Instant) (row int64, err error) {
	meta, err := json.Marshal(p.Metadata)
	if err != nil {
		return 0, err
	}
	host, _ := os.Hostname() // without one the column stays empty, as it may
	var supervisor any
	if p.Supervisor != 0 {
		supervisor = p.Supervisor
	}
	if err := s.begin(); err != nil {
		return 0, err
	}
	stamp := s.q.stamp(s.read(now))
	r, err := s.exec(`INSERT INTO solid_queue_processes (kind, last_heartbeat_at, supervisor_id, pid, hostname, metadata, created_at, name) VALUES (?,?,?,?,?,?,?,?)`,
		p.Kind, stamp, supervisor, p.PID, host, string(meta), stamp, p.Name)
	if err == nil {
		row, err = r.LastInsertId()
	}
	return row, s.commit(err)
}

// RowsOf are the rows of the worker process with an id of the system's.
func (s *Session) RowsOf(pid int) (all []int64, err error) {
	var row int64
	err = s.each(`SELECT id FROM solid_queue_processes WHERE pid = ? AND kind = 'Worker'`, []any{pid}, []any{&row}, func() error {
		all = append(all, row)
		return nil
	})
	return all, err
}

// SupervisorRow is the row of the supervisor that started last, 0 if none runs.
func (s *Session) SupervisorRow() (row int64, err error) {
	err = s.each(`SELECT coalesce(max(id), 0) FROM solid_queue_processes WHERE kind LIKE 'Supervisor%'`, nil, []any{&row}, func() error { return nil })
	return row, err
}

// Beat notes that a process is alive. false: its row is gone, it was taken for
// dead and should stop.
func (s *Session) Beat(row int64, now gcra.Instant) (alive bool, err error) {
	if err := s.begin(); err != nil {
		return false, err
	}
	r, err := s.exec(`UPDATE solid_queue_processes SET last_heartbeat_at = ? WHERE id = ?`, s.q.stamp(s.read(now)), row)
	n := int64(0)
	if err == nil {
		n, err = r.RowsAffected()
	}
	return n > 0, s.commit(err)
}

// Deregister is a process's orderly end: each job it still holds goes back to
// ready, and the process's row goes.
func (s *Session) Deregister(row int64, now gcra.Instant) (released int64, err error) {
	return s.bury(row, func() (int64, error) {
		stamp := s.q.stamp(s.read(now))
		r, err := s.exec(`INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
			SELECT j.id, j.queue_name, j.priority, ? FROM solid_queue_claimed_executions c JOIN solid_queue_jobs j ON j.id = c.job_id WHERE c.process_id = ?
			ON CONFLICT DO NOTHING`, stamp, row)
		if err != nil {
			return 0, err
		}
		return r.RowsAffected()
	})
}

// Exited is what a supervisor does about a process that died: the jobs it held
// have failed, if its row is still there.
func (s *Session) Exited(row int64, how string, now gcra.Instant) (failed int64, err error) {
	return s.bury(row, func() (int64, error) {
		return s.failClaims(row, "SolidQueue::Processes::ProcessExitError", how, now)
	})
}

// Prune fails the jobs of all processes but the caller's own that have not
// beaten for the threshold, and removes their rows.
func (s *Session) Prune(own int64, threshold time.Duration, now gcra.Instant) (failed int64, err error) {
	var dead []int64
	var row int64
	cut := s.q.stamp(down(s.read(now).Add(-threshold)))
	err = s.each(`SELECT id FROM solid_queue_processes WHERE last_heartbeat_at <= ? AND id <> ?`, []any{cut, own}, []any{&row}, func() error {
		dead = append(dead, row)
		return nil
	})
	for _, row := range dead {
		if err != nil {
			break
		}
		var n int64
		n, err = s.bury(row, func() (int64, error) {
			return s.failClaims(row, "SolidQueue::Processes::ProcessPrunedError", fmt.Sprintf("no heartbeat for %v", threshold), now)
		})
		failed += n
	}
	return failed, err
}

// Orphans fails the claimed jobs whose process has no row: a supervisor looks
// for them when it starts.
func (s *Session) Orphans(now gcra.Instant) (failed int64, err error) {
	if err := s.begin(); err != nil {
		return 0, err
	}
	failed, err = s.failRows(`SELECT job_id FROM solid_queue_claimed_executions WHERE process_id IS NULL OR process_id NOT IN (SELECT id FROM solid_queue_processes)`, nil,
		"SolidQueue::Processes::ProcessMissingError", "the process that held it is gone", now)
	if err == nil && failed > 0 {
		_, err = s.exec(`DELETE FROM solid_queue_claimed_executions WHERE process_id IS NULL OR process_id NOT IN (SELECT id FROM solid_queue_processes)`)
	}
	return failed, s.commit(err)
}

// bury settles a process's claims and removes them and its row, in one
// transaction. It does nothing if the row is gone already.
func (s *Session) bury(row int64, settle func() (int64, error)) (n int64, err error) {
	if err := s.begin(); err != nil {
		return 0, err
	}
	there := false
	var id int64
	err = s.each(`SELECT id FROM solid_queue_processes WHERE id = ?`, []any{row}, []any{&id}, func() error { there = true; return nil })
	if err == nil && there {
		if n, err = settle(); err == nil {
			_, err = s.exec(`DELETE FROM solid_queue_claimed_executions WHERE process_id = ?`, row)
		}
		if err == nil {
			_, err = s.exec(`DELETE FROM solid_queue_processes WHERE id = ?`, row)
		}
	}
	return n, s.commit(err)
}

func (s *Session) failClaims(row int64, exception, message string, now gcra.Instant) (int64, error) {
	return s.failRows(`SELECT job_id FROM solid_queue_claimed_executions WHERE process_id = ?`, []any{row}, exception, message, now)
}

func (s *Session) failRows(query string, args []any, exception, message string, now gcra.Instant) (n int64, err error) {
	var rows []int64
	var row int64
	if err := s.each(query, args, []any{&row}, func() error { rows = append(rows, row); return nil }); err != nil {
		return 0, err
	}
	stamp := s.q.stamp(s.read(now))
	for _, row := range rows {
		if err := s.fail(row, exception, message, stamp); err != nil {
			return 0, err
		}
	}
	return int64(len(rows)), nil
}
