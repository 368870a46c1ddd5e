package model

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// maxPerSecond is the fastest rate that can be told apart from "all at once":
// instants are whole nanoseconds.
const maxPerSecond = 1e9

// ParseDuration reads a length as Go writes it ("1m30s") or as Rails does ("2
// minutes", "1.minute", "1.5.hours"). It is exact: "0.1s" is 100000000 ns.
// What is finer than a nanosecond is rounded up, towards later. A bare number
// is an error that shows the unit to add, 0 alone excepted, which is 0 in any
// unit. Negative lengths and those over 292 years are refused.
func ParseDuration(s string) (time.Duration, error) {
	rest := strings.TrimSpace(s)
	switch {
	case rest == "":
		return 0, fmt.Errorf("%s is no length, want one such as 10s", show(s))
	case rest == "0":
		return 0, nil
	case rest[0] == '-':
		return 0, fmt.Errorf("%s is negative, want a length of 0 or more", show(s))
	}
	var sum uint64
	for first := true; rest != ""; first = false {
		num, after, err := scanDecimal(rest)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", show(s), err)
		}
		if num.digits == "" {
			return 0, fmt.Errorf("%s is no length, want one such as 10s", show(s))
		}
		name, after := scanUnit(after)
		if name == "" {
			if first && strings.TrimSpace(after) == "" {
				return 0, fmt.Errorf("%s has no unit, want a length such as %ss", show(rest), num.digits)
			}
			return 0, fmt.Errorf("%s: %s has no unit, want a length such as 1m30s", show(s), num.digits)
		}
		unit, ok := unitLength(name)
		if !ok {
			return 0, fmt.Errorf("%s: unknown unit %s, want %s", show(s), show(name), nearestOr(name, unitNames, "ns, us, ms, s, m or min, h, days or weeks"))
		}
		ns, ok := num.times(uint64(unit))
		if sum += ns; !ok || sum > math.MaxInt64 {
			return 0, fmt.Errorf("%s is over 292 years, want less", show(s))
		}
		rest = strings.TrimSpace(after)
	}
	return time.Duration(sum), nil
}

// FormatDuration writes a length as ParseDuration reads it, exactly, without
// the zero parts Go adds: 1h, not 1h0m0s.
func FormatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// ParseRate reads a rate such as "5/s", "100/min", "300/h", "2000/day" or
// "50/10s" as a number of jobs in a length of time. Both are above 0, and the
// rate is at most 1e9 a second.
func ParseRate(s string) (n float64, per time.Duration, err error) {
	count, unit, found := strings.Cut(strings.TrimSpace(s), "/")
	if !found {
		return 0, 0, fmt.Errorf("%s is no rate, want one such as 5/s, 100/min or 2000/day", show(s))
	}
	if n, err = parseCount(strings.TrimSpace(count)); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", show(s), err)
	}
	unit = strings.TrimSpace(unit)
	var ok bool
	if per, ok = unitLength(unit); !ok {
		if unit == "" || !startsNumber(unit) {
			return 0, 0, fmt.Errorf("%s: unknown unit %s, want %s", show(s), show(unit), nearestOr(unit, unitNames, "/s, /min, /h or /day"))
		}
		if per, err = ParseDuration(unit); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", show(s), err)
		}
		if per == 0 {
			return 0, 0, fmt.Errorf("%s: per is 0, want a length above 0", show(s))
		}
	}
	if n/per.Seconds() > maxPerSecond {
		return 0, 0, fmt.Errorf("%s is more than 1e9/s, want less: time is counted in nanoseconds", show(s))
	}
	return n, per, nil
}

// FormatRate writes a rate as ParseRate reads it.
func FormatRate(n float64, per time.Duration) string {
	unit := FormatDuration(per)
	switch per {
	case time.Second:
		unit = "s"
	case time.Minute:
		unit = "min"
	case time.Hour:
		unit = "h"
	case 24 * time.Hour:
		unit = "day"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + "/" + unit
}

// parseCount reads a plain decimal number above 0. strconv would also take
// inf, nan, hexadecimal and underscores, which are slips here.
func parseCount(s string) (float64, error) {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && c != '.' {
			if strings.HasPrefix(s, "-") {
				return 0, fmt.Errorf("%s is negative, want a number above 0", show(s))
			}
			return 0, fmt.Errorf("%s is no plain number, want one such as 5 or 0.5", show(s))
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	switch {
	case math.IsInf(n, 0):
		return 0, fmt.Errorf("%s is too large", show(s))
	case err != nil:
		return 0, fmt.Errorf("%s is no plain number, want one such as 5 or 0.5", show(s))
	case n <= 0:
		return 0, errors.New("nothing comes, want a number above 0")
	}
	return n, nil
}

// unitNames are the units a misspelt one is compared with.
var unitNames = []string{
	"nanoseconds", "microseconds", "milliseconds", "second", "seconds", "minute", "minutes",
	"hour", "hours", "day", "days", "week", "weeks",
}

func unitLength(name string) (time.Duration, bool) {
	switch name {
	case "ns", "nanosecond", "nanoseconds":
		return time.Nanosecond, true
	case "us", "µs", "μs", "microsecond", "microseconds":
		return time.Microsecond, true
	case "ms", "msec", "millisecond", "milliseconds":
		return time.Millisecond, true
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, true
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute, true
	case "h", "hr", "hour", "hours":
		return time.Hour, true
	case "d", "day", "days":
		return 24 * time.Hour, true
	case "w", "week", "weeks":
		return 7 * 24 * time.Hour, true
	}
	return 0, false
}

// decimal is a number as written: whole + frac/10^places, exactly.
type decimal struct {
	digits      string
	whole, frac uint64
	places      int
	tooLarge    bool
}

func startsNumber(s string) bool {
	return s != "" && (isDigit(s[0]) || s[0] == '.' || s[0] == '-')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// scanDecimal reads the number s starts with. A point belongs to it only if a
// digit follows, so that in "1.minute" it separates.
func scanDecimal(s string) (num decimal, rest string, err error) {
	i := 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		if num.whole > (math.MaxUint64-9)/10 {
			num.tooLarge = true
			continue
		}
		num.whole = num.whole*10 + uint64(s[i]-'0')
	}
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		zeros := 0
		for i++; i < len(s) && isDigit(s[i]); i++ {
			if s[i] == '0' {
				zeros++
				continue
			}
			if num.places+zeros >= 18 {
				return num, s, fmt.Errorf("more than 18 decimals, want fewer")
			}
			for ; zeros > 0; zeros-- {
				num.frac *= 10
				num.places++
			}
			num.frac = num.frac*10 + uint64(s[i]-'0')
			num.places++
		}
	}
	num.digits = s[:i]
	return num, s[i:], nil
}

var pow10 = [19]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// times is the number times unit, rounded up; false if it exceeds an int64.
func (num decimal) times(unit uint64) (uint64, bool) {
	over, whole := bits.Mul64(num.whole, unit)
	var part uint64
	if num.frac > 0 {
		hi, lo := bits.Mul64(num.frac, unit) // hi < 10^places, for frac/10^places < 1 and unit < 2^64
		var left uint64
		if part, left = bits.Div64(hi, lo, pow10[num.places]); left > 0 {
			part++
		}
	}
	sum, carry := bits.Add64(whole, part, 0)
	return sum, !num.tooLarge && over == 0 && carry == 0 && sum <= math.MaxInt64
}

// scanUnit reads the unit s starts with, after blanks or one point.
func scanUnit(s string) (name, rest string) {
	rest = strings.TrimLeft(s, " \t")
	if strings.HasPrefix(rest, ".") {
		rest = rest[1:]
	}
	end := strings.IndexAny(rest, " \t\r\n0123456789.-+,;()/")
	if end < 0 {
		end = len(rest)
	}
	return rest[:end], rest[end:]
}

// show is a value as an error quotes it: one line, not too long.
func show(s string) string {
	const most = 60
	plain := s != "" && len(s) <= most && strings.TrimSpace(s) == s
	for _, r := range s {
		plain = plain && r != '"' && strconv.IsPrint(r)
	}
	if plain {
		return s
	}
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "…"
	}
	return strconv.Quote(s)
}

// nearestOr is the word closest to s if one is close enough to be meant, else
// the text that lists what there is.
func nearestOr(s string, words []string, all string) string {
	if near := Nearest(s, words); near != "" {
		return near
	}
	return all
}
