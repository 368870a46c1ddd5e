package live

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/ratesim/ratesim/model"
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
	case !killed && !ending && m.cmd.ProcessState.Exited():
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
// kills those that take too long. It says how many were killed before that.
func (f *Fleet) end() (killed int) {
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
	return f.killed
}
