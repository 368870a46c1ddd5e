package queuetest

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
)

const (
	ms     = time.Millisecond
	us     = time.Microsecond
	sec    = time.Second
	minute = time.Minute
)

func cases() []kase {
	// One every 100ms; one every 200ms; three at once, then one every third of
	// a second, rounded up; one every 2 minutes.
	tenth := gcra.Limit{To: 10, Per: sec, Burst: 1}
	fifth := gcra.Limit{To: 5, Per: sec, Burst: 1}
	three := gcra.Limit{To: 5, Per: sec, Burst: 3}
	slow := gcra.Limit{To: 1, Per: 2 * minute, Burst: 1}
	return []kase{
		{
			name: "an empty queue",
			classes: []class{
				{limit: -1},
			},
			steps: []step{
				dispatch(0, 500, 0),
				claim(0, 3, 0),
			},
		},
		{
			name: "claims go by priority, then id",
			classes: []class{
				{limit: -1, priority: 1},
				{limit: -1, priority: 0},
				{limit: -1, priority: -7},
			},
			steps: []step{
				enqueue(0, 0, 3),
				enqueue(0, 1, 2),
				claim(10*ms, 4, 0, 4, 5, 1, 2),
				enqueue(20*ms, 2, 1),
				claim(30*ms, 10, 0, 6, 3),
				claim(40*ms, 10, 0),
			},
		},
		{
			name:    "refused jobs get one slot each, and come back in the order of ids",
			limits:  []gcra.Limit{tenth},
			classes: []class{{limit: 0}},
			steps: []step{
				enqueue(0, 0, 4),
				claim(0, 4, 3, 1), // 2, 3, 4 at 100, 200, 300ms
				dispatch(99*ms, 500, 0),
				dispatch(100*ms, 500, 1), // due now is due
				dispatch(250*ms, 500, 1),
				claim(250*ms, 10, 1, 2), // 3: one slot after the last, at 400ms
				dispatch(300*ms, 500, 1),
				dispatch(399*ms, 500, 0),
				dispatch(400*ms, 500, 1),
				claim(400*ms, 10, 1, 3), // 4 became ready first, yet 3 goes before it
				dispatch(499*ms, 500, 0),
				dispatch(500*ms, 500, 1),
				claim(500*ms, 10, 0, 4),
			},
		},
		{
			name:    "a burst at once, then the interval, to the microsecond",
			limits:  []gcra.Limit{three},
			classes: []class{{limit: 0}},
			steps: []step{
				enqueue(0, 0, 8),
				claim(0, 5, 2, 1, 2, 3),
				dispatch(333333*us, 500, 0),
				dispatch(333334*us, 500, 1),
				claim(333334*us, 1, 0, 4),
				claim(333334*us, 1, 1), // 6
				dispatch(666667*us, 500, 0),
				dispatch(666668*us, 500, 1),
				claim(666668*us, 9, 2, 5), // 7 and 8
				// Nothing passes for long: the budget holds three again.
				dispatch(10*sec, 500, 3),
				enqueue(10*sec, 0, 1),
				claim(10*sec, 9, 1, 6, 7, 8),
			},
		},
		{
			name:    "no slot lies past the horizon",
			limits:  []gcra.Limit{slow},
			classes: []class{{limit: 0}},
			steps: []step{
				enqueue(0, 0, 5),
				claim(0, 5, 4, 1), // 2 and 3 at 2 and 4 minutes, the others look again at 5
				dispatch(5*minute-ms, 500, 2),
				dispatch(5*minute, 500, 2),
				// 3 and 4: not before the budget admits, at 7 and 9 minutes,
				// for 4 and 5 had no slots. 5 looks again at 10.
				claim(5*minute, 4, 3, 2),
				dispatch(7*minute, 500, 1),
				claim(7*minute, 4, 0, 3),
				dispatch(9*minute, 500, 1),
				claim(9*minute, 4, 0, 4),
				dispatch(10*minute-ms, 500, 0),
				dispatch(10*minute, 500, 1),
				claim(10*minute, 4, 1), // refused: 4 passed a minute ago
			},
		},
		{
			name:    "a slot at the horizon itself is taken",
			limits:  []gcra.Limit{{To: 2, Per: 5 * minute, Burst: 1}},
			classes: []class{{limit: 0}},
			steps: []step{
				enqueue(0, 0, 4),
				claim(0, 2, 1, 1), // 2 at 2.5 minutes
				claim(0, 1, 1),    // 3 at 5
				claim(0, 1, 1),    // 4 has none, at 5
				dispatch(150*sec, 500, 1),
				claim(150*sec, 1, 0, 2),
				enqueue(200*sec, 0, 1),
				claim(200*sec, 1, 1), // 5: after 3's slot, at 7.5 minutes
				dispatch(450*sec-ms, 500, 2),
				dispatch(450*sec, 500, 1),
			},
		},
		{
			name:    "a dispatch goes by time, then priority, then id, as far as its batch",
			limits:  []gcra.Limit{tenth, tenth, fifth},
			classes: []class{{limit: 0, priority: 1}, {limit: 1, priority: 0}, {limit: 2, priority: -1}},
			steps: []step{
				enqueue(0, 0, 3), // 1-3
				enqueue(0, 1, 2), // 4-5
				enqueue(0, 2, 2), // 6-7
				claim(0, 9, 4, 6, 4, 1),
				// Due: 5 and 2 at 100ms, 7 and 3 at 200ms.
				dispatch(sec, 1, 1),
				claim(sec, 9, 0, 5),
				dispatch(sec, 1, 1),
				claim(sec, 9, 0, 2),
				dispatch(2*sec, 1, 1),
				claim(2*sec, 9, 0, 7),
				dispatch(2*sec, 2, 1),
				claim(2*sec, 9, 0, 3),
			},
		},
		{
			name:    "due is what was due before the wait for the database",
			limits:  []gcra.Limit{tenth},
			classes: []class{{limit: 0}},
			steps: []step{
				enqueue(0, 0, 2),
				claim(0, 2, 1, 1),
				lateDispatch(99*ms, 150*ms, 500, 0),
				lateDispatch(100*ms, 150*ms, 500, 1),
			},
		},
		{
			name:    "unlimited jobs pass while limited ones wait, once a claim looks at them",
			limits:  []gcra.Limit{tenth},
			classes: []class{{limit: 0}, {limit: -1}},
			steps: []step{
				enqueue(0, 0, 4),
				enqueue(0, 1, 2),
				claim(0, 3, 2, 1), // a claim looks at as many jobs as it has threads, and no further
				claim(0, 2, 1, 5),
				claim(0, 3, 0, 6),
			},
		},
		{
			name:    "two limits don't know of each other",
			limits:  []gcra.Limit{tenth, fifth},
			classes: []class{{limit: 0}, {limit: 1}},
			steps: []step{
				enqueue(0, 0, 2), // 1-2
				enqueue(0, 1, 2), // 3-4
				claim(0, 4, 2, 1, 3),
				dispatch(100*ms, 500, 1),
				claim(100*ms, 4, 0, 2),
				dispatch(199*ms, 500, 0),
				dispatch(200*ms, 500, 1),
				claim(200*ms, 4, 0, 4),
			},
		},
		{
			name:    "classes of one limit share its budget and its slots",
			limits:  []gcra.Limit{tenth},
			classes: []class{{limit: 0}, {limit: 0}},
			steps: []step{
				enqueue(0, 0, 2), // 1-2
				enqueue(0, 1, 2), // 3-4
				claim(0, 4, 3, 1),
				dispatch(200*ms, 500, 2),
				claim(200*ms, 4, 1, 2),
			},
		},
		{
			name:    "a refused job comes back at the front of its priority",
			limits:  []gcra.Limit{tenth},
			classes: []class{{limit: 0, priority: 1}, {limit: -1, priority: 1}, {limit: -1, priority: 0}},
			steps: []step{
				enqueue(0, 0, 2), // 1-2
				claim(0, 2, 1, 1),
				enqueue(50*ms, 1, 2), // 3-4
				enqueue(50*ms, 2, 1), // 5
				dispatch(100*ms, 500, 1),
				claim(100*ms, 2, 0, 5, 2),
				claim(100*ms, 2, 0, 3, 4),
			},
		},
	}
}
