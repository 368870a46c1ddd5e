package main

import (
	"context"
	"errors"
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
	seed       *uint64 // nil: not given
	sets       []string
	reports    []string
	format     choice
	asJSON     bool
	trace      string
	list       bool
	verbose    bool
}

func newRun(a *app) *cobra.Command {
	f := runFlags{runs: count{Least: 1, Most: 10_000}, jobs: count{Least: 1, Most: 1024}, format: choice{among: report.RunFormats}}
	var seed uint64
	cmd := &cobra.Command{
		Use:   "run FILE|FOLDER|NAME…",
		Short: "Run scenarios and judge their expectations",
		Long: `Simulates scenarios and holds what came out against what their files expect. A
folder is walked for *.yml and *.yaml, but for folders called testdata; a
shipped scenario runs by its name.

Reports and traces are files that appear when they are whole, and not at all
when the run is interrupted; what is finished by then is printed. A trace shows
the first replication of each scenario: every claim, deferral and drop, job by
job. --report html is one page with charts. --report github, without a file,
prints its annotations to standard error and adds a table to
$GITHUB_STEP_SUMMARY.

Ends with 0 if every expectation holds, 1 if one fails or can't be decided, a
limit was broken or a backlog never drains, 2 if a file or a value is wrong.`,
		Example: `  ratesim run webhooks
  ratesim run webhooks --set limits.webhooks.burst=5 --runs 10
  ratesim run webhooks --verbose
  ratesim run webhooks --format json --seed 7
  ratesim run webhooks --report junit=report.xml --report markdown=report.md
  ratesim run webhooks --report html=report.html
  ratesim run webhooks --trace claims.csv
  ratesim run --list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				f.seed = &seed
			}
			if cmd.Flags().Changed("trace") && f.trace == "" {
				return usagef("--trace: empty, want a file")
			}
			if f.asJSON {
				if f.format.value != "" && f.format.value != "json" {
					return usagef("--json: --format says %s already", f.format.value)
				}
				f.format.value = "json"
			}
			if f.list {
				return f.names(a, args)
			}
			if len(args) == 0 {
				return usagef("run: no scenario, want a file, a folder or a name: see ratesim run --list")
			}
			return f.run(a, args)
		},
	}
	s := cmd.Flags()
	s.Var(&f.runs, "runs", "replications of each scenario (default: the file's, or as many as it takes)")
	s.Uint64Var(&seed, "seed", 0, "the same `N` draws the same (default: the file's, or 1)")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.StringArrayVar(&f.sets, "set", nil, "change a value by its path: `KEY=VALUE`, such as limits.webhooks.burst=6")
	s.Var(&f.format, "format", "what standard output gets")
	s.StringArrayVar(&f.reports, "report", nil, "write a report too: `KIND=FILE`, of "+strings.Join(report.RunReports, ", "))
	s.BoolVar(&f.asJSON, "json", false, "the same as --format json")
	s.StringVar(&f.trace, "trace", "", "write every claim and deferral to `FILE`, .ndjson or .csv")
	s.BoolVar(&f.list, "list", false, "name the shipped scenarios")
	s.BoolVarP(&f.verbose, "verbose", "v", false, "all numbers with their intervals, and what a scenario is about")
	complete(cmd, "format", report.RunFormats...)
	complete(cmd, "report", "junit=", "markdown=", "json=", "html=", "github")
	cmd.ValidArgsFunction = shippedNames
	return cmd
}

// names lists the shipped scenarios.
func (f *runFlags) names(a *app, args []string) error {
	if len(args) > 0 {
		return usagef("--list: it names the shipped scenarios, and takes no %s", args[0])
	}
	var all []report.Named
	for _, i := range scenarios.List() {
		all = append(all, report.Named{Name: i.Name, About: strings.TrimSpace(i.About), File: i.File})
	}
	switch f.format.value {
	case "json":
		return report.ScenarioListJSON(a.out, all)
	case "", "text":
		report.ScenarioList(a.out, all, a.width(), a.style())
		return nil
	}
	return usagef("--format: a list is text or json, not %s", f.format.value)
}

func (f *runFlags) run(a *app, args []string) error {
	reports, err := parseReports(f.reports)
	if err != nil {
		return err
	}
	sets, err := parseSets(f.sets)
	if err != nil {
		return err
	}
	all, err := readScenarios(a, args, sets)
	if err != nil {
		return err
	}
	trace, err := f.open(all, reports)
	defer func() {
		for _, r := range reports {
			r.discard()
		}
		if trace != nil {
			trace.discard()
		}
	}()
	if err != nil {
		return err
	}

	result, broken := f.all(a, all, trace)
	// Interrupted or broken off, what is finished is printed all the same; but
	// a report that lacks scenarios would look like one of a smaller run.
	if len(result.Scenarios) > 0 || broken == nil {
		if err := result.Write(a.out, f.format.value, report.Look{Width: a.width(), Style: a.style(), Verbose: f.verbose}); err != nil {
			return err
		}
	}
	if broken != nil {
		if trace != nil || len(reports) > 0 {
			a.note("the run did not come to its end, so no report and no trace was written")
		}
		return broken
	}
	if trace != nil {
		if err := trace.keep(); err != nil {
			return err
		}
	}
	summarized := false
	for _, r := range reports {
		if err := r.write(a, result); err != nil {
			return err
		}
		if r.kind == "github" && !summarized {
			summarized = true
			if err := summarize(result); err != nil {
				return err
			}
		}
	}
	if !result.Passed() {
		return failed()
	}
	return nil
}

// open makes all files that are to be written.
func (f *runFlags) open(all []*model.Scenario, reports []*reportFile) (*traceFile, error) {
	taken := readBy(all...)
	for _, r := range reports {
		if r.name == "" {
			continue
		}
		if err := taken.take("--report", r.name); err != nil {
			return nil, err
		}
		if err := r.open(); err != nil {
			return nil, err
		}
	}
	if f.trace == "" {
		return nil, nil
	}
	if err := taken.take("--trace", f.trace); err != nil {
		return nil, err
	}
	return createTrace(f.trace)
}

// all runs the scenarios one after the other, in order. With an error it
// returns what was finished before it.
func (f *runFlags) all(a *app, all []*model.Scenario, trace *traceFile) (*report.RunResult, error) {
	m := meter{bar: a.progress("simulating"), scenarios: len(all)}
	defer m.bar.Clear()
	result := &report.RunResult{Planned: len(all)}
	for _, s := range all {
		m.next()
		r, err := f.one(a, s, m.step, trace)
		if r != nil {
			result.Scenarios = append(result.Scenarios, r)
			if f.format.value == "ndjson" {
				m.bar.Clear()
				if err := report.RunLine(a.out, r); err != nil {
					return result, err
				}
			}
		}
		if err != nil {
			return result, err
		}
	}
	return result, nil
}

// one runs a scenario and judges it. Interrupted, it judges the replications
// that are done, if there are any.
func (f *runFlags) one(a *app, s *model.Scenario, progress func(done, total int), trace *traceFile) (*report.Ran, error) {
	o := sim.Options{Seed: 1, Runs: s.Runs, Jobs: f.jobs.N, Progress: progress}
	if s.Seed > 0 {
		o.Seed = s.Seed
	}
	if f.seed != nil {
		o.Seed = *f.seed
	}
	if f.runs.N > 0 {
		o.Runs = f.runs.N
	}
	runs, err := sim.Replicate(a.ctx, s, o)
	if err != nil && (len(runs) == 0 || !errors.Is(err, context.Canceled)) {
		return nil, err
	}
	r := &report.Ran{Scenario: s, Seed: o.Seed, Summary: measure.Combine(s, runs), Cut: err != nil}
	for _, e := range s.Expect {
		r.Verdicts = append(r.Verdicts, measure.Judge(e, r.Summary))
	}
	if trace != nil && err == nil {
		trace.scenario = s
		_, err = sim.NewMachine(s).RunUntil(a.ctx, o.Seed, 0, trace)
	}
	return r, err
}
