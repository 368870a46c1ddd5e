package report

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// Provider is whom suggest --provider asked about.
type Provider struct {
	Limit  int
	Per    time.Duration
	Window model.ProviderWindow
	Delay  string // from a start to its call's arrival; "": none
	System model.System
	Seed   uint64
}

// ProviderText writes which rate is safe, and what the provider saw of those
// that were tried.
func ProviderText(w io.Writer, p Provider, a *tune.ProviderAnswer, width int, s Style) {
	prose := min(width, PlainWidth)
	fmt.Fprintln(w, s.Bold(Fill(providerVerdict(p, a), prose, 0)))
	fmt.Fprintln(w)
	fmt.Fprintln(w, Fill("The provider counts calls when they arrive. Jobs that started in different windows of the limit can call in one of the provider's, so a limit as high as the provider's own is certain only if every call takes equally long to arrive.", prose, 0))
	fmt.Fprintf(w, "\n%s\n", s.Bold("What the provider saw"))
	t := &Table{Columns: []Column{{}, {Head: "limit", Right: true}, {Head: "burst", Right: true}, {Head: "drain/s", Right: true}, {Head: "calls", Right: true}, {Head: "refused", Right: true}, {Head: "worst window", Right: true}, {Head: "at most", Right: true}}}
	if p.System == model.Laravel {
		t.Columns[2].Head = "" // its throttle has none
	}
	for _, f := range a.Rates {
		mark, burst, bound := "", "", "~"
		switch f {
		case a.Certain:
			mark = ">"
		case a.Unrefused:
			mark = "?"
		}
		if f.Bound > 0 {
			bound = strconv.Itoa(f.Bound)
		}
		if p.System != model.Laravel {
			burst = strconv.Itoa(f.Scenario.Limits[0].Burst)
		}
		t.Add(mark, strconv.Itoa(f.N), burst, Digits(f.Stats[measure.DrainPerS].Value, 3), Digits(f.Calls, 7), Digits(f.Refused, 7), Digits(f.Most, 7), bound)
	}
	t.Write(w, width, s)
	fmt.Fprintln(w, s.Dim(fmt.Sprintf("  > certain   ? not refused in %s of each", Count(a.Runs, "run"))))
	fmt.Fprintln(w, s.Dim(fmt.Sprintf("  limit: starts in %s   at most: what a window there can ever hold", Window(p.Per))))
}

func providerVerdict(p Provider, a *tune.ProviderAnswer) string {
	delay := "at once"
	if p.Delay != "" {
		delay = "after " + p.Delay
	}
	text := fmt.Sprintf("A provider serves %d in %s (%s window), and calls arrive %s. ", p.Limit, Window(p.Per), p.Window, delay)
	switch {
	case a.Certain != nil:
		text += fmt.Sprintf("A limit of %d in %s is safe, whatever the timing", a.Certain.N, Window(p.Per))
	case a.Unrefused == nil:
		return text + "No limit is safe: even one start in that time is refused now and then."
	default:
		text += "No limit is certain to be safe: calls may be any time late"
	}
	switch u := a.Unrefused; {
	case u != nil && u == a.Certain && u.N == p.Limit:
	case u == nil || u == a.Certain:
		return text + "; a higher one was refused."
	case a.Certain == nil || u.N > a.Certain.N:
		return text + fmt.Sprintf("; with %d none of %s calls was refused, the worst window held %s.", u.N, Digits(u.Calls, 9), Digits(u.Most, 7))
	}
	return text + "."
}

type providerAnswerJSON struct {
	SchemaVersion int          `json:"schema_version"`
	System        model.System `json:"system"`
	Provider      providerJSON `json:"provider"`
	Seed          uint64       `json:"seed"`
	Runs          int          `json:"runs"`
	Certain       int          `json:"certain,omitempty"`
	Unrefused     int          `json:"unrefused,omitempty"`
	Rates         []rateJSON   `json:"rates"`
}

type providerJSON struct {
	Limit  int                  `json:"limit"`
	Per    Num                  `json:"per_s"`
	Window model.ProviderWindow `json:"window"`
	Delay  string               `json:"call_delay,omitempty"`
}

type rateJSON struct {
	Limit   int `json:"limit"`
	Burst   int `json:"burst,omitempty"`
	Drain   Num `json:"drain_per_s"`
	Calls   Num `json:"provider_calls"`
	Refused Num `json:"provider_refused"`
	Most    Num `json:"provider_window_max"`
	Bound   int `json:"provider_window_bound,omitempty"`
}

// ProviderJSON writes the answer for programs.
func ProviderJSON(w io.Writer, p Provider, a *tune.ProviderAnswer) error {
	doc := providerAnswerJSON{SchemaVersion: SchemaVersion, System: p.System, Provider: providerJSON{p.Limit, Seconds(p.Per), p.Window, p.Delay}, Seed: p.Seed, Runs: a.Runs}
	if a.Certain != nil {
		doc.Certain = a.Certain.N
	}
	if a.Unrefused != nil {
		doc.Unrefused = a.Unrefused.N
	}
	for _, f := range a.Rates {
		one := rateJSON{Limit: f.N, Drain: Num(f.Stats[measure.DrainPerS].Value), Calls: Num(f.Calls), Refused: Num(f.Refused), Most: Num(f.Most), Bound: f.Bound}
		if p.System != model.Laravel {
			one.Burst = f.Scenario.Limits[0].Burst
		}
		doc.Rates = append(doc.Rates, one)
	}
	return WriteJSON(w, doc)
}
