package measure

import (
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// busy is a stream as a worker makes it that polls a long backlog: some polls
// claim, all defer.
func busy(polls int) []model.Event {
	events := []model.Event{{Kind: model.Enqueued, Job: 0, N: polls}}
	job := int64(0)
	for i := range polls {
		at := gcra.Instant(i) * 100 * milli
		if i%3 == 0 {
			events = append(events, model.Event{Kind: model.Claimed, At: at, Job: job, N: 1})
			events = append(events, model.Event{Kind: model.Finished, At: at + 30*milli, Job: job, N: 1})
			job++
		}
		events = append(events, model.Event{Kind: model.Deferred, At: at, Job: job, N: 2, Next: at, Step: time.Second})
	}
	return events
}

func oneLimit() *model.Scenario {
	return &model.Scenario{
		Limits:  []model.Limit{{Name: "l", Limit: gcra.Limit{To: 10, Per: time.Second, Burst: 6}, Kind: model.GCRA}},
		Classes: []model.Class{{Name: "C", Limit: 0}},
	}
}

func twoClasses() *model.Scenario {
	s := oneLimit()
	s.Classes = append(s.Classes, model.Class{Name: "D", Limit: 0}, model.Class{Name: "E", Limit: -1})
	return s
}

// A replication after the first takes no memory for an event.
func TestObserveDoesNotAllocate(t *testing.T) {
	for name, s := range map[string]*model.Scenario{"one class": oneLimit(), "three classes": twoClasses()} {
		tally, events := NewTally(s), busy(5000)
		observe(tally, events)
		tally.Reset()
		if n := testing.AllocsPerRun(5, func() { observe(tally, events); tally.Reset() }); n != 0 {
			t.Errorf("%s: %v allocations a replication, want none", name, n)
		}
	}
}

// BenchmarkObserve watches 110,000 polls of a backlog, a third of which claim.
func BenchmarkObserve(b *testing.B) {
	const polls = 110_000
	for _, c := range []struct {
		name string
		s    *model.Scenario
	}{{"one class", oneLimit()}, {"three classes", twoClasses()}} {
		tally := NewTally(c.s)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			events := 0
			for b.Loop() {
				tally.Reset()
				events = observePolls(tally, polls)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
		})
		b.Run(c.name+" finish", func(b *testing.B) {
			tally.Reset()
			observePolls(tally, polls)
			b.ReportAllocs()
			for b.Loop() {
				tally.Finish(model.Counts{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/polls, "ns/poll")
		})
	}
}

// observePolls is busy without a list of events, whose reading would count.
func observePolls(t *Tally, polls int) (events int) {
	var probe model.Probe = t
	e := model.Event{Kind: model.Enqueued, N: polls}
	probe.Observe(&e)
	job := int64(0)
	for i := range polls {
		at := gcra.Instant(i) * 100 * milli
		if i%3 == 0 {
			e = model.Event{Kind: model.Claimed, At: at, Job: job, N: 1}
			probe.Observe(&e)
			e.Kind, e.At = model.Finished, at+30*milli
			probe.Observe(&e)
			events += 2
			job++
		}
		e = model.Event{Kind: model.Deferred, At: at, Job: job, N: 2, Next: at, Step: time.Second}
		probe.Observe(&e)
		events++
	}
	return events
}
