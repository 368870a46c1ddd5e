package starts

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// names are what a column or field of start times is called, the likeliest
// first. A unit may follow: time_s, at_us.
var names = []string{"started_at", "start", "started", "claimed_at", "time", "ts", "timestamp", "at", "datetime", "date", "@timestamp"}

// choose picks the column of start times among named ones.
func choose(heads []string) int {
	for _, want := range names {
		for i, h := range heads {
			if h = strings.ToLower(strings.TrimSpace(h)); h == want {
				return i
			}
			if _, ok := unitOfName(h); ok && h[:strings.LastIndexByte(h, '_')] == want {
				return i
			}
		}
	}
	for i, h := range heads {
		if _, ok := unitOfName(strings.ToLower(h)); ok {
			return i
		}
	}
	return -1
}

func readCSV(r *bufio.Reader, first, column string, c *collector) error {
	if b, err := r.Peek(3); err == nil && string(b) == "\ufeff" {
		_, _ = r.Discard(3) // what was peeked is there
	}
	cr := csv.NewReader(r)
	if comma := commaOf(first); comma != 0 {
		cr.Comma = comma
	}
	cr.FieldsPerRecord = -1
	cr.ReuseRecord = true
	at, event := -1, -1
	for {
		row, err := cr.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			c.mistakes = append(c.mistakes, fmt.Errorf("%s:%d:%d: %v", c.name, pe.Line, pe.Column, pe.Err))
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := cr.FieldPos(0)
		if at < 0 {
			var header bool
			if at, header, err = columnOf(row, column, c); err != nil {
				return err
			}
			if header {
				c.out.Header = true
				event = slices.Index(row, "event")
				continue
			}
		}
		if event >= 0 && event < len(row) && c.noStart(row[event]) {
			continue
		}
		if at >= len(row) {
			if !c.mistake(line, fmt.Sprintf("%d columns, want at least %d", len(row), at+1)) {
				return nil
			}
			continue
		}
		if !c.add(line, row[at]) {
			return c.ctx.Err()
		}
	}
}

// columnOf finds the column of start times by the first row, which may be a
// header.
func columnOf(row []string, column string, c *collector) (at int, header bool, err error) {
	header = !slices.ContainsFunc(row, numeric)
	heads := slices.Clone(row)
	switch n, numErr := strconv.Atoi(column); {
	case column == "" && header && len(row) == 1:
		at = 0
	case column == "" && header:
		if at = choose(heads); at < 0 {
			return 0, false, fmt.Errorf("%s:1: none of the columns %s is called like a time, name one with --column", c.name, list(heads))
		}
	case column == "":
		// A date is a time without doubt; a number may be anything.
		at = slices.IndexFunc(row, func(cell string) bool { s, ok := parse(cell); return ok && s.date })
		if at < 0 {
			if len(row) > 1 {
				return 0, false, fmt.Errorf("%s:1: %d columns of numbers without a header, say which with --column N", c.name, len(row))
			}
			at = 0
		}
	case numErr == nil && n >= 1:
		if at = n - 1; at >= len(row) {
			return 0, false, fmt.Errorf("--column: %d is above the %d columns of %s", n, len(row), c.name)
		}
	default:
		if at = slices.IndexFunc(heads, func(h string) bool { return strings.TrimSpace(h) == column }); at < 0 {
			return 0, false, fmt.Errorf("--column: %s has no column %q, only %s", c.name, column, list(heads))
		}
		header = true
	}
	c.out.Column = strconv.Itoa(at + 1)
	if header {
		c.out.Column = strings.TrimSpace(heads[at])
		if u, ok := unitOfName(strings.ToLower(c.out.Column)); ok && c.unit == Guess {
			c.unit = u
		}
	}
	return at, header, nil
}

func readLines(r *bufio.Reader, c *collector) error {
	return eachLine(r, c, func(line int, text []byte) bool {
		return c.addStamp(line, string(text), find)
	})
}

func readNDJSON(r *bufio.Reader, field string, c *collector) error {
	var fatal error
	err := eachLine(r, c, func(line int, text []byte) bool {
		if c.out.Column == "" {
			if field == "" {
				if field, fatal = fieldOf(text, line, c); fatal != nil {
					return false
				}
			}
			c.out.Column = field
			if u, ok := unitOfName(strings.ToLower(field)); ok && c.unit == Guess {
				c.unit = u
			}
			c.out.Header = true // objects have no header to pass over
		}
		if event, ok := member(text, "event"); ok && c.noStart(strings.Trim(string(event), `"`)) {
			return true
		}
		raw, ok := member(text, field)
		if !ok {
			// Not an object that can be skimmed: the library says why.
			var all map[string]json.RawMessage
			if err := json.Unmarshal(text, &all); err != nil {
				return c.mistake(line, "no JSON object"+why(err))
			}
			raw = all[field]
		}
		if raw == nil {
			return c.mistake(line, fmt.Sprintf("no field %q", field))
		}
		return c.add(line, string(raw))
	})
	if fatal != nil {
		return fatal
	}
	return err
}

// member skims an object for a field's value, the last one as the library has
// it, without reading the rest: five times as fast. ok is false when the text
// is not plainly an object or has escapes in a key; nil with ok: no such field.
func member(text []byte, field string) (raw []byte, ok bool) {
	depth, begin := 0, -1 // begin: of the wanted value, while inside it
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := i + 1
			escaped := false
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					escaped = true
					end++
				}
				end++
			}
			if end >= len(text) {
				return nil, false
			}
			next := end + 1
			for next < len(text) && (text[next] == ' ' || text[next] == '\t') {
				next++
			}
			if depth == 1 && next < len(text) && text[next] == ':' {
				if escaped {
					return nil, false
				}
				if string(text[i+1:end]) == field {
					begin = next + 1
				}
				end = next
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 1 && begin >= 0 {
				raw, begin = bytes.TrimSpace(text[begin:i]), -1
			}
			if depth--; depth == 0 {
				return raw, i == len(text)-1 && text[0] == '{'
			}
		case ',':
			if depth == 1 && begin >= 0 {
				raw, begin = bytes.TrimSpace(text[begin:i]), -1
			}
		}
	}
	return nil, false
}

// fieldOf finds the field of start times by the first object.
func fieldOf(text []byte, line int, c *collector) (string, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return "", fmt.Errorf("%s:%d: no JSON object%s", c.name, line, why(err))
	}
	var fields []string
	for f := range all {
		fields = append(fields, f)
	}
	slices.Sort(fields)
	if i := choose(fields); i >= 0 {
		return fields[i], nil
	}
	return "", fmt.Errorf("%s:%d: none of the fields %s is called like a time, name one with --column", c.name, line, list(fields))
}

// list is names for a message, the first ones, harmless on a screen.
func list(names []string) string {
	const most = 12
	out := make([]string, 0, most+1)
	for i, n := range names {
		if i == most {
			out = append(out, "…")
			break
		}
		if q := strconv.Quote(n); len(q) != len(n)+2 || n == "" || len(n) > 40 {
			n = quote(n)
		}
		out = append(out, n)
	}
	return strings.Join(out, ", ")
}

// why is where JSON goes wrong, if it does; what is JSON and no object needs no
// more words.
func why(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return ": " + syntax.Error()
	}
	return ""
}

// eachLine calls f for every line that is not blank, until it says no.
func eachLine(r *bufio.Reader, c *collector, f func(line int, text []byte) bool) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), 1<<24)
	for n := 1; s.Scan(); n++ {
		text := bytes.TrimSpace(s.Bytes())
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 {
			continue
		}
		if !f(n, text) {
			return c.ctx.Err()
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s: a line is longer than 16 MB", c.name)
	}
	return s.Err()
}
