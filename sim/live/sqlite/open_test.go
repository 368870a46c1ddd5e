package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

func scenario() *model.Scenario {
	return &model.Scenario{Name: "plain", System: model.SolidQueue, Classes: []model.Class{{Name: "Job", Limit: -1, Queue: "default"}}}
}

func made(t *testing.T, path string) *Queue {
	t.Helper()
	q, err := Create(context.Background(), path, scenario(), nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func raw(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// What is not ratesim's is refused, in one line, and left as it is.
func TestOthersFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) string {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	raw(t, at("rails"), "CREATE TABLE solid_queue_jobs (id integer); INSERT INTO solid_queue_jobs VALUES (1)")
	q := made(t, at("newer"))
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	raw(t, at("newer"), "UPDATE ratesim_meta SET value = '2' WHERE key = 'schema_version'")
	q = made(t, at("waiting"))
	s, err := q.Session(context.Background())
	if err == nil {
		_, err = s.Enqueue(0, 7, 0)
	}
	if err := errors.Join(err, s.Close(), q.Close()); err != nil {
		t.Fatal(err)
	}
	damaged := write("damaged", header+strings.Repeat("x", 5000))
	for _, c := range []struct{ path, want string }{
		{write("text", "hello, world, this is no database at all"), "is not an SQLite database"},
		{at("rails"), "that ratesim did not make"},
		{at("newer"), "made by a newer ratesim: its schema is version 2"},
		{at("waiting"), "holds 7 jobs that are not finished"},
		{dir, "is a folder"},
		{at("no/such/folder"), "there is no folder"},
		{damaged, ""},
	} {
		before, _ := os.ReadFile(c.path)
		_, err := Create(context.Background(), c.path, scenario(), nil, time.Now())
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", c.path, err, c.want)
		}
		if after, _ := os.ReadFile(c.path); string(after) != string(before) {
			t.Errorf("%s was changed", c.path)
		}
	}
}

// A queue of ratesim's without waiting jobs is used again: ids go on, and the
// run counts its own from 1.
func TestAQueueIsUsedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queue")
	for range 2 {
		q := made(t, path)
		s, err := q.Session(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		first, err := s.Enqueue(0, 3, 0)
		if err != nil || first != 1 {
			t.Errorf("the first job is %d, %v", first, err)
		}
		b, err := s.Claim(0, 9)
		if err != nil || b.Jobs != 3 || b.Claimed[0].Job != 1 {
			t.Errorf("%+v, %v", b, err)
		}
		for job := range int64(3) {
			if done, err := s.Finish(1+job, 0); err != nil || !done {
				t.Errorf("job %d: %v, %v", 1+job, done, err)
			}
		}
		if w, err := q.Where(context.Background()); err != nil || w.Jobs != 3 || w.Finished != 3 || w.Claims != 3 {
			t.Errorf("%+v, %v", w, err)
		}
		if err := errors.Join(s.Close(), q.Close()); err != nil {
			t.Error(err)
		}
	}
}

// The write lock of another process is waited for, up to a time; then it is an
// error, and nothing is half done.
func TestALockedDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queue")
	q := made(t, path)
	q.Busy = 20 * time.Millisecond
	other, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := other.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	s, err := q.Session(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var failed *Failure
	if _, err := s.Enqueue(0, 1, 0); !errors.As(err, &failed) || !strings.Contains(err.Error(), "write lock") {
		t.Errorf("%v, want that the write lock is taken", err)
	}
	if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Enqueue(0, 1, 0); err != nil {
		t.Errorf("the lock is free again: %v", err)
	}
	if err := errors.Join(conn.Close(), other.Close(), s.Close(), q.Close()); err != nil {
		t.Error(err)
	}
}

// A full database is told, and whole: what was committed is there, what was not
// is not.
func TestAFullDatabase(t *testing.T) {
	q := made(t, filepath.Join(t.TempDir(), "queue"))
	s, err := q.Session(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	if err := s.conn.QueryRowContext(context.Background(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages+20)); err != nil {
		t.Fatal(err)
	}
	jobs := int64(0)
	var failed *Failure
	for jobs < 1_000_000 {
		if _, err = s.Enqueue(0, 100, 0); err != nil {
			break
		}
		jobs += 100
	}
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "full") || jobs == 0 {
		t.Errorf("after %d jobs: %v, want that it is full", jobs, err)
	}
	if w, err := q.Where(context.Background()); err != nil || w.Jobs != jobs || w.Ready != jobs {
		t.Errorf("%+v, %v, want %d jobs", w, err, jobs)
	}
	if err := q.Check(context.Background()); err != nil {
		t.Error(err)
	}
	// Claims still want room for their rows; they fail as clearly.
	if _, err := s.Claim(0, 3); err != nil && !errors.As(err, &failed) {
		t.Error(err)
	}
	if err := errors.Join(s.Close(), q.Close()); err != nil {
		t.Error(err)
	}
}

// Stored times round up, a clock that is read rounds down, and both come back.
func TestStamps(t *testing.T) {
	c := newClock(time.Date(2026, 12, 31, 23, 59, 59, 999999000, time.UTC))
	for _, k := range []struct {
		at   gcra.Instant
		want string
		back gcra.Instant
		down gcra.Instant
	}{
		{0, "2026-12-31 23:59:59.999999", 0, 0},
		{1, "2027-01-01 00:00:00.000000", 1000, 0},
		{1000, "2027-01-01 00:00:00.000000", 1000, 1000},
		{1999, "2027-01-01 00:00:00.000001", 2000, 1000},
		{-1, "2026-12-31 23:59:59.999999", 0, -1000},
		{-1000, "2026-12-31 23:59:59.999998", -1000, -1000},
	} {
		got := c.stamp(k.at)
		back, err := c.instant(got)
		if got != k.want || err != nil || back != k.back || down(k.at) != k.down {
			t.Errorf("%d: %s, back %d, %v, down %d, want %s, %d, %d", k.at, got, back, err, down(k.at), k.want, k.back, k.down)
		}
	}
}
