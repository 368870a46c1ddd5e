package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
)

// reportFile is a --report.
type reportFile struct {
	kind, name string
	file       *outFile // nil: standard error, for GitHub's annotations
}

func parseReports(texts []string) ([]*reportFile, error) {
	var all []*reportFile
	for _, t := range texts {
		kind, file, given := strings.Cut(t, "=")
		known := false
		for _, k := range report.RunReports {
			known = known || k == kind
		}
		switch {
		case !known:
			if n := model.Nearest(kind, report.RunReports); n != "" {
				return nil, usagef("--report: %q is no kind of report, did you mean %s?", kind, n)
			}
			return nil, usagef("--report: %q is no kind of report, want one of %s", kind, strings.Join(report.RunReports, ", "))
		case given && file == "", !given && kind != "github":
			return nil, usagef("--report: %q names no file, want %s=FILE", t, kind)
		case file == "-":
			return nil, usagef("--report: %q names no file, want one; --format says what standard output gets", t)
		}
		all = append(all, &reportFile{kind: kind, name: file})
	}
	return all, nil
}

// open makes the report's file.
func (r *reportFile) open() (err error) {
	if r.name != "" {
		r.file, err = createFile("--report", r.name)
	}
	return err
}

func (r *reportFile) discard() {
	if r.file != nil {
		r.file.discard()
	}
}

// write writes the report, whole or not at all.
func (r *reportFile) write(a *app, result *report.RunResult) error {
	if r.kind == "github" {
		result = inWorkspace(result)
	}
	write := func(w io.Writer) error { return result.Report(w, r.kind) }
	if r.kind == "html" {
		write = func(w io.Writer) error { return result.HTML(w, "ratesim "+versionOf().Version, a.charts) }
	}
	if r.file != nil {
		return r.file.put(write)
	}
	// GitHub reads annotations from standard error as well, and there they are
	// in nobody's way: standard output may be a document.
	return write(a.errOut)
}

// chartRuns is how many runs the bands of a report's charts show.
const chartRuns = 5

// charts are those of one scenario: its drain, and the windows of its limits.
func (a *app) charts(r *report.Ran) ([]*plots.Chart, error) {
	d := &drawing{s: r.Scenario}
	if err := d.extend(a.ctx, r.Seed, chartRuns, nil); err != nil {
		return nil, err
	}
	footer := fmt.Sprintf("seed %d, %d runs, ratesim %s", r.Seed, chartRuns, versionOf().Version)
	drain := drains([]*drawing{d})
	drain.Footer = footer
	out := []*plots.Chart{drain}
	if n := len(r.Scenario.Limits); n > 0 && n <= mostSeries {
		w, err := windows([]*drawing{d})
		if err != nil {
			return nil, err
		}
		w.Footer = footer
		out = append(out, w)
	}
	return out, nil
}

// summarize adds the table to the summary of the job on GitHub, once for all
// reports.
func summarize(result *report.RunResult) error {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	where := &outFile{flag: "--report: GITHUB_STEP_SUMMARY", name: name}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return where.wrong(err)
	}
	err = result.Report(f, "markdown")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return where.wrong(err)
}

// inWorkspace is the result with its files named as GitHub knows them: from
// the top of the checkout, wherever the command was run.
func inWorkspace(result *report.RunResult) *report.RunResult {
	top := os.Getenv("GITHUB_WORKSPACE")
	if top == "" {
		return result
	}
	moved := *result
	moved.Scenarios = nil
	for _, r := range result.Scenarios {
		own, scenario := *r, *r.Scenario
		at, err := filepath.Abs(scenario.File)
		if err == nil {
			if rel, err := filepath.Rel(top, at); err == nil && filepath.IsLocal(rel) {
				scenario.File = filepath.ToSlash(rel)
			}
		}
		own.Scenario = &scenario
		moved.Scenarios = append(moved.Scenarios, &own)
	}
	return &moved
}
