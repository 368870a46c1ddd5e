package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ratesim/ratesim/sim/measure"
)

// Compared is two settings side by side.
type Compared struct {
	A, B   string // their names
	Runs   int
	Seed   uint64
	Paired bool // on common random numbers
	Rows   []ComparedRow
}

// ComparedRow is a key of both.
type ComparedRow struct {
	Scope string // "" for the whole
	Key   measure.Key
	measure.Difference
}

const theSame = "the same"

// verdict says what the difference is, or that none is shown.
func (r ComparedRow) verdict() string {
	d := r.Delta
	switch {
	case r.A.Value == r.B.Value && d.Low == 0 && d.High == 0:
		return theSame
	case !r.Shown():
		return "no difference shown"
	}
	text := signed(d.Value, 3)
	if d.Low != d.High {
		text += " (" + signed(d.Low, 2) + " to " + signed(d.High, 2) + ")"
	}
	return text
}

// change is the difference in parts of A's value.
func (r ComparedRow) change() string {
	if a := math.Abs(r.A.Value); a > 0 && r.Shown() {
		return signed(100*r.Delta.Value/a, 3) + " %"
	}
	return ""
}

func signed(v float64, digits int) string {
	if v > 0 {
		return "+" + Digits(v, digits)
	}
	return Digits(v, digits)
}

// CompareText writes both and the difference with its interval.
func CompareText(w io.Writer, c *Compared, width int, s Style) {
	prose := min(width, PlainWidth)
	how := fmt.Sprintf("%s each, on the same random numbers", Count(c.Runs, "run"))
	if !c.Paired {
		how = "from saved results, taken for independent"
	}
	fmt.Fprintln(w, s.Bold(Fill(fmt.Sprintf("A is %s, B is %s: %s.", oneLine(c.A), oneLine(c.B), how), prose, 0)))
	fmt.Fprintln(w)
	t := &Table{Indent: 2, Columns: []Column{{}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B - A (95 % interval)"}, {Head: "change", Right: true}}}
	var same []string
	var shown []bool
	for _, r := range c.Rows {
		name := r.Key.String()
		if r.Scope != "" {
			name = oneLine(r.Scope) + "." + name
		}
		if r.verdict() == theSame {
			same = append(same, name)
			continue
		}
		shown = append(shown, r.Shown())
		t.Add(name, Digits(r.A.Value, 4), Digits(r.B.Value, 4), r.verdict(), r.change())
	}
	t.Mark = func(i int, line string) string {
		if shown[i] {
			return line
		}
		return s.Dim(line)
	}
	t.Write(w, width, s)
	if len(same) > 0 {
		fmt.Fprintln(w)
		fmt.Fprintln(w, Fill("The same in both: "+strings.Join(same, ", ")+".", prose, 0))
	}
}

type comparedJSON struct {
	SchemaVersion int               `json:"schema_version"`
	A             string            `json:"a"`
	B             string            `json:"b"`
	Runs          int               `json:"runs,omitempty"`
	Seed          uint64            `json:"seed,omitempty"`
	Paired        bool              `json:"paired"`
	Keys          []comparedRowJSON `json:"keys"`
}

type comparedRowJSON struct {
	Scope string `json:"scope,omitempty"`
	Key   string `json:"key"`
	A     Num    `json:"a"`
	B     Num    `json:"b"`
	Delta Num    `json:"delta"`
	Low   Num    `json:"low,omitzero"`
	High  Num    `json:"high,omitzero"`
	Shown bool   `json:"shown"`
}

// CompareJSON writes the comparison for programs.
func CompareJSON(w io.Writer, c *Compared) error {
	doc := comparedJSON{SchemaVersion: SchemaVersion, A: c.A, B: c.B, Runs: c.Runs, Seed: c.Seed, Paired: c.Paired, Keys: []comparedRowJSON{}}
	for _, r := range c.Rows {
		doc.Keys = append(doc.Keys, comparedRowJSON{r.Scope, r.Key.String(), Num(r.A.Value), Num(r.B.Value), Num(r.Delta.Value), Num(r.Delta.Low), Num(r.Delta.High), r.Shown()})
	}
	return WriteJSON(w, doc)
}
