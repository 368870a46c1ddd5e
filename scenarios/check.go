package scenarios

import (
	"fmt"
	"math"
	"strings"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// What may be wrong though each value by itself is right.

const (
	maxJobs     = 50_000_000 // jobs of one scenario that can be counted beforehand
	bytesPerJob = 24         // what a waiting job takes in memory
)

func (r *reader) check(s *model.Scenario) {
	if s.Laravel == nil {
		r.checkLimits(s)
	}
	r.checkJobs(s)
	if s.Laravel == nil {
		r.checkReturn(s)
	} else {
		r.checkLaravel(s)
	}
	if r.jobsOK { // else a key may seem to mean nothing for another mistake
		r.checkExpect(s)
	}
}

// checkLimits asks the limiter itself and points at the key its sentence
// begins with.
func (r *reader) checkLimits(s *model.Scenario) {
	for i, l := range s.Limits {
		n := r.limitN[i]
		if n == nil {
			continue
		}
		err := validLimit(l)
		if err == nil {
			continue
		}
		r.jobsOK = false
		name, _, _ := strings.Cut(err.Error(), " ")
		at, path := n.get(name), "limits."+l.Name
		if at == nil {
			at = n
			if per := n.get("per"); per != nil {
				at = per
			}
		}
		r.fail(at, path, "%v", err)
	}
}

// validLimit says what is wrong with a limit for the limiter that keeps it.
func validLimit(l model.Limit) error {
	if l.Kind == model.GCRA {
		return l.Validate()
	}
	_, err := gcra.NewGate(string(l.Kind), l.Limit)
	return err
}

func (r *reader) checkJobs(s *model.Scenario) {
	all, come := 0, false
	waiting := make([]int, len(s.Limits)) // jobs known beforehand, by limit
	for i, c := range s.Classes {
		at, path := r.classN[i], fmt.Sprintf("jobs[%d]", i)
		n, finite := c.Arrivals.Total()
		if !finite {
			// Until the run is over, if it has a set end.
			n = int(min(c.Arrivals.PerSecond()*s.Until.Seconds(), math.MaxInt32))
		}
		come = come || c.Backlog > 0 || !c.Arrivals.None()
		sum := plus(c.Backlog, n)
		switch {
		case plus(all, c.Backlog) > maxJobs:
			r.fail(at.get("backlog"), path+".backlog", "a backlog of %d jobs %s", c.Backlog, tooMany(c.Backlog, all))
			continue
		case plus(all, sum) > maxJobs:
			r.fail(at.get("arrivals"), path+".arrivals", "arrivals of %d jobs %s", n, tooMany(sum, all))
			continue
		}
		all += sum
		if s.Laravel != nil || c.Limit < 0 || r.limitN[c.Limit] == nil || validLimit(s.Limits[c.Limit]) != nil {
			continue
		}
		l := s.Limits[c.Limit]
		if l.Kind != model.GCRA {
			continue // its burst may mean nothing, and with it the interval
		}
		before := waiting[c.Limit]
		waiting[c.Limit] = before + sum
		if most := int(math.MaxInt64 / int64(l.Interval())); waiting[c.Limit] > most && before <= most && s.Until == 0 {
			r.fail(r.limitN[c.Limit], "limits."+l.Name, "%d jobs at one every %s take over 292 years, want fewer jobs or a shorter interval",
				waiting[c.Limit], model.FormatDuration(l.Interval()))
		}
	}
	if !come && r.jobsOK {
		r.fail(r.root.get("jobs"), "jobs", "no job ever comes, want a class with a backlog or arrivals")
	}
}

// plus adds counts without wrapping round.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// tooMany ends a sentence about n jobs after others of earlier classes.
func tooMany(n, others int) string {
	with := ""
	if others > 0 {
		with = fmt.Sprintf(" with the %d of other classes", others)
	}
	return fmt.Sprintf("would take about %.0f GB%s, want at most 50,000,000 jobs in all", math.Ceil(float64(plus(n, others))*bytesPerJob/1e9), with)
}

// checkReturn finds what would wait for ever: jobs that nobody claims, and
// deferred jobs that no dispatcher brings back. A length of time to stop at
// makes it a question again, as does a policy that needs no dispatcher.
func (r *reader) checkReturn(s *model.Scenario) {
	if s.Until != 0 || !r.untilOK || !r.listsOK {
		return
	}
	if len(s.Workers) == 0 {
		r.fail(r.processNode("workers"), "workers", "there are none, so no job is ever claimed, want a worker such as - {threads: 3}, or until: and a length")
	}
	switch s.Rules.Wait.Kind {
	case model.WaitTail, model.WaitHold, model.WaitDrop:
		return
	}
	if len(s.Dispatchers) > 0 || !r.waitOK {
		return
	}
	for i, c := range s.Classes {
		if c.Limit >= 0 {
			r.fail(r.processNode("dispatchers"), "dispatchers", "there are none, so deferred jobs of %s (jobs[%d]) can never come back, want a dispatcher such as - {polling_interval: 1s}, or until: and a length", quote(c.Name), i)
			return
		}
	}
}

// processNode is where a missing dispatcher or worker can be told: the empty
// list, else the other list that makes it missing.
func (r *reader) processNode(name string) *node {
	for _, name := range []string{name, "workers", "dispatchers"} {
		if n := r.root.get(name); n != nil {
			return n
		}
	}
	return r.root
}

// checkExpect asks whether each key has a meaning in this scenario.
func (r *reader) checkExpect(s *model.Scenario) {
	for i, e := range s.Expect {
		if err := measure.Meaningful(s, e.Key); err != nil {
			r.fail(r.expectN[i], "expect", "%v", err)
		}
	}
}
