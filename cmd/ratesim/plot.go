package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
)

// plotFlags are the flags of plot as they were read.
type plotFlags struct {
	out        string
	view       choice
	runs, jobs count
	seed       uint64
	sets       []string
}

// The views of plot.
const (
	viewDrain   = "drain"
	viewWindows = "windows"
	viewWaits   = "waits"
	viewBurst   = "burst"
	viewHeat    = "heat"
)

var views = []string{viewDrain, viewWindows, viewWaits, viewBurst, viewHeat}

func newPlot(a *app) *cobra.Command {
	f := plotFlags{view: choice{value: viewDrain, among: views}, runs: count{N: 10, Least: 1, Most: 200}, jobs: count{Least: 1, Most: 1024}, seed: 1}
	cmd := &cobra.Command{
		Use:   "plot SCENARIO… -o FILE",
		Short: "Charts of scenarios: PNG, SVG or PDF",
		Long: `Draws scenarios, several in one chart, by the ending of the file's name:

  drain    waiting jobs over time, with the least and most over the runs
  windows  claims in the window that ends at each instant, and the limit
  waits    how many jobs had waited no longer than that
  burst    drain and declared drain over the burst, the suggested one marked
  heat     drain by burst and dispatcher poll, the best marked

The last two take one scenario with one limit and one class. PNG and SVG have
the same bytes for the same seed.`,
		Example: `  ratesim plot webhooks -o drain.svg
  ratesim plot u02-burst-1 u02-burst-3 u02-burst-6 -o compare.png
  ratesim plot webhooks --view windows -o windows.png
  ratesim plot webhooks --view burst -o burst.pdf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("plot: no scenario, want a file or a name: see ratesim run --list")
			case f.out == "":
				return usagef("--out: missing, want for example --out drain.svg")
			}
			return f.run(a, args)
		},
	}
	s := cmd.Flags()
	s.StringVarP(&f.out, "out", "o", "", "the picture's `FILE`, ending in .png, .svg or .pdf")
	s.Var(&f.view, "view", "what to draw")
	s.Var(&f.runs, "runs", "replications of each scenario, for the band")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.Uint64Var(&f.seed, "seed", f.seed, "the same `N` draws the same")
	s.StringArrayVar(&f.sets, "set", nil, "change a value by its path: `KEY=VALUE`")
	cmd.ValidArgsFunction = shippedNames
	complete(cmd, "view", views...)
	return cmd
}

// mostSeries is how many scenarios a chart can hold and still be read.
const mostSeries = 7

func (f *plotFlags) run(a *app, args []string) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), ".")
	if !slices.Contains(plots.Formats, format) {
		return usagef("--out: %s ends in none of .%s, want one of them", f.out, strings.Join(plots.Formats, ", ."))
	}
	sets, err := parseSets(f.sets)
	if err != nil {
		return err
	}
	all, err := readScenarios(a, args, sets)
	if err != nil {
		return err
	}
	if len(all) > mostSeries {
		return usagef("plot: %d scenarios are too many for one chart, want at most %d", len(all), mostSeries)
	}
	if err := readBy(all...).take("--out", f.out); err != nil {
		return err
	}
	out, err := createFile("--out", f.out)
	if err != nil {
		return err
	}
	defer out.discard()
	c, err := f.chart(a, all)
	if err != nil {
		return err
	}
	c.Footer = fmt.Sprintf("seed %d, %d runs, ratesim %s", f.seed, f.runs.N, versionOf().Version)
	if err := out.put(func(w io.Writer) error { return plots.Write(w, c, format) }); err != nil {
		return err
	}
	a.note("%s", f.out)
	return nil
}

func (f *plotFlags) chart(a *app, all []*model.Scenario) (*plots.Chart, error) {
	bar := a.progress("simulating")
	defer bar.Clear()
	if f.view.value == viewBurst || f.view.value == viewHeat {
		if s := all[0]; len(all) != 1 || len(s.Limits) != 1 || len(s.Classes) != 1 {
			return nil, usagef("--view: %s is of one scenario with one limit and one class, such as webhooks", f.view.value)
		}
		if f.view.value == viewBurst {
			return f.bursts(a.ctx, all[0], bar.Set)
		}
		return f.polls(a.ctx, all[0], bar.Set)
	}
	drawn := make([]*drawing, len(all))
	for i, s := range all {
		drawn[i] = &drawing{s: s}
		if err := drawn[i].extend(a.ctx, f.seed, f.runs.N, func(done, total int) { bar.Set(i*total+done, len(all)*total) }); err != nil {
			return nil, err
		}
	}
	switch f.view.value {
	case viewWindows:
		return windows(drawn)
	case viewWaits:
		return waits(drawn), nil
	}
	return drains(drawn), nil
}
