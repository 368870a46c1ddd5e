package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/tui"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// dispatchersKey is the field that says how many dispatchers there are, which
// in a file is the length of a list.
const dispatchersKey = "dispatchers"

// fields are the values of a scenario that people turn.
func fields(s *model.Scenario) (all []tui.Field) {
	add := func(key, label, value string, turn func(string, int) string) {
		all = append(all, tui.Field{Key: key, Label: label, Value: value, File: value, Turn: turn})
	}
	of := func(several bool, name, label string) string {
		if several {
			return name + " " + label
		}
		return label
	}
	if s.Laravel != nil {
		laravelFields(s, add)
	}
	for _, l := range s.Limits {
		if s.Laravel != nil {
			break
		}
		at, several := "limits."+l.Name+".", len(s.Limits) > 1
		add(at+"to", of(several, l.Name, "to"), strconv.Itoa(l.To), turnCount(1))
		add(at+"per", of(several, l.Name, "per"), model.FormatDuration(l.Per), turnLength)
		add(at+"burst", of(several, l.Name, "burst"), strconv.Itoa(l.Burst), turnCount(1))
	}
	if len(s.Dispatchers) > 0 {
		d := s.Dispatchers[0]
		add("dispatchers.polling_interval", "dispatch poll", model.FormatDuration(d.Interval), turnLength)
	}
	if len(s.Workers) > 0 && s.Laravel == nil {
		w := s.Workers[0]
		add("workers.polling_interval", "worker poll", model.FormatDuration(w.Interval), turnLength)
		add("workers.threads", "threads", strconv.Itoa(w.Threads), turnCount(1))
		add("workers.processes", "workers", strconv.Itoa(w.Processes), turnCount(1))
	}
	if len(s.Dispatchers) > 0 {
		d := s.Dispatchers[0]
		add(dispatchersKey, "dispatchers", strconv.Itoa(len(s.Dispatchers)), turnCount(1))
		add("dispatchers.batch_size", "batch", strconv.Itoa(d.Batch), turnRound)
	}
	for i, c := range s.Classes {
		at, several := fmt.Sprintf("jobs[%d].", i), len(s.Classes) > 1
		add(at+"backlog", of(several, c.Name, "backlog"), strconv.Itoa(c.Backlog), turnRound)
		add(at+"arrivals", of(several, c.Name, "arrivals"), c.Arrivals.String(), turnRate)
		add(at+"takes", of(several, c.Name, "takes"), c.Takes.String(), turnLength)
	}
	return all
}

// laravelFields are those of a Laravel queue's throttles and workers.
func laravelFields(s *model.Scenario, add func(key, label, value string, turn func(string, int) string)) {
	for _, t := range s.Laravel.Throttles {
		label, at := "", "limits."+t.Name+"."
		if len(s.Laravel.Throttles) > 1 {
			label = t.Name + " "
		}
		if t.Allow > 0 {
			add(at+"allow", label+"allow", strconv.Itoa(t.Allow), turnCount(1))
			add(at+"every", label+"every", model.FormatDuration(t.Every), turnSeconds)
		}
		if t.Concurrency > 0 {
			add(at+"concurrency", label+"concurrency", strconv.Itoa(t.Concurrency), turnCount(1))
		}
	}
	if len(s.Workers) > 0 {
		w := s.Workers[0]
		add("workers.processes", "workers", strconv.Itoa(w.Processes), turnCount(1))
		add("workers.sleep", "sleep", model.FormatDuration(w.Interval), turnSleep)
		add("workers.tries", "tries", strconv.Itoa(w.Laravel.Tries), turnCount(0))
	}
}

// changes are the values that differ from the file's.
func changes(fields []tui.Field) (sets []scenarios.Set) {
	for _, f := range fields {
		if f.Value != f.File && f.Key == dispatchersKey {
			// The list is made anew, and the intervals and batches after it.
			n, err := strconv.Atoi(f.Value)
			if err != nil || n < 1 || n > 1000 {
				n = 0 // an empty list, which the reader refuses in its own words
			}
			sets = append([]scenarios.Set{{Path: dispatchersKey, Value: "[" + strings.Join(slices.Repeat([]string{dispatcherOf(fields)}, n), ", ") + "]"}}, sets...)
			continue
		}
		if f.Value != f.File {
			sets = append(sets, scenarios.Set{Path: f.Key, Value: f.Value})
		}
	}
	return sets
}

// dispatcherOf is one dispatcher as a file has it.
func dispatcherOf(fields []tui.Field) string {
	var parts []string
	for _, f := range fields {
		if name, ok := strings.CutPrefix(f.Key, dispatchersKey+"."); ok {
			parts = append(parts, name+": "+f.Value)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// turnCount steps a whole number by ones.
func turnCount(least int) func(string, int) string {
	return func(value string, steps int) string {
		n, err := strconv.Atoi(value)
		if err != nil {
			return value
		}
		return strconv.Itoa(max(n+steps, min(n, least)))
	}
}

// rungs are the round numbers of one decade.
var rungs = []int64{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}

// climb is the next round number above or below n, so many rungs on; at least
// 0. It counts in hundredths, so that small numbers have rungs too.
func climb(n int64, steps int) int64 {
	for ; steps > 0; steps-- {
		n = nextRung(n)
	}
	for ; steps < 0 && n > 0; steps++ {
		n = rungBelow(n)
	}
	return n
}

func nextRung(n int64) int64 {
	for scale := int64(1); scale < 1e16; scale *= 10 {
		for _, r := range rungs {
			if r*scale > n {
				return r * scale
			}
		}
	}
	return n
}

func rungBelow(n int64) int64 {
	below := int64(0)
	for scale := int64(1); scale < 1e16; scale *= 10 {
		for _, r := range rungs {
			if r*scale >= n {
				return below
			}
			below = r * scale
		}
	}
	return below
}

// turnRound steps a number of jobs through round numbers.
func turnRound(value string, steps int) string {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n >= 1e14 {
		return value
	}
	if n+int64(steps) <= 10 && n <= 10 {
		return strconv.FormatInt(max(n+int64(steps), 0), 10)
	}
	return strconv.FormatInt(climb(n, steps), 10)
}

// turnLength steps a length of time through round ones. A delay that is no
// length can only be typed.
func turnLength(value string, steps int) string {
	d, err := model.ParseDuration(value)
	if err != nil {
		return value
	}
	n := climb(int64(d/time.Microsecond), steps)
	if n == 0 && d > 0 {
		return value
	}
	return model.FormatDuration(time.Duration(n) * time.Microsecond)
}

// turnSeconds steps a length of time by whole seconds.
func turnSeconds(value string, steps int) string {
	d, err := model.ParseDuration(value)
	if err != nil {
		return value
	}
	return model.FormatDuration(max(d+time.Duration(steps)*time.Second, min(d, time.Second)))
}

// turnSleep steps what PHP sleeps: whole seconds, or a part of one.
func turnSleep(value string, steps int) string {
	d, err := model.ParseDuration(value)
	if err != nil || steps > 0 && d >= time.Second || steps < 0 && d > time.Second {
		return turnSeconds(value, steps)
	}
	return turnLength(value, steps)
}

// turnRate steps the rate of Poisson arrivals; none begins with one a second.
func turnRate(value string, steps int) string {
	rate, poisson := strings.CutPrefix(value, "poisson ")
	if value == "none" && steps > 0 {
		return "poisson 1/s"
	}
	n, per, err := model.ParseRate(rate)
	if !poisson || err != nil || n > 1e10 {
		return value
	}
	next := float64(climb(int64(n*1000), steps)) / 1000
	if next <= 0 {
		return "none"
	}
	return "poisson " + model.FormatRate(next, per)
}
