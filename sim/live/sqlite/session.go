package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Op is a kind of transaction.
type Op uint8

// The transactions that are timed.
const (
	Dispatched Op = iota // moved n jobs
	NoneDue              // a dispatch that found nothing
	Claimed              // looked at n jobs
	NoneReady            // a claim that found nothing
	Finished             // a job's end
)

// Session is one actor's connection: a solidqueue.Queue.
type Session struct {
	q    *Queue
	conn *sql.Conn
	// Clock is what a claim reads inside its transaction; nil: the instant it
	// was called with.
	Clock func() gcra.Instant
	// Process is the row of the actor's process, 0 if there is none.
	Process int64
	// Timed, if not nil, is told how long each transaction took, from the call to
	// its return but for the wait for the write lock, and how many jobs it was
	// about.
	Timed func(op Op, n int, took time.Duration)

	stmts map[string]*sql.Stmt
	since time.Time // the call began, later by what it waited for the write lock
	cands []candidate
}

// Session opens a connection.
func (q *Queue) Session(ctx context.Context) (*Session, error) {
	conn, err := q.db.Conn(ctx)
	if err != nil {
		return nil, q.wrong(err)
	}
	if _, err := conn.ExecContext(ctx, noWait); err != nil {
		return nil, q.wrong(errors.Join(err, conn.Close()))
	}
	return &Session{q: q, conn: conn, stmts: map[string]*sql.Stmt{}}, nil
}

// Close gives the connection back.
func (s *Session) Close() error {
	var all error
	for _, st := range s.stmts {
		all = errors.Join(all, st.Close())
	}
	return s.q.wrong(errors.Join(all, s.conn.Close()))
}

// stmt is a prepared statement, prepared once.
func (s *Session) stmt(text string) (*sql.Stmt, error) {
	if st := s.stmts[text]; st != nil {
		return st, nil
	}
	// Statements outlive whatever asked for them first.
	st, err := s.conn.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, s.q.wrong(err)
	}
	s.stmts[text] = st
	return st, nil
}

// Prepare makes the statements ready that dispatches, and claims of up to n
// jobs, need.
func (s *Session) Prepare(n int) error {
	all := []string{"BEGIN IMMEDIATE", "COMMIT", selectPaused, selectReady, selectBudget, storeBudget, selectDue, lockClaim, finishJob, deleteClaim}
	for k := 1; k <= min(n, 64); k++ {
		all = append(all, selectNames(k), insertClaimed(k), insertScheduled(k), deleteReady(k), insertDecisions(k))
	}
	for _, text := range all {
		if _, err := s.stmt(text); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) exec(text string, args ...any) (sql.Result, error) {
	st, err := s.stmt(text)
	if err != nil {
		return nil, err
	}
	s.q.queries.Add(1)
	r, err := st.Exec(args...)
	return r, s.q.wrong(err)
}

// each runs a query and has the columns of every row scanned into dest before
// f is called.
func (s *Session) each(text string, args []any, dest []any, f func() error) error {
	st, err := s.stmt(text)
	if err != nil {
		return err
	}
	s.q.queries.Add(1)
	rows, err := st.Query(args...)
	if err != nil {
		return s.q.wrong(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return s.q.wrong(err)
		}
		if err := f(); err != nil {
			return err
		}
	}
	return s.q.wrong(rows.Err())
}

// begin starts a transaction that may write. It waits for the write lock of
// other processes by asking again every millisecond, as Rails does: SQLite's
// own wait grows in steps that leave the lock idle.
func (s *Session) begin() error {
	begin, err := s.stmt("BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	asked := time.Now()
	s.q.write.Lock()
	if s.since.IsZero() {
		s.since = asked
	}
	for waited := time.Duration(0); ; waited += retry {
		last := time.Now()
		_, err := begin.Exec()
		if err == nil {
			s.since = s.since.Add(last.Sub(asked))
			return nil
		}
		if c := code(err); c != busyCode || waited >= s.q.Busy {
			s.q.write.Unlock()
			if c == busyCode {
				return &Failure{s.q.path, fmt.Sprintf("another process has held the database's write lock for over %v", s.q.Busy), err}
			}
			return s.q.wrong(err)
		}
		time.Sleep(retry)
	}
}

// commit ends the transaction, and undoes it where err or the commit itself
// says so.
func (s *Session) commit(err error) error {
	defer s.q.write.Unlock()
	if err == nil {
		var commit *sql.Stmt
		if commit, err = s.stmt("COMMIT"); err == nil {
			_, err = commit.Exec()
		}
	}
	if err != nil {
		// A full disk has undone it already; then this fails and changes nothing.
		_, _ = s.conn.ExecContext(context.Background(), "ROLLBACK")
	}
	return s.q.wrong(err)
}

// timed tells how long the transaction took that has just committed.
func (s *Session) timed(op Op, n int) {
	if s.Timed != nil {
		s.Timed(op, n, time.Since(s.since))
	}
	s.since = time.Time{}
}

// read is the clock as a claim reads it.
func (s *Session) read(now gcra.Instant) gcra.Instant {
	if s.Clock != nil {
		now = s.Clock()
	}
	return down(now)
}

// done is the clock after a commit.
func (s *Session) done(now gcra.Instant) gcra.Instant {
	if s.Clock != nil {
		return s.Clock()
	}
	return now
}

// A statement of SQLite takes 32,766 values at most. A job that is claimed and
// put off takes five in one statement, one that is moved four.
const (
	MostClaimed = 32_766 / 5
	MostMoved   = 32_766 / 4
)

// rows is n times a row of placeholders.
func rows(row string, n int) string {
	return strings.TrimSuffix(strings.Repeat(row+",", n), ",")
}
