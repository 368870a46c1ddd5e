package report

import (
	"github.com/ratesim/ratesim/sim/measure"
)

// LabelledNumber is a number of a run as a person reads it.
type LabelledNumber struct{ Label, Value string }

// Numbers are those of a run that a screen has room for, the most important
// first, in the words and digits of the text report.
func Numbers(r *Ran) (out []LabelledNumber) {
	v := &r.Summary.Whole
	add := func(label, value string) { out = append(out, LabelledNumber{label, value}) }
	per := func(k measure.Key, label, unit string) {
		if s := v[k]; s.N > 0 {
			add(label, cell(s)+unit)
		}
	}
	rate := func(k measure.Key, label string) {
		switch s := v[k]; {
		case s.N == 0:
		case len(r.Scenario.Limits) == 1: // in the limit's own time
			add(label, Rate(s.Value, r.Scenario.Limits[0].Per))
		default:
			add(label, cell(s)+"/s")
		}
	}
	rate(measure.DrainPerS, "drain")
	if d, p := v[measure.DrainPerS], v[measure.DeclaredPerS]; d.N > 0 && p.N > 0 && p.Value > 0 {
		rate(measure.DeclaredPerS, "declared")
		add("reached", percent(d.Value/p.Value))
	}
	if text := r.worstWindow(); text != "" {
		add("worst", text[len("worst window "):])
	}
	if text := r.cleared(); text != "" {
		add("all claimed", text)
	}
	per(measure.ChecksPerJob, "checks/job", "")
	per(measure.WaitP50S, "wait p50", " s")
	per(measure.WaitP99S, "wait p99", " s")
	if v[measure.Pops].N > 0 {
		per(measure.PopsPerJob, "pops/job", "")
		per(measure.RoundTripsPerJob, "trips/job", "")
		per(measure.AttemptsMax, "tries", "")
	} else {
		per(measure.QueriesPerS, "statements", "/s")
	}
	per(measure.ProviderRefused, "refused", "")
	if r.Summary.BoundBy != "" {
		add("held by", r.Summary.BoundBy)
	}
	return out
}
