package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/queuetest"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// epoch is when the clocks of tests begin: as late in a year as can be, so that
// a date that is cut short would show.
var epoch = time.Date(2026, 12, 31, 23, 59, 58, 123456000, time.UTC)

func create(t testing.TB, s *model.Scenario) *sqlite.Queue {
	t.Helper()
	q, err := sqlite.Create(context.Background(), filepath.Join(t.TempDir(), "queue.sqlite3"), s, nil, epoch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

func session(t testing.TB, q *sqlite.Queue) *sqlite.Session {
	t.Helper()
	s, err := q.Session(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The tables on disk do what those in memory do.
func TestQueueSuite(t *testing.T) {
	queuetest.Run(t, func(t *testing.T, s *model.Scenario) queuetest.Opened {
		one := session(t, create(t, s))
		return queuetest.Opened{
			Queue: one,
			Enqueue: func(class, n int, now gcra.Instant) error {
				_, err := one.Enqueue(class, n, now)
				return err
			},
		}
	})
}
