package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Error is one mistake in a scenario file or in a value set by a flag.
type Error struct {
	File string // as it was given; the flag, if the value came from one
	Line int    // from 1; 0: the file as a whole, or a flag
	Col  int    // in runes, from 1
	Msg  string // a sentence: the value that is wrong and what is wanted

	src string // the whole file, for Excerpt
}

// Error is "file:line:column: sentence", in one line whatever the file's name.
func (e Error) Error() string {
	if strings.ContainsFunc(e.File, unicode.IsControl) {
		e.File = strconv.Quote(e.File)
	}
	switch {
	case e.Line == 0 && e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Excerpt is [Excerpt] of the file the error was found in, "" if there is no
// place to show.
func (e Error) Excerpt() string { return Excerpt([]byte(e.src), e) }

// quote shows a value from a file: in quotes, cut when long.
func quote(s string) string {
	if rs := []rune(s); len(rs) > 60 {
		s = string(rs[:59]) + "…"
	}
	return strconv.Quote(s)
}

// Errors are all mistakes of what was read: flags first, then file by file, in
// order of line.
type Errors []Error

// Error is a line for each mistake.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// orNil keeps an empty list from becoming an error that is not nil.
func (es Errors) orNil() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

// maxErrors is how many mistakes of one file are told. A file of a megabyte
// can hold a hundred thousand; nobody reads them, and telling them takes long.
const maxErrors = 1000

// with adds an error, up to a number beyond which the memory for more would be
// the trouble.
func (es Errors) with(e Error) Errors {
	if len(es) >= 20*maxErrors {
		return es
	}
	return append(es, e)
}

// sorted puts the mistakes of one file in order of their place. What stands
// under an anchor is read once for each alias, so equal ones are told once.
func (es Errors) sorted() Errors {
	slices.SortStableFunc(es, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	type place struct {
		file, msg string
		line, col int
	}
	seen := make(map[place]bool, len(es))
	es = slices.DeleteFunc(es, func(e Error) bool {
		p := place{e.File, e.Msg, e.Line, e.Col}
		again := seen[p]
		seen[p] = true
		return again
	})
	if len(es) > maxErrors {
		last := es[maxErrors]
		last.Msg = "more mistakes from here on"
		es = append(es[:maxErrors:maxErrors], last)
	}
	return es
}
