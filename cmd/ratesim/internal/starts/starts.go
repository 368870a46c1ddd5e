// Package starts reads when jobs started from whatever there is: CSV, NDJSON
// or plain log lines. Times become whole nanoseconds and are never rounded,
// since an audit that counts windows must not move a start.
package starts

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Format is how a file is laid out.
type Format string

// The formats. Auto looks at the file's ending and its first lines.
const (
	Auto   Format = ""
	CSV    Format = "csv"
	NDJSON Format = "ndjson"
	Lines  Format = "lines"
)

// Options override what would be found out by looking.
type Options struct {
	Format Format
	Column string // a column's or a field's name, or a column's number from 1
	Unit   Unit
}

// Starts are the start times of a file, in order.
type Starts struct {
	Times []gcra.Instant // nanoseconds since 1970, or since whatever the file counts from
	Lines []int          // the line of each
	Grain time.Duration  // the finest step in which they were written
	Clock bool           // the times are times of day, since the midnight before the first
	Dated bool           // the times are dates, or numbers of such a size that they are

	Format Format
	Column string // where they stood, "" if in lines
	Sorted bool   // the file was not in order
	Header bool   // a first line was not a time and was passed over
	// Others are how many rows of a trace were no starts: deferrals and drops.
	Others int
	// Passed is how many lines of a log had no time in them: traces, and what
	// runs over several lines. First is the first of them.
	Passed, FirstPassed int
}

// mostMistakes is how many mistakes are reported before reading stops.
const mostMistakes = 10

// Read reads all start times. name is the file's, for messages and its ending.
// Mistakes come back joined, a line each; blank lines are passed over, and so
// is a first line that is no time.
func Read(ctx context.Context, r io.Reader, name string, o Options) (*Starts, error) {
	src := bufio.NewReaderSize(r, 1<<16)
	head, err := src.Peek(1 << 12)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, err
	}
	first := firstLine(string(head))
	if o.Format == Auto {
		o.Format = formatOf(name, first)
	}
	c := &collector{ctx: ctx, name: name, unit: o.Unit, out: &Starts{Format: o.Format}}
	switch o.Format {
	case CSV:
		err = readCSV(src, first, o.Column, c)
	case NDJSON:
		err = readNDJSON(src, o.Column, c)
	default:
		err = readLines(src, c)
	}
	if err != nil {
		return nil, err
	}
	if len(c.mistakes) > 0 {
		return nil, errors.Join(c.mistakes...)
	}
	c.finish()
	return c.out, nil
}

// firstLine is the first line that is not blank.
func firstLine(head string) string {
	for line := range strings.Lines(head) {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line != "" {
			return line
		}
	}
	return ""
}

// formatOf guesses: the ending tells if it is one of a kind; else an object is
// NDJSON, and a line of cells one of which is a time, or none of which holds
// any, is CSV.
func formatOf(name, first string) Format {
	lower := strings.ToLower(name)
	switch {
	case strings.HasSuffix(lower, ".csv"), strings.HasSuffix(lower, ".tsv"):
		return CSV
	case strings.HasSuffix(lower, ".ndjson"), strings.HasSuffix(lower, ".jsonl"):
		return NDJSON
	case strings.HasSuffix(lower, ".log"):
		return Lines
	case strings.HasPrefix(first, "{"):
		return NDJSON
	}
	comma := commaOf(first)
	if comma == 0 {
		return Lines
	}
	if _, n := date(first); n > 0 && n < len(first) && first[n] == ' ' && strings.Contains(first[:n], ",") {
		return Lines // the comma is the one before the decimals, as Python's logging writes it
	}
	cells := strings.Split(first, string(comma))
	for _, cell := range cells {
		if _, ok := parse(cell); ok {
			return CSV
		}
	}
	if _, ok := find(first); ok {
		return Lines
	}
	return CSV
}

// commaOf is what parts the cells of a line, 0 if nothing does.
func commaOf(line string) rune {
	for _, c := range []rune{'\t', ';', ','} {
		if strings.ContainsRune(line, c) {
			return c
		}
	}
	return 0
}

// collector gathers times and mistakes.
type collector struct {
	ctx      context.Context
	name     string
	unit     Unit // of bare numbers; Guess until the first one is seen
	out      *Starts
	mistakes []error
	numbers  int
	dates    int
	clocks   int
	midnight int64 // of a time of day: seconds from the first midnight to its own
	before   int64 // the time of day before it
}

// add takes the text that should be a time. ok is false when it was not and
// reading should stop.
func (c *collector) add(line int, text string) bool {
	return c.addStamp(line, text, parse)
}

func (c *collector) addStamp(line int, text string, read func(string) (stamp, bool)) bool {
	if line&0xFFF == 0 && c.ctx.Err() != nil {
		return false
	}
	s, ok := read(text)
	if !ok && c.out.Format == Lines && !numeric(text) {
		if c.out.Passed++; c.out.Passed == 1 {
			c.out.FirstPassed = line
		}
		return true
	}
	if !ok {
		if len(c.out.Times) == 0 && !c.out.Header && !numeric(text) {
			c.out.Header = true
			return true
		}
		return c.mistake(line, fmt.Sprintf("%s is no time, want such as 2006-01-02T15:04:05.123456Z or 1136214245.123456", quote(text)))
	}
	switch {
	case s.clock:
		if c.dates > 0 {
			return c.mistake(line, fmt.Sprintf("%s has a time of day, but lines before it have dates", quote(text)))
		}
		c.clocks++
		// Lines a little out of order are sorted; a clock that runs back by more
		// than an hour has passed midnight, and one nearly a day ahead is a line
		// from before it.
		switch step := s.whole - c.before; {
		case step < -3600:
			c.midnight += 24 * 3600
		case step > 23*3600 && c.midnight > 0:
			c.midnight -= 24 * 3600
		}
		c.before = s.whole
		s.whole += c.midnight
	case s.date:
		if c.clocks > 0 {
			return c.mistake(line, fmt.Sprintf("%s has a date, but lines before it have a time of day alone", quote(text)))
		}
		c.dates++
	default:
		c.numbers++
		if c.unit == Guess {
			c.unit = guess(s.whole)
		}
	}
	at, ok := s.instant(c.unit)
	if !ok {
		return c.mistake(line, fmt.Sprintf("%s is out of range: ratesim counts nanoseconds up to the year 2262", quote(text)))
	}
	if g := s.grain(c.unit); len(c.out.Times) == 0 || g < c.out.Grain {
		c.out.Grain = g
	}
	c.out.Times = append(c.out.Times, at)
	c.out.Lines = append(c.out.Lines, line)
	return true
}

// numeric is true for what was meant to be a number or a date, right or wrong:
// it is no header, and no line of a trace.
func numeric(text string) bool {
	text = strings.TrimLeft(text, " \t\"'+-.")
	return text != "" && text[0] >= '0' && text[0] <= '9'
}

// noStart is true for what a trace of ratesim's own calls anything but a claim.
func (c *collector) noStart(event string) bool {
	if event != "deferred" && event != "dropped" {
		return false
	}
	c.out.Others++
	return true
}

func (c *collector) mistake(line int, what string) bool {
	if len(c.mistakes) == mostMistakes {
		c.mistakes = append(c.mistakes, fmt.Errorf("%s: more mistakes follow, reading stopped at line %d", c.name, line))
		return false
	}
	c.mistakes = append(c.mistakes, fmt.Errorf("%s:%d: %s", c.name, line, what))
	return true
}

// finish brings the times in order and sees how coarse they are.
func (c *collector) finish() {
	o := c.out
	o.Clock = c.clocks > 0
	o.Dated = c.dates > 0 || len(o.Times) > 0 && o.Times[0] > gcra.Instant(1e17) // after March 1973
	if !slices.IsSorted(o.Times) {
		o.Sorted = true
		type row struct {
			at   gcra.Instant
			line int
		}
		rows := make([]row, len(o.Times))
		for i := range rows {
			rows[i] = row{o.Times[i], o.Lines[i]}
		}
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.at, b.at) })
		for i, r := range rows {
			o.Times[i], o.Lines[i] = r.at, r.line
		}
	}
	o.Grain = max(o.Grain, coarse(o.Times))
}

// coarse is the step that all times are multiples of, if there are enough of
// them that chance won't have it so: a database may print six decimals of a
// column that holds whole seconds.
func coarse(times []gcra.Instant) time.Duration {
	if len(times) < 10 {
		return 0
	}
	for _, unit := range []time.Duration{time.Minute, time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond, 100 * time.Microsecond, 10 * time.Microsecond, time.Microsecond} {
		all := true
		for _, t := range times {
			if t%gcra.Instant(unit) != 0 {
				all = false
				break
			}
		}
		if all {
			return unit
		}
	}
	return 0
}

func quote(s string) string {
	if s = strings.TrimSpace(s); len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}
