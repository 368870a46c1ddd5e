package tune

import (
	"fmt"
	"math"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// Question is what suggest is asked: a setting without its burst.
type Question struct {
	// Setting is a scenario with one limit and one class of jobs, whose burst
	// and, unless Backlog is given, backlog are filled in for each candidate.
	Setting  *model.Scenario
	From, To int     // the bursts to judge; 0: 1, and as many as the limit has
	Backlog  int     // waiting jobs; 0: enough for a steady drain
	AtOnce   int     // the most a quiet budget may admit; 0: no bound
	KeepUp   float64 // the share of its declared drain at which a burst keeps up, such as 0.95
	Drain    float64 // the drain to reach by polling faster, per second; 0: none
	Seed     uint64
	Runs     int // replications of each candidate; 0: as many as it takes
	Jobs     int // how many run side by side
	Progress func(done, total int)
}

// Finding is a candidate: the limit with its burst, and what was measured.
type Finding struct {
	Limit   gcra.Limit
	Runs    []*measure.Run
	Stats   measure.Stats
	KeepsUp bool
	BoundBy string // what held its drain back
	// Unsure is true when the interval of the drain ratio holds the bound, so
	// that more runs might change KeepsUp.
	Unsure bool
}

// DrainPerS is the drain of the candidate's backlog.
func (f *Finding) DrainPerS() measure.Stat { return f.Stats[measure.DrainPerS] }

// Answer is what was found.
type Answer struct {
	Backlog    int // of each candidate
	Suggested  *Finding
	KeepsUp    bool // false: none does, and Suggested drains fastest
	Candidates []*Finding
	Fastest    *Finding
	Ties       []int // bursts within a hundredth of the fastest drain, Fastest's among them
	Nearby     []Nearby
	Reach      *Nearby // the cheapest polls that reach the drain asked for; nil: none do, or none was asked for
	Slowdown   Slowdown
}

// Nearby is the answer with other polls.
type Nearby struct {
	Dispatcher, Worker time.Duration
	Suggested          *Finding
}

// QueriesPerS are the statements a second that its dispatchers and workers
// cost while they drain the backlog.
func (n Nearby) QueriesPerS() float64 { return n.Suggested.Stats[measure.QueriesPerS].Value }

// Slowdown says how much slower claims may get before another burst would be
// suggested.
type Slowdown struct {
	Keeps   float64 // so many times as slow: the same burst still
	Changes float64 // so many times as slow: Burst; 0: not found within MostSlowdown
	Burst   int
	Claim   model.Dist // claims that are Keeps times as slow
	Over    model.Dist // claims that are Changes times as slow
}

// with is the setting with a burst and a backlog of its own.
func (q *Question) with(burst, backlog int) *model.Scenario {
	s := *q.Setting
	l := s.Limits[0]
	l.Burst = burst
	s.Limits = []model.Limit{l}
	c := s.Classes[0]
	c.Backlog = backlog
	s.Classes = []model.Class{c}
	return &s
}

// polling is the question with other polls.
func (q *Question) polling(dispatcher, worker time.Duration) *Question {
	s := *q.Setting
	s.Dispatchers = append([]model.Dispatcher(nil), s.Dispatchers...)
	for i := range s.Dispatchers {
		s.Dispatchers[i].Interval = dispatcher
	}
	s.Workers = append([]model.Worker(nil), s.Workers...)
	for i := range s.Workers {
		s.Workers[i].Interval = worker
	}
	p := *q
	p.Setting = &s
	return &p
}

// claiming is the question with claims f times as slow.
func (q *Question) claiming(f float64) *Question {
	s := *q.Setting
	s.Timing.Claim = s.Timing.Claim.Scale(f)
	p := *q
	p.Setting = &s
	return &p
}

// limit is the limit that is asked about, without a burst.
func (q *Question) limit() gcra.Limit { return q.Setting.Limits[0].Limit }

// Polls are the polling intervals of the dispatchers and of the workers.
func (q *Question) Polls() (dispatcher, worker time.Duration) { return q.period(), q.worker() }

// period is how often the dispatchers look, the most seldom of them.
func (q *Question) period() (d time.Duration) {
	for i := range q.Setting.Dispatchers {
		d = max(d, q.Setting.Dispatchers[i].Interval)
	}
	return d
}

// worker is how often the workers look, the most seldom of them.
func (q *Question) worker() (w time.Duration) {
	for i := range q.Setting.Workers {
		w = max(w, q.Setting.Workers[i].Interval)
	}
	return w
}

// How many jobs make a steady drain: many times the burst, so that it lies
// within the first tenth, which the slope leaves out, and many dispatcher
// cycles; but of a slow limit no more than it takes.
const (
	backlogUsual  = 600
	backlogLeast  = 60
	backlogBursts = 10
	backlogCycles = 60
	backlogLong   = time.Hour
)

// backlog is how many jobs wait at time 0.
func (q *Question) backlog() int {
	if q.Backlog > 0 {
		return q.Backlog
	}
	l := q.limit()
	perSecond := float64(l.To) / l.Per.Seconds()
	usual := float64(backlogUsual)
	if long := backlogLong.Seconds() * perSecond; long < usual {
		usual = max(long, backlogLeast)
	}
	return int(max(usual, float64(backlogBursts*l.To), backlogCycles*q.period().Seconds()*perSecond))
}

// TooLong is a question whose backlog would not be drained within the range of
// time: 292 years.
type TooLong struct {
	Jobs     int
	Interval time.Duration
}

func (e *TooLong) Error() string {
	return fmt.Sprintf("%d jobs one every %s take over 292 years, want fewer or a shorter time", e.Jobs, model.FormatDuration(e.Interval))
}

// MostJobs is the largest backlog that is run.
const MostJobs = 50_000_000

// Check says why a question can't be asked.
func (q *Question) Check() error {
	n := q.backlog()
	if n > MostJobs {
		return fmt.Errorf("%d jobs are too many to simulate, want at most %d", n, MostJobs)
	}
	l := q.limit()
	l.Burst = l.To
	if q.To > 0 {
		l.Burst = min(l.Burst, q.To)
	}
	if t := l.Interval(); int64(n) > math.MaxInt64/2/int64(t) {
		return &TooLong{n, t}
	}
	return nil
}
