package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/ratesim/ratesim/model"
)

// Write is a scenario as a file that [Read] gives back as it was: every value
// is written, also where it is the default, so that the file means the same
// whatever the defaults will be. File, and the places of the expectations, are
// not in it; relative names of data files stay relative to where it will lie.
func Write(s *model.Scenario) []byte {
	w := &writer{}
	w.line("# yaml-language-server: $schema=./schema.json")
	w.pair("name", quoted(s.Name))
	if s.About != "" {
		w.pair("about", quoted(s.About))
	}
	w.pair("system", string(s.System))
	if s.Laravel != nil {
		w.laravel(s)
	} else {
		w.limits(s)
		w.jobs(s)
		w.processes(s)
		w.timing(s.Timing)
		w.rules(s.Rules)
	}
	if s.Provider != nil {
		w.provider(s.Provider)
	}
	until := "drained"
	if s.Until != 0 {
		until = model.FormatDuration(s.Until)
	}
	w.pair("until", until)
	if s.Runs != 0 {
		w.pair("runs", strconv.Itoa(s.Runs))
	}
	if s.Seed != 0 {
		w.pair("seed", strconv.FormatUint(s.Seed, 10))
	}
	if len(s.Expect) > 0 {
		w.line("expect:")
		for _, e := range s.Expect {
			w.pair("  "+quoted(e.Key), inQuotes(e.Want))
		}
	}
	return []byte(w.String())
}

type writer struct{ strings.Builder }

func (w *writer) line(s string)        { w.WriteString(s + "\n") }
func (w *writer) pair(key, val string) { w.line(key + ": " + val) }

func (w *writer) limits(s *model.Scenario) {
	if len(s.Limits) == 0 {
		return
	}
	w.line("limits:")
	for _, l := range s.Limits {
		w.pair("  "+quoted(l.Name), fmt.Sprintf("{to: %d, per: %s, burst: %d, limiter: %s}",
			l.To, model.FormatDuration(l.Per), l.Burst, l.Kind))
	}
}

func (w *writer) jobs(s *model.Scenario) {
	w.line("jobs:")
	for _, c := range s.Classes {
		w.pair("  - class", quoted(c.Name))
		if c.Limit >= 0 {
			w.pair("    limit", quoted(s.Limits[c.Limit].Name))
		}
		w.pair("    backlog", strconv.Itoa(c.Backlog))
		w.pair("    arrivals", quoted(c.Arrivals.String()))
		w.pair("    queue", quoted(c.Queue))
		w.pair("    priority", strconv.Itoa(c.Priority))
		w.pair("    takes", quoted(c.Takes.String()))
	}
}

func (w *writer) processes(s *model.Scenario) {
	phase := ""
	if len(s.Dispatchers) == 0 {
		w.pair("dispatchers", "[]")
	} else {
		w.line("dispatchers:")
	}
	for _, d := range s.Dispatchers {
		if phase = ""; d.Phase != nil {
			phase = ", phase: " + model.FormatDuration(*d.Phase)
		}
		w.line(fmt.Sprintf("  - {polling_interval: %s, batch_size: %d%s}", model.FormatDuration(d.Interval), d.Batch, phase))
	}
	if len(s.Workers) == 0 {
		w.pair("workers", "[]")
	} else {
		w.line("workers:")
	}
	for _, k := range s.Workers {
		if phase = ""; k.Phase != nil {
			phase = ", phase: " + model.FormatDuration(*k.Phase)
		}
		queues := make([]string, len(k.Queues))
		for i, q := range k.Queues {
			queues[i] = quoted(q)
		}
		w.line(fmt.Sprintf("  - {queues: [%s], threads: %d, processes: %d, polling_interval: %s%s}",
			strings.Join(queues, ", "), k.Threads, k.Processes, model.FormatDuration(k.Interval), phase))
	}
}

func (w *writer) timing(t model.Timing) {
	w.costs(timingPairs(t), timingPairs(DefaultTiming()), timingPairs(NoTiming()))
}

// costs writes a timing, by its name if it has one.
func (w *writer) costs(pairs, usual, none [][2]string) {
	switch {
	case samePairs(pairs, usual):
		w.pair("timing", "default")
	case samePairs(pairs, none):
		w.pair("timing", "none")
	default:
		w.line("timing:")
		for _, p := range pairs {
			if wholeNumber(p[1]) {
				w.pair("  "+p[0], p[1])
				continue
			}
			w.pair("  "+p[0], quoted(p[1]))
		}
	}
}

func samePairs(a, b [][2]string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// timingPairs are all keys of a timing with their values, as a file has them.
func timingPairs(t model.Timing) [][2]string {
	return [][2]string{
		{"dispatch", formatDelay(t.Dispatch)},
		{"empty_dispatch", formatDelay(t.EmptyDispatch)},
		{"claim", formatDelay(t.Claim)},
		{"empty_claim", formatDelay(t.EmptyClaim)},
		{"overshoot", formatDelay(t.Overshoot)},
		{"job_cpu", formatDelay(t.JobCPU)},
		{"boot", formatDelay(t.Boot)},
		{"period_spread", model.FormatDuration(t.PeriodSpread)},
		{"database", choose(t.Parallel, "serial", "parallel")},
		{"phase", choose(t.RandomPhase, "same", "random")},
	}
}

// timingNode is a timing as a mapping, at the place of n.
func timingNode(t model.Timing, n *node) *node { return pairsNode(timingPairs(t), n) }

func pairsNode(pairs [][2]string, n *node) *node {
	for _, p := range pairs {
		n = n.with(p[0], &node{text: p[1], plain: wholeNumber(p[1]), line: n.line, col: n.col})
	}
	return n
}

// formatDelay writes a delay; no time at all, the zero value, as 0.
func formatDelay(d model.Dist) string {
	if s := d.String(); s != "" {
		return s
	}
	return "0s"
}

func choose(b bool, no, yes string) string {
	if b {
		return yes
	}
	return no
}

func (w *writer) rules(u model.Rules) {
	w.line("rules:")
	w.pair("  wake", string(u.Wake))
	w.pair("  dispatch_again", string(u.DispatchAgain))
	w.pair("  poll", choose(u.Grid, "after_work", "grid"))
	w.pair("  claims_again", strconv.Itoa(u.ClaimsAgain))
	w.pair("  cap", choose(u.CapAlways, "on_change", "always"))
	w.pair("  order", choose(u.FIFO, "id", "fifo"))
	w.pair("  wait", quoted(FormatWait(u.Wait)))
}

// quoted writes text as it is where YAML can take it for nothing but text, and
// in double quotes elsewhere.
func quoted(s string) string {
	safe := s != "" && !numeric(s) && strings.TrimSpace(s) == s && (unicode.IsLetter(rune(s[0])) || s[0] >= '0' && s[0] <= '9')
	for _, r := range s {
		safe = safe && (r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune(" ._-+/()%;*^", r))
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		safe = false
	}
	if safe {
		return s
	}
	return inQuotes(s)
}

// inQuotes is text in the double quotes of YAML.
func inQuotes(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s { // what is not UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
