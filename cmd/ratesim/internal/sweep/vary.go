// Package sweep is a grid of settings: which values are varied, the cells that
// makes, and the lines in which their results are written, so that a grid can
// be spread over many machines and put together again.
package sweep

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
)

// Axis is one value that is varied: its path in the scenario, and what it
// becomes.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// most is how many values one axis may have.
const most = 10_000

// ParseAxis reads KEY=1..10, KEY=a,b,c, or KEY=0.05s..1s log 8 (lin for equal
// steps): whole numbers or lengths of time.
func ParseAxis(text string) (Axis, error) {
	key, list, ok := strings.Cut(text, "=")
	key, list = strings.TrimSpace(key), strings.TrimSpace(list)
	if !ok || key == "" || list == "" {
		return Axis{}, fmt.Errorf("%q is no KEY=VALUES, want such as limits.webhooks.burst=1..10", text)
	}
	a := Axis{Key: key}
	from, to, ranged := strings.Cut(list, "..")
	if !ranged {
		a.Values = split(list)
		seen := map[string]bool{}
		for _, v := range a.Values {
			if v == "" {
				return a, fmt.Errorf("%s: an empty value in %q, want such as 1,2,5", key, list)
			}
			if seen[v] {
				return a, fmt.Errorf("%s: %s is named twice", key, v)
			}
			seen[v] = true
		}
		return a, nil
	}
	words := strings.Fields(to)
	if from = strings.TrimSpace(from); from == "" || len(words) != 1 && len(words) != 3 {
		return a, fmt.Errorf("%s: %q is no range, want 1..10 or 0.05s..1s log 8", key, list)
	}
	how, n := "", 0
	if len(words) == 3 {
		var err error
		how = words[1]
		if n, err = strconv.Atoi(words[2]); how != "log" && how != "lin" || err != nil || n < 2 || n > most {
			return a, fmt.Errorf("%s: %q does not say how many, want log or lin and a number from 2, such as log 8", key, list)
		}
	}
	var err error
	a.Values, err = between(from, words[0], how, n)
	if err != nil {
		err = fmt.Errorf("%s: %w", key, err)
	}
	return a, err
}

// split parts a list at its commas, but not within brackets.
func split(list string) (out []string) {
	depth, begin := 0, 0
	for i, r := range list {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(list[begin:i]))
				begin = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(list[begin:]))
}

func between(from, to, how string, n int) ([]string, error) {
	if a, err1 := strconv.Atoi(from); err1 == nil {
		b, err2 := strconv.Atoi(to)
		switch {
		case err2 != nil:
			return nil, fmt.Errorf("%s is no whole number like %s", to, from)
		case b < a:
			return nil, fmt.Errorf("%s..%s runs backwards", from, to)
		case how == "" && b-a >= most:
			return nil, fmt.Errorf("%s..%s has over %d values, want fewer, or log 8", from, to, most)
		case how == "":
			n, how = b-a+1, "lin"
		case how == "log" && a < 1:
			return nil, fmt.Errorf("%s..%s can't be spaced evenly in its logarithm, want it above 0", from, to)
		}
		var out []string
		for _, v := range spread(float64(a), float64(b), how, n) {
			if text := strconv.Itoa(int(math.Round(v))); len(out) == 0 || out[len(out)-1] != text {
				out = append(out, text)
			}
		}
		return out, nil
	}
	a, err1 := model.ParseDuration(from)
	b, err2 := model.ParseDuration(to)
	switch {
	case err1 != nil:
		return nil, err1
	case err2 != nil:
		return nil, err2
	case b <= a:
		return nil, fmt.Errorf("%s..%s runs backwards", from, to)
	case how == "":
		return nil, fmt.Errorf("%s..%s does not say how many, want such as %s..%s log 8", from, to, from, to)
	case how == "log" && a <= 0:
		return nil, fmt.Errorf("%s..%s can't be spaced evenly in its logarithm, want it above 0", from, to)
	}
	var out []string
	for _, v := range spread(float64(a), float64(b), how, n) {
		// Three digits are as many as anybody reads.
		if v > 0 {
			digits := math.Pow(10, math.Floor(math.Log10(v))-2)
			v = math.Round(v/digits) * digits
		}
		text := model.FormatDuration(time.Duration(v))
		if len(out) == 0 || out[len(out)-1] != text {
			out = append(out, text)
		}
	}
	return out, nil
}

// spread is n numbers from a to b, at equal steps or ratios.
func spread(a, b float64, how string, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		share := float64(i) / float64(max(n-1, 1))
		if how == "log" {
			out[i] = a * math.Pow(b/a, share)
		} else {
			out[i] = a + (b-a)*share
		}
	}
	return out
}
