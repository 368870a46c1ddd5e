// Package queuetest holds every implementation of solidqueue.Queue to the same
// behaviour: what a dispatch moves and what a claim takes and sends away. It
// asks through the interface alone, so that tables in memory and rows in a
// database are told apart by nothing.
package queuetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/solidqueue"
)

// Opened is an empty queue.
type Opened struct {
	Queue solidqueue.Queue
	// Enqueue makes n jobs of a class ready. Ids count from 1.
	Enqueue func(class, n int, now gcra.Instant) error
}

// Run runs the suite. open makes an empty queue for the scenario, whose
// actions cost nothing, and sees to its end itself.
func Run(t *testing.T, open func(t *testing.T, s *model.Scenario) Opened) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			q := open(t, scenario(c))
			for i, s := range c.steps {
				got, err := s.do(q)
				if err != nil {
					t.Fatalf("step %d, %s: %v", i+1, s.name, err)
				}
				if got != s.want {
					t.Fatalf("step %d, %s: %s, want %s", i+1, s.name, got, s.want)
				}
			}
		})
	}
}

// kase is a queue, and what is done to it in order of time.
type kase struct {
	name    string
	limits  []gcra.Limit
	classes []class
	steps   []step
}

// class is a job class; limit -1: none.
type class struct{ limit, priority int }

func scenario(c kase) *model.Scenario {
	s := &model.Scenario{Name: c.name, System: model.SolidQueue}
	for i, l := range c.limits {
		s.Limits = append(s.Limits, model.Limit{Name: fmt.Sprintf("limit%d", i), Limit: l, Kind: model.GCRA})
	}
	for i, k := range c.classes {
		s.Classes = append(s.Classes, model.Class{Name: fmt.Sprintf("Job%d", i), Limit: k.limit, Priority: k.priority, Queue: "default"})
	}
	s.Rules.Wait.Kind = model.WaitSlots
	return s
}

// step is one call and its outcome in words.
type step struct {
	name string
	do   func(q Opened) (string, error)
	want string
}

func enqueue(at time.Duration, class, n int) step {
	return step{fmt.Sprintf("at %v enqueue %d of class %d", at, n, class), func(q Opened) (string, error) {
		return "", q.Enqueue(class, n, gcra.Instant(at))
	}, ""}
}

// dispatch wants so many jobs moved.
func dispatch(at time.Duration, batch, moved int) step { return lateDispatch(at, at, batch, moved) }

// lateDispatch is one that had to wait for the database since due.
func lateDispatch(due, at time.Duration, batch, moved int) step {
	return step{fmt.Sprintf("at %v dispatch %d due at %v", at, batch, due), func(q Opened) (string, error) {
		m, err := q.Queue.Dispatch(gcra.Instant(due), gcra.Instant(at), batch)
		return fmt.Sprintf("%d moved, busy %v", m.Jobs, m.Busy), err
	}, fmt.Sprintf("%d moved, busy false", moved)}
}

// claim wants these jobs in this order, and so many sent away.
func claim(at time.Duration, limit, deferred int, jobs ...int64) step {
	say := func(jobs []int64, n, deferred int, busy bool) string {
		return fmt.Sprintf("jobs %v, %d in all, %d deferred, busy %v", jobs, n, deferred, busy)
	}
	return step{fmt.Sprintf("at %v claim %d", at, limit), func(q Opened) (string, error) {
		b, err := q.Queue.Claim(gcra.Instant(at), limit)
		var got []int64
		for _, r := range b.Claimed {
			for k := range r.N {
				got = append(got, r.Job+int64(k))
			}
		}
		return say(got, b.Jobs, b.Deferred, b.Busy), err
	}, say(slices.Clone(jobs), len(jobs), deferred, false)}
}
