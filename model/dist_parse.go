package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// errNoFiles is what a nil open answers.
var errNoFiles = errors.New("files can't be read here")

// ParseDist reads a delay: a sum, with +, of
//
//	50ms                     always so long
//	exp(50ms)                exponential, with this mean
//	uniform(0ms, 20ms)       between the two
//	normal(50ms, 10ms)       mean and standard deviation; below 0 counts as 0
//	lognormal(50ms, 0.3)     median, and standard deviation of the logarithm
//	empirical(FILE.csv)      the values of the file's first column, equally
//	                         likely; with a number after it, so many times as long
//
// each of which may be followed by "per job". A bare number in a file counts
// what its column's name ends in: _ns, _us, _ms or _s. open reads the file;
// nil refuses files. Errors name the term, or file and line.
func ParseDist(s string, open func(name string) ([]byte, error)) (Dist, error) {
	var d Dist
	var terms []term
	for _, text := range splitTop(s, '+') {
		body, perJob := cutPerJob(strings.TrimSpace(text))
		if body == "" {
			return Dist{}, fmt.Errorf("%s: a term is missing, want a delay such as 50ms or exp(50ms)", show(s))
		}
		if !strings.ContainsAny(body, "()") {
			fixed, err := parseConstant(body)
			if err != nil {
				return Dist{}, err
			}
			if perJob {
				d.perJob = addUpTo(d.perJob, fixed)
			} else {
				d.base = addUpTo(d.base, fixed)
			}
			continue
		}
		t, err := parseTerm(body, open)
		if err != nil {
			return Dist{}, err
		}
		if perJob {
			t = perJobTerm{t}
		}
		terms = append(terms, t)
	}
	if terms != nil {
		d.terms = &terms
	}
	return d, nil
}

var distNames = []string{"exp", "uniform", "normal", "lognormal", "empirical"}

// usage shows each distribution's arguments in an error.
var usage = map[string]string{
	"exp":       "exp(MEAN), such as exp(50ms)",
	"uniform":   "uniform(LEAST, MOST), such as uniform(0ms, 20ms)",
	"normal":    "normal(MEAN, DEVIATION), such as normal(50ms, 10ms)",
	"lognormal": "lognormal(MEDIAN, SIGMA), such as lognormal(50ms, 0.3)",
	"empirical": "empirical(FILE.csv)",
}

// parseConstant reads a length that stands where a distribution could.
func parseConstant(s string) (time.Duration, error) {
	if startsNumber(s) {
		return ParseDuration(s)
	}
	if want, ok := usage[s]; ok {
		return 0, fmt.Errorf("%s: no arguments, want %s", show(s), want)
	}
	return 0, fmt.Errorf("%s is no delay, want one such as 50ms, exp(50ms) or uniform(0ms, 20ms)", show(s))
}

func parseTerm(s string, open func(string) ([]byte, error)) (term, error) {
	name, args, ok := strings.Cut(s, "(")
	name = strings.TrimSpace(name)
	if !ok || !strings.HasSuffix(args, ")") {
		return nil, fmt.Errorf("%s: the brackets don't match, want a delay such as exp(50ms)", show(s))
	}
	want, ok := usage[name]
	if !ok {
		near := nearestOr(name, distNames, "")
		if near == "" {
			return nil, fmt.Errorf("%s: unknown distribution %s, want exp, uniform, normal, lognormal or empirical", show(s), show(name))
		}
		return nil, fmt.Errorf("%s: unknown distribution %s, want %s", show(s), show(name), usage[near])
	}
	arg := splitTop(strings.TrimSuffix(args, ")"), ',')
	if n := len(arg); n == 1 && name != "exp" && name != "empirical" || n == 2 && name == "exp" || n > 2 {
		return nil, fmt.Errorf("%s: %s, want %s", show(s), counted(n, "argument"), want)
	}
	var t term
	var err error
	if name == "empirical" {
		t, err = parseEmpirical(arg, open)
	} else {
		t, err = parseNamed(name, arg)
	}
	if err != nil && name != "empirical" {
		err = fmt.Errorf("%s: %w", show(s), err)
	}
	return t, err
}

func parseNamed(name string, arg []string) (term, error) {
	a, err := ParseDuration(arg[0])
	if err != nil {
		return nil, err
	}
	if name == "exp" {
		return exponential{a}, nil
	}
	if name == "lognormal" {
		text := strings.TrimSpace(arg[1])
		sigma, err := parseSigma(text)
		if err != nil {
			return nil, err
		}
		return lognormal{a, sigma}, nil
	}
	b, err := ParseDuration(arg[1])
	if err != nil {
		return nil, err
	}
	if name == "normal" {
		return normal{a, b}, nil
	}
	if a > b {
		return nil, fmt.Errorf("%s is more than %s, want the smaller one first", FormatDuration(a), FormatDuration(b))
	}
	return uniform{a, b}, nil
}

func parseSigma(s string) (float64, error) {
	if s == "0" {
		return 0, nil
	}
	sigma, err := parseCount(s)
	if err != nil {
		return 0, fmt.Errorf("sigma %w", err)
	}
	if sigma > maxSigma {
		return 0, fmt.Errorf("sigma is %s, want at most %d", show(s), maxSigma)
	}
	return sigma, nil
}

func parseEmpirical(arg []string, open func(string) ([]byte, error)) (term, error) {
	file, err := fileName(arg[0])
	if err != nil {
		return nil, fmt.Errorf("empirical: %w", err)
	}
	factor := 1.0
	if len(arg) == 2 {
		text := strings.TrimSpace(arg[1])
		if factor, err = strconv.ParseFloat(text, 64); err != nil || !(factor >= 0) || factor > maxFactor {
			return nil, fmt.Errorf("empirical(%s): the factor is %s, want a number of 0 or more", show(file), show(text))
		}
	}
	text, err := readFile(file, open)
	if err != nil {
		return nil, err
	}
	sorted, err := readEmpirical(file, text)
	if err != nil {
		return nil, err
	}
	return &empirical{file, factor, sorted}, nil
}

// maxFactor is the largest factor of an empirical; beyond it there are only
// infinities.
const maxFactor = 1.7976931348623157e308

// cutPerJob takes "per job" off the end of a term.
func cutPerJob(s string) (body string, perJob bool) {
	words := strings.Fields(s)
	if n := len(words); n < 2 || words[n-1] != "job" || words[n-2] != "per" && !strings.HasSuffix(words[n-2], ")per") {
		return s, false
	}
	s = strings.TrimSpace(strings.TrimSuffix(s, "job"))
	return strings.TrimSpace(strings.TrimSuffix(s, "per")), true
}

// splitTop splits at the separators outside brackets and quotes.
func splitTop(s string, sep byte) []string {
	var parts []string
	depth, from, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == sep && depth <= 0:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// fileName reads a file's name, which is quoted if it has characters of the
// syntax in it.
func fileName(s string) (string, error) {
	name := strings.TrimSpace(s)
	if strings.HasPrefix(name, `"`) {
		var err error
		if name, err = strconv.Unquote(name); err != nil {
			return "", fmt.Errorf("%s: the quotes don't match", show(s))
		}
	}
	if name == "" {
		return "", fmt.Errorf("the file's name is missing, want one such as delays.csv")
	}
	return name, nil
}

func quoteName(name string) string {
	if strings.ContainsAny(name, "\"\\(),+") || show(name) != name {
		return strconv.Quote(name)
	}
	return name
}

func readFile(name string, open func(string) ([]byte, error)) ([]byte, error) {
	if open == nil {
		return nil, fmt.Errorf("%s: %w", show(name), errNoFiles)
	}
	text, err := open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", show(name), err)
	}
	return text, nil
}

// counted is "1 argument" or "2 arguments".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
