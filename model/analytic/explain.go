package analytic

import (
	"fmt"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Question is a setting to explain.
type Question struct {
	Limit              gcra.Limit
	Dispatcher, Worker time.Duration   // polling intervals; 0: no polls
	Backlog            int             // waiting jobs; 0: none given
	Bucket             int             // a token bucket to compare with; 0: only those of the burst and of to
	Lengths            []time.Duration // windows to say the most for
}

// Polls is true when the question names polls.
func (q Question) Polls() bool { return q.Dispatcher > 0 }

// Explanation is what a setting promises and what it costs.
type Explanation struct {
	Question
	Windows  []Held // the most in any window of each length
	Thumb    int    // the rule of thumb's burst
	Fits     bool   // it does not exceed to
	Polled   Polled
	Best     int // the burst with the highest polled drain
	Clears   time.Duration
	Cost     Clearing // with polls: of the backlog
	Quickest int      // the burst that clears the backlog soonest by the limit alone
	Frontier []Step
	Others   []Limiter
	Warnings []string
}

// Held is the most that starts in any window of a length.
type Held struct {
	Length time.Duration
	Most   int
}

// Step is one burst on the frontier between much at once and a quick drain.
type Step struct {
	Limit  gcra.Limit
	Most   int           // in any window of per
	Clears time.Duration // the backlog, by the limit alone
	Polled Polled        // with polls
	Cost   Clearing      // with polls: of the backlog
}

// Explain answers the question.
func Explain(q Question) *Explanation {
	l := q.Limit
	e := &Explanation{
		Question: q,
		Clears:   ClearsIn(l, q.Backlog),
		Quickest: QuickestFor(q.Backlog, l.To, l.Per),
		Others:   Others(l.To, l.Per, l.Burst, l.To, q.Bucket),
	}
	for _, w := range q.Lengths {
		e.Windows = append(e.Windows, Held{w, MostIn(l, w)})
	}
	show := []int{l.Burst, q.Backlog, e.Quickest}
	if q.Polls() {
		e.Thumb, e.Fits = RuleOfThumb(l.To, l.Per, q.Dispatcher+q.Worker)
		e.Polled = PolledDrain(l, q.Dispatcher)
		e.Best = BestPolled(l.To, l.Per, q.Dispatcher)
		e.Cost = PolledClearing(l, q.Backlog, q.Dispatcher)
		show = append(show, e.Thumb, e.Best)
	}
	for _, b := range Bursts(l.To, show...) {
		s := gcra.Limit{To: l.To, Per: l.Per, Burst: b}
		if s.Validate() != nil {
			continue
		}
		step := Step{Limit: s, Most: MostIn(s, s.Per), Clears: ClearsIn(s, q.Backlog)}
		if q.Polls() {
			step.Polled = PolledDrain(s, q.Dispatcher)
			step.Cost = PolledClearing(s, q.Backlog, q.Dispatcher)
		}
		e.Frontier = append(e.Frontier, step)
	}
	e.Warnings = e.warn()
	return e
}

// Bursts are the bursts worth a line: all of them up to 12, else steps of
// about two, and those that are asked for.
func Bursts(to int, show ...int) []int {
	var all []int
	if to <= 12 {
		for b := 1; b <= to; b++ {
			all = append(all, b)
		}
		return all
	}
	for ten := 1; ten <= to && ten > 0; ten *= 10 {
		for _, m := range []int{1, 2, 5} {
			all = append(all, m*ten)
		}
	}
	all = append(append(all, to, to/2), show...)
	all = slices.DeleteFunc(all, func(b int) bool { return b < 1 || b > to })
	slices.Sort(all)
	return slices.Compact(all)
}

// warn says what somebody who chose these numbers may not have meant.
func (e *Explanation) warn() []string {
	var w []string
	l := e.Limit
	if e.Polls() {
		switch {
		case !e.Fits:
			w = append(w, fmt.Sprintf("per is too short for these polls: the rule of thumb asks for burst %d, above to, which is %d; poll more often, or accept a slower drain", e.Thumb, l.To))
		case l.Burst < e.Thumb:
			w = append(w, fmt.Sprintf("burst %d is below the %d that the rule of thumb asks for with these polls: a backlog will lag behind the declared drain", l.Burst, e.Thumb))
		}
	}
	if l.Burst == l.To && l.To > 1 {
		w = append(w, fmt.Sprintf("burst equals to: after %d at once only one job starts in every per", l.Burst))
	}
	if big := e.Bucket; big > 2*l.To {
		b := Limiter{model.TokenBucket, l.To, l.Per, big}
		w = append(w, fmt.Sprintf("a token bucket of %d lets through %d times what its rate says in the first per", big, b.FirstIn(l.Per)/l.To))
	}
	return w
}
