package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A column is the text of a CSV file read line by line for its first two
// fields. Fields end at a comma, a semicolon or a tab; blank lines and lines
// that begin with # are skipped; quotes around a field are dropped.
type column struct {
	file  string
	text  string
	line  int
	first string
	next  string // the second field, "" if there is none
}

func newColumn(file string, text []byte) *column {
	return &column{file: file, text: strings.TrimPrefix(string(text), "\ufeff")}
}

// scan goes on to the next line that has something on it.
func (c *column) scan() bool {
	for c.text != "" {
		var line string
		line, c.text, _ = strings.Cut(c.text, "\n")
		c.line++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		c.first, c.next = line, ""
		if i := strings.IndexAny(line, ",;\t"); i >= 0 {
			c.first, c.next = line[:i], line[i+1:]
			if j := strings.IndexAny(c.next, ",;\t"); j >= 0 {
				c.next = c.next[:j]
			}
		}
		c.first, c.next = unquote(c.first), unquote(c.next)
		return true
	}
	return false
}

func unquote(field string) string {
	field = strings.TrimSpace(field)
	if n := len(field); n >= 2 && field[0] == '"' && field[n-1] == '"' {
		return field[1 : n-1]
	}
	return field
}

// errorf is an error at the line last read.
func (c *column) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", show(c.file), c.line, fmt.Sprintf(format, args...))
}

// header is true if a first line with this field names the columns.
func header(field string) bool { return field == "" || !startsNumber(field) }

// headerUnit is the unit a column's name ends in: takes_ms counts
// milliseconds. 0 if it ends in none.
func headerUnit(name string) time.Duration {
	for _, u := range []struct {
		suffix string
		unit   time.Duration
	}{{"_ns", time.Nanosecond}, {"_us", time.Microsecond}, {"_µs", time.Microsecond}, {"_ms", time.Millisecond}, {"_s", time.Second}} {
		if strings.HasSuffix(name, u.suffix) {
			return u.unit
		}
	}
	return 0
}

// parseIn reads a length: with a unit of its own, or a bare number of unit.
// A unit of 0 asks for a unit in the text. What programs print, 1.2e-05, is
// read too.
func parseIn(s string, unit time.Duration) (time.Duration, error) {
	if unit == 0 {
		return ParseDuration(s)
	}
	num, rest, err := scanDecimal(s)
	switch {
	case err == nil && rest == "" && num.digits != "":
		if ns, ok := num.times(uint64(unit)); ok {
			return time.Duration(ns), nil
		}
		return 0, fmt.Errorf("%s is over 292 years, want less", show(s))
	case strings.HasPrefix(s, "-"):
		return 0, fmt.Errorf("%s is negative, want a length of 0 or more", show(s))
	case err != nil || rest != "" && (rest[0] == 'e' || rest[0] == 'E'):
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return 0, fmt.Errorf("%s is no number", show(s))
		}
		if f = mul(f, float64(unit)); f >= math.MaxInt64 {
			return 0, fmt.Errorf("%s is over 292 years, want less", show(s))
		}
		return wholeNS(f), nil
	}
	return ParseDuration(s)
}
