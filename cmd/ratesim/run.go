package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// runFlags are the flags of run as they were read.
type runFlags struct {
	runs, jobs count
	seed       uint64
	sets       []string
	reports    []string
	format     choice
	asJSON     bool
	trace      string
	list       bool
}

func newRun(a *app) *cobra.Command {
	f := runFlags{runs: count{Least: 1, Most: 10_000}, jobs: count{Least: 1, Most: 1024}, format: choice{among: report.RunFormats}}
	cmd := &cobra.Command{
		Use:   "run FILE|FOLDER|NAME…",
		Short: "Run scenarios and judge their expectations",
		Long: `Simulates scenarios and holds what came out against what their files expect. A
folder is walked for *.yml and *.yaml, but for folders called testdata; a
shipped scenario runs by its name.

Ends with 0 if every expectation holds, 1 if one fails or can't be decided, a
limit was broken or a backlog never drains, 2 if a file or a value is wrong.`,
		Example: `  ratesim run webhooks
  ratesim run webhooks --set limits.webhooks.burst=5 --runs 10
  ratesim run webhooks --format json --seed 7
  ratesim run webhooks --report junit=report.xml --report markdown=report.md
  ratesim run --list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				var names []report.Named
				for _, i := range scenarios.List() {
					names = append(names, report.Named{Name: i.Name, About: i.About})
				}
				report.ScenarioList(a.out, names, a.width(), a.style())
				return nil
			}
			if len(args) == 0 {
				return usagef("run: no scenario, want a file, a folder or a name: see ratesim run --list")
			}
			return f.run(a, args)
		},
	}
	s := cmd.Flags()
	s.Var(&f.runs, "runs", "replications of each scenario (default: the file's, or as many as it takes)")
	s.Uint64Var(&f.seed, "seed", 0, "fixes every draw (default: the file's, or 1)")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.StringArrayVar(&f.sets, "set", nil, "KEY=VALUE: change a value by its path, such as limits.webhooks.burst=6")
	s.Var(&f.format, "format", "what standard output gets")
	s.StringArrayVar(&f.reports, "report", nil, "KIND=FILE: write a report too: "+strings.Join(report.RunReports, ", "))
	s.BoolVar(&f.asJSON, "json", false, "the same as --format json")
	s.StringVar(&f.trace, "trace", "", "write every claim and deferral of each first replication, as NDJSON or by its ending as CSV")
	s.BoolVar(&f.list, "list", false, "name the shipped scenarios")
	complete(cmd, "format", report.RunFormats...)
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, i := range scenarios.List() {
			names = append(names, i.Name)
		}
		return names, cobra.ShellCompDirectiveDefault
	}
	return cmd
}

func (f *runFlags) run(a *app, args []string) error {
	if f.asJSON {
		if f.format.value != "" && f.format.value != "json" {
			return usagef("--json: --format says %s already", f.format.value)
		}
		f.format.value = "json"
	}
	reports, err := parseReports(f.reports)
	if err != nil {
		return err
	}
	var sets []scenarios.Set
	for _, text := range f.sets {
		set, err := scenarios.ParseSet(text)
		if err != nil {
			return usagef("--set %v", err)
		}
		sets = append(sets, set)
	}
	all, err := f.read(a, args, sets)
	if err != nil {
		return err
	}
	var trace *traceFile
	if f.trace != "" {
		if trace, err = createTrace(f.trace); err != nil {
			return err
		}
		defer trace.discard()
	}
	bar := a.progress("simulating")
	result := &report.RunResult{}
	var broken error
	for i, s := range all {
		r, err := f.one(a, s, func(done, total int) { bar.Set(i*1000+done*1000/max(total, 1), len(all)*1000) }, trace)
		if err != nil {
			broken = err
			break
		}
		result.Scenarios = append(result.Scenarios, r)
		if f.format.value == "ndjson" {
			bar.Clear()
			if err := report.RunLine(a.out, r); err != nil {
				return err
			}
		}
	}
	bar.Clear()
	if broken != nil && !errors.Is(broken, context.Canceled) {
		return broken
	}
	// Interrupted, what is finished is printed all the same.
	if err := result.Write(a.out, f.format.value, a.width(), a.style()); err != nil {
		return err
	}
	if trace != nil && broken == nil {
		if err := trace.keep(); err != nil {
			return err
		}
	}
	for _, r := range reports {
		if err := result.Report(r.kind, r.file); err != nil {
			return fileError(err)
		}
	}
	if broken != nil {
		return broken
	}
	if !result.Passed() {
		return failed()
	}
	return nil
}

// read finds the scenarios that the arguments name. Mistakes of all of them are
// told at once.
func (f *runFlags) read(a *app, args []string, sets []scenarios.Set) ([]*model.Scenario, error) {
	var all []*model.Scenario
	var mistakes scenarios.Errors
	for _, arg := range args {
		read := scenarios.ReadPath
		if _, err := os.Stat(arg); err != nil && !strings.ContainsAny(arg, `/\`) && filepath.Ext(arg) == "" {
			read = scenarios.Find
		}
		found, err := read(arg, sets...)
		var own scenarios.Errors
		switch {
		case errors.As(err, &own):
			mistakes = append(mistakes, own...)
		case err != nil:
			return nil, fileError(err)
		}
		all = append(all, found...)
	}
	return all, a.mistakes(mistakes)
}

// one runs a scenario and judges it.
func (f *runFlags) one(a *app, s *model.Scenario, progress func(done, total int), trace *traceFile) (*report.Ran, error) {
	o := sim.Options{Seed: s.Seed, Runs: s.Runs, Jobs: f.jobs.N, Progress: progress}
	if f.runs.N > 0 {
		o.Runs = f.runs.N
	}
	if f.seed > 0 {
		o.Seed = f.seed
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	runs, err := sim.Replicate(a.ctx, s, o)
	if err != nil {
		return nil, err
	}
	if trace != nil {
		trace.scenario = s
		if _, err := sim.NewMachine(s).RunUntil(a.ctx, o.Seed, 0, trace); err != nil {
			return nil, err
		}
	}
	r := &report.Ran{Scenario: s, Seed: o.Seed, Summary: measure.Combine(s, runs)}
	for _, e := range s.Expect {
		r.Verdicts = append(r.Verdicts, measure.Judge(e, r.Summary))
	}
	return r, nil
}

// reportFile is a --report.
type reportFile struct{ kind, file string }

func parseReports(texts []string) ([]reportFile, error) {
	var all []reportFile
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
		case file == "" && kind != "github":
			return nil, usagef("--report: %q names no file, want %s=FILE", t, kind)
		case given && file == "":
			return nil, usagef("--report: %q names no file after =", t)
		}
		all = append(all, reportFile{kind, file})
	}
	return all, nil
}
