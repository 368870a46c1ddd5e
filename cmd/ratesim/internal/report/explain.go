package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/analytic"
)

// ExplainText writes what a setting promises: the answer in one sentence, the
// numbers behind it, then the choices beside it.
func ExplainText(w io.Writer, e *analytic.Explanation, width int, s Style) {
	l := e.Limit
	per := Window(l.Per)
	prose := min(width, PlainWidth)

	fmt.Fprintln(w, s.Bold(Fill(answer(e), prose, 0)))
	fmt.Fprintln(w)
	promises(e).Write(w, width, s)
	fmt.Fprintln(w)
	fmt.Fprintln(w, Fill(fmt.Sprintf("\"Burst\" counts all that start at once: %d. Tools that count the extra ones only, after the first, call the same setting %d.",
		l.Burst, l.Burst-1), prose, 0))
	if e.Polls() {
		fmt.Fprintln(w)
		fmt.Fprintln(w, Fill(polling(e), prose, 0))
	}
	if e.Backlog > 0 {
		fmt.Fprintln(w)
		fmt.Fprintln(w, Fill(clearing(e), prose, 0))
	}

	fmt.Fprintf(w, "\n%s\n", s.Bold(fmt.Sprintf("The frontier: other bursts for %d per %s", l.To, per)))
	frontier(e, s).Write(w, width, s)

	fmt.Fprintf(w, "\n%s\n", s.Bold("Other limiters with the same numbers"))
	others(e, s).Write(w, width, s)
	fmt.Fprintln(w, s.Dim(fmt.Sprintf("  ! more than %d in some %s", l.To, per)))

	fmt.Fprintf(w, "\n%s\n", s.Bold("The most in any window of another length"))
	t := Table{Indent: 2, Columns: []Column{{Head: "window", Right: true}, {Head: "most", Right: true}}}
	for _, h := range e.Windows {
		t.Add(Window(h.Length), strconv.Itoa(h.Most))
	}
	t.Write(w, width, s)
	if !e.Polls() {
		fmt.Fprintf(w, "\n%s\n", s.Dim(Fill("This is the limit alone: add --poll 1s,0.1s to see what polls leave of it.", prose, 0)))
	}
}

// answer is the setting in one sentence.
func answer(e *analytic.Explanation) string {
	l := e.Limit
	drain := Rate(l.DrainPerSecond(), l.Per)
	first := "1 starts at once"
	if l.Burst > 1 {
		first = fmt.Sprintf("%d start at once", l.Burst)
	}
	return fmt.Sprintf("%d per %s with burst %d: %s, then one every %s, so a backlog drains at %s; no window of %s ever holds more than %d.",
		l.To, Window(l.Per), l.Burst, first, Length(l.Interval()), drain, Window(l.Per), l.To)
}

// promises is the small table: what, how much, why.
func promises(e *analytic.Explanation) *Table {
	l := e.Limit
	per := Window(l.Per)
	t := &Table{Indent: 2, NoHead: true, Columns: []Column{{}, {Right: true}, {Drop: 1}}}
	t.Add("at once", strconv.Itoa(l.Burst), "the burst, on a quiet budget")
	t.Add("then one every", Length(l.Interval()), fmt.Sprintf("%s / (%d - %d + 1)", per, l.To, l.Burst))
	t.Add("a backlog drains at", Rate(l.DrainPerSecond(), l.Per), fmt.Sprintf("%d in every %s", l.To-l.Burst+1, per))
	t.Add("in the first "+per, strconv.Itoa(analytic.MostIn(l, l.Per)), "the burst and what follows it")
	t.Add("in any "+per, "≤ "+strconv.Itoa(analytic.MostIn(l, l.Per)), "whenever jobs arrive")
	t.Add("as many at once again", Length(analytic.RestsIn(l)), "after a burst, if nothing else starts")
	if e.Polls() {
		why := "the rule of thumb for these polls"
		if !e.Fits {
			why = fmt.Sprintf("above %d: these polls are too slow for it", l.To)
		}
		t.Add("smallest sufficient burst", strconv.Itoa(e.Thumb), why)
	}
	return t
}

// polling says what polls leave of the drain.
func polling(e *analytic.Explanation) string {
	l := e.Limit
	p := e.Polled
	text := fmt.Sprintf("Polls of %s and %s: a waiting job comes back through both, so it may be late by up to %s. ",
		Window(e.Dispatcher), Window(e.Worker), Length(e.Dispatcher+e.Worker))
	if p.ByBurst {
		text += fmt.Sprintf("A look once in %s finds at most %s allowed, so a backlog drains at about %s instead of %s, and each job is checked about %s times. ",
			Window(e.Dispatcher), Count(l.Burst, "job"), Rate(p.PerSecond, l.Per), Rate(l.DrainPerSecond(), l.Per), Digits(p.Checks, 3))
	} else if l.Burst < e.Thumb {
		text += fmt.Sprintf("A backlog drains at %s at most, and at less the more looks come late. ", Rate(p.PerSecond, l.Per))
	} else {
		text += fmt.Sprintf("By formula a backlog can drain at %s in spite of that; a short one is checked about %s times a job. ", Rate(p.PerSecond, l.Per), Digits(p.Checks, 3))
	}
	if l.Burst > 1 && l.Burst < e.Thumb {
		text += fmt.Sprintf("This burst is enough for polls that add up to %s. ", Length(analytic.RestsIn(l)))
	}
	text += fmt.Sprintf("Polling alone costs %s statements a second on Solid Queue. ", Digits(analytic.IdleQueries(e.Dispatcher, e.Worker), 3))
	if best := (gcra.Limit{To: l.To, Per: l.Per, Burst: e.Best}); analytic.PolledDrain(best, e.Dispatcher).PerSecond > 1.01*p.PerSecond {
		text += fmt.Sprintf("By formula burst %d drains fastest through these polls; ratesim suggest simulates them.", e.Best)
	}
	return text
}

// clearing says when a backlog is cleared.
func clearing(e *analytic.Explanation) string {
	l := e.Limit
	n := Count(e.Backlog, "waiting job")
	text := fmt.Sprintf("%s: by the limit alone the last starts %s after the first", n, Length(e.Clears))
	if e.Clears == 0 {
		text = fmt.Sprintf("%s: by the limit alone all start at once", n)
	} else {
		text += fmt.Sprintf(", %d x %s", e.Backlog-l.Burst, Length(l.Interval()))
	}
	text += ". "
	if e.Polls() {
		text += fmt.Sprintf("Through these polls about %s, with about %s checks, %s a job. ",
			Length(e.Cost.Took), Digits(e.Cost.Checks, 3), Digits(e.Cost.Checks/float64(e.Backlog), 3))
	}
	switch b, ok := analytic.SmallestFor(e.Backlog, l.To); {
	case ok && b > l.Burst:
		text += fmt.Sprintf("Burst %d is the smallest that starts them all at once; it then drains at %s.",
			b, Rate(float64(l.To-b+1)/l.Per.Seconds(), l.Per))
	case ok:
	case e.Backlog == l.To+1:
		text += fmt.Sprintf("With %d jobs, one more than --to, every burst takes about %s.", e.Backlog, Window(l.Per))
	default:
		text += fmt.Sprintf("No burst starts more than %d at once; for a backlog longer than that a smaller burst is quicker as long as polls keep up.", l.To)
	}
	return text
}

// frontier is burst by burst: much at once against a quick drain.
func frontier(e *analytic.Explanation, s Style) *Table {
	per := Window(e.Limit.Per)
	t := &Table{Columns: []Column{
		{},
		{Head: "burst", Right: true},
		{Head: "at once", Right: true, Drop: 5},
		{Head: "sustained", Right: true},
		{Head: "one every", Right: true, Drop: 3},
		{Head: "any " + per, Right: true, Drop: 2},
	}}
	jobs := fmt.Sprintf("%d jobs in", e.Backlog)
	if e.Polls() {
		t.Columns = append(t.Columns, Column{Head: "polled", Right: true, Drop: 1})
		jobs += " about"
	}
	if e.Backlog > 0 {
		t.Columns = append(t.Columns, Column{Head: jobs, Right: true, Drop: 1})
	}
	for _, f := range e.Frontier {
		l := f.Limit
		mark := ""
		if l.Burst == e.Limit.Burst {
			mark = ">"
		}
		row := []string{mark, strconv.Itoa(l.Burst), strconv.Itoa(l.Burst), Rate(l.DrainPerSecond(), l.Per), Length(l.Interval()), strconv.Itoa(f.Most)}
		clears := f.Clears
		if e.Polls() {
			row = append(row, Rate(f.Polled.PerSecond, l.Per))
			clears = f.Cost.Took
		}
		if e.Backlog > 0 {
			row = append(row, Length(clears))
		}
		t.Add(row...)
	}
	t.Mark = func(i int, line string) string {
		if e.Frontier[i].Limit.Burst == e.Limit.Burst {
			return s.Bold(line)
		}
		return line
	}
	return t
}

// others sets the limit beside the limiters people compare with.
func others(e *analytic.Explanation, s Style) *Table {
	l := e.Limit
	per := Window(l.Per)
	t := &Table{Indent: 2, Columns: []Column{
		{Head: "limiter"},
		{Head: "at once", Right: true, Drop: 4},
		{Head: "sustained", Right: true, Drop: 3},
		{Head: "first " + per, Right: true, Drop: 2},
		{Head: "any " + per, Right: true},
		{Head: "refills in", Right: true},
	}}
	if e.Backlog > 0 {
		t.Columns = append(t.Columns, Column{Head: fmt.Sprintf("%d jobs in", e.Backlog), Right: true})
	}
	all := append([]analytic.Limiter{{Kind: model.GCRA, To: l.To, Per: l.Per, Size: l.Burst}}, e.Others...)
	for _, o := range all {
		over := ""
		if !o.Keeps() {
			over = "!"
		}
		row := []string{limiterName(o), strconv.Itoa(o.AtOnce()), Rate(o.PerSecond(), o.Per),
			strconv.Itoa(o.FirstIn(o.Per)), over + strconv.Itoa(o.MostIn(o.Per)), Length(o.RefillsIn())}
		if e.Backlog > 0 {
			row = append(row, Length(o.ClearsIn(e.Backlog)))
		}
		t.Add(row...)
	}
	t.Mark = func(i int, line string) string {
		switch {
		case i == 0:
			return s.Bold(line)
		case !all[i].Keeps():
			return s.Bad(line)
		}
		return line
	}
	return t
}

func limiterName(o analytic.Limiter) string {
	switch o.Kind {
	case model.GCRA:
		return "this limit"
	case model.TokenBucket:
		return fmt.Sprintf("token bucket of %d", o.Size)
	case model.EvenSpacing:
		return "even spacing"
	case model.FixedWindow:
		return "fixed window"
	case model.SlidingLog:
		return "sliding log"
	}
	return string(o.Kind)
}
