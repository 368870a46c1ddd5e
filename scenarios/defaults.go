package scenarios

import (
	"time"

	"github.com/ratesim/ratesim/model"
)

// What a scenario has when its file is silent, all in one place.

// DefaultTiming is what `timing: default` means: the costs measured on a real
// Solid Queue over SQLite, with random phases.
func DefaultTiming() model.Timing {
	return model.Timing{
		Dispatch:      dist("4.2ms + 0.25ms per job"),
		EmptyDispatch: dist("1.6ms"),
		Claim:         dist("3.0ms + 0.1ms per job"),
		EmptyClaim:    dist("1.1ms"),
		Overshoot:     dist("0.55ms"),
		JobCPU:        dist("5.3ms"),
		PeriodSpread:  time.Millisecond,
		RandomPhase:   true,
	}
}

// NoTiming is what `timing: none` means: nothing costs time, and a first poll
// is at 0 unless its dispatcher or worker says otherwise.
func NoTiming() model.Timing { return model.Timing{} }

// timingOf is the timing of a system whose file says nothing of it, and what
// fills the gaps of one that says something. A plain queue has no costs known.
func timingOf(s model.System) model.Timing {
	if s == model.Polls {
		return NoTiming()
	}
	return DefaultTiming()
}

// DefaultRules are the habits of a system. The zero system has Solid Queue's.
func DefaultRules(s model.System) model.Rules {
	if s == model.Polls {
		return model.Rules{
			Wake: model.WakeNever, DispatchAgain: model.AgainNever, Grid: true, FIFO: true,
			Wait: model.Wait{Kind: model.WaitSlots},
		}
	}
	return model.Rules{
		Wake: model.WakeOnFinish, DispatchAgain: model.AgainNonempty, ClaimsAgain: 5,
		Wait: model.Wait{Kind: model.WaitSlots},
	}
}

// DefaultDispatcher is a dispatcher of which nothing is said.
func DefaultDispatcher() model.Dispatcher {
	return model.Dispatcher{Interval: time.Second, Batch: 500}
}

// DefaultWorker is a worker of which nothing is said.
func DefaultWorker() model.Worker {
	return model.Worker{Queues: []string{"*"}, Threads: 3, Processes: 1, Interval: 100 * time.Millisecond}
}

// DefaultTakes is how long a job runs if its class does not say.
func DefaultTakes() model.Dist { return dist("10ms") }

func defaultClass() model.Class {
	return model.Class{Limit: -1, Queue: "default", Takes: DefaultTakes()}
}

func defaultLimit(name string) model.Limit {
	l := model.Limit{Name: name, Kind: model.GCRA}
	l.Burst = 1
	return l
}

// dist reads a delay that is known to be right.
func dist(s string) model.Dist {
	d, err := model.ParseDist(s, nil)
	if err != nil {
		panic(err)
	}
	return d
}
