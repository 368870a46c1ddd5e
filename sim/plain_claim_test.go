package sim_test

import (
	"container/heap"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// plainClaim is the outcome of one claim.
type plainClaim struct {
	admitted []plainAdmitted
	deferred int
	dropped  int
	done     gcra.Instant
}

type plainAdmitted struct {
	job  *plainJob
	held bool
	from gcra.Instant // when its thread may start it, if held
}

// claim looks at the first n ready jobs, all on one reading of the clock.
func (p *plain) claim(n int, costs *model.Rand) (c plainClaim) {
	if n == 0 {
		c.done = p.now.Add(p.s.Timing.EmptyClaim.Draw(costs, 0))
		p.writing = c.done
		return c
	}
	var looked []*plainJob
	for range n {
		looked = append(looked, heap.Pop(&p.ready).(*plainJob))
	}
	cost := p.s.Timing.Claim.Draw(costs, n)
	var before time.Duration // from the begin to the reading of the clock
	if base, _, fixed := p.s.Timing.Claim.Fixed(); fixed {
		before = base * 19 / 30
	} else {
		before = cost / 30 * 19
	}
	clock := p.now.Add(before)
	for _, j := range looked {
		if l := p.s.Classes[j.class].Limit; l >= 0 && p.s.Timing.Parallel {
			clock = max(clock, p.unlocked[l])
		}
	}
	c.done = clock.Add(cost - before)
	p.writing = c.done
	for _, j := range looked {
		l := p.s.Classes[j.class].Limit
		if l < 0 || p.gates[l].check(clock, p.s.Rules.CapAlways) {
			p.tell(model.Claimed, clock, j).since = j.since
			c.admitted = append(c.admitted, plainAdmitted{job: j})
		} else {
			p.refuse(&c, j, l, clock)
		}
		if l >= 0 {
			p.unlocked[l] = c.done
		}
	}
	return c
}

// refuse does with a job what the wait policy says.
func (p *plain) refuse(c *plainClaim, j *plainJob, l int, clock gcra.Instant) {
	g := p.gates[l]
	next := gcra.Never
	switch p.s.Rules.Wait.Kind {
	case model.WaitDrop:
		p.tell(model.Dropped, clock, j)
		c.dropped++
		return
	case model.WaitHold:
		from := g.reserve(clock)
		c.admitted = append(c.admitted, plainAdmitted{j, true, from})
		return
	case model.WaitSlots:
		next = g.slot(clock, gcra.Horizon)
	case model.WaitUnlimited:
		next = g.slot(clock, 0)
	case model.WaitDelay, model.WaitBackoff:
		next = clock.Add(p.delay(j))
	}
	c.deferred++
	p.tell(model.Deferred, clock, j).next = next
	p.commit(c.done, func() {
		if next == gcra.Never {
			p.toReady(j)
		} else {
			j.due = next
			heap.Push(&p.scheduled, j)
		}
	})
}

// delay draws a job's next wait.
func (p *plain) delay(j *plainJob) time.Duration {
	j.waits++
	draws := model.JobRand(p.seed, p.run, j.id+j.waits<<40)
	w := p.s.Rules.Wait
	if w.Kind == model.WaitDelay {
		return w.Delay.Draw(&draws, 1)
	}
	power := time.Duration(1)
	for range w.Power {
		power *= time.Duration(j.waits)
	}
	d := w.Base*power + w.Plus
	return d + time.Duration(float64(d)*w.Jitter*draws.Float64())
}
