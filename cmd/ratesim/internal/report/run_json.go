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
	Interrupted  bool          `json:"interrupted,omitempty"`
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
	Low      *value `json:"low,omitempty"`
	High     *value `json:"high,omitempty"`
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
	summary := statsObject(&r.Summary.Whole)
	if r.Summary.BoundBy != "" {
		summary = append(summary, Field{measure.BoundByName, r.Summary.BoundBy})
	}
	limits, classes := Object{}, Object{}
	for i := range r.Summary.Limits {
		limits = append(limits, Field{r.Summary.Limits[i].Name, statsObject(&r.Summary.Limits[i].Stats)})
	}
	for i := range r.Summary.Classes {
		classes = append(classes, Field{r.Summary.Classes[i].Name, statsObject(&r.Summary.Classes[i].Stats)})
	}
	o := ranJSON{
		Name: r.Scenario.Name, File: r.Scenario.File, System: string(r.Scenario.System), Passed: r.Passed(), Interrupted: r.Cut,
		Runs: r.Summary.Runs, Seed: r.Seed, Summary: append(summary, Field{"limits", limits}, Field{"classes", classes}),
		Expectations: []verdictJSON{}, Warnings: r.warnings(),
	}
	for _, v := range r.Verdicts {
		// What is its own interval is a count or an extreme, not a mean.
		exact := v.Low == v.High
		j := verdictJSON{
			Key: v.Key, Want: v.Want, Verdict: string(v.Outcome), Reason: v.Reason, MoreRuns: v.MoreRuns,
			Low: newValue(v.Low, exact), High: newValue(v.High, exact),
		}
		switch got := newValue(v.Got, exact); {
		case v.Word != "":
			j.Got = v.Word
		case got != nil:
			j.Got = got
		}
		o.Expectations = append(o.Expectations, j)
	}
	return o
}

// value is a number of a summary. Six digits are enough for a mean and hide
// the bits in which processors differ; a count of jobs is what it is.
type value struct {
	v     float64
	exact bool
}

// newValue is nil for what is no number.
func newValue(v float64, exact bool) *value {
	if Num(v).IsZero() {
		return nil
	}
	return &value{v, exact && v == math.Trunc(v) && math.Abs(v) < 1<<53}
}

// valueOf is a key's value in a scope, nil if it has none.
func valueOf(s *measure.Stats, k measure.Key) *value {
	if s[k].N == 0 {
		return nil
	}
	return newValue(s[k].Value, k.Info().Fact)
}

func (v *value) float() float64 {
	if v.exact {
		return v.v
	}
	return round6(v.v)
}

// MarshalJSON is the number, whole or with six digits.
func (v *value) MarshalJSON() ([]byte, error) {
	if v.exact {
		return json.Marshal(int64(v.v))
	}
	return json.Marshal(v.float())
}

// statsObject is the keys of a scope that have a meaning there, and the
// intervals of those that are averaged.
func statsObject(s *measure.Stats) Object {
	var o, intervals Object
	for k := range measure.NumKeys {
		key := measure.Key(k)
		v := valueOf(s, key)
		if v == nil {
			continue
		}
		o = append(o, Field{key.String(), v})
		low, high := newValue(s[k].Low, false), newValue(s[k].High, false)
		if low != nil && high != nil && !key.Info().Fact {
			intervals = append(intervals, Field{key.String(), []*value{low, high}})
		}
	}
	return append(o, Field{"intervals", intervals})
}
