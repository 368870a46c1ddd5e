package sim

import (
	"slices"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/provider"
)

// calls are those of the jobs of a queue that does not hear of a refusal: each
// arrives at the provider some time after its job was claimed. They are counted
// when the run is over, in the order in which they arrived.
type calls struct {
	probe    model.Probe
	provider *provider.Provider
	latency  model.Dist
	seed     uint64
	run      int
	arrived  []gcra.Instant
}

// ofCalls keeps the draws of calls apart from those of service times, which
// belong to the same jobs.
const ofCalls = 0x5851F42D4C957F2D

// Observe is model.Probe's.
func (c *calls) Observe(e *model.Event) {
	if e.Kind == model.Claimed {
		e.Each(func(one model.Event) {
			r := model.JobRand(c.seed^ofCalls, c.run, one.Job)
			c.arrived = append(c.arrived, one.At.Add(c.latency.Draw(&r, 1)))
		})
	}
	if c.probe != nil {
		c.probe.Observe(e)
	}
}

// count is what came to the provider.
func (c *calls) count() model.ProviderCounts {
	slices.Sort(c.arrived)
	c.provider.Reset(0)
	for _, at := range c.arrived {
		c.provider.Call(at)
	}
	return c.provider.Counts()
}
