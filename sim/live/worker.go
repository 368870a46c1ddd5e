package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// Work is one worker in a process of its own: the one with a number in a pinned
// scenario. It goes on until ctx ends or its row is gone, then waits for its
// jobs and gives back what is left.
func Work(ctx context.Context, q *sqlite.Queue, pinned *model.Scenario, number int, o Options) (*Delays, error) {
	if number < 0 || number >= len(pinned.Workers) {
		return nil, fmt.Errorf("worker %d: there are %d", number+1, len(pinned.Workers))
	}
	r := &runner{q: q, s: pinned, o: o, clock: clock{q.Origin()}}
	turns, stop := context.WithCancel(ctx)
	defer stop()
	r.stop = stop
	jobs, quit := context.WithCancel(context.WithoutCancel(ctx))
	defer quit()
	open := func(claims int) (*sqlite.Session, error) { return r.connect(jobs, claims) }
	session, err := open(pinned.Workers[number].Threads)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	ends, err := open(0)
	if err != nil {
		return nil, err
	}
	defer ends.Close()
	w := &pinned.Workers[number]
	supervisor, err := session.SupervisorRow()
	if err != nil {
		return nil, err
	}
	row, err := session.Register(sqlite.Process{
		Kind: "Worker", Name: processName("Worker", os.Getpid(), number+1), PID: os.Getpid(), Supervisor: supervisor, Metadata: workerMetadata(w),
	}, 0)
	if err != nil {
		return nil, err
	}
	session.Process = row
	beats, err := open(0)
	if err != nil {
		return nil, err
	}
	defer beats.Close()
	beats.Timed = nil
	r.loops.Go(func() { r.pulse(turns, beats, row) })
	p := newPool(pinned, o.Seed, w.Threads, ends, jobs, &r.delays, r.failing)
	r.work(turns, w, session, p)
	<-turns.Done()
	r.loops.Wait()
	r.countPolls()
	p.settle(o.Shutdown, quit)
	_, err = beats.Deregister(row, 0)
	return &r.delays, errors.Join(r.err, err)
}

// pulse beats for one row, and stops the process whose row is gone.
func (r *runner) pulse(ctx context.Context, s *sqlite.Session, row int64) {
	every := time.NewTicker(r.o.Heartbeat)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		alive, err := s.Beat(row, 0)
		if err != nil {
			r.failing(err)
			return
		}
		if !alive {
			r.stop()
			return
		}
	}
}
