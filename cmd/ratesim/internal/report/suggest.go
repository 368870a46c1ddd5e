package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// SuggestText writes the answer, the reasons, what it costs, and the lines to
// paste.
func SuggestText(w io.Writer, q *tune.Question, a *tune.Answer, width int, s Style) {
	prose := min(width, PlainWidth)
	say := func(text string) { fmt.Fprintln(w, Fill(text, prose, 0)) }
	per := q.Setting.Limits[0].Per

	fmt.Fprintln(w, s.Bold(Fill(verdict(q, a), prose, 0)))
	for _, warning := range SuggestWarnings(q, a) {
		fmt.Fprintln(w)
		fmt.Fprintln(w, Fill(s.Warn("warning:")+" "+warning, prose, 0))
	}
	fmt.Fprintln(w)
	say(why(q, a))
	fmt.Fprintln(w)
	say(costs(a))
	if len(a.Nearby) > 0 {
		fmt.Fprintf(w, "\n%s\n", s.Bold("Better settings close by"))
		for _, n := range a.Nearby {
			fmt.Fprintln(w, "  "+Fill(nearbyLine(q, n, per), prose-2, 4))
		}
	}
	fmt.Fprintf(w, "\n%s\n", s.Bold(fmt.Sprintf("The candidates, with a backlog of %d", a.Backlog)))
	candidates(a, per, s).Write(w, width, s)
	fmt.Fprintln(w, s.Dim(fmt.Sprintf("  > suggested   = fastest, within 1 %%   keeps up: reaches %s of its declared", percent(q.KeepUp))))
	if t := thumb(q, a); t != "" {
		fmt.Fprintln(w)
		say(t)
	}
	if q.Drain > 0 {
		fmt.Fprintln(w)
		say(reach(q, a))
	}
	if t := slowdown(a); t != "" {
		fmt.Fprintln(w)
		say(t)
	}
	fmt.Fprintf(w, "\n%s\n", s.Bold("To paste"))
	fmt.Fprint(w, paste(q, a))
}

// verdict is the answer in one sentence.
func verdict(q *tune.Question, a *tune.Answer) string {
	f := a.Suggested
	l := f.Limit
	text := fmt.Sprintf("Burst %d: a backlog drains at %s of the %s it declares", l.Burst,
		pace(f.DrainPerS().Value, l.Per), pace(l.DrainPerSecond(), l.Per))
	first := "one starts at once"
	if l.Burst > 1 {
		first = fmt.Sprintf("%d start at once", l.Burst)
	}
	return fmt.Sprintf("%s; %s, then one every %s; no window of %s held more than %v, %d are allowed.",
		text, first, Length(l.Interval()), Window(l.Per), f.Stats[measure.WindowMax].Value, l.To)
}

// pace is a drain per the limit's own time, short.
func pace(perSecond float64, per time.Duration) string { return Rate(perSecond, per) }

// why says why neither the burst below nor the one above.
func why(q *tune.Question, a *tune.Answer) string {
	f := a.Suggested
	l := f.Limit
	if !a.KeepsUp {
		return fmt.Sprintf("No burst keeps up with these polls, that is drains at %s or more of what it declares. This one drains fastest: %s of its own.",
			percent(q.KeepUp), percent(f.Stats[measure.DrainRatio].Value))
	}
	asked := ""
	if q.From > 0 {
		asked = "of those asked about "
	}
	text := fmt.Sprintf("A larger burst makes up for later polls, but each one more takes %s from what the limit declares. Burst %d is the smallest %sthat keeps up: it reaches %s of its declared drain, %s or more is wanted.",
		pace(1/l.Per.Seconds(), l.Per), l.Burst, asked, percent(f.Stats[measure.DrainRatio].Value), percent(q.KeepUp))
	if f.Unsure {
		text = strings.TrimSuffix(text, "or more is wanted.") + "is wanted, which is too close to be sure."
	}
	for _, c := range a.Candidates {
		switch r := c.Stats[measure.DrainRatio]; {
		case c.Limit.Burst == l.Burst-1 && r.N > 0 && heldBack(a) != "":
			text += fmt.Sprintf(" Burst %d reaches %s of %s.", c.Limit.Burst, percent(r.Value), pace(c.Limit.DrainPerSecond(), l.Per))
		case c.Limit.Burst == l.Burst-1 && r.N > 0:
			text += fmt.Sprintf(" Burst %d declares %s, but jobs that come back late find too little slack: it reaches %s of that.",
				c.Limit.Burst, pace(c.Limit.DrainPerSecond(), l.Per), percent(r.Value))
		case c.Limit.Burst == l.Burst+1:
			text += fmt.Sprintf(" Burst %d declares no more than %s.", c.Limit.Burst, pace(c.Limit.DrainPerSecond(), l.Per))
		}
	}
	return text + ties(a)
}

// ties says what bursts that drain as fast would cost or save.
func ties(a *tune.Answer) string {
	var others []string
	for _, b := range a.Ties {
		if b != a.Suggested.Limit.Burst {
			others = append(others, strconv.Itoa(b))
		}
	}
	mine := len(others) < len(a.Ties)
	switch {
	case len(others) == 0 || !mine:
		if !mine {
			f := a.Fastest
			return fmt.Sprintf(" The fastest drain is burst %d's: %s, though that is %s of what it declares: it has no slack for any more delay.", f.Limit.Burst, pace(f.DrainPerS().Value, f.Limit.Per), percent(f.Stats[measure.DrainRatio].Value))
		}
		return ""
	}
	if len(others) > 3 {
		return fmt.Sprintf(" %d other bursts, from %s to %s, drain as fast, within 1 %%.", len(others), others[0], others[len(others)-1])
	}
	f := a.Fastest
	text := fmt.Sprintf(" Burst %s drains just as fast, within 1 %%", strings.Join(others, " and "))
	if b := f.Limit.Burst; b < a.Suggested.Limit.Burst {
		text += fmt.Sprintf(", and lets fewer start at once, but has no slack left for any more delay, and checks each job %s times instead of %s",
			Digits(f.Stats[measure.ChecksPerJob].Value, 3), Digits(a.Suggested.Stats[measure.ChecksPerJob].Value, 3))
	}
	return text + "."
}

// costs says what waiting costs.
func costs(a *tune.Answer) string {
	f := a.Suggested
	text := fmt.Sprintf("Its cost: each job is checked %s, the queue's processes send %s statements a second, and %s are cleared in %s.",
		checks(f.Stats[measure.ChecksPerJob].Value), Digits(f.Stats[measure.QueriesPerS].Value, 3),
		Count(a.Backlog, "waiting job"), Length(seconds(f.Stats[measure.MakespanS].Value)))
	if peak := f.Stats[measure.AtOncePeak].Value; peak < float64(f.Limit.Burst) {
		text += fmt.Sprintf(" %d may start at once after a quiet time; in the run at most %v did: a claim takes no more than there are idle threads.", f.Limit.Burst, peak)
	}
	return text
}

// checks says how often a job is checked, and why where that is often.
func checks(v float64) string {
	switch text := Digits(v, 3); {
	case text == "1":
		return "once"
	case v > 20:
		return text + " times (whoever waits longer is told to look again every 5 minutes)"
	default:
		return text + " times"
	}
}

// candidates is a row a burst.
func candidates(a *tune.Answer, per time.Duration, s Style) *Table {
	unit, times := RateUnit(a.Suggested.Limit.DrainPerSecond(), per)
	t := &Table{Indent: 2, Columns: []Column{{}, {Head: "burst", Right: true}, {Head: "declared" + unit, Right: true}, {Head: "drain" + unit, Right: true},
		{Head: "low to high", Drop: 3}, {Head: "reached", Right: true}, {Head: "worst", Right: true, Drop: 2},
		{Head: "checks/job", Right: true, Drop: 1}, {Head: "one every", Right: true, Drop: 4}, {Head: "", Drop: 0}}}
	for _, f := range a.Candidates {
		mark := ""
		for _, b := range a.Ties {
			if b == f.Limit.Burst {
				mark = "="
			}
		}
		if f == a.Suggested {
			mark = ">" + mark
		}
		d := f.DrainPerS()
		word := "keeps up"
		if !f.KeepsUp {
			word = "falls behind"
		}
		if f.Unsure {
			word = "~ " + word
		}
		t.Add(mark, strconv.Itoa(f.Limit.Burst), Digits(f.Limit.DrainPerSecond()*times, 3), Digits(d.Value*times, 3),
			fmt.Sprintf("%s to %s", Digits(d.Low*times, 3), Digits(d.High*times, 3)), percent(f.Stats[measure.DrainRatio].Value),
			Digits(f.Stats[measure.WindowMax].Value, 6), Digits(f.Stats[measure.ChecksPerJob].Value, 3), Length(f.Limit.Interval()), word)
	}
	return t
}

// thumb says where the rule of thumb differs, by how much and why.
func thumb(q *tune.Question, a *tune.Answer) string {
	b, fits := q.Thumb()
	l := a.Suggested.Limit
	d, w := q.Polls()
	switch {
	case q.From > 0:
		return fmt.Sprintf("The rule of thumb says %d; no burst but those asked about was tried.", b)
	case !fits:
		return fmt.Sprintf("The rule of thumb asks for burst %d, more than the limit of %d: it takes these polls for too slow. The simulation decides.", b, l.To)
	case b == l.Burst:
		return fmt.Sprintf("The rule of thumb says %d too.", b)
	}
	text := fmt.Sprintf("The rule of thumb says %d, %d more: ", b, b-l.Burst)
	if b < l.Burst {
		text = fmt.Sprintf("The rule of thumb says %d, %d fewer: ", b, l.Burst-b)
	}
	declared := float64(l.To-b+1) / l.Per.Seconds()
	if b > l.Burst {
		return text + fmt.Sprintf("it counts the worker's %s in full, but jobs that end wake the worker long before. It would declare %s, and %s are to be had.",
			Window(w), pace(declared, l.Per), pace(a.Suggested.DrainPerS().Value, l.Per))
	}
	return text + fmt.Sprintf("it counts the mean lateness of polls every %s and %s, and leaves nothing for the time that claims take and for how much lateness varies.",
		Window(d), Window(w))
}

func reach(q *tune.Question, a *tune.Answer) string {
	if a.Reach == nil {
		return fmt.Sprintf("No polls that were tried drain at %s: the threads or the costs hold it back.", pace(q.Drain, a.Suggested.Limit.Per))
	}
	n := *a.Reach
	return fmt.Sprintf("To drain at %s, the cheapest: dispatcher %s, worker %s, burst %d, which drains at %s for %s statements a second.",
		pace(q.Drain, n.Suggested.Limit.Per), Window(n.Dispatcher), Window(n.Worker), n.Suggested.Limit.Burst, pace(n.Suggested.DrainPerS().Value, n.Suggested.Limit.Per), Digits(n.QueriesPerS(), 3))
}

// nearbyLine is another pair of polls and its answer.
func nearbyLine(q *tune.Question, n tune.Nearby, per time.Duration) string {
	return fmt.Sprintf("with a %s, burst %d drains at %s, for %s statements a second", pollsOf(q, n),
		n.Suggested.Limit.Burst, pace(n.Suggested.DrainPerS().Value, per), Digits(n.QueriesPerS(), 3))
}

// pollsOf names the polls of a setting that are not those asked about.
func pollsOf(q *tune.Question, n tune.Nearby) string {
	d, w := q.Polls()
	var polls []string
	if n.Dispatcher != d {
		polls = append(polls, Window(n.Dispatcher)+" dispatcher poll")
	}
	if n.Worker != w {
		polls = append(polls, Window(n.Worker)+" worker poll")
	}
	return strings.Join(polls, " and a ")
}

// slowdown says how far the answer holds.
func slowdown(a *tune.Answer) string {
	s := a.Slowdown
	if s.Keeps == 0 {
		return ""
	}
	if s.Changes == 0 {
		return fmt.Sprintf("The answer holds with claims up to %s times as slow (--claim %q), and was tried no further.", Digits(s.Keeps, 3), s.Claim)
	}
	return fmt.Sprintf("The answer holds with claims up to %s times as slow (--claim %q). At %s times it changes to burst %d.",
		Digits(s.Keeps, 4), s.Claim, Digits(s.Changes, 4), s.Burst)
}

// paste is what goes into the job class, and into config/queue.yml for the
// best of the settings close by.
func paste(q *tune.Question, a *tune.Answer) string {
	l := a.Suggested.Limit
	const inClass = "  # in the job class: the limit's own macro; other limiters want the same three\n  limits_rate "
	text := inClass + declaration(l) + "\n"
	n := a.Reach
	if n == nil && len(a.Nearby) > 0 {
		n = &a.Nearby[len(a.Nearby)-1]
	}
	d, w := q.Polls()
	if n == nil || n.Dispatcher == d && n.Worker == w {
		return text
	}
	text += fmt.Sprintf("\n  # or, to drain at %s with a %s\n  limits_rate %s\n\n  # and in config/queue.yml\n",
		pace(n.Suggested.DrainPerS().Value, l.Per), pollsOf(q, *n), declaration(n.Suggested.Limit))
	if n.Dispatcher != d {
		text += fmt.Sprintf("  dispatchers:\n    - polling_interval: %s\n      batch_size: %d\n", plainSeconds(n.Dispatcher), q.Setting.Dispatchers[0].Batch)
	}
	if n.Worker != w {
		wk := q.Setting.Workers[0]
		text += fmt.Sprintf("  workers:\n    - queues: \"*\"\n      threads: %d\n      processes: %d\n      polling_interval: %s\n", wk.Threads, wk.Processes, plainSeconds(n.Worker))
	}
	return text
}

func declaration(l gcra.Limit) string {
	return fmt.Sprintf("to: %d, per: %s, burst: %d", l.To, rails(l.Per), l.Burst)
}

// rails writes a length as a Rails application does.
func rails(d time.Duration) string {
	for _, u := range []struct {
		d    time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d%u.d == 0 {
			name := u.name
			if n := d / u.d; n != 1 {
				name += "s"
			}
			return fmt.Sprintf("%d.%s", d/u.d, name)
		}
	}
	return plainSeconds(d) + ".seconds"
}

func plainSeconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func percent(v float64) string { return Digits(100*v, 3) + " %" }

// heldBack says what holds all bursts back alike: the word of bound_by, "" if
// it is limit, burst and polls.
func heldBack(a *tune.Answer) string {
	by, least := a.Fastest.BoundBy, a.Candidates[0]
	if least.KeepsUp || a.Fastest.DrainPerS().Value >= 0.95*least.Limit.DrainPerSecond() || by != measure.ByWorker && by != measure.ByThreads {
		return ""
	}
	return by
}

// SuggestWarnings are the reasons to trust an answer less.
func SuggestWarnings(q *tune.Question, a *tune.Answer) []string {
	warnings := []string{}
	if !a.KeepsUp {
		warnings = append(warnings, fmt.Sprintf("no burst drains at %s or more of what it declares; burst %d is the fastest", percent(q.KeepUp), a.Suggested.Limit.Burst))
	}
	if by := heldBack(a); by != "" {
		of := map[string]string{measure.ByWorker: "what jobs and claims cost the worker process", measure.ByThreads: "the number of threads"}[by]
		more := map[string]string{measure.ByWorker: "More --workers", measure.ByThreads: "More --threads or --workers"}[by]
		warnings = append(warnings, fmt.Sprintf("%s holds the drain back: no burst drains faster than %s, and a larger one only seems to keep up since it declares less. %s may, or quicker jobs", of, pace(a.Fastest.DrainPerS().Value, a.Fastest.Limit.Per), more))
	}
	for _, f := range a.Candidates {
		if f.Unsure {
			warnings = append(warnings, fmt.Sprintf("whether burst %d keeps up can't be told: %s to %s of its declared drain after %s",
				f.Limit.Burst, percent(f.Stats[measure.DrainRatio].Low), percent(f.Stats[measure.DrainRatio].High), Count(len(f.Runs), "run")))
		}
	}
	if a.Suggested.Stats[measure.DrainPerS].N == 0 {
		warnings = append(warnings, "the backlog is too small for its drain to be told; give a larger --backlog")
	}
	return warnings
}
