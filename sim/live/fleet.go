package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// Fleet is workers that are processes of their own on the one file, as Solid
// Queue forks them. A supervisor starts another for each that dies.
type Fleet struct {
	// Command starts a worker: a program that calls [Work] and prints the
	// [Delays] as JSON when its standard input ends. The worker's number is
	// the last argument.
	Command []string
	// KillEvery, if above 0, is how often one of them is killed at random.
	KillEvery time.Duration

	r          *runner
	supervisor *supervisor
	turns      context.Context
	mu         sync.Mutex
	members    []*member // by number
	ending     bool
	waiting    sync.WaitGroup
	killed     int
	restarted  int
}

// member is a process that runs.
type member struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	out    bytes.Buffer
	errs   bytes.Buffer
	killed bool
}

func (f *Fleet) start(r *runner, turns context.Context, v *supervisor) error {
	f.r, f.turns, f.supervisor = r, turns, v
	f.members = make([]*member, len(r.s.Workers))
	for i := range f.members {
		if err := f.spawn(i); err != nil {
			return err
		}
	}
	if f.KillEvery > 0 {
		r.loops.Go(f.kill)
	}
	return nil
}

// spawn starts the worker with a number.
func (f *Fleet) spawn(i int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ending {
		return nil
	}
	m := &member{cmd: exec.Command(f.Command[0], append(f.Command[1:len(f.Command):len(f.Command)], fmt.Sprint(i))...)}
	m.cmd.Stdout, m.cmd.Stderr = &m.out, &m.errs
	stdin, err := m.cmd.StdinPipe()
	if err != nil {
		return err
	}
	m.stdin = stdin
	if err := m.cmd.Start(); err != nil {
		return fmt.Errorf("worker %d: %w", i+1, err)
	}
	f.members[i] = m
	f.waiting.Go(func() { f.await(i, m) })
	return nil
}

// await waits for a process's end, settles its affairs if it died, and starts
// another in its place.
func (f *Fleet) await(i int, m *member) {
	failed := m.cmd.Wait()
	f.mu.Lock()
	killed, ending := m.killed, f.ending
	f.mu.Unlock()
	switch {
	case failed == nil:
		f.r.delays.merge(m.out.Bytes())
	case !killed && !ending:
		// It did not die but gave up: another one would fare no better.
		f.r.failing(fmt.Errorf("worker %d: %s", i+1, cmp.Or(lastLine(m.errs.String()), failed.Error())))
		return
	}
	if failed != nil {
		if err := f.supervisor.bury(m.cmd.Process.Pid, "killed"); err != nil {
			f.r.failing(err)
			return
		}
	}
	if ending || f.turns.Err() != nil {
		return
	}
	f.mu.Lock()
	f.restarted++
	f.mu.Unlock()
	if err := f.spawn(i); err != nil {
		f.r.failing(err)
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// kill ends one process at a time, at random, without notice.
func (f *Fleet) kill() {
	every := time.NewTicker(f.KillEvery)
	defer every.Stop()
	chance := model.ActorRand(f.r.o.Seed, 0, "kill")
	for {
		select {
		case <-f.turns.Done():
			return
		case <-every.C:
		}
		f.mu.Lock()
		m := f.members[int(chance.Uint64()%uint64(len(f.members)))]
		if !f.ending && !m.killed && m.cmd.Process.Kill() == nil {
			m.killed = true
			f.killed++
		}
		f.mu.Unlock()
	}
}

// end closes the processes' standard inputs, at which they end in order, and
// kills those that take too long.
func (f *Fleet) end() (out [2]int) {
	f.mu.Lock()
	f.ending = true
	for _, m := range f.members {
		if m != nil {
			_ = m.stdin.Close() // one that died has closed it
		}
	}
	f.mu.Unlock()
	done := make(chan struct{})
	go func() {
		f.waiting.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(f.r.o.Shutdown + 2*time.Second):
		f.mu.Lock()
		for _, m := range f.members {
			if m != nil {
				_ = m.cmd.Process.Kill() // one that has ended meanwhile can't be
			}
		}
		f.mu.Unlock()
		<-done
	}
	return [2]int{f.killed, f.restarted}
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

// delaysJSON is how a worker process tells its delays, in nanoseconds.
type delaysJSON struct {
	Ops       [sqlite.Finished + 1][]Sample
	Overshoot [2][]time.Duration
	Jobs      []time.Duration
	Polls     int64
}

// JSON is the delays for the process that started this one.
func (d *Delays) JSON() ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return json.Marshal(delaysJSON{d.ops, d.overshoot, d.jobs, d.polls})
}

// merge adds a worker process's delays. One that was cut off tells nothing.
func (d *Delays) merge(text []byte) {
	var more delaysJSON
	if json.Unmarshal(text, &more) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for op := range d.ops {
		d.ops[op] = append(d.ops[op], more.Ops[op]...)
	}
	for of := range d.overshoot {
		d.overshoot[of] = append(d.overshoot[of], more.Overshoot[of]...)
	}
	d.jobs = append(d.jobs, more.Jobs...)
	d.polls += more.Polls
}
