package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
)

// reader turns the tree of one document into a scenario. It tells every
// mistake and reads on; a value that was wrong is left as it was.
type reader struct {
	file string
	src  string
	open func(name string) ([]byte, error)
	errs Errors

	draft
}

// fail tells what is wrong with a value. path is where it stands in the
// scenario, in the words --set takes; a value set by a flag has its path in
// the flag.
func (r *reader) fail(n *node, path, format string, args ...any) {
	e := Error{File: r.file, Line: n.line, Col: n.col, src: r.src, Msg: fmt.Sprintf(format, args...)}
	if n.flag != "" {
		e.File, e.Line, e.Col = n.flag, 0, 0
	} else if path != "" {
		e.Msg = path + ": " + e.Msg
	}
	r.errs = r.errs.with(e)
}

// key is one key of a mapping and how its value is read into a T. The tables
// of keys drive the reader, the nearest-name hints, --set and the check of the
// JSON Schema; the order in a table is the order of reading.
type key[T any] struct {
	name string
	read func(r *reader, n *node, path string, into *T)
}

func names[T any](keys []key[T]) []string {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = k.name
	}
	return all
}

// fill reads a mapping by its table of keys. It is false if something in it
// was wrong.
func fill[T any](r *reader, n *node, path string, keys []key[T], into *T) bool {
	before := len(r.errs)
	if !r.is(n, path, mapping, "a mapping of keys to values") {
		return false
	}
	known := names(keys)
	for _, k := range n.keys {
		if !contains(known, k.text) && (path != "" || !strings.HasPrefix(k.text, "x-")) {
			if other := elsewhere(path, k.text, r.system); other != "" {
				r.fail(k, path, "%s is a key of system %s, which this is not, want one of: %s", quote(k.text), other, strings.Join(known, ", "))
				continue
			}
			r.fail(k, path, "unknown key %s, %s", quote(k.text), orNearest(k.text, known))
		}
	}
	for _, k := range keys {
		if v := n.get(k.name); v != nil {
			k.read(r, v, join(path, k.name), into)
		}
	}
	return len(r.errs) == before
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// is checks the shape of a value; want ends the sentence.
func (r *reader) is(n *node, path string, s shape, want string) bool {
	switch {
	case n.told:
		return false
	case n.empty():
		r.fail(n, path, "there is no value, want %s, or the key left out", want)
		return false
	case n.shape == s:
		return true
	case n.shape == scalar:
		r.fail(n, path, "%s is a single value, want %s", quote(n.text), want)
	default:
		r.fail(n, path, "it is a %s, want %s", n.shape, want)
	}
	return false
}

// text is a word or a sentence. A bare number is refused where YAML would take
// it for one, so that 010 does not quietly become a name.
func (r *reader) text(n *node, path, want string) (string, bool) {
	if !r.is(n, path, scalar, want) {
		return "", false
	}
	if n.plain && numeric(n.text) {
		r.fail(n, path, "%s is a number, want %s; text that looks like a number needs quotes", n.text, want)
		return "", false
	}
	if strings.TrimSpace(n.text) == "" {
		r.fail(n, path, "it is empty, want %s", want)
		return "", false
	}
	return n.text, true
}

// phrase is text of a small language: a length, a delay, a rule. There the
// language says what a bare number means.
func (r *reader) phrase(n *node, path, want string) (string, bool) {
	return n.text, r.is(n, path, scalar, want)
}

// numeric is true for what YAML takes for a number.
func numeric(s string) bool {
	if s == "" || !strings.ContainsAny(s[:1], "0123456789.+-") {
		return false
	}
	_, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil {
		_, err = strconv.ParseInt(s, 0, 64)
	}
	return err == nil
}

// word is one of some names.
func word[T ~string](r *reader, n *node, path string, into *T, choices ...T) {
	all := make([]string, len(choices))
	for i, c := range choices {
		all[i] = string(c)
	}
	want := orNearest("", all)[len("want "):]
	s, ok := r.phrase(n, path, want)
	switch {
	case !ok:
	case contains(all, s):
		*into = T(s)
	default:
		r.fail(n, path, "%s is not known, %s", quote(s), orNearest(s, all))
	}
}

// integer is a whole number from least to most, written in digits.
func (r *reader) integer(n *node, path string, least, most int) (int, bool) {
	want := fmt.Sprintf("a whole number from %d to %d", least, most)
	switch {
	case most == math.MaxInt && least == math.MinInt:
		want = "a whole number"
	case most == math.MaxInt:
		want = fmt.Sprintf("a whole number of %d or more", least)
	}
	if !r.is(n, path, scalar, want) {
		return 0, false
	}
	if !n.plain {
		r.fail(n, path, "%s is in quotes, want %s without them", quote(n.text), want)
		return 0, false
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(n.text, "-"), "+")
	if !wholeNumber(digits) || strings.HasPrefix(n.text, "-+") {
		r.fail(n, path, "%s is no number in plain digits, want %s", quote(n.text), want)
		return 0, false
	}
	v, err := strconv.Atoi(strings.ReplaceAll(n.text, "_", ""))
	if err != nil || v < least || v > most {
		r.fail(n, path, "%s is out of range, want %s", n.text, want)
		return 0, false
	}
	return v, true
}

// wholeNumber is true for digits with single _ between them. A leading 0 is
// refused: some readers of YAML take it for an octal number.
func wholeNumber(s string) bool {
	if s == "" || s[0] == '0' && len(s) > 1 || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") {
		return false
	}
	return strings.Trim(s, "0123456789_") == ""
}

// duration is a length of at least least.
func (r *reader) duration(n *node, path string, least time.Duration) (time.Duration, bool) {
	s, ok := r.phrase(n, path, "a length such as 1s")
	if !ok {
		return 0, false
	}
	d, err := model.ParseDuration(s)
	switch {
	case err != nil:
		r.fail(n, path, "%v", err)
	case d < least && least == 1:
		r.fail(n, path, "%s is no time, want a length above 0, such as 1s", s)
	case d < least:
		r.fail(n, path, "%s is too short, want at least %v", s, least)
	default:
		return d, true
	}
	return 0, false
}

// interval is a polling interval. The key is borrowed from config/queue.yml,
// where a bare number means seconds. A shorter one than a millisecond is
// refused: with no interval and no cost time would never pass.
func (r *reader) interval(n *node, path string, into *time.Duration) {
	if n.shape == scalar && n.plain && numeric(n.text) {
		seconds := *n
		seconds.text = strings.ReplaceAll(n.text, "_", "") + "s"
		n = &seconds
	}
	if d, ok := r.duration(n, path, time.Millisecond); ok {
		*into = d
	}
}

// phase is the time of a first poll.
func (r *reader) phase(n *node, path string, into **time.Duration) {
	if d, ok := r.duration(n, path, 0); ok {
		*into = &d
	}
}

// delay is a distribution of times.
func (r *reader) delay(n *node, path string, into *model.Dist) {
	s, ok := r.phrase(n, path, "a delay such as 50ms or exp(50ms)")
	if !ok {
		return
	}
	d, err := model.ParseDist(s, r.open)
	if err != nil {
		r.fail(n, path, "%v", err)
		return
	}
	*into = d
}
