package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// maxJobs is the most jobs one part of the arrivals brings at a time.
const maxJobs = 1e9

// ParseArrivals reads how jobs come: "none", or a sum, with +, of
//
//	poisson 2/s              at random, so many in the mean
//	every 200ms              one each 200 ms, the first at 200 ms; "x 5": five
//	1000 at 60s              so many at once
//	cron 0,15,30,45 x 2000   so many at these minutes of every hour; time 0 is
//	                         minute 0 of the first one; without x: one
//	trace arrivals.csv       at the times of the file's first column
//
// A trace's times are lengths since time 0: with a unit, or bare numbers in
// the unit the column's name ends in (_ms, _us, …; seconds without one). Or
// they are dates (2026-01-31T12:00:00.5Z), or numbers of more than 31 years,
// which count from 1970: then time 0 is the earliest. A second column says
// how many jobs come, if it is named count or the file names no columns. The
// order of the lines does not matter. open reads the file; nil refuses files.
func ParseArrivals(s string, open func(name string) ([]byte, error)) (Arrivals, error) {
	if strings.TrimSpace(s) == "none" {
		return Arrivals{}, nil
	}
	var a Arrivals
	for _, text := range splitTop(s, '+') {
		p, err := parsePart(strings.TrimSpace(text), open)
		if err != nil {
			return Arrivals{}, err
		}
		a.parts = append(a.parts, p)
	}
	return a, nil
}

var arrivalWords = []string{"none", "poisson", "every", "cron", "trace"}

const arrivalUsage = "poisson 2/s, every 200ms, 1000 at 60s, cron 0,30 x 2000 or trace FILE.csv"

func parsePart(s string, open func(string) ([]byte, error)) (part, error) {
	if s == "" {
		return nil, fmt.Errorf("%s: arrivals are missing, want %s", show(s), arrivalUsage)
	}
	word, rest := s, ""
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		word, rest = s[:i], strings.TrimSpace(s[i:])
	}
	switch {
	case word == "poisson":
		n, per, err := ParseRate(rest)
		if err != nil {
			return nil, err
		}
		return poisson{n, per}, nil
	case word == "every":
		step, n, err := cutTimes(rest)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", show(s), err)
		}
		d, err := ParseDuration(step)
		if err != nil {
			return nil, fmt.Errorf("every: %w", err)
		}
		if d == 0 {
			return nil, fmt.Errorf("%s: the step is 0, want a length above 0", show(s))
		}
		return every{d, n}, nil
	case word == "cron":
		return parseCron(s, rest)
	case word == "trace":
		file, err := fileName(rest)
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		text, err := readFile(file, open)
		if err != nil {
			return nil, err
		}
		points, err := readTrace(file, text)
		if err != nil {
			return nil, err
		}
		return newTrace(file, points), nil
	case word == "none":
		return nil, fmt.Errorf("%s: none goes alone", show(s))
	case startsNumber(word):
		return parseDated(s)
	}
	return nil, fmt.Errorf("%s: unknown arrivals %s, want %s", show(s), show(word), nearestOr(word, arrivalWords, arrivalUsage))
}

// parseDated reads "1000 at 60s".
func parseDated(s string) (part, error) {
	count, at, found := strings.Cut(s, " at ")
	if !found {
		return nil, fmt.Errorf("%s is no time at which jobs come, want one such as 1000 at 60s", show(s))
	}
	n, err := parseJobs(count)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", show(s), err)
	}
	d, err := ParseDuration(at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", show(s), err)
	}
	if d == math.MaxInt64 {
		return nil, fmt.Errorf("%s: the end of time, want less", show(s))
	}
	return dated{n, d}, nil
}

// parseCron reads what follows "cron": "0,15,30,45 x 2000".
func parseCron(s, rest string) (part, error) {
	list, n, err := cutTimes(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", show(s), err)
	}
	var minutes []int
	for _, text := range strings.Split(list, ",") {
		text = strings.TrimSpace(text)
		m, err := strconv.ParseUint(text, 10, 8)
		if err != nil || m > 59 {
			return nil, fmt.Errorf("%s: %s is no minute, want a list of 0 to 59 such as 0,15,30,45", show(s), show(text))
		}
		minutes = append(minutes, int(m))
	}
	slices.Sort(minutes)
	return cron{slices.Compact(minutes), n}, nil
}

// cutTimes takes "x 2000" off the end; 1 if it isn't there.
func cutTimes(s string) (rest string, n int, err error) {
	rest, count, found := strings.Cut(s, " x ")
	if !found {
		return s, 1, nil
	}
	n, err = parseJobs(count)
	return strings.TrimSpace(rest), n, err
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return " x " + itoa(n)
}

func itoa(n int) string { return strconv.Itoa(n) }

func parseJobs(s string) (int, error) {
	s = strings.TrimSpace(s)
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > maxJobs {
		return 0, fmt.Errorf("%s is no number of jobs, want a whole number of 1 to a billion", show(s))
	}
	return int(n), nil
}

// unixFrom is the number of seconds from which a time counts from 1970: no run
// starts 31 years late, and no date is before 2001.
const unixFrom = 1e9 * time.Second

// readTrace reads the times of a trace and how many jobs come at each.
func readTrace(file string, text []byte) ([]tracePoint, error) {
	var (
		points  []tracePoint
		unit    = time.Second
		counted = true // the second column, if there is one, is a count
		dates   = false
		col     = newColumn(file, text)
	)
	for top := true; col.scan(); top = false {
		if top && header(col.first) {
			if u := headerUnit(col.first); u > 0 {
				unit = u
			}
			counted = col.next == "count"
			continue
		}
		at, isDate, err := parseTime(col.first, unit)
		if err != nil {
			return nil, col.errorf("%v", err)
		}
		if len(points) == 0 {
			dates = isDate
		}
		if isDate != dates {
			return nil, col.errorf("%s: dates and times since the start are mixed, want one kind", show(col.first))
		}
		n := 1
		if counted && col.next != "" {
			c, err := strconv.ParseUint(col.next, 10, 64)
			if err != nil || c > maxJobs {
				return nil, col.errorf("%s is no number of jobs, want a whole number up to a billion, or a first line that names the columns", show(col.next))
			}
			n = int(c)
		}
		if n > 0 {
			points = append(points, tracePoint{at, n})
		}
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("%s: no arrivals in it, want one time a line", show(file))
	}
	points = inOrder(points)
	if dates {
		for i, from := 0, points[0].at; i < len(points); i++ {
			points[i].at -= from
		}
	}
	return points, nil
}

// parseTime reads one time of a trace, and says whether it is a date.
func parseTime(s string, unit time.Duration) (at gcra.Instant, isDate bool, err error) {
	if len(s) >= len("2026-01-31T12:00:00") && s[4] == '-' {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			if t, err = time.Parse("2006-01-02 15:04:05", s); err != nil {
				return 0, true, fmt.Errorf("%s is no date, want one such as 2026-01-31T12:00:00Z", show(s))
			}
		}
		if y := t.Year(); y < 1970 || y > 2200 {
			return 0, true, fmt.Errorf("%s: the year is %d, want 1970 to 2200", show(s), y)
		}
		return gcra.Instant(t.UnixNano()), true, nil
	}
	d, err := parseIn(s, unit)
	if err == nil && d == math.MaxInt64 {
		err = fmt.Errorf("%s is the end of time, want less", show(s))
	}
	return gcra.Instant(d), d >= unixFrom, err
}
