package main

import (
	"sync"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/sim"
)

// meter moves one bar over all replications of all scenarios.
type meter struct {
	bar       *report.Progress
	scenarios int

	mu      sync.Mutex
	current int // scenarios begun
	done    int // replications of this one
	part    int // how far it is, of fineness
}

// fineness is how many steps of the bar a scenario has.
const fineness = 1000

func (m *meter) next() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current++
	m.done, m.part = 0, 0
}

// step says that a replication is done. A scenario that runs as many as it
// takes is told in stretches that each begin at 1 again, and nobody knows how
// many are to come: the bar then creeps, and never goes back.
func (m *meter) step(done, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.part = max(m.part, fineness*m.done/(m.done+max(total-done, 0)+sim.LeastRuns/2))
	m.bar.Set((m.current-1)*fineness+m.part, m.scenarios*fineness)
}
