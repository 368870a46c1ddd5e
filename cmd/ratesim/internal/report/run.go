package report

import (
	"io"
	"math"
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
	Cut      bool              // interrupted: the summary is that of the replications that were done
}

// Passed is true if every expectation holds and nothing went wrong that no
// expectation has to name: a broken limit, a backlog that never drains. What
// was cut short has not passed, whatever it showed so far.
func (r *Ran) Passed() bool {
	for _, v := range r.Verdicts {
		if v.Outcome != measure.Passed {
			return false
		}
	}
	return !r.Cut && len(r.problems()) == 0
}

// problems are what makes a run a failure whatever was expected.
func (r *Ran) problems() (all []string) {
	if r.Summary.Broken {
		all = append(all, "a limit was broken: more claims in a window than it promises")
	}
	if r.Summary.NeverDrains {
		all = append(all, "the backlog never drains")
	}
	return all
}

// Complaints are what a person has to know about a run, the worst first: what
// made it fail, then the warnings.
func (r *Ran) Complaints() []string {
	all := r.problems()
	for _, v := range r.Verdicts {
		if v.Outcome != measure.Passed {
			all = append(all, string(v.Outcome)+" "+told(v))
		}
	}
	return append(all, r.warnings()...)
}

// warnings are the summary's, after the one that makes all else provisional.
func (r *Ran) warnings() []string {
	all := []string{}
	if r.Cut {
		all = append(all, "interrupted: these are the numbers of what was done, "+Count(r.Summary.Runs, "run"))
	}
	return append(all, r.Summary.Warnings...)
}

// RunResult is what "ratesim run" found.
type RunResult struct {
	Scenarios []*Ran
	Planned   int // how many scenarios were to be run
}

// Passed is true if all scenarios were run and passed.
func (r *RunResult) Passed() bool {
	for _, s := range r.Scenarios {
		if !s.Passed() {
			return false
		}
	}
	return len(r.Scenarios) >= r.Planned
}

// count is the result in one line: "12 scenarios: 11 passed, 1 failed".
func (r *RunResult) count() string {
	var passed, failed, cut int
	for _, s := range r.Scenarios {
		switch {
		case s.Cut:
			cut++
		case s.Passed():
			passed++
		default:
			failed++
		}
	}
	text := Count(max(r.Planned, len(r.Scenarios)), "scenario") + ": " + whole(passed) + " passed, " + whole(failed) + " failed"
	if cut > 0 {
		text += ", " + whole(cut) + " interrupted"
	}
	if left := r.Planned - len(r.Scenarios); left > 0 {
		text += ", " + whole(left) + " not run"
	}
	return text
}

// RunFormats are what standard output can get, RunReports what a file can.
var (
	RunFormats = []string{"text", "json", "ndjson", "csv", "markdown"}
	RunReports = []string{"junit", "markdown", "json", "html", "github"}
)

// Look is how a report for people should look.
type Look struct {
	Width   int
	Style   Style
	Verbose bool // what scenarios are about, every expectation, every number
}

// Write writes the result in a format; "" is text. NDJSON lines are written as
// scenarios end, by [RunLine].
func (r *RunResult) Write(w io.Writer, format string, l Look) error {
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
		r.text(w, l)
	}
	return nil
}

// Report writes a report of a kind.
func (r *RunResult) Report(w io.Writer, kind string) error {
	switch kind {
	case "junit":
		return r.junit(w)
	case "github":
		r.annotations(w)
		return nil
	}
	return r.Write(w, kind, Look{})
}

// scope is the numbers of the whole, of a limit or of a class.
type scope struct {
	part, name string
	stats      *measure.Stats
}

// scopes are the whole, then every limit, then every class.
func (r *Ran) scopes() []scope {
	all := []scope{{"all", "all", &r.Summary.Whole}}
	for i := range r.Summary.Limits {
		all = append(all, scope{"limit", r.Summary.Limits[i].Name, &r.Summary.Limits[i].Stats})
	}
	for i := range r.Summary.Classes {
		all = append(all, scope{"class", r.Summary.Classes[i].Name, &r.Summary.Classes[i].Stats})
	}
	return all
}

// fewScopes leaves out the limits and classes of which there is only one: its
// numbers would be those of the whole again.
func (r *Ran) fewScopes() (few []scope) {
	for _, s := range r.scopes() {
		if s.part == "all" || s.part == "limit" && len(r.Summary.Limits) > 1 || s.part == "class" && len(r.Summary.Classes) > 1 {
			few = append(few, s)
		}
	}
	return few
}

// told is a verdict in words.
func told(v measure.Verdict) string {
	text := v.Key + ": want " + v.Want
	switch {
	case v.Word != "":
		text += ", got " + v.Word
	case math.IsNaN(v.Got):
	case math.IsNaN(v.Low) || v.Low == v.High:
		text += ", got " + number(v.Got)
	default:
		text += ", got " + Digits(v.Got, 4) + " [" + Digits(v.Low, 4) + ", " + Digits(v.High, 4) + "]"
	}
	switch {
	case v.Reason == "" || strings.HasPrefix(v.Reason, "want "):
	case v.MoreRuns > 0 && math.IsNaN(v.Low):
		text += " (" + v.Reason + ", ask for " + whole(1+v.MoreRuns) + ")"
	case v.MoreRuns > 0:
		text += " (the interval straddles the bound, about " + Count(v.MoreRuns, "more run") + " would tell)"
	default:
		text += " (" + v.Reason + ")"
	}
	return text
}
