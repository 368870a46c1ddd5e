package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/ratesim/ratesim/sim/measure"
)

type runJSON struct {
	SchemaVersion int       `json:"schema_version"`
	Scenarios     []ranJSON `json:"scenarios"`
}

type ranJSON struct {
	Name         string        `json:"name"`
	File         string        `json:"file,omitempty"`
	System       string        `json:"system"`
	Passed       bool          `json:"passed"`
	Runs         int           `json:"runs"`
	Seed         uint64        `json:"seed"`
	Summary      Object        `json:"summary"`
	Expectations []verdictJSON `json:"expectations"`
	Warnings     []string      `json:"warnings"`
}

type verdictJSON struct {
	Key      string `json:"key"`
	Want     string `json:"want"`
	Got      any    `json:"got,omitempty"`
	Low      *Num   `json:"low,omitempty"`
	High     *Num   `json:"high,omitempty"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason,omitempty"`
	MoreRuns int    `json:"more_runs,omitempty"`
}

func (r *RunResult) json() runJSON {
	o := runJSON{SchemaVersion: SchemaVersion, Scenarios: []ranJSON{}}
	for _, ran := range r.Scenarios {
		o.Scenarios = append(o.Scenarios, ran.json())
	}
	return o
}

// RunLine writes one scenario as a line of NDJSON.
func RunLine(w io.Writer, r *Ran) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r.json())
}

func (r *Ran) json() ranJSON {
	summary := append(statsObject(&r.Summary.Whole), Field{"bound_by", r.Summary.BoundBy})
	limits, classes := Object{}, Object{}
	for i := range r.Summary.Limits {
		limits = append(limits, Field{r.Summary.Limits[i].Name, statsObject(&r.Summary.Limits[i].Stats)})
	}
	for i := range r.Summary.Classes {
		classes = append(classes, Field{r.Summary.Classes[i].Name, statsObject(&r.Summary.Classes[i].Stats)})
	}
	o := ranJSON{
		Name: r.Scenario.Name, File: r.Scenario.File, System: string(r.Scenario.System), Passed: r.Passed(),
		Runs: r.Summary.Runs, Seed: r.Seed, Summary: append(summary, Field{"limits", limits}, Field{"classes", classes}),
		Expectations: []verdictJSON{}, Warnings: append([]string{}, r.Summary.Warnings...),
	}
	for _, v := range r.Verdicts {
		j := verdictJSON{Key: v.Key, Want: v.Want, Verdict: string(v.Outcome), Reason: v.Reason, MoreRuns: v.MoreRuns, Low: number(v.Low), High: number(v.High)}
		if got := number(v.Got); got != nil {
			j.Got = *got
		}
		if v.Word != "" {
			j.Got = v.Word
		}
		o.Expectations = append(o.Expectations, j)
	}
	return o
}

func number(v float64) *Num {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	n := Num(v)
	return &n
}

// statsObject is the keys of a scope that have a meaning there, and the
// intervals of those that are averaged.
func statsObject(s *measure.Stats) Object {
	var o, intervals Object
	for k := range measure.NumKeys {
		if s[k].N == 0 {
			continue
		}
		o = append(o, Field{measure.Key(k).String(), Num(s[k].Value)})
		low, high := number(s[k].Low), number(s[k].High)
		if low != nil && high != nil && !measure.Key(k).Info().Fact {
			intervals = append(intervals, Field{measure.Key(k).String(), []Num{*low, *high}})
		}
	}
	return append(o, Field{"intervals", intervals})
}
