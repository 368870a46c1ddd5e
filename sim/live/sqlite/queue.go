package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ratesim/ratesim/model"
)

//go:embed schema.sql
var schema string

// SchemaVersion is that of ratesim's own tables in a file.
const SchemaVersion = 1

// Alive is how long without a heartbeat a process is not yet taken for dead.
const Alive = 5 * time.Minute

// busyTimeout is how long a transaction waits for the write lock of another
// process before it gives up, and retry how often it asks, as Rails does.
const (
	busyTimeout = 5 * time.Second
	retry       = time.Millisecond
)

// Queue is one run's queue in a file. Its sessions may be used side by side.
type Queue struct {
	clock
	path     string
	db       *sql.DB
	scenario *model.Scenario
	classes  map[string]int
	base     int64 // ids handed out before this run: its first job is base+1
	// A process has one writer at a time. The mutex is nearly first come first
	// served, which SQLite's own lock is not.
	write   sync.Mutex
	queries atomic.Int64
	// Busy is how long a transaction waits for other processes' write lock;
	// tests shorten it.
	Busy time.Duration
}

// Wrong is a file that the queue can't or mustn't use: the caller's mistake.
type Wrong struct{ Path, Msg string }

func (e *Wrong) Error() string { return e.Path + ": " + e.Msg }

// Failure is a database that failed us: full, read-only, locked, damaged.
type Failure struct {
	Path, Msg string
	err       error
}

func (e *Failure) Error() string { return e.Path + ": " + e.Msg }
func (e *Failure) Unwrap() error { return e.err }

// Create makes a queue for a scenario in a new file, or in one that ratesim
// made and that holds no job that is not finished. The run's clock counts from
// origin, in whole microseconds. text is the scenario as a file, for the
// processes that open the queue after this one.
func Create(ctx context.Context, path string, s *model.Scenario, text []byte, origin time.Time) (*Queue, error) {
	known, err := ours(ctx, path)
	if err != nil {
		return nil, err
	}
	if !known {
		if err := claimName(path); err != nil {
			return nil, err
		}
	}
	q, err := openQueue(path, s, origin)
	if err != nil {
		return nil, err
	}
	if err := q.prepare(ctx, known, text); err != nil {
		q.db.Close()
		if !known {
			// Nothing is left of a file that this call made, and not whole.
			for _, end := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(path + end)
			}
		}
		return nil, q.wrong(err)
	}
	return q, nil
}

// claimName makes the file: of two that want the same new one one gets it, and
// it is its own to take away again.
func claimName(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	switch {
	case errors.Is(err, os.ErrExist):
		return &Wrong{path, "is empty, and somebody else's; want a new file"}
	case err != nil:
		return &Wrong{path, "can't be made: is its folder writable?"}
	}
	return f.Close()
}

// prepare makes the tables if they are not there and notes the run.
func (q *Queue) prepare(ctx context.Context, known bool, text []byte) error {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if !known {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
	}
	left := 0
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM solid_queue_jobs j WHERE finished_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id)`).Scan(&left)
	if err != nil {
		return err
	}
	if left > 0 {
		return &Wrong{q.path, fmt.Sprintf("holds %d jobs that are not finished, of a run under way or one that was broken off; want a new file", left)}
	}
	// A run may be waiting for its next jobs: its processes still beat.
	alive := 0
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM solid_queue_processes WHERE last_heartbeat_at > ?`,
		time.Now().UTC().Add(-Alive).Format(layout)).Scan(&alive)
	if err != nil {
		return err
	}
	if alive > 0 {
		return &Wrong{q.path, fmt.Sprintf("is used by a run under way, or by one that was killed less than %v ago; want a new file", Alive)}
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'solid_queue_jobs'`).Scan(&q.base); err != nil {
		return err
	}
	for _, kv := range [][2]string{
		{"schema_version", strconv.Itoa(SchemaVersion)},
		{"scenario", string(text)},
		{"origin", q.origin.Format(layout)},
		{"base", strconv.FormatInt(q.base, 10)},
	} {
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO ratesim_meta (key, value) VALUES (?, ?)`, kv[0], kv[1]); err != nil {
			return err
		}
	}
	// Who wants this run's claims wants no other run's; and budgets belong to a
	// run: a limit may have changed since.
	for _, table := range []string{"ratesim_decisions", "solid_queue_rate_limits", "solid_queue_processes"} {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Meta is what a file says of its run.
type Meta struct {
	Scenario []byte
	Origin   time.Time
	Base     int64
}

// ReadMeta reads what the process that made the queue wrote down.
func ReadMeta(ctx context.Context, path string) (*Meta, error) {
	if known, err := ours(ctx, path); err != nil {
		return nil, err
	} else if !known {
		return nil, &Wrong{path, "there is no queue of ratesim"}
	}
	db, err := openToRead(path, false)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	get := func(key string) (v string, err error) {
		err = db.QueryRowContext(ctx, `SELECT value FROM ratesim_meta WHERE key = ?`, key).Scan(&v)
		return v, err
	}
	m := &Meta{}
	text, err1 := get("scenario")
	origin, err2 := get("origin")
	base, err3 := get("base")
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.Scenario = []byte(text)
	m.Origin, err1 = parseTime(origin)
	m.Base, err2 = strconv.ParseInt(base, 10, 64)
	return m, errors.Join(err1, err2)
}

// Open opens a queue that another process has made. The scenario is the one
// its [Meta] holds.
func Open(path string, s *model.Scenario, m *Meta) (*Queue, error) {
	q, err := openQueue(path, s, m.Origin)
	if err != nil {
		return nil, err
	}
	q.base = m.Base
	return q, nil
}

func openQueue(path string, s *model.Scenario, origin time.Time) (*Queue, error) {
	db, err := open(path)
	if err != nil {
		return nil, err
	}
	q := &Queue{clock: newClock(origin), path: path, db: db, scenario: s, classes: map[string]int{}, Busy: busyTimeout}
	for i, c := range s.Classes {
		q.classes[c.Name] = i
	}
	return q, nil
}

// Close closes the file. The last one to close it folds the log back in.
func (q *Queue) Close() error { return q.wrong(q.db.Close()) }

// Path is the file's name.
func (q *Queue) Path() string { return q.path }

// Origin is the time at which the run's clock shows 0.
func (q *Queue) Origin() time.Time { return q.origin }

// Queries is how many statements this process has sent, BEGIN and COMMIT left
// out.
func (q *Queue) Queries() int64 { return q.queries.Load() }

// header is how every SQLite database begins.
const header = "SQLite format 3\x00"

// ours says whether a file holds a queue that ratesim made. What is there and
// is something else is an error: nobody's database is written to by mistake.
func ours(ctx context.Context, path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		dir := filepath.Dir(path)
		if d, err := os.Stat(dir); err != nil || !d.IsDir() {
			return false, &Wrong{path, "there is no folder " + dir}
		}
		return false, nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, &Wrong{path, "is a folder, want a file"}
	case !info.Mode().IsRegular():
		return false, &Wrong{path, "is no plain file"}
	case info.Size() == 0:
		return false, nil // nobody's, but not to be taken either: see claimName
	}
	if err := isDatabase(path); err != nil {
		return false, err
	}
	db, err := openToRead(path, alone(path))
	if err != nil {
		return false, err
	}
	defer db.Close()
	var version string
	err = db.QueryRowContext(ctx, `SELECT value FROM ratesim_meta WHERE key = 'schema_version'`).Scan(&version)
	if c := code(err); c == notADBCode || c == corruptCode || c == ioErrCode || c == cantOpenCode {
		return false, explain(path, err)
	}
	if err != nil {
		return false, &Wrong{path, "is a database that ratesim did not make, and it writes to no other; want a new file, or --attach to look at this one"}
	}
	switch v, err := strconv.Atoi(version); {
	case err != nil:
		return false, &Wrong{path, fmt.Sprintf("its schema version is %q, want a number", version)}
	case v > SchemaVersion:
		return false, &Wrong{path, fmt.Sprintf("was made by a newer ratesim: its schema is version %d, this one knows %d", v, SchemaVersion)}
	}
	return true, nil
}

// isDatabase looks at the first bytes alone.
func isDatabase(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return &Wrong{path, "is no plain file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, len(header))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != header {
		return &Wrong{path, "is not an SQLite database"}
	}
	return nil
}

// alone is true for a file with a write-ahead log beside which nothing lies that
// a process would have left there that has it open, or that died with it open.
// Read in the ordinary way it would get such files anew. One that keeps a
// rollback journal is read under a lock, which leaves nothing behind.
func alone(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var mode [1]byte
	if _, err := f.ReadAt(mode[:], 18); err != nil || mode[0] != 2 {
		return false
	}
	for _, end := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(path + end); err == nil {
			return false
		}
	}
	return true
}

// wrong puts an error of the database into words, once.
func (q *Queue) wrong(err error) error { return explain(q.path, err) }

func explain(path string, err error) error {
	var known *Failure
	var mine *Wrong
	if err == nil || errors.As(err, &known) || errors.As(err, &mine) || errors.Is(err, context.Canceled) {
		return err
	}
	switch code(err) {
	case busyCode, lockedCode:
		return &Failure{path, "another process holds the database's write lock", err}
	case readOnlyCode:
		return &Wrong{path, "can't be written: it or its folder is read-only"}
	case ioErrCode:
		return &Failure{path, "the disk failed: " + err.Error(), err}
	case corruptCode:
		return &Failure{path, "the database is damaged", err}
	case fullCode:
		return &Failure{path, "the disk or the database is full", err}
	case cantOpenCode:
		return &Wrong{path, "can't be opened: is its folder writable?"}
	case notADBCode:
		return &Wrong{path, "is not an SQLite database"}
	}
	return &Failure{path, err.Error(), err}
}

// job is a row's id as the run counts it, from 1.
func (q *Queue) job(row int64) int64 { return row - q.base }

// row is a job's id in the file.
func (q *Queue) row(job int64) int64 { return job + q.base }
