package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxSigma bounds the spread of a lognormal: with 10 one draw in forty is
// already 300 million times the median.
const maxSigma = 10

// exponential, with the given mean.
type exponential struct{ m time.Duration }

func (t exponential) at(u float64) time.Duration { return wholeNS(-mul(float64(t.m), ln(1-u))) }
func (t exponential) mean() float64              { return float64(t.m) }
func (t exponential) scale(f float64) term       { return exponential{scaled(t.m, f)} }
func (t exponential) String() string             { return "exp(" + FormatDuration(t.m) + ")" }

// uniform between low and high.
type uniform struct{ low, high time.Duration }

func (t uniform) at(u float64) time.Duration {
	return t.low + min(wholeNS(mul(float64(t.high-t.low), u)), t.high-t.low)
}
func (t uniform) mean() float64 { return float64(t.low) + mul(float64(t.high-t.low), 0.5) }
func (t uniform) scale(f float64) term {
	return uniform{scaled(t.low, f), scaled(t.high, f)}
}
func (t uniform) String() string {
	return "uniform(" + FormatDuration(t.low) + ", " + FormatDuration(t.high) + ")"
}

// normal, where what would be below 0 is 0.
type normal struct{ m, sd time.Duration }

func (t normal) at(u float64) time.Duration {
	return wholeNS(float64(t.m) + mul(float64(t.sd), normalQuantile(u)))
}

// mean is that of max(0, X), which the cut makes larger than m.
func (t normal) mean() float64 {
	m, sd := float64(t.m), float64(t.sd)
	if sd == 0 {
		return m
	}
	z := m / sd
	return mul(m, normalCDF(z)) + mul(sd, normalDensity(z))
}
func (t normal) scale(f float64) term { return normal{scaled(t.m, f), scaled(t.sd, f)} }
func (t normal) String() string {
	return "normal(" + FormatDuration(t.m) + ", " + FormatDuration(t.sd) + ")"
}

// lognormal: the logarithm is normal, with standard deviation sigma.
type lognormal struct {
	median time.Duration
	sigma  float64
}

func (t lognormal) at(u float64) time.Duration {
	return wholeNS(mul(float64(t.median), exp(mul(t.sigma, normalQuantile(u)))))
}
func (t lognormal) mean() float64 {
	return mul(float64(t.median), exp(mul(0.5, mul(t.sigma, t.sigma))))
}
func (t lognormal) scale(f float64) term { return lognormal{scaled(t.median, f), t.sigma} }
func (t lognormal) String() string {
	return "lognormal(" + FormatDuration(t.median) + ", " + strconv.FormatFloat(t.sigma, 'f', -1, 64) + ")"
}

// empirical draws the values of a file, all equally likely and none between
// them, factor times as long.
type empirical struct {
	file   string
	factor float64
	sorted []time.Duration
}

func (t *empirical) at(u float64) time.Duration {
	i := min(int(mul(u, float64(len(t.sorted)))), len(t.sorted)-1)
	return scaled(t.sorted[i], t.factor)
}
func (t *empirical) mean() float64 {
	sum := 0.0
	for _, d := range t.sorted {
		sum += float64(scaled(d, t.factor))
	}
	return sum / float64(len(t.sorted))
}
func (t *empirical) scale(f float64) term {
	f = mul(t.factor, f)
	if !(f <= math.MaxFloat64) {
		f = math.MaxFloat64
	}
	return &empirical{t.file, f, t.sorted}
}
func (t *empirical) String() string {
	s := "empirical(" + quoteName(t.file)
	if t.factor != 1 {
		s += ", " + strconv.FormatFloat(t.factor, 'g', -1, 64)
	}
	return s + ")"
}

// readEmpirical reads the first column of a CSV file. A bare number is in the
// unit the column's name ends in (takes_ms, takes_s, takes_us); without such a
// name it needs a unit of its own.
func readEmpirical(file string, text []byte) ([]time.Duration, error) {
	var (
		values []time.Duration
		unit   time.Duration
		col    = newColumn(file, text)
	)
	for top := true; col.scan(); top = false {
		if top && header(col.first) {
			unit = headerUnit(col.first)
			continue
		}
		d, err := parseIn(col.first, unit)
		if err != nil {
			if unit == 0 && !strings.ContainsAny(col.first, "abcdefghijklmnopqrstuvwxyz") {
				return nil, col.errorf("%v, or a first line that names the unit, such as takes_ms", err)
			}
			return nil, col.errorf("%v", err)
		}
		values = append(values, d)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s: no values in it, want one length a line", show(file))
	}
	slices.Sort(values)
	return values, nil
}
