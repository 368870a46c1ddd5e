package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Nothing that this call did not make is taken away, whoever is at it.
func TestCreateTakesNothingAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	for _, name := range []string{path, path + "-journal"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var wrong *Wrong
	if _, err := Create(context.Background(), path, scenario(), nil, time.Now()); !errors.As(err, &wrong) {
		t.Errorf("%v, want that another process writes it", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// Of two runs that want the same new file, one at most gets it, and the file
// stays whole.
func TestTwoWantOneNewFile(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "b.db")
		var both sync.WaitGroup
		made := make([]*Queue, 2)
		for i := range made {
			both.Go(func() {
				q, err := Create(context.Background(), path, scenario(), nil, time.Now())
				var wrong *Wrong
				var failed *Failure
				if err != nil && !errors.As(err, &wrong) && !errors.As(err, &failed) {
					t.Error(err)
				}
				made[i] = q
			})
		}
		both.Wait()
		got := 0
		for _, q := range made {
			if q == nil {
				continue
			}
			got++
			if err := errors.Join(q.Check(context.Background()), q.Close()); err != nil {
				t.Error(err)
			}
		}
		if got == 0 {
			t.Error("neither got it")
		}
	}
}

// A run whose processes beat is left alone, though no job waits.
func TestARunUnderWayIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	q := made(t, path)
	s, err := q.Session(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	row, err := s.Register(Process{Kind: "Worker", Name: "worker-1"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var wrong *Wrong
	if _, err := Create(context.Background(), path, scenario(), nil, time.Now()); !errors.As(err, &wrong) {
		t.Errorf("%v, want that a run is under way", err)
	}
	if alive, err := s.Beat(row, 0); err != nil || !alive {
		t.Errorf("its row is gone: %v", err)
	}
	if err := errors.Join(s.Close(), q.Close()); err != nil {
		t.Error(err)
	}
}
