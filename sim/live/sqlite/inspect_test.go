package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// railsSchema is Solid Queue's part of the schema: a database that ratesim did
// not make.
func railsSchema() string {
	var own []string
	for _, s := range strings.Split(schema, ";\n") {
		if !strings.Contains(s, "ratesim_") && !strings.Contains(s, "rate_limits") {
			own = append(own, s)
		}
	}
	return strings.Join(own, ";\n")
}

// footprint is all that could have changed: names, sizes, times and bytes.
func footprint(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		// The index of the log is nobody's data: readers build it and note in it
		// that they read.
		if strings.HasSuffix(e.Name(), "-shm") {
			fmt.Fprintln(&b, e.Name())
			continue
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d %v %x\n", e.Name(), info.Size(), info.ModTime().UnixNano(), sha256.Sum256(data))
	}
	return b.String()
}

// A real database is looked at and stays as it is, to the byte, whether nobody
// has it open, somebody writes to it, or somebody died while writing.
func TestInspectWritesNothing(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	rows := `INSERT INTO solid_queue_jobs (id, queue_name, class_name, scheduled_at, finished_at, created_at, updated_at) VALUES
		(1, 'default', 'Api::SendJob', '2026-12-01 11:00:00.000000', '2026-12-01 11:00:00.250000', '2026-12-01 11:00:00.000000', '2026-12-01 11:00:00.250000'),
		(2, 'default', 'Api::SendJob', '2026-12-01 11:00:10.000000', '2026-12-01 11:00:10.500000', '2026-12-01 11:00:10.000000', '2026-12-01 11:00:10.500000'),
		(3, 'default', 'Api::SendJob', '2026-12-01 11:59:30.000000', NULL, '2026-12-01 11:00:20.000000', '2026-12-01 11:00:20.000000'),
		(4, 'mail', 'MailJob', '2026-12-01 12:05:00.000000', NULL, '2026-12-01 11:00:20', '2026-12-01 11:00:20');
		INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at) VALUES (3, 'default', 0, '2026-12-01 11:59:30');
		INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at) VALUES (4, 'mail', 0, '2026-12-01 12:05:00', '2026-12-01 11:00:20');
		INSERT INTO solid_queue_processes (kind, last_heartbeat_at, pid, metadata, created_at, name) VALUES
		('Worker', '2026-12-01 11:59:58', 7, '{"polling_interval":0.1,"queues":"*","thread_pool_size":5}', '2026-12-01 11:00:00', 'worker-7'),
		('Dispatcher', '2026-12-01 11:59:59', 8, '{"polling_interval":1,"batch_size":500}', '2026-12-01 11:00:00', 'dispatcher-8');`
	for _, c := range []struct {
		name  string
		state func(t *testing.T, path string)
	}{
		{"nobody has it open", func(t *testing.T, path string) {
			raw(t, path, "PRAGMA journal_mode=WAL; "+railsSchema()+"; "+rows)
		}},
		{"somebody has it open, the rows are in the log", func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", "file:"+path)
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxOpenConns(1)
			for _, text := range []string{"PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0", railsSchema(), rows, "BEGIN IMMEDIATE", "DELETE FROM solid_queue_ready_executions"} {
				if _, err := db.Exec(text); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() {
				if _, err := db.Exec("ROLLBACK"); err != nil {
					t.Error(err)
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}},
		{"somebody died with rows in the log", func(t *testing.T, path string) {
			from := filepath.Join(t.TempDir(), "q")
			db, err := sql.Open("sqlite", "file:"+from)
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxOpenConns(1)
			for _, text := range []string{"PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0", railsSchema(), rows} {
				if _, err := db.Exec(text); err != nil {
					t.Fatal(err)
				}
			}
			for _, end := range []string{"", "-wal", "-shm"} {
				data, err := os.ReadFile(from + end)
				if err == nil {
					err = os.WriteFile(path+end, data, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "production.sqlite3")
			c.state(t, path)
			before := footprint(t, dir)
			in, err := Inspect(context.Background(), path, now)
			if err != nil {
				t.Fatal(err)
			}
			if after := footprint(t, dir); after != before {
				t.Errorf("it was changed:\n%s\nwas\n%s", after, before)
			}
			want := `[{Class:Api::SendJob Queue:default Priority:0 Ready:1 Scheduled:0 Claimed:0 Blocked:0 Failed:0 Finished:2 Oldest:30s Next:0s PerSecond:0.1 ServiceP50:500ms ServiceP95:500ms ServiceP10:250ms Longest:500ms} ` +
				`{Class:MailJob Queue:mail Priority:0 Ready:0 Scheduled:1 Claimed:0 Blocked:0 Failed:0 Finished:0 Oldest:0s Next:5m0s PerSecond:0 ServiceP50:0s ServiceP95:0s ServiceP10:0s Longest:0s}]`
			if got := fmt.Sprintf("%+v", in.Classes); got != want {
				t.Errorf("classes %s\nwant    %s", got, want)
			}
			if got, want := fmt.Sprintf("%+v", in.Processes), `[{Kind:Worker Name:worker-7 Host: Silent:2s Interval:100ms Threads:5 Batch:0} {Kind:Dispatcher Name:dispatcher-8 Host: Silent:1s Interval:1s Threads:0 Batch:500}]`; got != want {
				t.Errorf("processes %s\nwant %s", got, want)
			}
			// And it is never written to as a queue of ours.
			var wrong *Wrong
			if _, err := Create(context.Background(), path, scenario(), nil, now); !errors.As(err, &wrong) {
				t.Errorf("%v, want that ratesim did not make it", err)
			}
			if after := footprint(t, dir); after != before {
				t.Errorf("a refusal changed it:\n%s\nwas\n%s", after, before)
			}
		})
	}
}
