package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
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

// same is true where chance has nothing to tell apart.
func (r ComparedRow) same() bool {
	return r.A.Value == r.B.Value && r.Delta.Low == 0 && r.Delta.High == 0
}

// interval is that of the difference, with as many digits as tell its ends
// apart, or that none is shown.
func (r ComparedRow) interval(paired bool) string {
	d := r.Delta
	switch {
	case !r.Shown():
		return "no difference shown"
	case d.Low == d.High && !paired:
		return "" // a fact of each
	case d.Low == d.High:
		return "in every run"
	}
	low, high := "", ""
	for digits := 2; low == high && digits <= 9; digits++ {
		low, high = signed(d.Low, digits), signed(d.High, digits)
	}
	return low + " to " + high
}

// Told is the difference and its interval in a few words.
func (r ComparedRow) Told() string {
	switch {
	case r.same():
		return "the same"
	case !r.Shown():
		return "no difference shown"
	case r.Delta.Low == r.Delta.High:
		return signed(r.Delta.Value, 3)
	}
	return signed(r.Delta.Value, 3) + " (" + signed(r.Delta.Low, 3) + " to " + signed(r.Delta.High, 3) + ")"
}

// change is the difference in parts of A's value.
func (r ComparedRow) change() string {
	if a := math.Abs(r.A.Value); a > 0 && r.Shown() {
		return signed(100*r.Delta.Value/a, 3) + " %"
	}
	return ""
}

func signed(v float64, digits int) string {
	sign := ""
	if v > 0 {
		sign = "+"
	}
	if a := math.Abs(v); a > 0 && a < 0.001 {
		return sign + strconv.FormatFloat(v, 'g', digits, 64) // short, however small
	}
	return sign + Digits(v, digits)
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
	t := &Table{Columns: []Column{{}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B - A", Right: true}, {Head: "95 % interval"}, {Head: "change", Right: true, Drop: 1}}}
	var same []string
	var shown []bool
	for _, r := range c.Rows {
		name := r.Key.String()
		if r.Scope != "" {
			name = oneLine(r.Scope) + "." + name
		}
		if r.same() {
			same = append(same, name)
			continue
		}
		shown = append(shown, r.Shown())
		t.Add(name, Digits(r.A.Value, 4), Digits(r.B.Value, 4), signed(r.Delta.Value, 3), r.interval(c.Paired), r.change())
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
