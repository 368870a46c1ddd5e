package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ratesim/ratesim/sim/measure"
)

// Live is a run in real time beside simulations of it.
type Live struct {
	Ran       *Ran // the real run, its values as facts
	Runs      int  // simulations; 0: it was not compared
	Why       string
	Rows      []LiveRow
	Costs     []LiveCost
	Jobs      LiveJobs
	Processes LiveProcesses
	Length    time.Duration
	Database  string     // "": a temporary one that is gone
	Cut       bool       // interrupted
	Redis     *LiveRedis // nil: the queue is another
}

// LiveRow is one number of the run, and where simulations of it had theirs:
// NaN where there are none.
type LiveRow struct {
	Key               measure.Key
	Live              float64
	Low, Median, High float64 // 1st, 50th and 99th percentile
}

// Simulated notes where simulations of the run have their numbers.
func (l *Live) Simulated(runs []*measure.Run) {
	l.Runs = len(runs)
	for i := range l.Rows {
		row := &l.Rows[i]
		column := measure.Column(runs, measure.Place{Key: row.Key})
		column = slices.DeleteFunc(column, math.IsNaN)
		if len(column) < len(runs)/2 {
			continue
		}
		slices.Sort(column)
		n := len(column)
		row.Low, row.Median, row.High = column[n/100], column[n/2], column[n-1-n/100]
	}
}

// Inside is true when the run lies where 98 % of its simulations do.
func (r LiveRow) Inside() bool { return r.Low <= r.Live && r.Live <= r.High }

// LiveCost is how long something took. Median and P99 are lengths.
type LiveCost struct {
	Name        string // as it is called in a timing
	N           int
	Median, P99 time.Duration
}

// LiveJobs is where the jobs were at the end.
type LiveJobs struct {
	Finished  int64 `json:"finished"`
	Failed    int64 `json:"failed"`
	Ready     int64 `json:"ready"`
	Scheduled int64 `json:"scheduled"`
	Claimed   int64 `json:"claimed"`
}

// LiveProcesses is what became of the worker processes.
type LiveProcesses struct {
	Workers int   `json:"workers"`
	Killed  int   `json:"killed"`
	Failed  int64 `json:"failed_jobs"`
}

// judged are the rows that decide whether run and simulation agree, the first
// that there is.
var judged = []measure.Key{measure.DrainPerS, measure.MakespanS}

// Agrees says whether the run is one of its simulations, as far as its drain
// shows: told is false where there was nothing to compare.
func (l *Live) Agrees() (agrees, told bool) {
	if r := l.judgedBy(); r != nil {
		return r.Inside(), true
	}
	return false, false
}

// judgedBy is the row that decides: the drain, or the makespan of a run that is
// too short to have one.
func (l *Live) judgedBy() *LiveRow {
	for _, key := range judged {
		for i, r := range l.Rows {
			if r.Key == key && r.Low == r.Low {
				return &l.Rows[i]
			}
		}
	}
	return nil
}

// LiveText writes what happened, beside what the simulation says.
func LiveText(w io.Writer, l *Live, look Look) {
	s, prose := look.Style, min(look.Width, PlainWidth)
	say := func(text string) { fmt.Fprintln(w, Fill(text, prose, 2)) }
	l.Ran.verdict(w, look, l.Cut)
	fmt.Fprintln(w)
	l.table().Write(w, look.Width, s)
	fmt.Fprintln(w)
	switch agrees, told := l.Agrees(); {
	case !told:
		say("Not compared with the simulation: " + l.Why + ".")
	case agrees:
		say(s.Good("Live and simulation agree") + fmt.Sprintf(": its %s lies where 98 %% of %d simulations with its own phases and delays have theirs.", l.judgedBy().Key, l.Runs))
	default:
		say(s.Warn("Live and simulation differ") + fmt.Sprintf(": its %s lies outside the middle 98 %% of %d simulations with its own phases and delays. One run in fifty does by chance: run it again.", l.judgedBy().Key, l.Runs))
	}
	fmt.Fprintln(w)
	l.costs().Write(w, look.Width, s)
	if l.Processes.Killed > 0 {
		fmt.Fprintln(w, s.Dim("  (without what killed processes did)"))
	}
	fmt.Fprintln(w)
	if l.Redis != nil {
		l.Redis.text(l, say, s)
		return
	}
	say(l.whereabouts())
	if l.Database != "" {
		say("The database is kept: " + l.Database)
	}
}

func (l *Live) table() *Table {
	t := &Table{Indent: 2, Columns: []Column{{}, {Head: "live", Right: true}, {Head: "simulated", Right: true}, {Head: "1st to 99th percentile"}, {}}}
	if l.Runs == 0 {
		t.Columns = t.Columns[:2]
	}
	for _, r := range l.Rows {
		name := r.Key.String()
		if l.Runs == 0 {
			t.Add(name, Digits(r.Live, 4))
			continue
		}
		if r.Low != r.Low {
			t.Add(name, Digits(r.Live, 4))
			continue
		}
		word := "inside"
		if !r.Inside() {
			word = "outside"
		}
		t.Add(name, Digits(r.Live, 4), Digits(r.Median, 4), Digits(r.Low, 4)+" to "+Digits(r.High, 4), word)
	}
	return t
}

func (l *Live) costs() *Table {
	t := &Table{Indent: 2, Columns: []Column{{Head: "what it took"}, {Head: "times", Right: true}, {Head: "median", Right: true}, {Head: "99 % within", Right: true}}}
	for _, c := range l.Costs {
		if c.N > 0 {
			t.Add(strings.ReplaceAll(c.Name, "_", " "), Digits(float64(c.N), 9), Length(c.Median), Length(c.P99))
		}
	}
	return t
}

// whereabouts says where every job is.
func (l *Live) whereabouts() string {
	j := l.Jobs
	text := fmt.Sprintf("Jobs: %d finished, %d failed, %d ready, %d scheduled, %d claimed.", j.Finished, j.Failed, j.Ready, j.Scheduled, j.Claimed)
	if p := l.Processes; p.Workers > 0 {
		text += fmt.Sprintf(" %s in processes of their own, %d killed and replaced: %s they held failed.", Count(p.Workers, "worker"), p.Killed, Count(int(p.Failed), "job"))
	}
	return text
}

type liveJSON struct {
	SchemaVersion int            `json:"schema_version"`
	Live          ranJSON        `json:"live"`
	Runs          int            `json:"simulated_runs"`
	Agrees        *bool          `json:"agrees"`
	Why           string         `json:"not_compared,omitempty"`
	Comparison    []liveRowJSON  `json:"comparison"`
	Timing        []liveCostJSON `json:"timing"`
	Jobs          LiveJobs       `json:"jobs"`
	Processes     *LiveProcesses `json:"processes,omitempty"`
	LengthS       Num            `json:"length_s"`
	Database      string         `json:"database,omitempty"`
	Redis         *liveRedisJSON `json:"redis,omitempty"`
}

type liveRowJSON struct {
	Key    string `json:"key"`
	Live   Num    `json:"live,omitzero"`
	Low    Num    `json:"low,omitzero"`
	Median Num    `json:"median,omitzero"`
	High   Num    `json:"high,omitzero"`
	Inside *bool  `json:"inside,omitempty"`
}

type liveCostJSON struct {
	Name    string `json:"name"`
	N       int    `json:"n"`
	MedianS Num    `json:"median_s"`
	P99S    Num    `json:"p99_s"`
}

// LiveJSON writes the run for programs.
func LiveJSON(w io.Writer, l *Live) error {
	doc := liveJSON{
		SchemaVersion: SchemaVersion, Live: l.Ran.json(), Runs: l.Runs, Why: l.Why, Comparison: []liveRowJSON{}, Timing: []liveCostJSON{},
		Jobs: l.Jobs, LengthS: Seconds(l.Length), Database: l.Database,
	}
	if agrees, told := l.Agrees(); told {
		doc.Agrees = &agrees
	}
	for _, r := range l.Rows {
		row := liveRowJSON{Key: r.Key.String(), Live: Num(r.Live), Low: Num(r.Low), Median: Num(r.Median), High: Num(r.High)}
		if r.Low == r.Low {
			inside := r.Inside()
			row.Inside = &inside
		}
		doc.Comparison = append(doc.Comparison, row)
	}
	for _, c := range l.Costs {
		doc.Timing = append(doc.Timing, liveCostJSON{c.Name, c.N, Seconds(c.Median), Seconds(c.P99)})
	}
	if l.Processes.Workers > 0 {
		doc.Processes = &l.Processes
	}
	if l.Redis != nil {
		doc.Redis = l.Redis.json()
	}
	return WriteJSON(w, doc)
}
