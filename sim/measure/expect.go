package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/model"
)

// ParseExpectation reads one line of expect: a key and what is wanted of it,
// with <, <=, >, >=, ==, "between A and B" or "within 5% of X". Errors are one
// sentence and say what was wanted. Whether the key has a meaning in a scenario
// is for [Meaningful].
//
// bound_by is compared with one of [BoundWords] by ==; its expectation has the
// operator [model.Equal], no numbers, and Want as written: [WantedWord] takes
// the word out of it.
func ParseExpectation(key, want string) (model.Expectation, error) {
	e := model.Expectation{Key: strings.TrimSpace(key), Want: strings.TrimSpace(want)}
	scope, name := splitKey(e.Key)
	if err := checkName(scope, name, e.Key); err != nil {
		return e, err
	}
	if name == BoundByName {
		return parseBoundBy(e, scope)
	}
	op, rest := splitOp(e.Want)
	e.Op = op
	var err error
	switch op {
	case model.Between:
		low, high, found := cut(rest, "and")
		if !found {
			return e, fmt.Errorf("%s: %q lacks its second bound, want between A and B", e.Key, e.Want)
		}
		if e.A, err = number(e, low); err == nil {
			e.B, err = number(e, high)
		}
		if err == nil && e.A > e.B {
			err = fmt.Errorf("%s: the bounds of %q are the wrong way round, want the smaller one first", e.Key, e.Want)
		}
	case model.Within:
		part, of, found := cut(rest, "of")
		if !found || !strings.HasSuffix(part, "%") {
			return e, fmt.Errorf("%s: %q is not clear, want within N%% of X, such as within 5%% of 10", e.Key, e.Want)
		}
		if e.B, err = number(e, strings.TrimSpace(strings.TrimSuffix(part, "%"))); err == nil {
			e.A, err = number(e, of)
		}
		if err == nil && e.B < 0 {
			err = fmt.Errorf("%s: %q has a percentage below 0", e.Key, e.Want)
		}
		e.B /= 100
	case "":
		err = fmt.Errorf("%s: %q does not compare, want <, <=, >, >= or == and a number, between A and B, or within N%% of X",
			e.Key, e.Want)
	default:
		e.A, err = number(e, rest)
	}
	return e, err
}

// splitOp takes the operator off; "" if there is none.
func splitOp(want string) (model.Op, string) {
	for _, op := range []model.Op{model.AtMost, model.AtLeast, model.Equal, model.Less, model.More} {
		if rest, ok := strings.CutPrefix(want, string(op)); ok {
			return op, strings.TrimSpace(rest)
		}
	}
	for _, op := range []model.Op{model.Between, model.Within} {
		if rest, ok := strings.CutPrefix(want, string(op)+" "); ok {
			return op, strings.TrimSpace(rest)
		}
	}
	return "", want
}

// cut splits at a word that stands by itself.
func cut(s, word string) (before, after string, found bool) {
	before, after, found = strings.Cut(s, " "+word+" ")
	return strings.TrimSpace(before), strings.TrimSpace(after), found
}

func number(e model.Expectation, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(text, "xX_") {
		_, name := splitKey(e.Key)
		unit := ""
		switch {
		case strings.HasSuffix(name, "_per_s"):
			unit = " (a rate a second, without its unit)"
		case strings.HasSuffix(name, "_s"):
			unit = " (of seconds, without the unit)"
		}
		return 0, fmt.Errorf("%s: %q is no number, want one such as 4.75%s", e.Key, text, unit)
	}
	return v, nil
}

func parseBoundBy(e model.Expectation, scope string) (model.Expectation, error) {
	if scope != "" {
		return e, fmt.Errorf("key %q has a meaning for the whole only: write %s", e.Key, BoundByName)
	}
	e.Op = model.Equal
	words := BoundWords()
	slices.Sort(words)
	word, ok := strings.CutPrefix(e.Want, "==")
	word = strings.TrimSpace(word)
	if !ok || word == "" {
		return e, fmt.Errorf("%s: %q does not compare, want == and one of %s", e.Key, e.Want, strings.Join(words, ", "))
	}
	if slices.Contains(words, word) {
		return e, nil
	}
	if near := model.Nearest(word, words); near != "" {
		return e, fmt.Errorf("%s: %q is unknown, did you mean %s?", e.Key, word, near)
	}
	return e, fmt.Errorf("%s: %q is unknown, want one of %s", e.Key, word, strings.Join(words, ", "))
}

// WantedWord is the word an expectation of bound_by wants.
func WantedWord(e model.Expectation) string {
	return strings.TrimSpace(strings.TrimPrefix(e.Want, string(model.Equal)))
}
