package model

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Arrivals is how jobs of a class come after time 0: any number of parts, each
// with times of its own. The zero value: none do. Think of it as a timetable;
// [Arrivals.Start] begins one journey through it, and the timetable is shared.
type Arrivals struct{ parts []part }

// part is one source of arrivals.
type part interface {
	// start begins the part's times; it may keep r.
	start(r Rand) cursor
	// total is how many jobs come in all, last when the last one does; false
	// when they never end.
	total() (n int, last gcra.Instant, finite bool)
	perSecond() float64 // of an endless part
	String() string
}

// None is true when no job ever comes.
func (a Arrivals) None() bool { return len(a.parts) == 0 }

// Total is how many jobs come in all; false when they never end.
func (a Arrivals) Total() (n int, finite bool) {
	for _, p := range a.parts {
		more, _, finite := p.total()
		if !finite {
			return 0, false
		}
		n += more // at most a few parts of maxJobs each
	}
	return n, true
}

// Last is the instant of the last arrival; false when they never end, or none
// ever comes.
func (a Arrivals) Last() (gcra.Instant, bool) {
	var last gcra.Instant
	for _, p := range a.parts {
		_, at, finite := p.total()
		if !finite {
			return 0, false
		}
		last = max(last, at)
	}
	return last, len(a.parts) > 0
}

// PerSecond is the long-run rate of endless arrivals, 0 for finite ones.
func (a Arrivals) PerSecond() float64 {
	sum := 0.0
	for _, p := range a.parts {
		sum += p.perSecond()
	}
	return sum
}

// Start begins the stream of one run: what r draws belongs to the class. Each
// part draws from a stream of its own, so that one more part, written last,
// leaves the times of the others alone.
func (a Arrivals) Start(r Rand) *Stream {
	s := &Stream{cursors: make([]cursor, len(a.parts))}
	for i, p := range a.parts {
		s.cursors[i] = p.start(Rand{r.Uint64()})
	}
	return s
}

// String is the arrivals as ParseArrivals reads them.
func (a Arrivals) String() string {
	if a.None() {
		return "none"
	}
	texts := make([]string, len(a.parts))
	for i, p := range a.parts {
		texts[i] = p.String()
	}
	return strings.Join(texts, " + ")
}

// Stream hands out the arrivals of one run in order of time. It belongs to one
// goroutine.
type Stream struct{ cursors []cursor }

// Next is the instant of the next arrival and how many jobs come at it; false
// when no more do. Parts that arrive at the same instant come one after the
// other in the order they are written. It never allocates.
func (s *Stream) Next() (at gcra.Instant, n int, ok bool) {
	at = gcra.Never
	first := -1
	for i := range s.cursors {
		if c := &s.cursors[i]; c.n > 0 && c.at < at {
			at, first = c.at, i
		}
	}
	if first < 0 {
		return gcra.Never, 0, false
	}
	c := &s.cursors[first]
	n = c.n
	c.advance()
	return at, n, true
}

// cursor is where one part has got to: n jobs come at at. n is 0 when no more
// do. It is one struct for all kinds of parts, so that a stream is one slice
// and going on is one switch.
type cursor struct {
	at   gcra.Instant
	n    int
	kind cursorKind
	step time.Duration // of every
	i    int           // place in minutes or trace
	hour gcra.Instant  // of cron: when this one began

	minutes []int
	trace   []tracePoint

	r     Rand
	gap   float64 // of poisson: the mean gap, ns
	carry float64 // and the part of a nanosecond left over, so that rounding never adds up
}

type cursorKind uint8

const (
	once cursorKind = iota
	steady
	minutely
	traced
	random
)

type tracePoint struct {
	at gcra.Instant
	n  int
}

func (c *cursor) advance() {
	switch c.kind {
	case once:
		c.n = 0
	case steady:
		c.goTo(c.at.Add(c.step))
	case minutely:
		if c.i++; c.i == len(c.minutes) {
			c.i = 0
			c.hour = c.hour.Add(time.Hour)
		}
		c.goTo(c.hour.Add(time.Duration(c.minutes[c.i]) * time.Minute))
	case traced:
		if c.i++; c.i == len(c.trace) {
			c.n = 0
			return
		}
		c.at, c.n = c.trace[c.i].at, c.trace[c.i].n
	case random:
		c.draw()
	}
}

// goTo sets the next time; there is no next one past the end of time.
func (c *cursor) goTo(at gcra.Instant) {
	if c.at = at; at == gcra.Never {
		c.n = 0
	}
}

// draw goes on by an exponential gap.
func (c *cursor) draw() {
	gap := c.carry - mul(c.gap, ln(c.r.Float64()))
	if gap >= math.MaxInt64 {
		c.goTo(gcra.Never)
		return
	}
	whole := math.Floor(gap)
	c.carry = gap - whole
	c.goTo(c.at.Add(time.Duration(whole)))
}

// poisson is a stream without memory: n jobs per per in the mean, at any time
// as likely as at any other.
type poisson struct {
	n   float64
	per time.Duration
}

func (p poisson) start(r Rand) cursor {
	c := cursor{kind: random, n: 1, r: r, gap: float64(p.per) / p.n}
	c.draw()
	return c
}
func (p poisson) total() (int, gcra.Instant, bool) { return 0, 0, false }
func (p poisson) perSecond() float64               { return p.n / p.per.Seconds() }
func (p poisson) String() string                   { return "poisson " + FormatRate(p.n, p.per) }

// every is n jobs each step, the first ones one step after time 0.
type every struct {
	step time.Duration
	n    int
}

func (p every) start(Rand) cursor {
	return cursor{kind: steady, at: gcra.Instant(p.step), n: p.n, step: p.step}
}
func (p every) total() (int, gcra.Instant, bool) { return 0, 0, false }
func (p every) perSecond() float64               { return float64(p.n) / p.step.Seconds() }
func (p every) String() string                   { return "every " + FormatDuration(p.step) + times(p.n) }

// dated is n jobs at one instant.
type dated struct {
	n  int
	at time.Duration
}

func (p dated) start(Rand) cursor                { return cursor{kind: once, at: gcra.Instant(p.at), n: p.n} }
func (p dated) total() (int, gcra.Instant, bool) { return p.n, gcra.Instant(p.at), true }
func (p dated) perSecond() float64               { return 0 }
func (p dated) String() string                   { return itoa(p.n) + " at " + FormatDuration(p.at) }

// cron is n jobs at these minutes of every hour, sorted; time 0 is minute 0.
type cron struct {
	minutes []int
	n       int
}

func (p cron) start(Rand) cursor {
	return cursor{kind: minutely, at: gcra.Instant(p.minutes[0]) * gcra.Instant(time.Minute), n: p.n, minutes: p.minutes}
}
func (p cron) total() (int, gcra.Instant, bool) { return 0, 0, false }
func (p cron) perSecond() float64 {
	return float64(p.n) * float64(len(p.minutes)) / time.Hour.Seconds()
}
func (p cron) String() string {
	texts := make([]string, len(p.minutes))
	for i, m := range p.minutes {
		texts[i] = itoa(m)
	}
	return "cron " + strings.Join(texts, ",") + times(p.n)
}

// trace is what a file says, in order of time.
type trace struct {
	file   string
	points []tracePoint // never empty
	jobs   int
}

func newTrace(file string, points []tracePoint) *trace {
	t := &trace{file: file, points: points}
	for _, p := range points {
		t.jobs += p.n
	}
	return t
}

func (p *trace) start(Rand) cursor {
	return cursor{kind: traced, at: p.points[0].at, n: p.points[0].n, trace: p.points}
}
func (p *trace) total() (int, gcra.Instant, bool) { return p.jobs, p.points[len(p.points)-1].at, true }
func (p *trace) perSecond() float64               { return 0 }
func (p *trace) String() string                   { return "trace " + quoteName(p.file) }

// inOrder sorts points by time and adds up those at one instant.
func inOrder(points []tracePoint) []tracePoint {
	byTime := func(a, b tracePoint) int {
		if a.at < b.at {
			return -1
		}
		if a.at > b.at {
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(points, byTime) {
		slices.SortFunc(points, byTime)
	}
	out := points[:0]
	for _, p := range points {
		if last := len(out) - 1; last >= 0 && out[last].at == p.at {
			out[last].n = min(out[last].n+p.n, maxJobs)
			continue
		}
		out = append(out, p)
	}
	return out
}
