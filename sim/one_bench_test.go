package sim

import (
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/measure"
)

// BenchmarkRun is one replication as suggest runs them: 600 jobs, default
// costs, the whole summary.
func BenchmarkRun(b *testing.B) {
	s := &model.Scenario{
		System:      model.SolidQueue,
		Limits:      []model.Limit{{Name: "limit", Limit: gcra.Limit{To: 10, Per: time.Second, Burst: 6}, Kind: model.GCRA}},
		Classes:     []model.Class{{Name: "Job", Backlog: 600, Takes: scenarios.DefaultTakes()}},
		Dispatchers: []model.Dispatcher{scenarios.DefaultDispatcher()}, Workers: []model.Worker{scenarios.DefaultWorker()},
		Timing: scenarios.DefaultTiming(), Rules: scenarios.DefaultRules(model.SolidQueue),
	}
	m, t := NewMachine(s), measure.NewTally(s)
	b.ReportAllocs()
	run := 0
	for b.Loop() {
		run++
		t.Reset()
		c, err := m.Run(1, run, t)
		if err != nil {
			b.Fatal(err)
		}
		t.Finish(c)
	}
}
