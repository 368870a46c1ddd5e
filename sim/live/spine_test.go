package live_test

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// The spine: the simulation and the real queue do the same at the same
// instants, line for line. Nothing costs time, phases are distinct and every
// job takes its own time, to the microsecond, so that no two things happen at
// one instant: then the outcome is fixed by the rules alone.

type spine struct {
	name        string
	limits      []gcra.Limit
	jobs        int
	takes       time.Duration // about
	dispatchers []time.Duration
	workers     []worker
	change      func(*model.Scenario)
}

type worker struct {
	threads  int
	interval time.Duration
}

const (
	ms = time.Millisecond
	us = time.Microsecond
)

func second(to, burst int) gcra.Limit { return gcra.Limit{To: to, Per: time.Second, Burst: burst} }

var spines = []spine{
	{name: "burst 1", limits: []gcra.Limit{second(10, 1)}, jobs: 25, takes: 11 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{3, 100 * ms}}},
	{name: "burst 2", limits: []gcra.Limit{second(10, 2)}, jobs: 40, takes: 11 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{3, 100 * ms}}},
	{name: "burst 6", limits: []gcra.Limit{second(10, 6)}, jobs: 60, takes: 11 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{3, 100 * ms}}},
	{name: "two limits", limits: []gcra.Limit{second(10, 3), {To: 3, Per: 700 * ms, Burst: 2}}, jobs: 60, takes: 23 * ms,
		dispatchers: []time.Duration{500 * ms}, workers: []worker{{4, 100 * ms}}},
	{name: "two dispatchers", limits: []gcra.Limit{second(20, 4)}, jobs: 80, takes: 7 * ms,
		dispatchers: []time.Duration{300 * ms, 700 * ms}, workers: []worker{{3, 100 * ms}}},
	{name: "a full thread pool", limits: []gcra.Limit{second(3, 2)}, jobs: 30, takes: 700 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{2, 100 * ms}}},
	{name: "two workers", limits: []gcra.Limit{second(30, 5)}, jobs: 90, takes: 61 * ms,
		dispatchers: []time.Duration{200 * ms}, workers: []worker{{2, 100 * ms}, {3, 150 * ms}}},
	{name: "no limit on every second job", limits: []gcra.Limit{second(5, 1)}, jobs: 40, takes: 31 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{3, 100 * ms}},
		change: func(s *model.Scenario) {
			for i := range s.Classes {
				if i%2 == 1 {
					s.Classes[i].Limit, s.Classes[i].Priority = -1, 1-i%3
				}
			}
		}},
	{name: "no wake-up and no second claim", limits: []gcra.Limit{second(10, 2)}, jobs: 30, takes: 11 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{3, 100 * ms}},
		change: func(s *model.Scenario) {
			s.Rules.Wake, s.Rules.DispatchAgain, s.Rules.ClaimsAgain = model.WakeNever, model.AgainNever, 0
		}},
	{name: "jobs that come later", limits: []gcra.Limit{second(10, 3)}, jobs: 30, takes: 11 * ms,
		dispatchers: []time.Duration{time.Second}, workers: []worker{{3, 100 * ms}},
		change: func(s *model.Scenario) {
			for i := 10; i < len(s.Classes); i++ {
				a, err := model.ParseArrivals(fmt.Sprintf("1 at %dus", 1_000_037+i*97_003), nil)
				if err != nil {
					panic(err)
				}
				s.Classes[i].Backlog, s.Classes[i].Arrivals = 0, a
			}
		}},
}

// scenario has a class for each job, so that each has its own time.
func (p spine) scenario() *model.Scenario {
	s := &model.Scenario{Name: p.name, System: model.SolidQueue, Rules: scenarios.DefaultRules(model.SolidQueue)}
	for i, l := range p.limits {
		s.Limits = append(s.Limits, model.Limit{Name: fmt.Sprintf("limit%d", i), Limit: l, Kind: model.GCRA})
	}
	for i := range p.jobs {
		s.Classes = append(s.Classes, model.Class{
			Name: fmt.Sprintf("Job%d", i), Limit: i % len(p.limits), Backlog: 1, Queue: "default",
			Takes: model.Const(p.takes + time.Duration(i*i%97*101+i)*us),
		})
	}
	at := 13*ms + 7*us
	phase := func() *time.Duration { at += 17*ms + 11*us; p := at; return &p }
	for _, d := range p.dispatchers {
		s.Dispatchers = append(s.Dispatchers, model.Dispatcher{Interval: d, Batch: 500, Phase: phase()})
	}
	for _, w := range p.workers {
		s.Workers = append(s.Workers, model.Worker{Queues: []string{"*"}, Threads: w.threads, Processes: 1, Interval: w.interval, Phase: phase()})
	}
	if p.change != nil {
		p.change(s)
	}
	return s
}

func TestSpine(t *testing.T) {
	for _, p := range spines {
		t.Run(p.name, func(t *testing.T) {
			s := p.scenario()
			want := simulated(t, s)
			got := lived(t, s)
			if d := firstDifference(got, want); d != "" {
				t.Error(d)
			}
			deferrals := 0
			for _, l := range want {
				if strings.Contains(l, "deferred") {
					deferrals++
				}
			}
			if deferrals < 10 {
				t.Errorf("%d lines and %d deferrals are too few to show anything", len(want), deferrals)
			}
		})
	}
}

// record is a probe that keeps what can be compared.
type record []model.Event

func (r *record) Observe(e *model.Event) {
	if e.Kind != model.Promoted {
		e.Each(func(e model.Event) { *r = append(*r, e) })
	}
}

func simulated(t *testing.T, s *model.Scenario) []string {
	var r record
	if _, err := sim.NewMachine(s).Run(1, 0, &r); err != nil {
		t.Fatal(err)
	}
	return lines(r)
}

func lived(t *testing.T, s *model.Scenario) (out []string) {
	path := filepath.Join(t.TempDir(), "queue.sqlite3")
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		start := live.Start(s, false)
		q, err := sqlite.Create(ctx, path, s, nil, start)
		if err != nil {
			t.Fatal(err)
		}
		r, err := live.Run(ctx, q, s, start, live.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Drained {
			t.Errorf("not drained: %+v", r.Where)
		}
		events, err := live.Events(ctx, q, s)
		if err != nil {
			t.Fatal(err)
		}
		out = lines(events)
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return out
}

func lines(events []model.Event) (out []string) {
	order := map[model.Kind]int{model.Enqueued: 0, model.Finished: 1, model.Claimed: 2, model.Deferred: 2}
	slices.SortStableFunc(events, func(a, b model.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(order[a.Kind], order[b.Kind]))
	})
	for _, e := range events {
		word := map[model.Kind]string{model.Enqueued: "enqueued", model.Finished: "finished", model.Claimed: "claimed", model.Deferred: "deferred"}[e.Kind]
		line := fmt.Sprintf("%v job %d %s", time.Duration(e.At), e.Job, word)
		if e.Kind == model.Deferred {
			line += fmt.Sprintf(", check at %v", time.Duration(e.Next))
		}
		out = append(out, line)
	}
	return out
}

// firstDifference shows where two records part.
func firstDifference(live, simulated []string) string {
	for i := range max(len(live), len(simulated)) {
		l, s := "(nothing more)", "(nothing more)"
		if i < len(live) {
			l = live[i]
		}
		if i < len(simulated) {
			s = simulated[i]
		}
		if l != s {
			return fmt.Sprintf("line %d differs (%d live, %d simulated)\nlive:      %s\nsimulated: %s\nbefore it:\n%s",
				i+1, len(live), len(simulated), l, s, strings.Join(simulated[max(0, i-5):i], "\n"))
		}
	}
	return ""
}
