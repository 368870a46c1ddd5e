package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// The types of flag values. Each gives, in String, the text that Set reads,
// and an error that says what is wanted; flagError puts the flag before it.

// article describes a flag's type for "no value, want …".
func article(typ string) string {
	switch typ {
	case "D":
		return "a length such as 1s"
	case "D[,W]":
		return "one or two lengths such as 1s,0.1s"
	case "N":
		return "a whole number"
	case "N|A..B":
		return "a whole number or a range such as 2..8"
	case "RATE":
		return "a rate such as 5/s"
	case "NAME|N":
		return "a column's name or its number"
	case "DIST":
		return "a delay such as 50ms or exp(50ms)"
	}
	if strings.Contains(typ, "|") {
		return "one of " + strings.ReplaceAll(typ, "|", ", ")
	}
	return "a value"
}

// duration is a length of time above zero.
type duration time.Duration

func (d *duration) String() string {
	if d == nil || *d == 0 {
		return ""
	}
	return trimZeros(time.Duration(*d).String())
}
func (d *duration) Type() string { return "D" }
func (d *duration) Set(s string) error {
	v, err := model.ParseDuration(s)
	if err != nil {
		return err
	}
	if v <= 0 {
		return fmt.Errorf("%s is not above 0, want a length such as 1s", s)
	}
	*d = duration(v)
	return nil
}

// trimZeros writes 1m0s as 1m and 1h0m0s as 1h.
func trimZeros(s string) string {
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// count is a whole number, at least Least and at most Most (0: no bound).
type count struct {
	N           int
	Least, Most int
}

func (c *count) String() string {
	if c == nil || c.N == 0 {
		return ""
	}
	return strconv.Itoa(c.N)
}
func (c *count) Type() string { return "N" }
func (c *count) Set(s string) error {
	n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s is too large", s)
	case err != nil:
		return fmt.Errorf("%q is not a whole number", s)
	case n < c.Least:
		return fmt.Errorf("%d is too small, want at least %d", n, c.Least)
	case c.Most > 0 && n > c.Most:
		return fmt.Errorf("%d is too large, want at most %d", n, c.Most)
	}
	c.N = n
	return nil
}

// pollPair is how often the dispatcher and the worker look.
type pollPair struct{ Dispatcher, Worker time.Duration }

// defaultPolls are the intervals of a Solid Queue that nobody configured.
var defaultPolls = pollPair{time.Second, 100 * time.Millisecond}

// maxPoll is the longest interval that anybody could mean.
const maxPoll = 366 * 24 * time.Hour

// minPoll is the shortest interval that means anything: a poll takes longer.
const minPoll = time.Millisecond

func (p *pollPair) String() string {
	if p == nil || p.Dispatcher == 0 {
		return ""
	}
	return trimZeros(p.Dispatcher.String()) + "," + trimZeros(p.Worker.String())
}
func (p *pollPair) Type() string { return "D[,W]" }
func (p *pollPair) Set(s string) error {
	parts := strings.Split(s, ",")
	if len(parts) > 2 {
		return fmt.Errorf("%q has %d parts, want one or two: dispatcher, worker, such as 1s,0.1s", s, len(parts))
	}
	got := pollPair{Worker: defaultPolls.Worker}
	for i, into := range []*time.Duration{&got.Dispatcher, &got.Worker}[:len(parts)] {
		part := strings.TrimSpace(parts[i])
		if part == "" {
			return fmt.Errorf("%q lacks the %s's interval, want such as 1s,0.1s", s, [...]string{"dispatcher", "worker"}[i])
		}
		d, err := model.ParseDuration(part)
		if err != nil {
			return err
		}
		if d < minPoll {
			return fmt.Errorf("%s is under 1ms, want at least 1ms", part)
		}
		if d > maxPoll {
			return fmt.Errorf("%q is longer than a year, want less", part)
		}
		*into = d
	}
	*p = got
	return nil
}

// burstRange is one burst or several in a row. The zero value is all there
// can be.
type burstRange struct{ From, To int }

func (b *burstRange) String() string {
	switch {
	case b == nil || b.From == 0:
		return ""
	case b.From == b.To:
		return strconv.Itoa(b.From)
	}
	return fmt.Sprintf("%d..%d", b.From, b.To)
}
func (b *burstRange) Type() string { return "N|A..B" }
func (b *burstRange) Set(s string) error {
	first, last, ranged := strings.Cut(s, "..")
	if !ranged {
		last = first
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := strconv.Atoi(strings.TrimSpace(last))
	switch {
	case err1 != nil || err2 != nil:
		return fmt.Errorf("%q is neither a whole number nor a range, want such as 6 or 2..8", s)
	case from < 1:
		return fmt.Errorf("%d is too small, want at least 1", from)
	case to < from:
		return fmt.Errorf("%q runs backwards, want %d..%d", s, to, from)
	}
	*b = burstRange{from, to}
	return nil
}

// rate is a number of jobs in a length of time.
type rate struct {
	N    float64
	Per  time.Duration
	text string
}

func (r *rate) String() string {
	if r == nil {
		return ""
	}
	return r.text
}
func (r *rate) Type() string { return "RATE" }
func (r *rate) Set(s string) error {
	n, per, err := model.ParseRate(s)
	if err != nil {
		return err
	}
	*r = rate{n, per, s}
	return nil
}

// PerSecond is the rate in jobs a second.
func (r *rate) PerSecond() float64 {
	if r.Per == 0 {
		return math.NaN()
	}
	return r.N / r.Per.Seconds()
}

// dist is how long something takes.
type dist struct{ model.Dist }

func (d *dist) String() string {
	if d == nil {
		return ""
	}
	return d.Dist.String()
}
func (d *dist) Type() string { return "DIST" }
func (d *dist) Set(s string) error {
	v, err := model.ParseDist(s, scenarios.ReadData)
	if err != nil {
		return err
	}
	d.Dist = v
	return nil
}

// choice is one word out of a few; "" until it is set.
type choice struct {
	value string
	among []string
}

func (c *choice) String() string {
	if c == nil {
		return ""
	}
	return c.value
}
func (c *choice) Type() string { return strings.Join(c.among, "|") }
func (c *choice) Set(s string) error {
	if slices.Contains(c.among, s) {
		c.value = s
		return nil
	}
	if n := model.Nearest(s, c.among); n != "" {
		return fmt.Errorf("%q is not known, did you mean %s?", s, n)
	}
	return fmt.Errorf("%q is not known, want one of %s", s, strings.Join(c.among, ", "))
}

// column is a column of a file, by name or by number.
type column string

func (c *column) String() string { return string(*c) }
func (c *column) Type() string   { return "NAME|N" }
func (c *column) Set(s string) error {
	if s == "" {
		return errors.New("empty, want a column's name or its number")
	}
	*c = column(s)
	return nil
}

// checkLimit says which flag makes a limit impossible. The burst is given as
// a range so that suggest can use it; a single burst is both ends.
func checkLimit(to int, per time.Duration, burst burstRange) error {
	if burst.To > to {
		return usagef("--burst: %d is above --to %d, want 1 to %d", burst.To, to, to)
	}
	l := gcra.Limit{To: to, Per: per, Burst: burst.From}
	if err := l.Validate(); err != nil {
		if per/time.Duration(to-l.Burst+1) < gcra.MinInterval {
			return usagef("--to: %v", err)
		}
		return usagef("--per: %v", err)
	}
	return nil
}
