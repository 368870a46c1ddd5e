package live

import (
	"slices"
	"sync"
	"time"

	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// Sample is how long something took that was about n jobs.
type Sample struct {
	N    int
	Took time.Duration
}

// Delays are what a run cost: each transaction from the write lock to the
// commit, and by how much each sleep was too long.
type Delays struct {
	mu        sync.Mutex
	ops       [sqlite.Finished + 1][]Sample
	overshoot []time.Duration
	jobs      []time.Duration // by how much jobs ran longer than they take
	polls     int64           // of workers
}

func (d *Delays) add(op sqlite.Op, n int, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops[op] = append(d.ops[op], Sample{n, took})
}

func (d *Delays) slept(over time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.overshoot = append(d.overshoot, max(over, 0))
}

// Of are the samples of a kind of transaction.
func (d *Delays) Of(op sqlite.Op) []Sample {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.ops[op])
}

func (d *Delays) ran(over time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.jobs = append(d.jobs, max(over, 0))
}

// Late is by how much jobs ran longer than they take: their sleeps are too
// long, as those of the loops are.
func (d *Delays) Late() []time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.jobs)
}

// Overshoot is by how much sleeps were too long.
func (d *Delays) Overshoot() []time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.overshoot)
}

// periods are the times between two polls of one actor that its timer alone
// brought about.
type periods struct {
	mu  sync.Mutex
	all []time.Duration
}

func (p *periods) add(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, d)
}

func (p *periods) list() []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}
