package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/scenarios"
)

func TestParseAxis(t *testing.T) {
	for text, want := range map[string]string{
		"a.b=1..4":                       "1 2 3 4",
		"a=3":                            "3",
		"a= x, y ":                       "x y",
		"a=uniform(1ms, 2ms),exp(3ms)":   "uniform(1ms, 2ms) exp(3ms)",
		"a=1..1000 log 4":                "1 10 100 1000",
		"a=1..3 log 9":                   "1 2 3",
		"a=0..10 lin 3":                  "0 5 10",
		"a=0.1s..1s lin 4":               "100ms 400ms 700ms 1s",
		"a=10ms..1s log 3":               "10ms 100ms 1s",
		"dispatchers[0].batch_size=1, 5": "1 5",
	} {
		a, err := ParseAxis(text)
		if got := strings.Join(a.Values, " "); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "a", "a=", "=1", "a=1,,2", "a=1,1", "a=5..1", "a=1..x", "a=1s..2s", "a=2s..1s log 3", "a=0..9 log 3", "a=1..9 log", "a=1..9 log 1", "a=1..9 cubic 3", "a=1..99999999", "a=1s..x log 3"} {
		if a, err := ParseAxis(text); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v, want a one-line error", text, a, err)
		}
	}
}

const queue = `
name: q
limits: {api: {to: 10, per: 1s, burst: 2}}
jobs: [{class: A, backlog: 5, limit: api}]
`

func plan(t testing.TB, seed uint64, vary ...string) *Plan {
	t.Helper()
	docs, errs := scenarios.Parse("q.yml", []byte(queue), scenarios.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var axes []Axis
	for _, v := range vary {
		a, err := ParseAxis(v)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, a)
	}
	p, err := NewPlan(docs[0], nil, axes, seed, 3)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Cells are every combination in order, their ids all differ, and hang on
// nothing but the setting, the seed and the runs.
func TestPlan(t *testing.T) {
	p := plan(t, 1, "limits.api.burst=1..3", "dispatchers.polling_interval=0.2s,1s")
	seen := map[string]bool{}
	for i, c := range p.Cells {
		want := []string{fmt.Sprint(1 + i/2), []string{"0.2s", "1s"}[i%2]}
		if !slices.Equal(c.Values, want) || c.Scenario.Limits[0].Burst != 1+i/2 || seen[c.ID] {
			t.Errorf("cell %d: %v, burst %d, id %s", i, c.Values, c.Scenario.Limits[0].Burst, c.ID)
		}
		seen[c.ID] = true
	}
	if len(p.Cells) != 6 {
		t.Errorf("%d cells", len(p.Cells))
	}
	if again := plan(t, 1, "limits.api.burst=1..3", "dispatchers.polling_interval=0.2s,1s"); again.Hash != p.Hash {
		t.Error("the same plan has another hash")
	}
	if other := plan(t, 2, "limits.api.burst=1..3", "dispatchers.polling_interval=0.2s,1s"); other.Hash == p.Hash {
		t.Error("another seed is the same plan")
	}
	if part := plan(t, 1, "limits.api.burst=2"); part.Cells[0].ID == "" || seen[part.Cells[0].ID] && part.Cells[0].Scenario.Dispatchers[0].Interval.Seconds() != 1 {
		t.Errorf("%+v", part.Cells[0])
	}
}

// Every cell is in exactly one shard, and shards differ by a cell at most.
func TestShardsCoverThePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells, n := rapid.IntRange(0, 50).Draw(t, "cells"), rapid.IntRange(1, 12).Draw(t, "n")
		least, most := cells, 0
		in := make([]int, cells)
		for i := range n {
			s, err := ParseShard(fmt.Sprintf("%d/%d", i+1, n), nil)
			if err != nil {
				t.Fatal(err)
			}
			size := 0
			for c := range cells {
				if s.Has(c) {
					in[c]++
					size++
				}
			}
			least, most = min(least, size), max(most, size)
		}
		for c, k := range in {
			if k != 1 {
				t.Fatalf("cell %d is in %d of %d shards", c, k, n)
			}
		}
		if most-least > 1 {
			t.Fatalf("shards of %d to %d cells", least, most)
		}
	})
}

func TestParseShard(t *testing.T) {
	none := func(string) string { return "" }
	for _, text := range []string{"", "0/3", "4/3", "1/0", "1", "1/3/5", "1/3 x", "-1/3", "a/b", "auto"} {
		if s, err := ParseShard(text, none); err == nil {
			t.Errorf("%q: %v", text, s)
		}
	}
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"}, "1/4"},
		{map[string]string{"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"}, "1/4"},
		{map[string]string{"JOB_COMPLETION_INDEX": "3", "JOB_COMPLETIONS": "4"}, "4/4"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_MAX": "11", "SLURM_ARRAY_TASK_STEP": "2"}, "2/4"},
		{map[string]string{"BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "4"}, "2/4"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "15", "SLURM_ARRAY_TASK_COUNT": "16"}, "1/16"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "16", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "16", "SLURM_ARRAY_TASK_COUNT": "16"}, "16/16"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "7", "SLURM_ARRAY_TASK_COUNT": "3"}, ""},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "7"}, ""},
		{map[string]string{"CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "4"}, ""},
		{map[string]string{"JOB_COMPLETION_INDEX": "4", "JOB_COMPLETIONS": "4"}, ""},
		{map[string]string{"JOB_COMPLETION_INDEX": "3"}, ""},
	} {
		s, err := ParseShard("auto", func(name string) string { return c.env[name] })
		if (err != nil) != (c.want == "") || err == nil && s.String() != c.want {
			t.Errorf("%v: %v, %v, want %q", c.env, s, err, c.want)
		}
	}
}

// written is a file of results of some cells.
func written(t *testing.T, p *Plan, s Shard, cells ...int) *File {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	_ = e.Encode(p.Header(s))
	for _, c := range cells {
		_ = e.Encode(Result{Cell: c, ID: p.Cells[c].ID, Values: p.Cells[c].Values, Passed: true, Summary: map[string]float64{}})
	}
	b.WriteString(`{"cell":0,"id":"cut off when its wri`)
	f, err := ReadFile(s.String(), &b)
	if err != nil || len(f.Results) != len(cells) {
		t.Fatalf("%+v, %v", f, err)
	}
	return f
}

func TestMerge(t *testing.T) {
	p, q := plan(t, 1, "limits.api.burst=1..4"), plan(t, 2, "limits.api.burst=1..4")
	odd, even := written(t, p, Shard{1, 2}, 0, 2), written(t, p, Shard{2, 2}, 3, 1)
	whole, err := Merge([]*File{even, odd})
	if err != nil || whole.Shard != "1/1" || len(whole.Results) != 4 || whole.Results[1].Cell != 1 {
		t.Errorf("%+v, %v", whole, err)
	}
	for name, files := range map[string][]*File{
		"2 of 4 cells are missing: 1, 3": {odd},
		"1/2: is given twice":            {odd, even, written(t, p, Shard{1, 2}, 0)},
		"belongs to another sweep":       {odd, written(t, q, Shard{2, 2}, 1, 3)},
	} {
		if _, err := Merge(files); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
	for _, text := range []string{"", "x\n", "{}\n", `{"schema_version":2,"plan":"x"}` + "\n", `{"schema_version":1,"plan":"x","cells":1,"vary":[]}` + "\nx\n", `{"schema_version":1,"plan":"x","cells":1,"vary":[]}` + "\n" + `{"cell":1,"id":"x"}` + "\n"} {
		if f, err := ReadFile("f", strings.NewReader(text)); err == nil {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

// No result of the front is beaten, and every other one is.
func TestFront(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Result
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			v := func(name string) float64 { return float64(rapid.IntRange(0, 4).Draw(t, name)) }
			all = append(all, Result{Cell: i, Summary: map[string]float64{"drain_per_s": v("drain"), "at_once": v("at once"), "queries_per_s": v("queries")}})
		}
		front := Front(all)
		for _, a := range all {
			beaten := slices.ContainsFunc(all, func(b Result) bool {
				x, y := a.Summary, b.Summary
				asGood := y["drain_per_s"] >= x["drain_per_s"] && y["at_once"] <= x["at_once"] && y["queries_per_s"] <= x["queries_per_s"]
				return asGood && fmt.Sprint(x) != fmt.Sprint(y)
			})
			if beaten == front[a.Cell] {
				t.Fatalf("%+v: beaten %v, on the front %v", a, beaten, front[a.Cell])
			}
		}
		fastest, calmest, cheapest, ok := Best(all)
		if !ok || calmest.Summary["at_once"] > fastest.Summary["at_once"] || cheapest.Summary["queries_per_s"] > fastest.Summary["queries_per_s"] {
			t.Fatalf("%+v %+v %+v", fastest, calmest, cheapest)
		}
	})
}
