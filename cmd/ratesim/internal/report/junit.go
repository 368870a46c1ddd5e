package report

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/ratesim/ratesim/sim/measure"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	File     string     `xml:"file,attr,omitempty"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Cases    []testCase `xml:"testcase"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *failure `xml:"failure,omitempty"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junit is a suite for each scenario, a case for each expectation and one for
// the run itself, which is always there: a case that came and went with its
// failure would have no history.
func (r *RunResult) junit(w io.Writer) error {
	all := suites{Name: "ratesim"}
	for _, ran := range r.Scenarios {
		s := suite{Name: ran.Scenario.Name, File: ran.Scenario.File}
		add := func(name string, line int, f *failure) {
			s.Cases = append(s.Cases, testCase{name, ran.Scenario.Name, ran.Scenario.File, line, f})
			s.Tests++
			if f != nil {
				s.Failures++
			}
		}
		for i, v := range ran.Verdicts {
			var f *failure
			if v.Outcome != measure.Passed {
				f = &failure{told(v), string(v.Outcome), string(v.Outcome) + " " + told(v)}
			}
			add(v.Key+" "+v.Want, ran.Scenario.Expect[i].Line, f)
		}
		var f *failure
		if p := ran.problems(); len(p) > 0 {
			f = &failure{strings.Join(p, "; "), "failed", strings.Join(append(p, ran.warnings()...), "\n")}
		}
		add("the run itself", 0, f)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
