package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/ratesim/ratesim/sim/measure"
)

// markdown is the count, a table, and below it what did not hold: as it reads
// well in a pull request.
func (r *RunResult) markdown(w io.Writer) {
	fmt.Fprintf(w, "**%s**\n\n", r.count())
	fmt.Fprintln(w, "| | scenario | drain/s | declared/s | worst window | checks/job | held back by |")
	fmt.Fprintln(w, "|---|---|---:|---:|---:|---:|---|")
	for _, ran := range r.Scenarios {
		mark := "✓ passed"
		switch {
		case ran.Cut:
			mark = "… interrupted"
		case !ran.Passed():
			mark = "✗ failed"
		}
		v := &ran.Summary.Whole
		worst := strings.TrimPrefix(ran.worstWindow(), "worst window ")
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", mark, plain(ran.Scenario.Name), cell(v[measure.DrainPerS]),
			cell(v[measure.DeclaredPerS]), plain(worst), cell(v[measure.ChecksPerJob]), ran.Summary.BoundBy)
	}
	for _, ran := range r.Scenarios {
		var lines []string
		for _, v := range ran.Verdicts {
			if v.Outcome != measure.Passed {
				lines = append(lines, "**"+string(v.Outcome)+"** "+plain(told(v)))
			}
		}
		for _, p := range ran.problems() {
			lines = append(lines, "**failed** "+plain(p))
		}
		for _, warning := range ran.warnings() {
			lines = append(lines, "warning: "+plain(warning))
		}
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s:\n\n", plain(ran.Scenario.Name))
			for _, l := range lines {
				fmt.Fprintf(w, "- %s\n", l)
			}
		}
	}
}

// marks are the characters that would be read as Markdown or HTML where they
// stand between blanks or letters. An underscore within a word is left alone.
var marks = strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "`", "\\`", "<", "&lt;", "&", "&amp;")

// plain is text that Markdown shows as it is.
func plain(s string) string { return marks.Replace(oneLine(s)) }
