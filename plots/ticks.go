package plots

import (
	"math"
	"strconv"
	"strings"
)

// Tick is a place of an axis that has a label.
type Tick struct {
	Value float64
	Label string
}

// mostTicks is where an axis stops: more can't be read, whatever its range.
const mostTicks = 1000

// Ticks are the multiples of step from low to high with the unit, such as 0,
// 10 s, 20 s, or the named places of an axis that has [Axis.Steps]. Whoever
// draws chooses the step, best by [Round], since only they know the room.
func (a Axis) Ticks(low, high, step float64) (out []Tick) {
	for i, name := range a.Steps {
		out = append(out, Tick{float64(i), name})
	}
	if len(a.Steps) > 0 {
		return out
	}
	first := math.Ceil(low/step - 1e-9)
	for i := range mostTicks {
		k := first + float64(i)
		if !(k*step <= high+step*1e-9) {
			break
		}
		if k == 0 {
			k = 0 // which may be -0
		}
		label := Number(k * step)
		if k != 0 {
			label += a.Unit
		}
		out = append(out, Tick{k * step, label})
	}
	return out
}

// Round is the step of 1, 2 or 5 times a power of ten that is v or the next
// above; 1 if v is no positive number.
func Round(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*ten*(1+1e-9) {
			return m * ten
		}
	}
	return 10 * ten
}

// RoundTo keeps n digits of v.
func RoundTo(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	ten := math.Pow(10, float64(n-1)-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*ten) / ten
}

// Number is v without zeros at its end; with a power of ten where it would be
// too long to read.
func Number(v float64) string {
	if size := math.Abs(v); size >= 1e9 || size > 0 && size < 1e-6 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	text := strconv.FormatFloat(v, 'f', 10, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
