package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// sweepFlags are the flags of sweep as they were read.
type sweepFlags struct {
	vary, sets []string
	runs, jobs count
	seed       uint64
	format     choice
	out        string
	shard      string
	resume     string
	plan       bool
	least      string
}

var sweepFormats = []string{"text", "csv", "ndjson"}

func newSweep(a *app) *cobra.Command {
	f := sweepFlags{runs: count{Least: 1, Most: 10_000}, jobs: count{Least: 1, Most: 1024}, format: choice{among: sweepFormats}, seed: 1}
	cmd := &cobra.Command{
		Use:   "sweep SCENARIO --vary KEY=VALUES…",
		Short: "A grid of settings, and the best trade-offs in it",
		Long: `Runs a scenario with every combination of values, all on the same random
numbers, and names the best trade-offs of drain, jobs at once and statements a
second. Ends with 1 if an expectation of the scenario fails in any cell.

--vary takes 1..10, a list a,b,c, or 0.05s..1s log 8 (lin for equal steps), for
the path of a value as --set does. --out writes the results (.ndjson, .csv) or a
picture of the drain (.svg, .png, .pdf): a heat map of two values, or a line.

A grid too big for one machine is spread by --shard i/n, on any scheduler (auto
reads its environment), each part written with --out part-i.ndjson, and put
together by ratesim merge. Such a file gets a line with each cell that is done:
--resume FILE goes on where one left off, even if its machine died.

--least names what a cell costs, such as "wait_p95_s + 0.0005 queries_per_s",
and looks for the cheapest whose expectations hold: a few runs of each, more of
the better half, and fresh ones for the last few. A tie is called one.`,
		Example: `  ratesim sweep webhooks --vary limits.webhooks.burst=1..10
  ratesim sweep webhooks --vary workers.threads=1,3,5 --runs 5 --out sweep.svg
  ratesim sweep webhooks --vary limits.webhooks.burst=1..10 --plan
  ratesim sweep webhooks --vary workers.threads=1..9 --shard 1/2 --out p1.ndjson
  ratesim sweep webhooks --vary limits.webhooks.burst=3..9 --least wait_p95_s`,
		Args: atMost(1, "one SCENARIO"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("sweep: no scenario, want a file or a name: see ratesim run --list")
			case len(f.vary) == 0:
				return usagef("--vary: missing, want for example --vary limits.webhooks.burst=1..10")
			}
			return f.run(a, args[0])
		},
	}
	s := cmd.Flags()
	s.StringArrayVar(&f.vary, "vary", nil, "vary a value by its path: `KEY=VALUES`")
	s.StringArrayVar(&f.sets, "set", nil, "change a value of all cells: `KEY=VALUE`")
	s.Var(&f.runs, "runs", "replications of each cell (default: as many as it takes)")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.Uint64Var(&f.seed, "seed", f.seed, "the same `N` draws the same")
	s.Var(&f.format, "format", "what standard output gets")
	s.StringVarP(&f.out, "out", "o", "", "write results or a picture to `FILE` too")
	s.StringVar(&f.shard, "shard", "", "run part `I/N` only, or auto")
	s.StringVar(&f.resume, "resume", "", "take the cells of `FILE` as done")
	s.BoolVar(&f.plan, "plan", false, "list the cells with their ids and run nothing")
	s.StringVar(&f.least, "least", "", "look for the cell in which this is least, `COST`, without running all to the end")
	complete(cmd, "format", sweepFormats...)
	cmd.ValidArgsFunction = shippedNames
	return cmd
}

func (f *sweepFlags) run(a *app, name string) error {
	p, shard, err := f.planned(a, name)
	if err != nil {
		return err
	}
	if f.plan {
		return listPlan(a, p, shard)
	}
	if f.least != "" {
		return f.contest(a, p)
	}
	if f.out != "" {
		if err := readBy(p.Cells[0].Scenario).take("--out", f.out); err != nil {
			return err
		}
	}
	out, err := openSweep(f.out)
	if err != nil {
		return err
	}
	defer out.discard()
	done, err := f.resumed(p)
	if err != nil {
		return err
	}
	results, stopped := f.cells(a, p, shard, done, out)
	file := &sweep.File{Header: p.Header(shard), Results: results}
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	// What is done is worth keeping: a file of results can be gone on with.
	if stopped == nil || out.kind == "ndjson" {
		if err := out.write(a, file); err != nil {
			return err
		}
	}
	if err := show(a, file, f.format.value); err != nil {
		return err
	}
	if stopped != nil {
		return stopped
	}
	return judged(file)
}

// judged is the verdict of a whole grid; a part of one is judged when it is put
// together with the others.
func judged(f *sweep.File) error {
	if f.Shard != "1/1" {
		return nil
	}
	for _, r := range f.Results {
		if !r.Passed {
			return failed()
		}
	}
	return nil
}

func (f *sweepFlags) planned(a *app, name string) (*sweep.Plan, sweep.Shard, error) {
	shard := sweep.Shard{I: 1, N: 1}
	var err error
	if f.shard != "" {
		if shard, err = sweep.ParseShard(f.shard, os.Getenv); err != nil {
			return nil, shard, usagef("--shard: %v", err)
		}
	}
	var axes []sweep.Axis
	for _, text := range f.vary {
		axis, err := sweep.ParseAxis(text)
		if err != nil {
			return nil, shard, usagef("--vary: %v", err)
		}
		for _, other := range axes {
			if other.Key == axis.Key {
				return nil, shard, usagef("--vary: %s is varied twice", axis.Key)
			}
		}
		axes = append(axes, axis)
	}
	sets, err := parseSets(f.sets)
	if err != nil {
		return nil, shard, err
	}
	doc, err := document(a, name)
	if err != nil {
		return nil, shard, err
	}
	p, err := sweep.NewPlan(doc, sets, axes, f.seed, f.runs.N)
	var mistakes scenarios.Errors
	switch {
	case errors.As(err, &mistakes):
		return nil, shard, a.mistakes(mistakes)
	case err != nil:
		return nil, shard, usagef("--vary: %v", err)
	}
	return p, shard, nil
}

// document is the one scenario that a name means.
func document(a *app, name string) (*scenarios.Document, error) {
	read, unknown := scenarios.ParsePath, ""
	if isShipped(name) {
		read, unknown = scenarios.FindDocuments, notThere
	}
	docs, err := read(name)
	var own scenarios.Errors
	switch {
	case errors.As(err, &own):
		for i := range own {
			if own[i].File == "" && unknown != "" {
				own[i].File, own[i].Msg = name, unknown+own[i].Msg
			}
		}
		return nil, a.mistakes(own)
	case err != nil:
		return nil, fileError(err)
	case len(docs) != 1:
		return nil, usagef("%s: holds %d scenarios, want one", name, len(docs))
	}
	return docs[0], nil
}

// resumed are the results of a file of the same plan, by cell.
func (f *sweepFlags) resumed(p *sweep.Plan) (map[int]sweep.Result, error) {
	done := map[int]sweep.Result{}
	if f.resume == "" {
		return done, nil
	}
	in, err := os.Open(f.resume)
	if errors.Is(err, os.ErrNotExist) {
		return done, nil // the first time there is nothing to go on with
	}
	if err != nil {
		return nil, fileError(err)
	}
	defer in.Close()
	file, err := sweep.ReadFile(f.resume, in)
	if err != nil {
		return nil, usagef("--resume: %v", err)
	}
	if file.Plan != p.Hash {
		return nil, usagef("--resume: %s belongs to another sweep (plan %s, this one is %s)", f.resume, file.Plan, p.Hash)
	}
	for _, r := range file.Results {
		done[r.Cell] = r
	}
	return done, nil
}

// cells runs the shard's cells that are not done, and gives all in order.
func (f *sweepFlags) cells(a *app, p *sweep.Plan, shard sweep.Shard, done map[int]sweep.Result, log *sweepFile) (out []sweep.Result, err error) {
	var open []sweep.Cell
	for _, c := range p.Cells {
		if !shard.Has(c.Index) {
			continue
		}
		if r, ok := done[c.Index]; ok {
			out = append(out, r)
		} else {
			open = append(open, c)
		}
	}
	defer func() { slices.SortFunc(out, func(a, b sweep.Result) int { return a.Cell - b.Cell }) }()
	bar := a.progress("sweeping")
	defer bar.Clear()
	for i, c := range open {
		runs, err := sim.Replicate(a.ctx, c.Scenario, sim.Options{Seed: p.Seed, Runs: f.runs.N, Jobs: f.jobs.N, Progress: within(bar, i, len(open))})
		if err != nil {
			return out, err
		}
		sum := measure.Combine(c.Scenario, runs)
		ran := &report.Ran{Scenario: c.Scenario, Seed: p.Seed, Summary: sum}
		for _, e := range c.Scenario.Expect {
			ran.Verdicts = append(ran.Verdicts, measure.Judge(e, sum))
		}
		out = append(out, sweep.NewResult(c, sum, ran.Failures()))
		if err := log.add(p.Header(shard), out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// within is the progress of the i-th of n pieces of work. It never goes back,
// though a piece may turn out to be larger than it seemed.
func within(bar *report.Progress, i, n int) func(done, total int) {
	const fine = 1000
	var mu sync.Mutex
	most := 0
	return func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, fine*done/max(total, 1))
		bar.Set(fine*i+most, fine*n)
	}
}

// listPlan writes the shard's cells, a line each.
func listPlan(a *app, p *sweep.Plan, shard sweep.Shard) error {
	w := bufio.NewWriter(a.out)
	e := json.NewEncoder(w)
	if err := e.Encode(p.Header(shard)); err != nil {
		return err
	}
	for _, c := range p.Cells {
		if !shard.Has(c.Index) {
			continue
		}
		if err := e.Encode(struct {
			Cell   int      `json:"cell"`
			ID     string   `json:"id"`
			Values []string `json:"values"`
		}{c.Index, c.ID, c.Values}); err != nil {
			return err
		}
	}
	return w.Flush()
}

// show writes results to standard output.
func show(a *app, f *sweep.File, format string) error {
	switch format {
	case "csv":
		return report.SweepCSV(a.out, f)
	case "ndjson":
		return report.SweepNDJSON(a.out, f)
	}
	report.SweepText(a.out, f, a.width(), a.style())
	return nil
}
