package report

import (
	"io"

	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

type suggestJSON struct {
	SchemaVersion int             `json:"schema_version"`
	Limit         Limit           `json:"limit"`
	Polls         Polls           `json:"polls"`
	Seed          uint64          `json:"seed"`
	Runs          int             `json:"runs"`
	Backlog       int             `json:"backlog"`
	Suggested     candidateJSON   `json:"suggested"`
	Thumb         Thumb           `json:"rule_of_thumb"`
	Fastest       fastestJSON     `json:"fastest"`
	Candidates    []candidateJSON `json:"candidates"`
	Nearby        []nearbyJSON    `json:"nearby"`
	Reach         *nearbyJSON     `json:"reaches_drain,omitempty"`
	Slowdown      *slowdownJSON   `json:"claim_slowdown,omitempty"`
	Warnings      []string        `json:"warnings"`
}

type candidateJSON struct {
	Burst        int  `json:"burst"`
	IntervalS    Num  `json:"interval_s"`
	DeclaredPerS Num  `json:"declared_per_s"`
	DrainPerS    Num  `json:"drain_per_s,omitzero"`
	DrainLow     Num  `json:"drain_low_per_s,omitzero"`
	DrainHigh    Num  `json:"drain_high_per_s,omitzero"`
	DrainRatio   Num  `json:"drain_ratio,omitzero"`
	AtOnce       int  `json:"at_once"`
	AtOncePeak   Num  `json:"at_once_peak,omitzero"`
	WindowMax    Num  `json:"window_max,omitzero"`
	ChecksPerJob Num  `json:"checks_per_job,omitzero"`
	QueriesPerS  Num  `json:"queries_per_s,omitzero"`
	KeepsUp      bool `json:"keeps_up"`
	ClearsS      Num  `json:"clears_s,omitzero"`
	Runs         int  `json:"runs"`
}

type fastestJSON struct {
	Burst     int   `json:"burst"`
	DrainPerS Num   `json:"drain_per_s,omitzero"`
	Ties      []int `json:"ties"`
}

type nearbyJSON struct {
	DispatcherS Num `json:"dispatcher_s"`
	WorkerS     Num `json:"worker_s"`
	Burst       int `json:"burst"`
	DrainPerS   Num `json:"drain_per_s,omitzero"`
	QueriesPerS Num `json:"queries_per_s,omitzero"`
}

type slowdownJSON struct {
	KeepsRatio   Num    `json:"keeps_ratio"`
	ChangesRatio Num    `json:"changes_ratio,omitzero"`
	Burst        int    `json:"burst_then,omitempty"`
	Claim        string `json:"claim_keeps"`
	Over         string `json:"claim_changes,omitempty"`
}

// SuggestJSON writes an answer as the contract has it.
func SuggestJSON(w io.Writer, q *tune.Question, a *tune.Answer) error {
	l := q.Setting.Limits[0]
	thumb, fits := q.Thumb()
	d, wk := q.Polls()
	o := suggestJSON{
		SchemaVersion: SchemaVersion,
		Limit:         Limit{To: l.To, PerS: Seconds(l.Per)},
		Polls:         Polls{Seconds(d), Seconds(wk)},
		Seed:          q.Seed, Runs: len(a.Suggested.Runs), Backlog: a.Backlog,
		Suggested: candidate(a.Suggested),
		Thumb:     Thumb{thumb, fits},
		Fastest:   fastestJSON{a.Fastest.Limit.Burst, Num(a.Fastest.DrainPerS().Value), a.Ties},
		Nearby:    []nearbyJSON{},
		Warnings:  SuggestWarnings(q, a),
	}
	for _, f := range a.Candidates {
		o.Candidates = append(o.Candidates, candidate(f))
	}
	for _, n := range a.Nearby {
		o.Nearby = append(o.Nearby, near(n))
	}
	if a.Reach != nil {
		n := near(*a.Reach)
		o.Reach = &n
	}
	if s := a.Slowdown; s.Keeps > 0 {
		o.Slowdown = &slowdownJSON{KeepsRatio: Num(s.Keeps), ChangesRatio: notZero(s.Changes), Burst: s.Burst, Claim: s.Claim.String()}
		if s.Changes > 0 {
			o.Slowdown.Over = s.Over.String()
		}
	}
	return WriteJSON(w, o)
}

func candidate(f *tune.Finding) candidateJSON {
	v := func(k measure.Key) Num {
		if f.Stats[k].N == 0 {
			return Num(measure.Absent)
		}
		return Num(f.Stats[k].Value)
	}
	drain := f.DrainPerS()
	return candidateJSON{
		Burst: f.Limit.Burst, IntervalS: Seconds(f.Limit.Interval()), DeclaredPerS: Num(f.Limit.DrainPerSecond()),
		DrainPerS: v(measure.DrainPerS), DrainLow: Num(drain.Low), DrainHigh: Num(drain.High), DrainRatio: v(measure.DrainRatio),
		AtOnce: f.Limit.Burst, AtOncePeak: v(measure.AtOncePeak), WindowMax: v(measure.WindowMax),
		ChecksPerJob: v(measure.ChecksPerJob), QueriesPerS: v(measure.QueriesPerS),
		KeepsUp: f.KeepsUp, ClearsS: v(measure.MakespanS), Runs: len(f.Runs),
	}
}

func near(n tune.Nearby) nearbyJSON {
	return nearbyJSON{Seconds(n.Dispatcher), Seconds(n.Worker), n.Suggested.Limit.Burst, Num(n.Suggested.DrainPerS().Value), Num(n.QueriesPerS())}
}

func notZero(v float64) Num {
	if v == 0 {
		return Num(measure.Absent)
	}
	return Num(v)
}
