package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func sample() *Table {
	t := &Table{Columns: []Column{{Head: "name"}, {Head: "drain", Right: true}, {Head: "why", Drop: 1}, {Head: "more", Drop: 2}}}
	t.Add("one", "1/s", "because it is so", "x")
	t.Add("twenty", "20/s", "of that", "yy")
	return t
}

func TestTable(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, `
name    drain  why               more
one       1/s  because it is so  x
twenty   20/s  of that           yy
`},
		{36, `
name    drain  why
one       1/s  because it is so
twenty   20/s  of that
(left out: more)
`},
		{28, `
name    drain
one       1/s
twenty   20/s
(left out: more, why)
`},
		{11, `
name  drain
one     1/s
twe…   20/s
(left out:…
`},
	} {
		var b bytes.Buffer
		sample().Write(&b, c.width, Style{})
		if got := "\n" + b.String(); got != c.want {
			t.Errorf("%d columns:\n%s\nwant:\n%s", c.width, got, c.want)
		}
	}
}

// Whatever is in it and however little room there is, a table that can give way
// keeps to its width, cuts no number and does not lose a row.
func TestTableKeepsToItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := &Table{Indent: rapid.IntRange(0, 2).Draw(t, "indent"), Columns: []Column{
			{Head: "id", Right: true}, {Head: "text"}, {Head: "b", Right: true, Drop: 1}, {Head: "c", Drop: 2}}}
		word := rapid.StringMatching(`[a-zäµ≤ ]{0,30}`)
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			tab.Add(rapid.StringMatching(`[0-9]{1,8}`).Draw(t, "n"), word.Draw(t, "a"), rapid.StringMatching(`[0-9]{1,30}`).Draw(t, "b"), word.Draw(t, "c"))
		}
		width := rapid.IntRange(18, 100).Draw(t, "width")
		var b bytes.Buffer
		tab.Write(&b, width, Style{})
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) < len(tab.Rows)+1 {
			t.Fatalf("%d lines for %d rows", len(lines), len(tab.Rows))
		}
		for i, l := range lines {
			if utf8.RuneCountInString(l) > width {
				t.Fatalf("%d columns, want at most %d: %q", utf8.RuneCountInString(l), width, l)
			}
			if i > 0 && i <= len(tab.Rows) && !strings.Contains(l, tab.Rows[i-1][0]) {
				t.Fatalf("the number %s is cut in %q", tab.Rows[i-1][0], l)
			}
		}
	})
}

func TestFillKeepsEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zµ≤]{1,12} ){0,40}`).Draw(t, "text")
		width := rapid.IntRange(15, 90).Draw(t, "width")
		got := Fill(text, width, 2)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Fatalf("words lost: %q", got)
		}
		for _, l := range strings.Split(got, "\n") {
			if utf8.RuneCountInString(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
	})
}
