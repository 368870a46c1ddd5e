package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"
)

// Claims a second beside a bare loop with the same driver, pragmas and
// statements: what the queue's own code costs. Empty jobs, no limit, three
// threads; each job is claimed and finished.
//
//	go test -run '^$' -bench Claims -benchtime 2s ./sim/live/sqlite
func BenchmarkClaims(b *testing.B) {
	b.Run("queue", func(b *testing.B) { benchmark(b, claimAndFinish) })
	b.Run("bare", func(b *testing.B) { benchmark(b, bareLoop) })
}

const perClaim = 3

func benchmark(b *testing.B, run func(b *testing.B, s *Session, jobs int)) {
	q, err := Create(context.Background(), filepath.Join(b.TempDir(), "queue"), scenario(), nil, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	defer q.Close()
	s, err := q.Session(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if err := s.Prepare(perClaim); err != nil {
		b.Fatal(err)
	}
	if _, err := s.Enqueue(0, b.N*perClaim, 0); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	run(b, s, b.N*perClaim)
	b.StopTimer()
	w, err := q.Where(context.Background())
	if err != nil || w.Finished != int64(b.N*perClaim) || w.Claimed != 0 {
		b.Fatalf("%+v, %v", w, err)
	}
	b.ReportMetric(float64(b.N*perClaim)/b.Elapsed().Seconds(), "claims/s")
}

func claimAndFinish(b *testing.B, s *Session, jobs int) {
	for n := 0; n < jobs; {
		batch, err := s.Claim(0, perClaim)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range batch.Claimed {
			if _, err := s.Finish(r.Job, 0); err != nil {
				b.Fatal(err)
			}
		}
		n += batch.Jobs
	}
}

// bareLoop sends the same statements with nothing around them.
func bareLoop(b *testing.B, s *Session, jobs int) {
	var all []*sql.Stmt
	defer func() {
		for _, st := range all {
			_ = st.Close()
		}
	}()
	stmt := func(text string) *sql.Stmt {
		st, err := s.conn.PrepareContext(context.Background(), text)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, st)
		return st
	}
	begin, commit, paused, ready := stmt("BEGIN IMMEDIATE"), stmt("COMMIT"), stmt(selectPaused), stmt(selectReady)
	names, insert, remove, decide := stmt(selectNames(perClaim)), stmt(insertClaimed(perClaim)), stmt(deleteReady(perClaim)), stmt(insertDecisions(perClaim))
	lock, finish, done := stmt(lockClaim), stmt(finishJob), stmt(deleteClaim)
	exec := func(st *sql.Stmt, args ...any) {
		if _, err := st.Exec(args...); err != nil {
			b.Fatal(err)
		}
	}
	query := func(st *sql.Stmt, args []any, row func(*sql.Rows) error) {
		rows, err := st.Query(args...)
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
			if err := row(rows); err != nil {
				b.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
	}
	stamp := s.q.stamp(0)
	var id, job, claim int64
	var name string
	for range jobs / perClaim {
		query(paused, nil, func(r *sql.Rows) error { return r.Scan(&name) })
		exec(begin)
		var ids, ready3, claimed, decided []any
		query(ready, []any{perClaim}, func(r *sql.Rows) error {
			err := r.Scan(&id, &job)
			ids, ready3 = append(ids, job), append(ready3, id)
			claimed, decided = append(claimed, job, nil, stamp), append(decided, job, stamp, nil, nil)
			return err
		})
		query(names, ids, func(r *sql.Rows) error { return r.Scan(&id, &name) })
		exec(insert, claimed...)
		exec(remove, ready3...)
		exec(decide, decided...)
		exec(commit)
		for _, job := range ids {
			exec(begin)
			query(lock, []any{job}, func(r *sql.Rows) error { return r.Scan(&claim) })
			exec(finish, stamp, stamp, job)
			exec(done, claim)
			exec(commit)
		}
	}
}
