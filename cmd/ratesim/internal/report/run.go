package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// Ran is a scenario that was run and judged.
type Ran struct {
	Scenario *model.Scenario
	Seed     uint64
	Summary  *measure.Summary
	Verdicts []measure.Verdict // of Scenario.Expect, in order
}

// Passed is true if every expectation holds and nothing went wrong that no
// expectation has to name: a broken limit, a backlog that never drains.
func (r *Ran) Passed() bool {
	for _, v := range r.Verdicts {
		if v.Outcome != measure.Passed {
			return false
		}
	}
	return !r.Summary.Broken && !r.Summary.NeverDrains
}

// RunResult is what "ratesim run" found.
type RunResult struct{ Scenarios []*Ran }

// Passed is true if all scenarios passed.
func (r *RunResult) Passed() bool {
	for _, s := range r.Scenarios {
		if !s.Passed() {
			return false
		}
	}
	return true
}

// RunFormats are what standard output can get, RunReports what a file can.
var (
	RunFormats = []string{"text", "json", "ndjson", "csv", "markdown"}
	RunReports = []string{"junit", "markdown", "json", "github"}
)

// Write writes the result in a format; "" is text. NDJSON lines are written as
// scenarios end, by [RunLine].
func (r *RunResult) Write(w io.Writer, format string, width int, s Style) error {
	switch format {
	case "json":
		return WriteJSON(w, r.json())
	case "ndjson":
		return nil
	case "csv":
		return r.csv(w)
	case "markdown":
		r.markdown(w)
	default:
		r.text(w, width, s)
	}
	return nil
}

func (r *RunResult) text(w io.Writer, width int, s Style) {
	passed := 0
	for i, ran := range r.Scenarios {
		if i > 0 {
			fmt.Fprintln(w)
		}
		ran.text(w, width, s)
		if ran.Passed() {
			passed++
		}
	}
	if len(r.Scenarios) != 1 {
		fmt.Fprintf(w, "\n%s: %d passed, %d failed\n", Count(len(r.Scenarios), "scenario"), passed, len(r.Scenarios)-passed)
	}
}

// text is first what a person wants to read first: the verdict, the drain, the
// worst window; then what did not hold; then the numbers.
func (r *Ran) text(w io.Writer, width int, s Style) {
	prose := min(width, PlainWidth)
	mark := s.Good("✓ passed")
	if !r.Passed() {
		mark = s.Bad("✗ failed")
	}
	fmt.Fprintf(w, "%s  %s\n", mark, s.Bold(r.Scenario.Name))
	if h := r.headline(); h != "" {
		fmt.Fprintln(w, "  "+Fill(h, prose-2, 2))
	}
	for _, v := range r.Verdicts {
		if v.Outcome != measure.Passed {
			fmt.Fprintln(w, "  "+Fill(s.Bad(string(v.Outcome))+" "+told(v), prose-2, 4))
		}
	}
	for _, warning := range r.Summary.Warnings {
		fmt.Fprintln(w, "  "+Fill(s.Warn("warning:")+" "+warning, prose-2, 4))
	}
	r.table().Write(w, width, s)
	if n := len(r.Verdicts); n > 0 && r.Passed() {
		word := "all hold"
		if n == 1 {
			word = "holds"
		}
		fmt.Fprintf(w, "  %s %s\n", Count(n, "expectation"), word)
	}
}

// headline is the run in one sentence.
func (r *Ran) headline() string {
	v := &r.Summary.Whole
	var parts []string
	if d := v[measure.DrainPerS]; d.N > 0 {
		text := fmt.Sprintf("drains at %s/s", Digits(d.Value, 3))
		if p := v[measure.DeclaredPerS]; p.N > 0 && p.Value > 0 {
			text += fmt.Sprintf(" of %s/s declared (%s)", Digits(p.Value, 3), percent(d.Value/p.Value))
		}
		parts = append(parts, text)
	}
	for i, l := range r.Summary.Limits {
		if win := l.Stats[measure.WindowMax]; win.N > 0 {
			name := ""
			if len(r.Summary.Limits) > 1 {
				name = " of " + l.Name
			}
			parts = append(parts, fmt.Sprintf("worst window%s %v of %d", name, win.Value, r.Scenario.Limits[i].To))
		}
	}
	if m := v[measure.MakespanS]; m.N > 0 && r.Scenario.Until == 0 {
		parts = append(parts, "all claimed in "+Length(seconds(m.Value)))
	}
	if r.Summary.BoundBy != "" {
		parts = append(parts, "held back by: "+r.Summary.BoundBy)
	}
	return strings.Join(parts, ", ")
}

// told is a verdict in words.
func told(v measure.Verdict) string {
	text := fmt.Sprintf("%s: want %s", v.Key, v.Want)
	switch {
	case v.Word != "":
		text += ", got " + v.Word
	case !math.IsNaN(v.Got) && (math.IsNaN(v.Low) || v.Low == v.High):
		text += ", got " + Digits(v.Got, 6)
	case !math.IsNaN(v.Got):
		text += fmt.Sprintf(", got %s [%s, %s]", Digits(v.Got, 4), Digits(v.Low, 4), Digits(v.High, 4))
	}
	if v.Reason != "" && !strings.HasPrefix(v.Reason, "want ") {
		text += " (" + v.Reason + ")"
	}
	if v.Outcome == measure.Undecided && v.MoreRuns > 0 {
		text += fmt.Sprintf(": about %s would tell", Count(v.MoreRuns, "more run"))
	}
	return text
}

// scope is the numbers of the whole, of a limit or of a class.
type scope struct {
	name  string
	stats *measure.Stats
}

// scopes are the whole, and the limits and classes where there are several.
func (r *Ran) scopes() []scope {
	all := []scope{{"all", &r.Summary.Whole}}
	if len(r.Summary.Limits) > 1 {
		for i := range r.Summary.Limits {
			all = append(all, scope{r.Summary.Limits[i].Name, &r.Summary.Limits[i].Stats})
		}
	}
	if len(r.Summary.Classes) > 1 {
		for i := range r.Summary.Classes {
			all = append(all, scope{r.Summary.Classes[i].Name, &r.Summary.Classes[i].Stats})
		}
	}
	return all
}

func (r *Ran) table() *Table {
	t := &Table{Indent: 2, Columns: []Column{{Head: fmt.Sprintf("%s", Count(r.Summary.Runs, "run"))}}}
	keys := []struct {
		key  measure.Key
		head string
		drop int
	}{
		{measure.Claims, "claims", 0}, {measure.DrainPerS, "drain/s", 0}, {measure.WindowMax, "worst", 0}, {measure.ChecksPerJob, "checks/job", 1},
		{measure.WaitP50S, "wait p50 s", 2}, {measure.WaitP99S, "p99 s", 3}, {measure.RunningMax, "running", 4},
	}
	for _, k := range keys {
		t.Columns = append(t.Columns, Column{Head: k.head, Right: true, Drop: k.drop})
	}
	for _, sc := range r.scopes() {
		row := []string{sc.name}
		for _, k := range keys {
			row = append(row, cell(sc.stats[k.key]))
		}
		t.Add(row...)
	}
	return t
}

func cell(s measure.Stat) string {
	if s.N == 0 || math.IsNaN(s.Value) {
		return ""
	}
	if s.Value == math.Trunc(s.Value) && math.Abs(s.Value) < 1e9 {
		return strconv.FormatFloat(s.Value, 'f', 0, 64)
	}
	return Digits(s.Value, 3)
}

// csv is a row a scenario and scope.
func (r *RunResult) csv(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(append([]string{"scenario", "scope", "passed", "runs", "seed", "bound_by"}, measure.Names()...)); err != nil {
		return err
	}
	for _, ran := range r.Scenarios {
		for _, sc := range ran.scopes() {
			row := []string{ran.Scenario.Name, sc.name, strconv.FormatBool(ran.Passed()), strconv.Itoa(ran.Summary.Runs), strconv.FormatUint(ran.Seed, 10), ran.Summary.BoundBy}
			for k := range measure.NumKeys {
				text := ""
				if s := sc.stats[k]; s.N > 0 && !math.IsNaN(s.Value) {
					text = strconv.FormatFloat(round6(s.Value), 'f', -1, 64)
				}
				row = append(row, text)
			}
			if err := c.Write(row); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// Named is a name and what it is about.
type Named struct{ Name, About string }

// ScenarioList writes the shipped scenarios, a line each.
func ScenarioList(w io.Writer, all []Named, width int, s Style) {
	t := &Table{NoHead: true, Columns: []Column{{}, {}}}
	for _, n := range all {
		about, _, _ := strings.Cut(n.About, ". ")
		room := max(20, min(width, 100)-34)
		if r := []rune(about); len(r) > room {
			about = string(r[:room-1]) + "…"
		}
		t.Add(n.Name, about)
	}
	t.Write(w, width, s)
}
