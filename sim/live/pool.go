package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/solidqueue"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// pool runs one worker's jobs, each in a goroutine that sleeps as long as the
// job takes and then notes its end. It is a solidqueue.Threads. Go has no lock
// that a process's jobs share.
type pool struct {
	scenario *model.Scenario
	seed     uint64
	idle     atomic.Int64
	wake     chan struct{} // holds one: many ends become one wake-up
	quit     context.Context
	delays   *Delays
	fail     func(error)
	running  sync.WaitGroup

	ends    sync.Mutex // one connection notes the ends of all jobs
	session *sqlite.Session
}

func newPool(s *model.Scenario, seed uint64, threads int, session *sqlite.Session, quit context.Context, delays *Delays, fail func(error)) *pool {
	p := &pool{scenario: s, seed: seed, wake: make(chan struct{}, 1), quit: quit, delays: delays, fail: fail, session: session}
	p.idle.Store(int64(threads))
	return p
}

// Idle is solidqueue.Threads'.
func (p *pool) Idle() int { return int(p.idle.Load()) }

// Lock is solidqueue.Threads'. Nobody has to wait.
func (p *pool) Lock(now gcra.Instant) gcra.Instant { return now }

// Unlock is solidqueue.Threads'.
func (p *pool) Unlock(gcra.Instant) {}

// Start is solidqueue.Threads'.
func (p *pool) Start(b *solidqueue.Batch, _ gcra.Instant) {
	for _, r := range b.Claimed {
		for k := range r.N {
			p.idle.Add(-1)
			p.running.Go(func() { p.run(r.Class, r.Job+int64(k)) })
		}
	}
}

// run is one job. If the process ends first, the job stays claimed: whoever
// puts the process's affairs in order settles it.
func (p *pool) run(class int, job int64) {
	if class >= 0 {
		takes := p.scenario.Classes[class].Takes
		r := model.JobRand(p.seed, 0, job)
		length, begun := takes.Draw(&r, 1), time.Now()
		t := time.NewTimer(length)
		defer t.Stop()
		select {
		case <-t.C:
			p.delays.ran(time.Since(begun) - length)
		case <-p.quit.Done():
			return
		}
	}
	if err := p.end(class, job); err != nil {
		p.fail(err)
		return
	}
	p.idle.Add(1)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *pool) end(class int, job int64) (err error) {
	p.ends.Lock()
	defer p.ends.Unlock()
	if class < 0 {
		_, err = p.session.Fail(job, "NameError", "the scenario has no such class", 0)
		return err
	}
	_, err = p.session.Finish(job, 0)
	return err
}

// settle waits for the running jobs, but no longer than timeout.
func (p *pool) settle(timeout time.Duration, quit context.CancelFunc) {
	done := make(chan struct{})
	go func() {
		p.running.Wait()
		close(done)
	}()
	t := time.NewTimer(timeout)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
		quit()
		<-done
	}
}
