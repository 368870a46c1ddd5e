package sim_test

import (
	"testing"

	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// BenchmarkLaravelPops is the largest row of the published table: 3,000 jobs
// behind Redis::throttle, half a million pops in a run. It says what a pop
// costs and that none of them allocates.
func BenchmarkLaravelPops(b *testing.B) {
	for _, name := range []string{"laravel-redis-throttle-3000", "laravel-job-throttle-3000"} {
		b.Run(name, func(b *testing.B) {
			all, err := scenarios.Find(name)
			if err != nil {
				b.Fatal(err)
			}
			m, tally := sim.NewMachine(all[0]), measure.NewTally(all[0])
			if _, err := m.Run(1, 0, tally); err != nil { // builds what later runs use again
				b.Fatal(err)
			}
			b.ReportAllocs()
			var pops int64
			for run := 1; b.Loop(); run++ {
				tally.Reset()
				c, err := m.Run(1, run, tally)
				if err != nil {
					b.Fatal(err)
				}
				pops += c.Laravel.Pops
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pops), "ns/pop")
		})
	}
}
