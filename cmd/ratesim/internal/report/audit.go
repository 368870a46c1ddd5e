package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/starts"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/sim/measure"
)

// Audited is an audit and where its times came from.
type Audited struct {
	*measure.Audit
	Name   string
	Starts *starts.Starts
}

// Notes are remarks on how the file was read.
func (a *Audited) Notes() []string {
	var n []string
	if a.Starts.Format == starts.CSV && a.Starts.Column != "1" || a.Starts.Format == starts.NDJSON {
		n = append(n, fmt.Sprintf("start times are taken from %s of %s", oneLine(a.Starts.Column), a.Name))
	}
	if others := a.Starts.Others; others > 0 {
		n = append(n, fmt.Sprintf("%s of the trace passed over: they are no starts", Count(others, "deferral")))
	}
	if passed := a.Starts.Passed; passed > 0 {
		n = append(n, fmt.Sprintf("%s without a time in it passed over, the first is line %d", Count(passed, "line"), a.Starts.FirstPassed))
	}
	if a.Starts.Sorted {
		n = append(n, "the start times were not in order and have been sorted")
	}
	return n
}

// Warnings are reasons to trust the verdict less.
func (a *Audited) Warnings() []string {
	var w []string
	grain := Window(a.Grain)
	if a.Grain >= a.Per {
		w = append(w, fmt.Sprintf("the times are written in steps of %s, which is too coarse for windows of %s: write them finer", grain, Window(a.Per)))
	}
	if a.Unsure() {
		w = append(w, fmt.Sprintf("the verdict hangs on rounding: times in steps of %s leave between %d and %d starts in the worst window of %s",
			grain, a.SureMax, a.MaybeMax, Window(a.Per)))
	}
	return w
}

// AuditText writes the verdict, where it went wrong, and what would have been
// enough.
func AuditText(w io.Writer, a *Audited, width int, s Style) {
	per := Window(a.Per)
	prose := min(width, PlainWidth)
	if a.Held() {
		fmt.Fprintln(w, s.Good(Fill(fmt.Sprintf("The limit was held: %s, at most %d in any %s, %d allowed.",
			Count(a.Audit.Starts, "start"), a.Worst.Count, per, a.To), prose, 0)))
	} else {
		fmt.Fprintln(w, s.Bad(Fill(fmt.Sprintf("The limit was broken: %d starts in some %s window, %d allowed. It happened %s, among %s.",
			a.Worst.Count, per, a.To, timesText(a.Broken), Count(a.Audit.Starts, "start")), prose, 0)))
	}
	fmt.Fprintln(w)

	fmt.Fprintln(w, Fill(fmt.Sprintf("From %s (line %d) to %s (line %d):", a.time(a.First), a.lineOf(0), a.time(a.Last), a.lineOf(a.Audit.Starts-1)), prose, 0))
	t := &Table{Indent: 2, NoHead: true, Columns: []Column{{}, {}, {Drop: 1}}}
	least := fmt.Sprintf("the limit needs at least %s", Length(a.LeastSpan))
	if a.Span() < a.LeastSpan {
		least = fmt.Sprintf("< %s, the least the limit needs: not held", Length(a.LeastSpan))
	}
	t.Add("took", Length(a.Span()), least)
	if a.Burst > 0 {
		l := gcra.Limit{To: a.To, Per: a.Per, Burst: a.Burst}
		t.Add("smallest burst", strconv.Itoa(a.Burst), fmt.Sprintf("would have let all pass, then one every %s", Length(l.Interval())))
	} else {
		t.Add("smallest burst", "none", "no burst would have let all of them pass")
	}
	t.Add("smallest token bucket", strconv.Itoa(a.Bucket), fmt.Sprintf("would have let all pass, refilled at %d per %s", a.To, per))
	t.Write(w, width, s)

	if len(a.Breaches) > 0 {
		fmt.Fprintf(w, "\n%s\n", s.Bold(fmt.Sprintf("Windows of %s with more than %d", per, a.To)))
		a.breaches().Write(w, width, s)
		if more := a.Broken - min(len(a.Breaches), shownBreaches); more > 0 {
			fmt.Fprintln(w, s.Dim(fmt.Sprintf("  … and %d more", more)))
		}
	}

	fmt.Fprintf(w, "\n%s\n", s.Bold("The fullest window of each length"))
	t = &Table{Indent: 2, Columns: []Column{{Head: "window", Right: true}, {Head: "most", Right: true}, {Head: "from"}, {Head: "line", Right: true, Drop: 1}}}
	for _, win := range a.Windows {
		t.Add(Window(win.Length), strconv.Itoa(win.Count), a.time(win.At), strconv.Itoa(a.lineOf(win.From)))
	}
	t.Write(w, width, s)
}

// shownBreaches is how many breaches the text lists.
const shownBreaches = 5

func (a *Audited) breaches() *Table {
	t := &Table{Indent: 2, Columns: []Column{{Head: "starts", Right: true}, {Head: "from"}, {Head: "lines", Drop: 1}}}
	for i, b := range a.Breaches {
		if i == shownBreaches {
			break
		}
		lines := strconv.Itoa(a.lineOf(b.From))
		if b.Count > 1 {
			lines += " to " + strconv.Itoa(a.lineOf(b.From+b.Count-1))
		}
		t.Add(strconv.Itoa(b.Count), a.time(b.At), lines)
	}
	return t
}

func (a *Audited) lineOf(i int) int { return a.Starts.Lines[i] }

// time writes an instant as the file did: as a date, or as seconds.
func (a *Audited) time(t gcra.Instant) string {
	if a.Starts.Dated {
		return time.Unix(0, int64(t)).UTC().Format("2006-01-02T15:04:05.999999999Z")
	}
	if a.Starts.Clock {
		text := time.Unix(0, int64(t)).UTC().Format("15:04:05.999999999")
		if day := int64(t) / int64(24*time.Hour); day > 0 {
			text += fmt.Sprintf(" (%s later)", Count(int(day), "day"))
		}
		return text
	}
	sec, rest := int64(t)/1e9, int64(t)%1e9
	out := strconv.FormatInt(sec, 10)
	if rest > 0 {
		out += strings.TrimRight(fmt.Sprintf(".%09d", rest), "0")
	}
	return out + " s"
}

func timesText(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

type auditJSON struct {
	SchemaVersion int               `json:"schema_version"`
	File          string            `json:"file"`
	Format        starts.Format     `json:"format"`
	Column        string            `json:"column,omitempty"`
	Limit         Limit             `json:"limit"`
	Held          bool              `json:"held"`
	Starts        int               `json:"starts"`
	First         string            `json:"first"`
	Last          string            `json:"last"`
	SpanS         Num               `json:"span_s"`
	LeastSpanS    Num               `json:"least_span_s"`
	WindowMax     int               `json:"window_max"`
	WindowSureMax int               `json:"window_sure_max"`
	WindowMaybe   int               `json:"window_maybe_max"`
	GrainS        Num               `json:"grain_s"`
	Breaches      int               `json:"breaches"`
	Where         []auditWindowJSON `json:"where"`
	Windows       []auditWindowJSON `json:"windows"`
	SmallestBurst *int              `json:"smallest_burst"`
	SmallestBkt   int               `json:"smallest_bucket"`
	Warnings      []string          `json:"warnings"`
}

type auditWindowJSON struct {
	LengthS   Num    `json:"length_s"`
	Count     int    `json:"count"`
	From      string `json:"from"`
	FirstLine int    `json:"first_line"`
	LastLine  int    `json:"last_line"`
}

// AuditJSON writes the audit for programs. Instants are text as in the file's
// own terms, since six digits would not do for them.
func AuditJSON(w io.Writer, a *Audited) error {
	windows := func(list []measure.Window) []auditWindowJSON {
		out := []auditWindowJSON{}
		for _, win := range list {
			out = append(out, auditWindowJSON{Seconds(win.Length), win.Count, a.time(win.At), a.lineOf(win.From), a.lineOf(win.From + max(win.Count, 1) - 1)})
		}
		return out
	}
	doc := auditJSON{
		SchemaVersion: SchemaVersion, File: a.Name, Format: a.Starts.Format, Column: a.Starts.Column,
		Limit: Limit{To: a.To, PerS: Seconds(a.Per)}, Held: a.Held(), Starts: a.Audit.Starts,
		First: a.time(a.First), Last: a.time(a.Last), SpanS: Seconds(a.Span()), LeastSpanS: Seconds(a.LeastSpan),
		WindowMax: a.Worst.Count, WindowSureMax: a.SureMax, WindowMaybe: a.MaybeMax, GrainS: Seconds(a.Grain),
		Breaches: a.Broken, Where: windows(a.Breaches), Windows: windows(a.Windows),
		SmallestBkt: a.Bucket, Warnings: append([]string{}, a.Warnings()...),
	}
	if a.Burst > 0 {
		doc.SmallestBurst = &a.Burst
	}
	return WriteJSON(w, doc)
}
