package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/tune"
)

// parseCost reads a sum such as "wait_p95_s + 0.0005 queries_per_s": keys of a
// summary, each after its price, which is 1 if it is left out.
func parseCost(text string) (terms []tune.Term, err error) {
	words := strings.Fields(strings.NewReplacer("+", " + ", "*", " * ", "- ", " - ").Replace(text))
	price, priced, sign := 1.0, false, 1.0
	for i, w := range words {
		number, failed := strconv.ParseFloat(w, 64)
		switch {
		case w == "+" || w == "-":
			if i > 0 && (priced || len(terms) == 0) {
				return nil, fmt.Errorf("there is no key before %s", w)
			}
			if w == "-" {
				sign = -1
			}
		case w == "*":
		case failed == nil && !priced:
			price, priced = number, true
		case failed == nil:
			return nil, fmt.Errorf("%s follows a number, want a key such as wait_p95_s", w)
		default:
			if len(terms) > 0 && !priced && i > 0 && words[i-1] != "+" && words[i-1] != "-" {
				return nil, fmt.Errorf("%s follows a key, want + between them", w)
			}
			terms = append(terms, tune.Term{Price: sign * price, Key: w})
			price, priced, sign = 1, false, 1
		}
	}
	if priced || len(terms) == 0 || slices.Contains([]string{"+", "-"}, words[len(words)-1]) {
		return nil, errors.New("ends without a key, want for example wait_p95_s + 0.0005 queries_per_s")
	}
	return terms, nil
}

// contest looks for the cheapest cell.
func (f *sweepFlags) contest(a *app, p *sweep.Plan) error {
	for name, given := range map[string]bool{"shard": f.shard != "", "resume": f.resume != "", "out": f.out != "", "format": f.format.value != "" && f.format.value != "text", "runs": f.runs.N > 0} {
		if given {
			return usagef("--%s: --least runs no cell to the end but the last few, want one of the two", name)
		}
	}
	terms, err := parseCost(f.least)
	if err != nil {
		return usagef("--least: %v", err)
	}
	settings := make([]*model.Scenario, len(p.Cells))
	for i, c := range p.Cells {
		settings[i] = c.Scenario
	}
	bar := a.progress("simulating")
	defer bar.Clear()
	c := &tune.Contest{Settings: settings, Cost: terms, Seed: f.seed, Jobs: f.jobs.N, Progress: bar.Set}
	if err := c.Check(); err != nil {
		return usagef("--least: %v", err)
	}
	r, err := c.Hold(a.ctx)
	bar.Clear()
	if err != nil {
		return err
	}
	report.LeastText(a.out, p, f.least, r, a.width(), a.style())
	if r.Finalists[0].Standing != tune.Best {
		return failed()
	}
	return nil
}
