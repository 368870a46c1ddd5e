package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// SuggestLaravelText writes what a Laravel queue should be set to, why, and
// what the two throttles cost.
func SuggestLaravelText(w io.Writer, q *tune.LaravelQuestion, a *tune.LaravelAnswer, width int, s Style) {
	prose := min(width, PlainWidth)
	say := func(text string) { fmt.Fprintln(w, Fill(text, prose, 0)) }
	fmt.Fprintln(w, s.Bold(Fill(laravelVerdict(q, a), prose, 0)))
	fmt.Fprintln(w)
	say(laravelSleep(q, a))
	fmt.Fprintln(w)
	say(laravelTries(a))
	fmt.Fprintf(w, "\n%s\n", s.Bold(fmt.Sprintf("A blast of %d jobs, %s, --sleep %s", q.Blast, Count(q.Given.Workers, "worker"), Window(q.Given.Sleep))))
	throttles(a).Write(w, width, s)
	fmt.Fprintf(w, "\n%s\n", s.Bold("job_throttle by --sleep"))
	laravelTable("--sleep", a.Sleeps, func(f *tune.LaravelFinding) string { return Window(f.Sleep) }, func(f *tune.LaravelFinding) bool { return f.Sleep == q.Given.Sleep }).Write(w, width, s)
	fmt.Fprintf(w, "\n%s\n", s.Bold("job_throttle by workers"))
	laravelTable("workers", a.Workers, func(f *tune.LaravelFinding) string { return strconv.Itoa(f.Workers) }, func(f *tune.LaravelFinding) bool { return f.Workers == q.Given.Workers }).Write(w, width, s)
	fmt.Fprintln(w, s.Dim(fmt.Sprintf("  > as given   keeps up: the last job starts by %s, %s would be ideal", Length(q.Deadline()), Length(q.Ideal()))))
}

// laravelVerdict is the answer in a sentence or two.
func laravelVerdict(q *tune.LaravelQuestion, a *tune.LaravelAnswer) string {
	f := a.Throttles[0]
	text := fmt.Sprintf("%s with --sleep %s: job_throttle drains a blast of %d at %s of the %s that is allowed, the last job ends after %s",
		Count(q.Given.Workers, "worker"), Window(q.Given.Sleep), q.Blast, Rate(f.Stats[measure.DrainPerS].Value, q.Every), Rate(q.PerSecond(), q.Every), Length(seconds(f.Stats[measure.FinishedS].Value)))
	switch {
	case a.FewestWorkers == 0:
		text += ". No number of workers up to 1000 keeps up at that sleep"
	case a.FewestWorkers < q.Given.Workers:
		text += fmt.Sprintf("; %s would keep up too", Count(a.FewestWorkers, "worker"))
	case a.FewestWorkers > q.Given.Workers:
		text += fmt.Sprintf("; it takes %s to keep up", Count(a.FewestWorkers, "worker"))
	default:
		text += ", and fewer workers don't keep up"
	}
	return text + "."
}

// laravelSleep says how long workers may sleep.
func laravelSleep(q *tune.LaravelQuestion, a *tune.LaravelAnswer) string {
	switch {
	case a.LongestSleep == 0:
		return "No --sleep keeps up with so few workers: jobs come due while all of them are busy."
	case a.TooLong == 0:
		return fmt.Sprintf("No --sleep up to %s is too long: each keeps up. Shorter ones cost more empty pops, at three round trips each.", Window(a.LongestSleep))
	}
	return fmt.Sprintf("--sleep %s is the longest that keeps up, %s is too long: jobs that come due wait for a worker to wake, and starts that a second had room for are never made up. A shorter one costs more empty pops, at three round trips each.",
		Window(a.LongestSleep), Window(a.TooLong))
}

// laravelTries says what loses no job.
func laravelTries(a *tune.LaravelAnswer) string {
	job, redis := a.Tries[0], a.Tries[1]
	parts := []string{}
	if job > 0 {
		text := fmt.Sprintf("With job_throttle waiting is free: tries = %d loses no job", job)
		if a.MaxWait > 0 {
			text += fmt.Sprintf(", and neither does maxWait = %d (seconds)", int(a.MaxWait/time.Second))
		}
		parts = append(parts, text+".")
		if a.MaxWait > 0 {
			parts = append(parts, "If the jobs are unique, uniqueFor must be as long at least.")
		}
	} else {
		parts = append(parts, "No small number of tries keeps job_throttle from losing jobs: set retryUntil.")
	}
	if redis > 0 {
		parts = append(parts, fmt.Sprintf("With redis_throttle every wait burns a try: it takes tries = %d, or 0 for any number, to lose none; with the usual tries = 1 every job that is put off once fails.", redis))
	} else {
		parts = append(parts, "With redis_throttle every wait burns a try: set tries = 0 and retryUntil.")
	}
	return strings.Join(parts, " ")
}

func throttles(a *tune.LaravelAnswer) *Table {
	t := &Table{Indent: 2, Columns: []Column{{}, {Head: "ends s", Right: true}, {Head: "drain/s", Right: true}, {Head: "pops", Right: true}, {Head: "round trips", Right: true}, {Head: "tries", Right: true}, {Head: "worst window", Right: true}}}
	for i, f := range a.Throttles {
		v := &f.Stats
		tries := strconv.Itoa(a.Tries[i])
		if a.Tries[i] == 0 {
			tries = "~"
		}
		t.Add(string(f.Throttle), Digits(v[measure.FinishedS].Value, 4), Digits(v[measure.DrainPerS].Value, 3), count(v[measure.Pops]), count(v[measure.RoundTrips]), tries, Digits(v[measure.WindowMax].Value, 4))
	}
	return t
}

// count is a mean number of things, whole: nobody sends half a command.
func count(s measure.Stat) string { return strconv.FormatFloat(s.Value, 'f', 0, 64) }

func laravelTable(head string, all []*tune.LaravelFinding, name func(*tune.LaravelFinding) string, given func(*tune.LaravelFinding) bool) *Table {
	t := &Table{Indent: 2, Columns: []Column{{}, {Head: head, Right: true}, {Head: "ends s", Right: true}, {Head: "drain/s", Right: true}, {Head: "pops", Right: true}, {Head: "empty", Right: true}, {Head: "round trips", Right: true}, {}}}
	for _, f := range all {
		mark, keeps := "", "falls behind"
		if given(f) {
			mark = ">"
		}
		if f.KeepsUp {
			keeps = "keeps up"
		}
		v := &f.Stats
		t.Add(mark, name(f), Digits(v[measure.FinishedS].Value, 4), Digits(v[measure.DrainPerS].Value, 3), count(v[measure.Pops]), count(v[measure.EmptyPops]), count(v[measure.RoundTrips]), keeps)
	}
	return t
}

type suggestLaravelJSON struct {
	SchemaVersion int           `json:"schema_version"`
	System        model.System  `json:"system"`
	Limit         allowJSON     `json:"limit"`
	Seed          uint64        `json:"seed"`
	Runs          int           `json:"runs"`
	Blast         int           `json:"blast"`
	FewestWorkers int           `json:"fewest_workers,omitempty"`
	LongestSleep  Num           `json:"longest_sleep_s,omitzero"`
	TooLong       Num           `json:"too_long_sleep_s,omitzero"`
	MaxWait       Num           `json:"max_wait_s,omitzero"`
	Throttles     []laravelJSON `json:"throttles"`
	Sleeps        []laravelJSON `json:"sleeps"`
	Workers       []laravelJSON `json:"workers"`
}

type allowJSON struct {
	Allow int `json:"allow"`
	Every Num `json:"every_s"`
}

type laravelJSON struct {
	Throttle   model.LimiterKind `json:"throttle"`
	Workers    int               `json:"workers"`
	Sleep      Num               `json:"sleep_s"`
	Tries      int               `json:"tries,omitempty"`
	Finished   Num               `json:"finished_s"`
	Drain      Num               `json:"drain_per_s"`
	DrainLow   Num               `json:"drain_low_per_s"`
	DrainHigh  Num               `json:"drain_high_per_s"`
	Pops       Num               `json:"pops"`
	EmptyPops  Num               `json:"empty_pops"`
	RoundTrips Num               `json:"round_trips"`
	Attempts   Num               `json:"attempts_max"`
	Window     Num               `json:"window_max"`
	KeepsUp    bool              `json:"keeps_up"`
}

// SuggestLaravelJSON writes the answer for programs.
func SuggestLaravelJSON(w io.Writer, q *tune.LaravelQuestion, a *tune.LaravelAnswer) error {
	doc := suggestLaravelJSON{
		SchemaVersion: SchemaVersion, System: model.Laravel, Limit: allowJSON{q.Allow, Seconds(q.Every)}, Seed: q.Seed, Runs: len(a.Throttles[0].Runs), Blast: q.Blast,
		FewestWorkers: a.FewestWorkers, LongestSleep: Seconds(a.LongestSleep), TooLong: Seconds(a.TooLong), MaxWait: Seconds(a.MaxWait),
	}
	for i, f := range a.Throttles {
		one := laravelFinding(f)
		one.Tries = a.Tries[i]
		doc.Throttles = append(doc.Throttles, one)
	}
	for _, f := range a.Sleeps {
		doc.Sleeps = append(doc.Sleeps, laravelFinding(f))
	}
	for _, f := range a.Workers {
		doc.Workers = append(doc.Workers, laravelFinding(f))
	}
	return WriteJSON(w, doc)
}

func laravelFinding(f *tune.LaravelFinding) laravelJSON {
	v := &f.Stats
	d := v[measure.DrainPerS]
	return laravelJSON{
		Throttle: f.Throttle, Workers: f.Workers, Sleep: Seconds(f.Sleep), Finished: Num(v[measure.FinishedS].Value), Drain: Num(d.Value), DrainLow: Num(d.Low), DrainHigh: Num(d.High),
		Pops: Num(v[measure.Pops].Value), EmptyPops: Num(v[measure.EmptyPops].Value), RoundTrips: Num(v[measure.RoundTrips].Value), Attempts: Num(v[measure.AttemptsMax].Value), Window: Num(v[measure.WindowMax].Value), KeepsUp: f.KeepsUp,
	}
}
