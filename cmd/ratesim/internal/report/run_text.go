package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/ratesim/ratesim/sim/measure"
)

func (r *RunResult) text(w io.Writer, l Look) {
	for i, ran := range r.Scenarios {
		if i > 0 {
			fmt.Fprintln(w)
		}
		ran.text(w, l)
	}
	// The count of one scenario is its verdict again.
	if max(r.Planned, len(r.Scenarios)) == 1 {
		return
	}
	if len(r.Scenarios) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, l.Style.Bold(r.count()))
}

// text is first what a person wants to read first: the verdict, the drain, the
// worst window; then what did not hold; then the numbers.
func (r *Ran) text(w io.Writer, l Look) {
	s := l.Style
	r.verdict(w, l, r.Cut)
	if l.Verbose {
		r.everything(w, l)
	} else {
		r.table().Write(w, l.Width, s)
	}
	for _, line := range r.beside() {
		fmt.Fprintln(w, "  "+Fill(line, min(l.Width, PlainWidth)-2, 2))
	}
	if n := len(r.Verdicts); n > 0 && r.Passed() {
		word := "all hold"
		if n == 1 {
			word = "holds"
		}
		fmt.Fprintf(w, "  %s %s\n", Count(n, "expectation"), word)
	}
}

// verdict is whether it passed, and why not.
func (r *Ran) verdict(w io.Writer, l Look, cut bool) {
	s, prose := l.Style, min(l.Width, PlainWidth)
	say := func(text string, hang int) { fmt.Fprintln(w, "  "+Fill(text, prose-2, hang)) }
	mark := s.Good("✓ passed")
	switch {
	case cut:
		mark = s.Warn("… interrupted")
	case !r.Passed():
		mark = s.Bad("✗ failed")
	}
	fmt.Fprintf(w, "%s  %s\n", mark, s.Bold(clip(oneLine(r.Scenario.Name), max(l.Width-len("… interrupted"), 10))))
	if l.Verbose {
		if r.Scenario.About != "" {
			say(s.Dim(oneLine(r.Scenario.About)), 2)
		}
		if r.Scenario.File != "" {
			say(s.Dim("from "+oneLine(r.Scenario.File)), 2)
		}
	}
	if h := r.headline(); h != "" {
		say(h, 2)
	}
	for _, v := range r.Verdicts {
		switch {
		case v.Outcome != measure.Passed:
			say(s.Bad(string(v.Outcome))+" "+told(v), 4)
		case l.Verbose:
			say(s.Good(string(v.Outcome))+" "+told(v), 4)
		}
	}
	for _, p := range r.problems() {
		say(s.Bad("failed")+" "+p, 4)
	}
	for _, warning := range r.warnings() {
		say(s.Warn("warning:")+" "+warning, 4)
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
	if text := r.worstWindow(); text != "" {
		parts = append(parts, text)
	}
	if text := r.cleared(); text != "" {
		parts = append(parts, "all claimed in "+text)
	}
	if r.Summary.BoundBy != "" {
		parts = append(parts, "held back by: "+r.Summary.BoundBy)
	}
	return strings.Join(parts, ", ")
}

// beside is what only some queues have to tell: the pops and commands of
// workers that ask a store, and what the jobs' provider saw.
func (r *Ran) beside() (lines []string) {
	v := &r.Summary.Whole
	if p := v[measure.Pops]; p.N > 0 {
		line := fmt.Sprintf("%s pops (%s a job) and %s empty ones, %s round trips (%s a job), at most %s for one job",
			Digits(p.Value, 4), cell(v[measure.PopsPerJob]), Digits(v[measure.EmptyPops].Value, 3), Digits(v[measure.RoundTrips].Value, 4), cell(v[measure.RoundTripsPerJob]), tries(v[measure.AttemptsMax].Value))
		if failed := v[measure.FailedJobs].Value; failed > 0 {
			line += fmt.Sprintf(", up to %s failed", Count(int(failed), "job"))
		}
		lines = append(lines, line)
	}
	if c := v[measure.ProviderCalls]; c.N > 0 {
		lines = append(lines, fmt.Sprintf("the provider saw %s calls and refused %s, its worst window held %s",
			Digits(c.Value, 4), Digits(v[measure.ProviderRefused].Value, 3), Digits(v[measure.ProviderWindowMax].Value, 6)))
	}
	return lines
}

// tries is a number of them.
func tries(n float64) string {
	if n == 1 {
		return "1 try"
	}
	return Digits(n, 6) + " tries"
}

// cleared is when a backlog was all claimed, or nothing.
func (r *Ran) cleared() string {
	v := &r.Summary.Whole
	if m := v[measure.MakespanS]; m.N > 0 && r.Scenario.Until == 0 && !r.Summary.NeverDrains && v[measure.Claims].Value+v[measure.Lost].Value >= v[measure.Jobs].Value {
		return Length(seconds(m.Value))
	}
	return ""
}

// worstWindow is the fullest window of all limits, for what it may hold.
func (r *Ran) worstWindow() string {
	worst, share := -1, -1.0
	for i, l := range r.Summary.Limits {
		if win := l.Stats[measure.WindowMax]; win.N > 0 && win.Value/float64(r.Scenario.Limits[i].To) > share {
			worst, share = i, win.Value/float64(r.Scenario.Limits[i].To)
		}
	}
	if worst < 0 {
		return ""
	}
	text := "worst window " + cell(r.Summary.Limits[worst].Stats[measure.WindowMax]) + " of " + whole(r.Scenario.Limits[worst].To)
	if len(r.Summary.Limits) > 1 {
		text += " (" + clip(r.Summary.Limits[worst].Name, 30) + ")"
	}
	return text
}

func (r *Ran) table() *Table {
	t := &Table{Indent: 2, Columns: []Column{{Head: Count(r.Summary.Runs, "run")}}}
	keys := []struct {
		key  measure.Key
		head string
		drop int
	}{
		{measure.Claims, "claims", 0},
		{measure.DrainPerS, "drain/s", 0},
		{measure.WindowMax, "worst", 0},
		{measure.ChecksPerJob, "checks/job", 1},
		{measure.WaitP50S, "wait p50 s", 2},
		{measure.WaitP99S, "p99 s", 3},
		{measure.RunningMax, "running", 4},
	}
	for _, k := range keys {
		t.Columns = append(t.Columns, Column{Head: k.head, Right: true, Drop: k.drop})
	}
	for _, sc := range r.fewScopes() {
		row := []string{sc.name}
		for _, k := range keys {
			row = append(row, cell(sc.stats[k.key]))
		}
		t.Add(row...)
	}
	return t
}

// everything is every number there is with its interval, a table a scope.
func (r *Ran) everything(w io.Writer, l Look) {
	for _, sc := range r.fewScopes() {
		title := "all jobs"
		if sc.part != "all" {
			title = sc.part + " " + sc.name
		}
		fmt.Fprintf(w, "\n  %s\n", l.Style.Bold(clip(title+", "+Count(r.Summary.Runs, "run"), max(l.Width-2, 10))))
		t := &Table{Indent: 2, Columns: []Column{{Head: "key"}, {Head: "value", Right: true}, {Head: "95 % interval"}, {Head: "what it is", Wrap: true}}}
		for k := range measure.NumKeys {
			stat, info := sc.stats[k], measure.Key(k).Info()
			if stat.N == 0 {
				continue
			}
			between := ""
			if !info.Fact {
				between = "none"
				if !math.IsNaN(stat.Low) {
					between = Digits(stat.Low, 5) + " to " + Digits(stat.High, 5)
				}
			}
			t.Add(info.Name, number(stat.Value), between, info.About)
		}
		t.Write(w, l.Width, l.Style)
	}
}

// cell is a number for a table that must be narrow, "" where there is none.
func cell(s measure.Stat) string {
	switch {
	case s.N == 0 || math.IsNaN(s.Value):
		return ""
	case s.Value == math.Trunc(s.Value):
		return number(s.Value)
	}
	return Digits(s.Value, 3)
}

// number writes whole numbers whole and others with six digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return Digits(v, 6)
}

// oneLine is what a file may hold as a line for a screen: whatever else it
// says, it moves no cursor and changes no colour.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, s)
}

func whole(n int) string { return strconv.Itoa(n) }
