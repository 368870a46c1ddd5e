package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ratesim/ratesim/sim/measure"
)

// Report writes a report of a kind to a file, whole or not at all. A github
// report without a file goes to standard output, where GitHub reads its
// annotations, and to the job's summary.
func (r *RunResult) Report(kind, file string) error {
	var b bytes.Buffer
	switch kind {
	case "junit":
		if err := r.junit(&b); err != nil {
			return err
		}
	case "markdown":
		r.markdown(&b)
	case "json":
		if err := WriteJSON(&b, r.json()); err != nil {
			return err
		}
	case "github":
		r.annotations(&b)
		if summary := os.Getenv("GITHUB_STEP_SUMMARY"); summary != "" {
			var m bytes.Buffer
			r.markdown(&m)
			if err := appendFile(summary, m.Bytes()); err != nil {
				return err
			}
		}
		if file == "" {
			_, err := os.Stdout.Write(b.Bytes())
			return err
		}
	}
	return writeWhole(file, b.Bytes())
}

// writeWhole writes a file under a name of its own first, so that no half of
// it is ever seen.
func writeWhole(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if close := f.Close(); err == nil {
		err = close
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func appendFile(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if close := f.Close(); err == nil {
		err = close
	}
	return err
}

type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
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
	Text    string `xml:",chardata"`
}

// junit is a suite a scenario, a case an expectation.
func (r *RunResult) junit(w io.Writer) error {
	var all suites
	for _, ran := range r.Scenarios {
		s := suite{Name: ran.Scenario.Name, File: ran.Scenario.File}
		for i, v := range ran.Verdicts {
			c := testCase{Name: v.Key + " " + v.Want, Class: ran.Scenario.Name, File: ran.Scenario.File, Line: ran.Scenario.Expect[i].Line}
			if v.Outcome != measure.Passed {
				c.Failure = &failure{string(v.Outcome), told(v)}
			}
			s.Cases = append(s.Cases, c)
		}
		for _, problem := range ran.problems() {
			s.Cases = append(s.Cases, testCase{Name: "the run itself", Class: ran.Scenario.Name, File: ran.Scenario.File, Failure: &failure{"failed", problem}})
		}
		if len(s.Cases) == 0 {
			s.Cases = append(s.Cases, testCase{Name: "runs", Class: ran.Scenario.Name, File: ran.Scenario.File})
		}
		for _, c := range s.Cases {
			s.Tests++
			if c.Failure != nil {
				s.Failures++
			}
		}
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

// annotations point GitHub at the lines of what did not hold.
func (r *RunResult) annotations(w io.Writer) {
	for _, ran := range r.Scenarios {
		for i, v := range ran.Verdicts {
			if v.Outcome != measure.Passed {
				e := ran.Scenario.Expect[i]
				fmt.Fprintf(w, "::error file=%s,line=%d,col=%d,title=%s::%s\n", property(ran.Scenario.File), e.Line, e.Col, property(ran.Scenario.Name), message(string(v.Outcome)+" "+told(v)))
			}
		}
		for _, p := range ran.problems() {
			fmt.Fprintf(w, "::error file=%s,title=%s::%s\n", property(ran.Scenario.File), property(ran.Scenario.Name), message(p))
		}
	}
}

// message and property escape what GitHub's commands are written with.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// markdown is a table that reads well in a pull request.
func (r *RunResult) markdown(w io.Writer) {
	fmt.Fprintln(w, "| | scenario | drain/s | declared/s | worst window | checks/job | held back by |\n|---|---|---:|---:|---:|---:|---|")
	for _, ran := range r.Scenarios {
		mark := "✓"
		if !ran.Passed() {
			mark = "✗"
		}
		v := &ran.Summary.Whole
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", mark, pipes(ran.Scenario.Name), cell(v[measure.DrainPerS]), cell(v[measure.DeclaredPerS]),
			cell(v[measure.WindowMax]), cell(v[measure.ChecksPerJob]), ran.Summary.BoundBy)
	}
	for _, ran := range r.Scenarios {
		var lines []string
		for _, v := range ran.Verdicts {
			if v.Outcome != measure.Passed {
				lines = append(lines, "**"+string(v.Outcome)+"** "+told(v))
			}
		}
		lines = append(append(lines, ran.problems()...), ran.Summary.Warnings...)
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s:\n\n", ran.Scenario.Name)
			for _, l := range lines {
				fmt.Fprintf(w, "- %s\n", l)
			}
		}
	}
}

func pipes(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
