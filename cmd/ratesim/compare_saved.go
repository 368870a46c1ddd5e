package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/sim/measure"
)

// saved is a result that ratesim run --format json wrote.
type saved struct {
	Name    string
	Runs    int
	Summary map[string]json.RawMessage
}

// isSaved is true for the name of a file of results rather than a scenario.
func isSaved(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

func readSaved(name string) (*saved, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError(err)
	}
	var doc struct {
		Scenarios []struct {
			Name    string                     `json:"name"`
			Runs    int                        `json:"runs"`
			Summary map[string]json.RawMessage `json:"summary"`
		} `json:"scenarios"`
	}
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Scenarios) == 0 {
		return nil, usagef("%s: holds no results, want what ratesim run --format json wrote", name)
	}
	if n := len(doc.Scenarios); n > 1 {
		return nil, usagef("%s: holds the results of %d scenarios, want one", name, n)
	}
	s := doc.Scenarios[0]
	return &saved{s.Name, s.Runs, s.Summary}, nil
}

// stat is a key with its interval; a fact is its own. false: it is not there.
func (s *saved) stat(key measure.Key) (stat measure.Stat, ok bool) {
	if json.Unmarshal(s.Summary[key.String()], &stat.Value) != nil || s.Summary[key.String()] == nil {
		return stat, false
	}
	stat.N, stat.Low, stat.High = s.Runs, stat.Value, stat.Value
	if key.Info().Fact {
		return stat, true
	}
	var intervals map[string][2]float64
	if json.Unmarshal(s.Summary["intervals"], &intervals) != nil {
		return stat, false
	}
	between, told := intervals[key.String()]
	if !told {
		return stat, false // one run has no interval, so nothing could be shown
	}
	stat.Low, stat.High = between[0], between[1]
	return stat, true
}

// compareSaved compares two results that are there already. They were not run
// in pairs, so that their intervals add up as those of independent means do.
func (f *compareFlags) compareSaved(a *app, first, second string) error {
	left, err := readSaved(first)
	if err != nil {
		return err
	}
	right, err := readSaved(second)
	if err != nil {
		return err
	}
	c := &report.Compared{A: first, B: second, Runs: min(left.Runs, right.Runs)}
	for k := range measure.NumKeys {
		key := measure.Key(k)
		x, ok1 := left.stat(key)
		y, ok2 := right.stat(key)
		if !ok1 || !ok2 {
			continue
		}
		delta, half := y.Value-x.Value, math.Hypot(x.Half(), y.Half())
		c.Rows = append(c.Rows, report.ComparedRow{Key: key, Difference: measure.Difference{
			A: x, B: y, Delta: measure.Stat{N: max(c.Runs, 2), Value: delta, Low: delta - half, High: delta + half},
		}})
	}
	if len(c.Rows) == 0 {
		return usagef("%s: has no key with an interval in common with %s, want results of several runs", second, first)
	}
	if f.asJSON {
		return report.CompareJSON(a.out, c)
	}
	report.CompareText(a.out, c, a.width(), a.style())
	return nil
}

// savedOnly refuses what makes no sense for results that are there already.
func (f *compareFlags) savedOnly(args []string) error {
	switch {
	case len(args) != 2 || !isSaved(args[0]) || !isSaved(args[1]):
		return usagef("compare: a saved result is compared with another saved one, want two files of results")
	case len(f.sets)+len(f.with) > 0 || f.runs.N > 0 || f.seed != nil:
		return usagef("compare: saved results are not run again, want them alone")
	}
	return nil
}
