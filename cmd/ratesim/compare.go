package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

// compareFlags are the flags of compare as they were read.
type compareFlags struct {
	runs, jobs count
	seed       *uint64
	sets, with []string
	asJSON     bool
	all        bool
}

func newCompare(a *app) *cobra.Command {
	f := compareFlags{runs: count{Least: 2, Most: 10_000}, jobs: count{Least: 1, Most: 1024}}
	var seed uint64
	cmd := &cobra.Command{
		Use:   "compare A [B]",
		Short: "Two settings on the same random numbers, and how they differ",
		Long: `Runs two scenarios on the same seeds, replication by replication, and gives for
every key the difference with its 95 % interval, or says that none is shown.
What chance does to both cancels out, so that far smaller differences show than
in two runs.

A and B are files or the names of shipped scenarios. Without B it is A changed
by --with. Two results of ratesim run --format json (.json) can be compared as
well: as they were not run in pairs, only larger differences show.`,
		Example: `  ratesim compare webhooks --with limits.webhooks.burst=5
  ratesim compare u02-burst-2 u02-burst-3
  ratesim compare webhooks --with dispatchers.polling_interval=0.2s --json`,
		Args: atMost(2, "A and B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				f.seed = &seed
			}
			switch {
			case len(args) == 0:
				return usagef("compare: nothing to compare, want A and B, or A and --with KEY=VALUE")
			case isSaved(args[0]) || isSaved(args[len(args)-1]):
				if err := f.savedOnly(args); err != nil {
					return err
				}
				return f.compareSaved(a, args[0], args[1])
			case len(args) == 1 && len(f.with) == 0:
				return usagef("compare: nothing to compare %s with, want B, or --with KEY=VALUE", args[0])
			}
			return f.run(a, args)
		},
	}
	s := cmd.Flags()
	s.Var(&f.runs, "runs", "replications of each (default: as many as it takes)")
	s.Uint64Var(&seed, "seed", 0, "the same `N` draws the same (default: A's, or 1)")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.StringArrayVar(&f.sets, "set", nil, "change a value of both: `KEY=VALUE`")
	s.StringArrayVar(&f.with, "with", nil, "change a value of B: `KEY=VALUE`")
	s.BoolVar(&f.all, "all", false, "all keys, those of each limit and class too")
	s.BoolVar(&f.asJSON, "json", false, "one JSON document")
	cmd.ValidArgsFunction = shippedNames
	return cmd
}

func (f *compareFlags) run(a *app, args []string) error {
	first, err := f.read(a, args[0], f.sets)
	if err != nil {
		return err
	}
	second, err := f.read(a, args[len(args)-1], append(append([]string{}, f.sets...), f.with...))
	if err != nil {
		return err
	}
	o := sim.Options{Seed: 1, Runs: f.runs.N, Jobs: f.jobs.N}
	if first.Seed > 0 {
		o.Seed = first.Seed
	}
	if f.seed != nil {
		o.Seed = *f.seed
	}
	bar := a.progress("simulating")
	o.Progress = bar.Set
	left, right, err := pairs(a.ctx, first, second, o)
	bar.Clear()
	if err != nil && (len(left) < 2 || !errors.Is(err, context.Canceled)) {
		return err
	}
	c := &report.Compared{A: first.Name, B: second.Name, Runs: len(left), Seed: o.Seed, Paired: true}
	if len(args) == 1 {
		c.B = "the same with " + strings.Join(f.with, ", ")
	}
	c.Rows = rows(first, second, left, right, f.all || f.asJSON)
	if f.asJSON {
		if wrote := report.CompareJSON(a.out, c); wrote != nil {
			return wrote
		}
		return err
	}
	report.CompareText(a.out, c, a.width(), a.style())
	return err
}

func (f *compareFlags) read(a *app, name string, texts []string) (*model.Scenario, error) {
	sets, err := parseSets(texts)
	if err != nil {
		return nil, err
	}
	return readOne(a, name, sets)
}

// pairs runs both until the drains of both are known, as often as each other.
func pairs(ctx context.Context, first, second *model.Scenario, o sim.Options) (left, right []*measure.Run, err error) {
	p := sim.NewPool(o.Jobs)
	both := []*sim.Experiment{p.Add(first, o), p.Add(second, o)}
	for {
		n := max(both[0].Wanted(), both[1].Wanted())
		if n <= min(len(both[0].Runs), len(both[1].Runs)) {
			break
		}
		if err = p.Extend(ctx, both, n); err != nil {
			break
		}
	}
	n := min(len(both[0].Runs), len(both[1].Runs))
	return both[0].Runs[:n], both[1].Runs[:n], err
}

// rows compares every key that both have: of the whole, and of the limits and
// classes that both name alike.
func rows(first, second *model.Scenario, left, right []*measure.Run, parts bool) (out []report.ComparedRow) {
	add := func(scope, prefix string) {
		for k := range measure.NumKeys {
			key := prefix + measure.Key(k).String()
			a, err1 := measure.Find(first, key)
			b, err2 := measure.Find(second, key)
			if err1 != nil || err2 != nil {
				continue
			}
			if d := measure.Compare(left, right, a, b); d.Delta.N > 0 {
				out = append(out, report.ComparedRow{Scope: scope, Key: measure.Key(k), Difference: d})
			}
		}
	}
	add("", "")
	if !parts {
		return out
	}
	for _, l := range first.Limits {
		add(l.Name, fmt.Sprintf("%s.", l.Name))
	}
	for _, c := range first.Classes {
		add(c.Name, fmt.Sprintf("%s.", c.Name))
	}
	return out
}
