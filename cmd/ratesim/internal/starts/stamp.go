package starts

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Unit is what a bare number counts.
type Unit time.Duration

// The units; Guess goes by the size of the first number, or by a column's
// name that ends in its unit.
const (
	Guess  Unit = 0
	Second Unit = Unit(time.Second)
	Milli  Unit = Unit(time.Millisecond)
	Micro  Unit = Unit(time.Microsecond)
	Nano   Unit = 1
)

// Units are the names of the units.
var Units = map[string]Unit{"s": Second, "ms": Milli, "us": Micro, "ns": Nano}

// guess goes by size: seconds since 1970 have ten digits for now, milliseconds
// thirteen, and so on. Small numbers are seconds from some start.
func guess(whole int64) Unit {
	switch {
	case whole < 1e11:
		return Second
	case whole < 1e14:
		return Milli
	case whole < 1e17:
		return Micro
	}
	return Nano
}

// unitOfName is the unit in which a column's name ends, if it does.
func unitOfName(name string) (Unit, bool) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return Guess, false
	}
	u, ok := Units[name[i+1:]]
	return u, ok
}

// stamp is a time as it was written: a whole number of units, or of seconds
// since 1970 for a date, and decimals.
type stamp struct {
	whole int64
	frac  int64 // in units of 10^-digits, digits <= 18
	// digits is how many decimals were written; more than 18 are cut off.
	digits int
	date   bool
	clock  bool // a date without its day: seconds since midnight
}

var pow10 = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// instant is the stamp in nanoseconds, cut to whole ones; false out of range.
func (s stamp) instant(u Unit) (gcra.Instant, bool) {
	if s.date || u == Guess {
		u = Second
	}
	if s.whole > math.MaxInt64/int64(u)-1 || s.whole < math.MinInt64/int64(u)+1 {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(s.frac), uint64(u))
	frac, _ := bits.Div64(hi, lo, uint64(pow10[s.digits]))
	return gcra.Instant(s.whole)*gcra.Instant(u) + gcra.Instant(frac), true
}

// grain is the step of the last digit written.
func (s stamp) grain(u Unit) time.Duration {
	if s.date || u == Guess {
		u = Second
	}
	return max(time.Duration(int64(u)/pow10[s.digits]), 1)
}

// parse reads a text that is a time and nothing else: a date and time, or a
// number.
func parse(s string) (stamp, bool) {
	s = strings.Trim(s, " \t\r\n\"")
	if st, n := date(s); n > 0 && n == len(s) {
		return st, true
	}
	if st, n := clock(s); n > 0 && n == len(s) {
		return st, true
	}
	return number(s)
}

// find is the first time in a line of a log: a date and time anywhere, else a
// time of day that stands alone, else a number that stands alone and is large enough to be one, or a line's first
// word if it is a number.
func find(line string) (stamp, bool) {
	if st, ok := parse(line); ok {
		return st, true
	}
	for i := range len(line) {
		if line[i] < '0' || line[i] > '9' || i > 0 && line[i-1] >= '0' && line[i-1] <= '9' {
			continue
		}
		if st, n := date(line[i:]); n > 0 {
			return st, true
		}
	}
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n[](){};=\"'", r) })
	for _, word := range words {
		if st, n := clock(word); n > 0 && strings.Trim(word[n:], ",:") == "" {
			return st, true
		}
	}
	for i, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n[](){},;=\"'", r) }) {
		if st, ok := number(word); ok && (i == 0 || st.whole >= 1e9) {
			return st, true
		}
	}
	return stamp{}, false
}

// number reads a decimal number of 0 or more.
func number(s string) (stamp, bool) {
	n := digits(s)
	if n == 0 || n > 18 && len(strings.TrimLeft(s[:n], "0")) > 19 {
		return stamp{}, false
	}
	whole, err := strconv.ParseInt(s[:n], 10, 64)
	if err != nil {
		return stamp{}, false
	}
	st := stamp{whole: whole}
	switch rest := s[n:]; {
	case rest == "":
		return st, true
	case rest[0] == '.' && len(rest) > 1 && digits(rest[1:]) == len(rest)-1:
		st.frac, st.digits = decimals(rest[1:])
		return st, true
	case strings.ContainsAny(rest, "eE"):
		// Some programs print large numbers so; what a float holds is all there is.
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f < 0 || f > math.MaxInt64/2 {
			return stamp{}, false
		}
		return number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return stamp{}, false
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func decimals(s string) (frac int64, n int) {
	for n < len(s) && n < 18 {
		frac = frac*10 + int64(s[n]-'0')
		n++
	}
	return frac, n
}

// date reads YYYY-MM-DD, a T or a space, HH:MM:SS, decimals after a point or a
// comma, and a zone: Z, UTC, +01:00 or +0100, UTC if there is none. n is how
// much of s it took, 0 if s does not begin so. By hand, since a million lines
// should take a second.
func date(s string) (st stamp, n int) {
	if len(s) < 19 || s[4] != '-' && s[4] != '/' || s[7] != s[4] || s[10] != 'T' && s[10] != ' ' && s[10] != 't' || s[13] != ':' || s[16] != ':' {
		return stamp{}, 0
	}
	var v [6]int
	for i, span := range [...][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
		for _, c := range []byte(s[span[0]:span[1]]) {
			if c < '0' || c > '9' {
				return stamp{}, 0
			}
			v[i] = v[i]*10 + int(c-'0')
		}
	}
	if v[1] < 1 || v[1] > 12 || v[2] < 1 || v[2] > daysIn(v[0], v[1]) || v[3] > 23 || v[4] > 59 || v[5] > 60 {
		return stamp{}, 0
	}
	st = stamp{date: true, whole: unixDay(v[0], v[1], v[2])*86400 + int64(v[3]*3600+v[4]*60+v[5])}
	n = 19 + st.fraction(s[19:])
	zone, offset := zoneOf(s[n:])
	st.whole -= int64(offset)
	return st, n + zone
}

// fraction reads decimals after a point or a comma, if s begins with some, and
// says how long they are.
func (s *stamp) fraction(text string) int {
	if len(text) < 2 || text[0] != '.' && text[0] != ',' {
		return 0
	}
	d := digits(text[1:])
	if d == 0 {
		return 0
	}
	s.frac, s.digits = decimals(text[1 : 1+d])
	return 1 + d
}

// clock reads a time of day, HH:MM:SS and decimals.
func clock(s string) (st stamp, n int) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' || digits(s) != 2 || digits(s[3:]) != 2 || digits(s[6:]) != 2 {
		return stamp{}, 0
	}
	two := func(i int) int64 { return int64(s[i]-'0')*10 + int64(s[i+1]-'0') }
	if two(0) > 23 || two(3) > 59 || two(6) > 60 {
		return stamp{}, 0
	}
	st = stamp{date: true, clock: true, whole: two(0)*3600 + two(3)*60 + two(6)}
	return st, 8 + st.fraction(s[8:])
}

// zoneOf reads a zone at the start of s: how long it is, and how many seconds
// east of UTC.
func zoneOf(s string) (n, offset int) {
	switch {
	case strings.HasPrefix(s, "Z"), strings.HasPrefix(s, "z"):
		return 1, 0
	case strings.HasPrefix(s, " UTC"):
		return 4, 0
	}
	t := strings.TrimPrefix(s, " ")
	skipped := len(s) - len(t)
	if len(t) < 3 || t[0] != '+' && t[0] != '-' || digits(t[1:]) < 2 {
		return 0, 0
	}
	hours, minutes, n := int(t[1]-'0')*10+int(t[2]-'0'), 0, 3
	rest := strings.TrimPrefix(t[3:], ":")
	if digits(rest) >= 2 {
		minutes = int(rest[0]-'0')*10 + int(rest[1]-'0')
		n = len(t) - len(rest) + 2
	}
	if hours > 14 || minutes > 59 {
		return 0, 0 // no zone on Earth
	}
	offset = hours*3600 + minutes*60
	if t[0] == '-' {
		offset = -offset
	}
	return skipped + n, offset
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// unixDay is the number of days since 1970-01-01, in the calendar of today.
func unixDay(year, month, day int) int64 {
	y := int64(year)
	if month <= 2 {
		y-- // years begin in March, so that the odd day comes last
	}
	era := (y - ((y%400)+400)%400) / 400
	inEra := y - era*400
	m := int64((month + 9) % 12)
	inYear := (153*m+2)/5 + int64(day) - 1
	return era*146097 + inEra*365 + inEra/4 - inEra/100 + inYear - 719468
}
