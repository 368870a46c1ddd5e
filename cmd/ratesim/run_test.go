package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/scenarios"
)

// stopper ends a run as soon as a first scenario is printed.
type stopper struct {
	bytes.Buffer
	stop context.CancelCauseFunc
}

func (s *stopper) Write(p []byte) (int, error) {
	s.stop(interrupted{os.Interrupt})
	return s.Buffer.Write(p)
}

// TestInterruptedRunPrintsWhatIsFinished: Ctrl-C leaves the scenarios that are
// done on standard output, no file behind, and the code of a signal.
func TestInterruptedRunPrintsWhatIsFinished(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancelCause(context.Background())
	out := &stopper{stop: stop}
	var errs bytes.Buffer
	code := run(ctx, out, &errs, nil, []string{
		"run", "webhooks", "bound-by-limit", "--runs", "10", "--format", "ndjson",
		"--report", "junit=" + filepath.Join(dir, "r.xml"), "--trace", filepath.Join(dir, "t.csv"),
	})
	if lines := strings.Count(out.String(), "\n"); code != 130 || lines != 1 || !strings.Contains(out.String(), `"name":"webhooks"`) {
		t.Errorf("exit code %d and\n%s, want 130 and the first scenario", code, out.String())
	}
	if !strings.HasSuffix(errs.String(), "no report and no trace was written\ninterrupted\n") {
		t.Errorf("standard error says %q", errs.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestInterruptedBeforeAnything: nothing is finished, so nothing is printed.
func TestInterruptedBeforeAnything(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	stop(interrupted{os.Interrupt})
	var out, errs bytes.Buffer
	if code := run(ctx, &out, &errs, nil, []string{"run", "webhooks", "--json"}); code != 130 || out.Len() > 0 || errs.String() != "interrupted\n" {
		t.Errorf("exit code %d, %q and %q", code, out.String(), errs.String())
	}
}

// TestInterruptedScenarioIsJudgedSoFar: a long one is not thrown away, but it
// has not passed.
func TestInterruptedScenarioIsJudgedSoFar(t *testing.T) {
	all, err := scenarios.Find("webhooks")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	f := runFlags{runs: count{N: 100}, jobs: count{N: 1}}
	done := 0
	r, err := f.one(&app{ctx: ctx}, all[0], func(int, int) {
		if done++; done == 12 {
			stop()
		}
	}, nil)
	if !errors.Is(err, context.Canceled) || r == nil || !r.Cut || r.Summary.Runs != 12 || r.Passed() {
		t.Fatalf("%+v, %v, want 12 runs that have not passed", r, err)
	}
	var out bytes.Buffer
	result := report.RunResult{Scenarios: []*report.Ran{r}, Planned: 3}
	if err := result.Write(&out, "text", report.Look{Width: 80}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"… interrupted  webhooks\n", "warning: interrupted: these are the numbers of what was done, 12 runs",
		"3 scenarios: 0 passed, 0 failed, 1 interrupted, 2 not run\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

// TestJUnitIsXML reads the report back as a pipeline does.
func TestJUnitIsXML(t *testing.T) {
	t.Chdir(t.TempDir())
	yml := `name: a <b> & "c"
limits: {api: {to: 10, per: 1s, burst: 6}}
jobs: [{class: "A::B", limit: api, backlog: 100}]
runs: 10
expect:
  window_max: "<= 10"
  drain_per_s: ">= 7"
  bound_by: == threads
`
	if err := os.WriteFile("x.yml", []byte(yml), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), &out, &errs, nil, []string{"run", "x.yml", "webhooks", "--report", "junit=r.xml"}); code != 1 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	data, err := os.ReadFile("r.xml")
	if err != nil {
		t.Fatal(err)
	}
	type attrs struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
	}
	var got struct {
		attrs
		Suites []struct {
			attrs
			Cases []struct {
				Name    string `xml:"name,attr"`
				Line    int    `xml:"line,attr"`
				Failure *struct {
					Type string `xml:"type,attr"`
					Text string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 8 || got.Failures != 2 || len(got.Suites) != 2 {
		t.Fatalf("%+v, want 8 tests and 2 failures in 2 suites", got)
	}
	s := got.Suites[0]
	if s.Name != `a <b> & "c"` || s.Tests != 4 || s.Failures != 2 || len(s.Cases) != 4 {
		t.Errorf("the suite is %+v", s)
	}
	for i, failed := range []bool{false, true, true, false} {
		if c := s.Cases[i]; (c.Failure != nil) != failed || i < 3 && c.Line != 6+i {
			t.Errorf("case %d is %+v", i, c)
		}
	}
	if f := s.Cases[2].Failure; f != nil && f.Text != "failed bound_by: want == threads, got limit" {
		t.Errorf("bound_by: %q", f.Text)
	}
}

// TestRunInColourSaysTheSame: the words are there without the colour, and no
// line is wider than a narrow screen.
func TestRunInColourSaysTheSame(t *testing.T) {
	all, err := scenarios.Find("one-quota-several-classes")
	if err != nil {
		t.Fatal(err)
	}
	r, err := (&runFlags{runs: count{N: 10}}).one(&app{ctx: context.Background()}, all[0], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := *r.Scenario
	long.Name = strings.Repeat("long", 60)
	r.Scenario = &long
	result := report.RunResult{Scenarios: []*report.Ran{r}, Planned: 1}
	for _, verbose := range []bool{false, true} {
		for _, width := range []int{40, 80, 200} {
			var plain, coloured bytes.Buffer
			if err := result.Write(&plain, "", report.Look{Width: width, Verbose: verbose}); err != nil {
				t.Fatal(err)
			}
			if err := result.Write(&coloured, "", report.Look{Width: width, Verbose: verbose, Style: report.Style{Color: true}}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(coloured.String(), "\x1b[32m✓ passed\x1b[0m") || !strings.Contains(plain.String(), "✓ passed") {
				t.Errorf("the verdict is missing in\n%s", coloured.String())
			}
			for line := range strings.Lines(plain.String()) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
					t.Errorf("%d columns, want at most %d: %s", n, width, line)
				}
			}
		}
	}
}

// TestTheBarNeverGoesBack: a scenario that runs on counts each stretch anew.
func TestTheBarNeverGoesBack(t *testing.T) {
	m := meter{scenarios: 2}
	last := -1
	for range m.scenarios {
		m.next()
		for _, stretch := range []int{10, 5, 7, 11} {
			for i := range stretch {
				m.step(i+1, stretch)
				if at := (m.current-1)*fineness + m.part; at < last || at > m.current*fineness {
					t.Fatalf("%d after %d", at, last)
				} else {
					last = at
				}
			}
		}
	}
}
