package live

import (
	"encoding/json"
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
	overshoot [2][]time.Duration // of the sleeps of dispatchers, of workers
	jobs      []time.Duration    // by how much jobs ran longer than they take
	polls     int64              // of workers
}

func (d *Delays) add(op sqlite.Op, n int, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops[op] = append(d.ops[op], Sample{n, took})
}

// The kinds of loops whose sleeps are told apart: a longer sleep ends later.
const (
	ofDispatcher = iota
	ofWorker
)

func (d *Delays) slept(of int, over time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.overshoot[of] = append(d.overshoot[of], max(over, 0))
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
	return slices.Concat(d.overshoot[ofDispatcher], d.overshoot[ofWorker])
}

// later is by how much more than the average sleep those of one kind were too
// long, in the mean.
func (d *Delays) later(of int) time.Duration {
	all := mean(d.Overshoot())
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.overshoot[of]) == 0 {
		return 0
	}
	return mean(d.overshoot[of]) - all
}

func mean(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sum := time.Duration(0)
	for _, d := range all {
		sum += d
	}
	return sum / time.Duration(len(all))
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

// delaysJSON is how a worker process tells its delays, in nanoseconds.
type delaysJSON struct {
	Ops       [sqlite.Finished + 1][]Sample
	Overshoot [2][]time.Duration
	Jobs      []time.Duration
	Polls     int64
}

// JSON is the delays for the process that started this one.
func (d *Delays) JSON() ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return json.Marshal(delaysJSON{d.ops, d.overshoot, d.jobs, d.polls})
}

// merge adds a worker process's delays. One that was cut off tells nothing.
func (d *Delays) merge(text []byte) {
	var more delaysJSON
	if json.Unmarshal(text, &more) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for op := range d.ops {
		d.ops[op] = append(d.ops[op], more.Ops[op]...)
	}
	for of := range d.overshoot {
		d.overshoot[of] = append(d.overshoot[of], more.Overshoot[of]...)
	}
	d.jobs = append(d.jobs, more.Jobs...)
	d.polls += more.Polls
}
