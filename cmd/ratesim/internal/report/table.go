package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Column is one column of a [Table].
type Column struct {
	Head  string
	Right bool // numbers line up at their ends
	Wrap  bool // of the last column: text goes on below instead of being cut
	Drop  int  // what goes first where room is short: the highest number; 0 always stays
}

// Table is rows under heads. It reads the same in a file as on a screen: two
// spaces between columns, no lines, and never wider than it may be.
type Table struct {
	Columns []Column
	Rows    [][]string
	Indent  int
	NoHead  bool
	// Mark styles a whole row; nil styles none. It sees the row's index.
	Mark func(row int, line string) string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

const gap = 2

// Write writes the table at most width columns wide. Where it is wider, the
// least important columns are left out, and a last line names them; if that
// is not enough the widest text is cut short. Nothing ever wraps.
func (t *Table) Write(w io.Writer, width int, s Style) {
	wide := t.widths()
	keep := make([]bool, len(t.Columns))
	for i := range keep {
		keep[i] = true
	}
	var gone []string
	for t.total(wide, keep) > width {
		out := -1
		for i, c := range t.Columns {
			if keep[i] && c.Drop > 0 && (out < 0 || c.Drop > t.Columns[out].Drop) {
				out = i
			}
		}
		if out < 0 {
			break
		}
		keep[out] = false
		if h := t.Columns[out].Head; h != "" && !t.NoHead {
			gone = append(gone, h)
		}
	}
	t.cut(wide, keep, width)

	if !t.NoHead {
		heads := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			heads[i] = c.Head
		}
		fmt.Fprintln(w, s.Dim(t.line(heads, wide, keep)))
	}
	for i, row := range t.Rows {
		for _, r := range t.wrapped(row, wide) {
			line := t.line(r, wide, keep)
			if t.Mark != nil {
				line = t.Mark(i, line)
			}
			fmt.Fprintln(w, line)
		}
	}
	if len(gone) > 0 {
		fmt.Fprintln(w, s.Dim(clip(strings.Repeat(" ", t.Indent)+"(left out: "+strings.Join(gone, ", ")+")", width)))
	}
}

// wrapped is a row as the lines it takes.
func (t *Table) wrapped(row []string, wide []int) (lines [][]string) {
	last := len(t.Columns) - 1
	if !t.Columns[last].Wrap || len(row) <= last {
		return [][]string{row}
	}
	for i, part := range strings.Split(Fill(row[last], wide[last], 0), "\n") {
		r := make([]string, len(t.Columns))
		if i == 0 {
			copy(r, row)
		}
		r[last] = part
		lines = append(lines, r)
	}
	return lines
}

func (t *Table) widths() []int {
	wide := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		if !t.NoHead {
			wide[i] = utf8.RuneCountInString(c.Head)
		}
		for _, r := range t.Rows {
			if i < len(r) {
				wide[i] = max(wide[i], utf8.RuneCountInString(r[i]))
			}
		}
	}
	return wide
}

func (t *Table) total(wide []int, keep []bool) int {
	sum, n := t.Indent, 0
	for i, k := range keep {
		if k {
			sum += wide[i]
			n++
		}
	}
	return sum + gap*max(n-1, 0)
}

// cut narrows the widest text column until the table fits; numbers are never
// cut, since half a number is a wrong one.
func (t *Table) cut(wide []int, keep []bool, width int) {
	for t.total(wide, keep) > width {
		widest := -1
		for i, c := range t.Columns {
			if keep[i] && !c.Right && (widest < 0 || wide[i] > wide[widest]) {
				widest = i
			}
		}
		if widest < 0 || wide[widest] <= 4 {
			return
		}
		wide[widest]--
	}
}

func (t *Table) line(cells []string, wide []int, keep []bool) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", t.Indent))
	first := true
	for i, c := range t.Columns {
		if !keep[i] {
			continue
		}
		if !first {
			b.WriteString(strings.Repeat(" ", gap))
		}
		first = false
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		if !c.Right {
			cell = clip(cell, wide[i])
		}
		pad := strings.Repeat(" ", max(wide[i]-utf8.RuneCountInString(cell), 0))
		if c.Right {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// clip cuts text to n columns, with a mark where it was cut.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	return string([]rune(s)[:n-1]) + "…"
}

// Fill breaks prose into lines of at most width columns; further lines are
// indented by hang.
func Fill(text string, width, hang int) string {
	var b strings.Builder
	col := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case col == 0:
		case col+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", hang))
			col = hang
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += n
	}
	return b.String()
}
