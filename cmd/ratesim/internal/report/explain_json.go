package report

import (
	"io"
	"math"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/analytic"
)

// Limit is a limit in JSON. Burst is left out where the limit is one without.
type Limit struct {
	To    int `json:"to"`
	PerS  Num `json:"per_s"`
	Burst int `json:"burst,omitempty"`
}

// Polls are polling intervals in JSON.
type Polls struct {
	DispatcherS Num `json:"dispatcher_s"`
	WorkerS     Num `json:"worker_s"`
}

// Thumb is the rule of thumb in JSON.
type Thumb struct {
	Burst int  `json:"burst"`
	Fits  bool `json:"fits"`
}

type explainJSON struct {
	SchemaVersion int            `json:"schema_version"`
	Limit         Limit          `json:"limit"`
	Polls         *Polls         `json:"polls,omitempty"`
	AtOnce        int            `json:"at_once"`
	Extra         int            `json:"at_once_extra"`
	IntervalS     Num            `json:"interval_s"`
	DeclaredPerS  Num            `json:"declared_per_s"`
	FirstWindow   int            `json:"first_window"`
	WindowMax     int            `json:"window_max"`
	RefillsS      Num            `json:"refills_s"`
	Thumb         *Thumb         `json:"rule_of_thumb,omitempty"`
	Polled        *polledJSON    `json:"polled,omitempty"`
	Backlog       *backlogJSON   `json:"backlog,omitempty"`
	Windows       []heldJSON     `json:"windows"`
	Frontier      []frontierJSON `json:"frontier"`
	Others        []limiterJSON  `json:"others"`
	Warnings      []string       `json:"warnings"`
}

type polledJSON struct {
	DrainPerS       Num    `json:"drain_per_s"`
	BoundBy         string `json:"bound_by"`
	ChecksPerJob    Num    `json:"checks_per_job"`
	FastestBurst    int    `json:"fastest_burst"`
	IdleQueriesPerS Num    `json:"idle_queries_per_s"`
	LateAtMostS     Num    `json:"late_at_most_s"`
}

type backlogJSON struct {
	Jobs            int `json:"jobs"`
	ClearsS         Num `json:"clears_s"`
	PolledClearsS   Num `json:"polled_clears_s,omitzero"`
	Checks          Num `json:"checks,omitzero"`
	AtOnceBurst     int `json:"at_once_burst,omitempty"`
	QuickestBurst   int `json:"quickest_burst"`
	QuickestClearsS Num `json:"quickest_clears_s"`
	ChecksPerJob    Num `json:"checks_per_job,omitzero"`
}

type heldJSON struct {
	LengthS Num `json:"length_s"`
	Max     int `json:"max"`
}

type frontierJSON struct {
	Burst        int `json:"burst"`
	AtOnce       int `json:"at_once"`
	DeclaredPerS Num `json:"declared_per_s"`
	IntervalS    Num `json:"interval_s"`
	WindowMax    int `json:"window_max"`
	PolledPerS   Num `json:"polled_per_s,omitzero"`
	ClearsS      Num `json:"clears_s,omitzero"`
	PolledS      Num `json:"polled_clears_s,omitzero"`
}

type limiterJSON struct {
	Limiter     model.LimiterKind `json:"limiter"`
	Size        int               `json:"size,omitempty"`
	AtOnce      int               `json:"at_once"`
	PerS        Num               `json:"sustained_per_s"`
	FirstWindow int               `json:"first_window"`
	WindowMax   int               `json:"window_max"`
	RefillsS    Num               `json:"refills_s"`
	ClearsS     Num               `json:"clears_s,omitzero"`
	Keeps       bool              `json:"keeps_limit"`
}

// ExplainJSON writes what a setting promises for programs.
func ExplainJSON(w io.Writer, e *analytic.Explanation) error {
	l := e.Limit
	none := Num(math.NaN())
	doc := explainJSON{
		SchemaVersion: SchemaVersion,
		Limit:         Limit{To: l.To, PerS: Seconds(l.Per), Burst: l.Burst},
		AtOnce:        l.Burst, Extra: l.Burst - 1,
		IntervalS: Seconds(l.Interval()), DeclaredPerS: Num(l.DrainPerSecond()),
		FirstWindow: analytic.MostIn(l, l.Per), WindowMax: analytic.MostIn(l, l.Per),
		RefillsS: Seconds(analytic.RestsIn(l)),
		Windows:  []heldJSON{}, Warnings: append([]string{}, e.Warnings...),
	}
	if e.Polls() {
		p := e.Polled
		bound := "limit"
		if p.ByBurst {
			bound = "burst"
		}
		doc.Polls = &Polls{Seconds(e.Dispatcher), Seconds(e.Worker)}
		doc.Thumb = &Thumb{e.Thumb, e.Fits}
		doc.Polled = &polledJSON{
			DrainPerS: Num(p.PerSecond), BoundBy: bound, ChecksPerJob: Num(p.Checks), FastestBurst: e.Best,
			IdleQueriesPerS: Num(analytic.IdleQueries(e.Dispatcher, e.Worker)), LateAtMostS: Seconds(e.Dispatcher + e.Worker),
		}
	}
	if e.Backlog > 0 {
		quick := l
		quick.Burst = e.Quickest
		b := &backlogJSON{Jobs: e.Backlog, ClearsS: Seconds(e.Clears), QuickestBurst: e.Quickest,
			QuickestClearsS: Seconds(analytic.ClearsIn(quick, e.Backlog)), PolledClearsS: none, Checks: none, ChecksPerJob: none}
		if n, ok := analytic.SmallestFor(e.Backlog, l.To); ok {
			b.AtOnceBurst = n
		}
		if e.Polls() {
			b.PolledClearsS, b.Checks = Seconds(e.Cost.Took), Num(e.Cost.Checks)
			b.ChecksPerJob = Num(e.Cost.Checks / float64(e.Backlog))
		}
		doc.Backlog = b
	}
	for _, h := range e.Windows {
		doc.Windows = append(doc.Windows, heldJSON{Seconds(h.Length), h.Most})
	}
	for _, f := range e.Frontier {
		row := frontierJSON{Burst: f.Limit.Burst, AtOnce: f.Limit.Burst, DeclaredPerS: Num(f.Limit.DrainPerSecond()),
			IntervalS: Seconds(f.Limit.Interval()), WindowMax: f.Most, PolledPerS: none, ClearsS: none, PolledS: none}
		if e.Polls() {
			row.PolledPerS = Num(f.Polled.PerSecond)
			if e.Backlog > 0 {
				row.PolledS = Seconds(f.Cost.Took)
			}
		}
		if e.Backlog > 0 {
			row.ClearsS = Seconds(f.Clears)
		}
		doc.Frontier = append(doc.Frontier, row)
	}
	for _, o := range e.Others {
		row := limiterJSON{Limiter: o.Kind, AtOnce: o.AtOnce(), PerS: Num(o.PerSecond()), FirstWindow: o.FirstIn(o.Per),
			WindowMax: o.MostIn(o.Per), RefillsS: Seconds(o.RefillsIn()), ClearsS: none, Keeps: o.Keeps()}
		if o.Kind == model.TokenBucket {
			row.Size = o.Size
		}
		if e.Backlog > 0 {
			row.ClearsS = Seconds(o.ClearsIn(e.Backlog))
		}
		doc.Others = append(doc.Others, row)
	}
	return WriteJSON(w, doc)
}
