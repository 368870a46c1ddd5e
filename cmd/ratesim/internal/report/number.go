package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Numbers for people: four digits are what a reader compares, and the unit is
// the one that keeps them few.

// Length writes a duration as "26.37 s", "74.75 min" or "650 ms".
func Length(d time.Duration) string {
	if d < 0 {
		return "-" + Length(-d)
	}
	v := float64(d)
	switch {
	case d == 0:
		return "0 s"
	case d < time.Microsecond:
		return Digits(v, 4) + " ns"
	case d < time.Millisecond:
		return Digits(v/1e3, 4) + " µs"
	case d < time.Second:
		return Digits(v/1e6, 4) + " ms"
	case d < 2*time.Minute:
		return Digits(d.Seconds(), 4) + " s"
	case d < 2*time.Hour:
		return Digits(d.Minutes(), 4) + " min"
	case d < 48*time.Hour:
		return Digits(d.Hours(), 4) + " h"
	}
	return Digits(d.Hours()/24, 4) + " days"
}

// Window writes a length the way one declares it: 1s, 1min, 90s, 24h.
func Window(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= u.unit && d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name
		}
	}
	return d.String()
}

// Rate writes jobs a second in the unit in which the limit was declared if
// that is a second, a minute, an hour or a day, else in the one that keeps the
// number at 1 or above.
func Rate(perSecond float64, per time.Duration) string {
	unit, times := RateUnit(perSecond, per)
	return Digits(perSecond*times, 4) + unit
}

// RateUnit is that unit, such as "/min", and how many seconds it has.
func RateUnit(perSecond float64, per time.Duration) (unit string, seconds float64) {
	units := []struct {
		unit time.Duration
		name string
	}{{time.Second, "/s"}, {time.Minute, "/min"}, {time.Hour, "/h"}, {24 * time.Hour, "/day"}}
	for _, u := range units {
		if u.unit == per {
			return u.name, u.unit.Seconds()
		}
	}
	for _, u := range units {
		if perSecond*u.unit.Seconds() >= 0.9995 {
			return u.name, u.unit.Seconds()
		}
	}
	return "/day", (24 * time.Hour).Seconds()
}

// Digits writes v with n significant digits, whole numbers whole, without
// exponents up to 15 places and without zeros at the end.
func Digits(v float64, n int) string {
	if math.IsNaN(v) {
		return "~"
	}
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	places := n
	if a := math.Abs(v); a > 0 {
		places = n - 1 - int(math.Floor(math.Log10(a)))
	}
	if places <= 0 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	s := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Count writes a whole number with its noun: "1 job", "2 jobs".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
