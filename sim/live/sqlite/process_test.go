package sqlite_test

import (
	"context"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

const ms = gcra.Instant(time.Millisecond)

// plain is a scenario of one unlimited class.
func plain() *model.Scenario {
	return &model.Scenario{Name: "plain", System: model.SolidQueue, Classes: []model.Class{{Name: "Job", Limit: -1, Queue: "default"}}}
}

// held is a queue of five jobs of which a process holds the first three.
func held(t *testing.T) (q *sqlite.Queue, s *sqlite.Session, row int64) {
	t.Helper()
	q = create(t, plain())
	s = session(t, q)
	row, err := s.Register(sqlite.Process{Kind: "Worker", Name: "worker-1", PID: 4711}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.Process = row
	if _, err := s.Enqueue(0, 5, 0); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Claim(ms, 3); err != nil || b.Jobs != 3 {
		t.Fatalf("claimed %d, %v", b.Jobs, err)
	}
	return q, s, row
}

func where(t *testing.T, q *sqlite.Queue, want sqlite.Where) {
	t.Helper()
	got, err := q.Where(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("jobs are at %+v, want %+v", got, want)
	}
}

// Every end of a process, and what becomes of the jobs it held.
func TestEndsOfProcesses(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(t *testing.T, s *sqlite.Session, row int64) (int64, error)
		want sqlite.Where
		n    int64
	}{
		{"in order: its jobs go back to ready", func(_ *testing.T, s *sqlite.Session, row int64) (int64, error) {
			return s.Deregister(row, 2*ms)
		}, sqlite.Where{Jobs: 5, Ready: 5, Claims: 3}, 3},
		{"a crash that the supervisor sees: they fail", func(_ *testing.T, s *sqlite.Session, row int64) (int64, error) {
			return s.Exited(row, "killed", 2*ms)
		}, sqlite.Where{Jobs: 5, Ready: 2, Failed: 3, Claims: 3}, 3},
		{"no heartbeat for long: they fail", func(_ *testing.T, s *sqlite.Session, _ int64) (int64, error) {
			return s.Prune(0, time.Second, gcra.Instant(time.Second))
		}, sqlite.Where{Jobs: 5, Ready: 2, Failed: 3, Claims: 3}, 3},
		{"a heartbeat not so long ago: nothing", func(t *testing.T, s *sqlite.Session, row int64) (int64, error) {
			if alive, err := s.Beat(row, ms); err != nil || !alive {
				t.Errorf("alive %v, %v", alive, err)
			}
			return s.Prune(0, time.Second, gcra.Instant(time.Second))
		}, sqlite.Where{Jobs: 5, Ready: 2, Claimed: 3, Claims: 3}, 0},
		{"a supervisor does not prune itself", func(_ *testing.T, s *sqlite.Session, row int64) (int64, error) {
			return s.Prune(row, time.Second, gcra.Instant(time.Minute))
		}, sqlite.Where{Jobs: 5, Ready: 2, Claimed: 3, Claims: 3}, 0},
		{"no row any more: a new supervisor fails them", func(t *testing.T, s *sqlite.Session, row int64) (int64, error) {
			if n, err := s.Orphans(2 * ms); err != nil || n != 0 {
				t.Errorf("%d orphans of a process that is there, %v", n, err)
			}
			s.Process = row + 1
			if b, err := s.Claim(2*ms, 1); err != nil || b.Jobs != 1 {
				t.Fatalf("claimed %d, %v", b.Jobs, err)
			}
			return s.Orphans(2 * ms)
		}, sqlite.Where{Jobs: 5, Ready: 1, Claimed: 3, Failed: 1, Claims: 4}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, s, row := held(t)
			n, err := c.end(t, s, row)
			if err != nil || n != c.n {
				t.Errorf("%d jobs settled, %v, want %d", n, err, c.n)
			}
			where(t, q, c.want)
			if err := q.Check(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A job that ends after its process was given up changes nothing; one that is
// released is charged again when it is claimed again.
func TestLateEndsChangeNothing(t *testing.T) {
	q, s, row := held(t)
	if done, err := s.Finish(1, 2*ms); err != nil || !done {
		t.Errorf("done %v, %v", done, err)
	}
	if _, err := s.Exited(row, "killed", 3*ms); err != nil {
		t.Fatal(err)
	}
	for _, job := range []int64{1, 2, 3} {
		if done, err := s.Finish(job, 4*ms); err != nil || done {
			t.Errorf("job %d: done %v, %v, want nothing done", job, done, err)
		}
	}
	if alive, err := s.Beat(row, 5*ms); err != nil || alive {
		t.Errorf("alive %v, %v: its row is gone", alive, err)
	}
	where(t, q, sqlite.Where{Jobs: 5, Finished: 1, Failed: 2, Ready: 2, Claims: 3})
}

func TestReleasedJobsAreChargedAgain(t *testing.T) {
	s := plain()
	s.Limits = []model.Limit{{Name: "api", Limit: gcra.Limit{To: 2, Per: time.Second, Burst: 2}, Kind: model.GCRA}}
	s.Classes[0].Limit = 0
	q := create(t, s)
	one := session(t, q)
	row, err := one.Register(sqlite.Process{Kind: "Worker", Name: "worker-1"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	one.Process = row
	if _, err := one.Enqueue(0, 2, 0); err != nil {
		t.Fatal(err)
	}
	if b, err := one.Claim(0, 2); err != nil || b.Jobs != 2 {
		t.Fatalf("%+v, %v", b, err)
	}
	if _, err := one.Deregister(row, ms); err != nil {
		t.Fatal(err)
	}
	if b, err := one.Claim(2*ms, 2); err != nil || b.Jobs != 0 || b.Deferred != 2 {
		t.Errorf("%+v, %v: the limit lets 2 pass in a second, claims handed back or not", b, err)
	}
	where(t, q, sqlite.Where{Jobs: 2, Scheduled: 2, Claims: 2, Deferrals: 2})
}
