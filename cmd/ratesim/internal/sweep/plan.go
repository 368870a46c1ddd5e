package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// Plan is a grid: every combination of the axes' values, the last axis going
// fastest.
type Plan struct {
	Name  string
	Axes  []Axis
	Cells []Cell
	Seed  uint64
	Runs  int // 0: as many as it takes
	Hash  string
}

// Cell is one setting of a grid.
type Cell struct {
	Index    int
	ID       string   // the same for the same setting, seed and runs, anywhere
	Values   []string // of the axes
	Scenario *model.Scenario
}

// MostCells is how many cells a grid may have.
const MostCells = 100_000

// NewPlan makes the cells of a document's grid. Mistakes in values are told
// once, not once a cell.
func NewPlan(d *scenarios.Document, sets []scenarios.Set, axes []Axis, seed uint64, runs int) (*Plan, error) {
	p := &Plan{Name: d.Name(), Axes: axes, Seed: seed, Runs: runs}
	n := 1
	for _, a := range axes {
		if n *= len(a.Values); n > MostCells {
			return nil, fmt.Errorf("the grid has over %d cells, want fewer", MostCells)
		}
	}
	seen := map[string]bool{}
	var mistakes scenarios.Errors
	for i := range n {
		c := Cell{Index: i, Values: make([]string, len(axes))}
		cell := append([]scenarios.Set{}, sets...)
		rest := i
		for k := len(axes) - 1; k >= 0; k-- {
			a := axes[k]
			c.Values[k] = a.Values[rest%len(a.Values)]
			rest /= len(a.Values)
		}
		for k, a := range axes {
			cell = append(cell, scenarios.Set{Path: a.Key, Value: c.Values[k], Flag: "--vary"})
		}
		s, err := d.With(cell...)
		var own scenarios.Errors
		if errors.As(err, &own) {
			for _, e := range own {
				if text := e.Error(); !seen[text] {
					seen[text] = true
					mistakes = append(mistakes, e)
				}
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		c.Scenario = s
		c.ID = hash(fmt.Sprintf("1 %d %d\n%s", seed, runs, scenarios.Write(s)))
		p.Cells = append(p.Cells, c)
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	all := ""
	for _, c := range p.Cells {
		all += c.ID + "\n"
	}
	p.Hash = hash(all)
	return p, nil
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:16]
}

// Shard is part I of N, from 1: every N-th cell, so that costly corners of a
// grid spread.
type Shard struct{ I, N int }

// Has is true for the cells of the shard.
func (s Shard) Has(cell int) bool { return s.N <= 1 || cell%s.N == s.I-1 }

// String is i/n.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// ParseShard reads i/n, or auto: what the scheduler says in the environment.
func ParseShard(text string, env func(string) string) (Shard, error) {
	if text == "auto" {
		return auto(env)
	}
	var s Shard
	var rest string
	if n, err := fmt.Sscanf(text+" .", "%d/%d %s", &s.I, &s.N, &rest); n != 3 || err != nil || rest != "." || s.N < 1 || s.I < 1 || s.I > s.N {
		return s, fmt.Errorf("%q is no i/n, want such as 1/4: the first of four", text)
	}
	return s, nil
}

// schedulers are where schedulers say which part a machine has, and whether
// they count from 0.
var schedulers = []struct {
	name, index, total string
	zero               bool
}{
	{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", false},
	{"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", true},
	{"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", true},
	{"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", true},
}

func auto(env func(string) string) (Shard, error) {
	for _, k := range schedulers {
		if env(k.index) == "" {
			continue
		}
		if env(k.total) == "" {
			return Shard{}, fmt.Errorf("%s gives %s but no %s, want both, or i/n", k.name, k.index, k.total)
		}
		i, err1 := number(env, k.index)
		n, err2 := number(env, k.total)
		if err := errors.Join(err1, err2); err != nil {
			return Shard{}, err
		}
		if k.zero {
			i++
		}
		if i < 1 || n < i {
			return Shard{}, fmt.Errorf("%s is %s of %s %s, want it within", k.index, env(k.index), k.total, env(k.total))
		}
		return Shard{i, n}, nil
	}
	if env("SLURM_ARRAY_TASK_ID") == "" {
		return Shard{}, errors.New("auto finds no scheduler in the environment (CI_NODE_INDEX, CIRCLE_NODE_INDEX, JOB_COMPLETION_INDEX, BUILDKITE_PARALLEL_JOB, SLURM_ARRAY_TASK_ID), want i/n")
	}
	return slurm(env)
}

func number(env func(string) string, name string) (int, error) {
	n, err := strconv.Atoi(env(name))
	if err != nil {
		return 0, fmt.Errorf("%s is %q, want a whole number", name, env(name))
	}
	return n, nil
}

// slurm counts from wherever the array begins. An array with gaps, such as
// 1,2,7, has no parts to its gaps.
func slurm(env func(string) string) (Shard, error) {
	var at [4]int
	for i, name := range []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"} {
		if i == 3 && env(name) == "" {
			at[i] = 1
			continue
		}
		var err error
		if at[i], err = number(env, name); err != nil {
			return Shard{}, err
		}
	}
	i, low, high, step := at[0], at[1], at[2], at[3]
	if i < low || i > high || step < 1 || (i-low)%step != 0 {
		return Shard{}, errors.New("SLURM_ARRAY_TASK_ID is not within SLURM_ARRAY_TASK_MIN and MAX, want i/n")
	}
	n := (high-low)/step + 1
	if have := env("SLURM_ARRAY_TASK_COUNT"); have != "" && have != strconv.Itoa(n) {
		return Shard{}, fmt.Errorf("the array has gaps: SLURM_ARRAY_TASK_COUNT is %s, from MIN to MAX are %d, want such as --array=1-16, or i/n", have, n)
	}
	return Shard{(i-low)/step + 1, n}, nil
}
