package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// supervisor keeps the rows of the processes that this one is.
type supervisor struct {
	*sqlite.Session
	mu   sync.Mutex // its connection serves several goroutines
	row  int64
	rows []int64
	n    int
}

// supervise registers this process as a supervisor, settles what dead ones
// left behind, and keeps beating.
func (r *runner) supervise(ctx context.Context) (*supervisor, error) {
	session, err := r.connect(context.WithoutCancel(ctx), 0)
	if err != nil {
		return nil, err
	}
	session.Timed = nil
	v := &supervisor{Session: session}
	if v.row, err = v.register("Supervisor(fork)", nil); err == nil {
		_, err = v.Orphans(0)
	}
	if err != nil {
		return nil, errors.Join(err, session.Close())
	}
	r.loops.Go(func() { r.beat(ctx, v) })
	return v, nil
}

func (v *supervisor) register(kind string, metadata map[string]any) (int64, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.n++
	row, err := v.Register(sqlite.Process{Kind: kind, Name: processName(kind, os.Getpid(), v.n), PID: os.Getpid(), Supervisor: v.row, Metadata: metadata}, 0)
	if err == nil {
		v.rows = append(v.rows, row)
	}
	return row, err
}

// deregister is the orderly end of all rows, the supervisor's last: what they
// still hold goes back to ready.
func (v *supervisor) deregister() (released int64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := len(v.rows) - 1; i >= 0 && err == nil; i-- {
		var n int64
		n, err = v.Deregister(v.rows[i], 0)
		released += n
	}
	return released, err
}

// beat keeps this process's rows alive, and prunes the rows of dead ones as
// often as a process may be silent.
func (r *runner) beat(ctx context.Context, v *supervisor) {
	beats, prunes := time.NewTicker(r.o.Heartbeat), time.NewTicker(r.o.Alive)
	defer beats.Stop()
	defer prunes.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-beats.C:
			v.mu.Lock()
			for _, row := range v.rows {
				if _, e := v.Beat(row, 0); e != nil {
					err = e
				}
			}
			v.mu.Unlock()
		case <-prunes.C:
			v.mu.Lock()
			_, err = v.Prune(v.row, r.o.Alive, 0)
			v.mu.Unlock()
		}
		if err != nil {
			r.failing(err)
			return
		}
	}
}

// processName is a name as Solid Queue gives: the kind and twenty hex digits.
func processName(kind string, pid, n int) string {
	word := map[string]string{"Supervisor(fork)": "supervisor", "Dispatcher": "dispatcher", "Worker": "worker"}[kind]
	return fmt.Sprintf("%s-%08x%012x", word, uint32(pid), n)
}

// bury fails the jobs of the process with that id, if it has a row.
func (v *supervisor) bury(pid int, how string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	rows, err := v.RowsOf(pid)
	for _, row := range rows {
		if err == nil {
			_, err = v.Exited(row, how, 0)
		}
	}
	return err
}
