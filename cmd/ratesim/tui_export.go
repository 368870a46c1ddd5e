package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/tui"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/scenarios"
)

// itoa is strconv's, which reads better in a row of words.
func itoa(n int) string { return strconv.Itoa(n) }

// Export is the screen's.
func (l *lab) Export(at tui.Setting, v tui.View, c *plots.Chart) (files []string, command string, err error) {
	s, err := l.scenario(at)
	if err != nil {
		return nil, "", err
	}
	files, err = export(s, l.options(s).Seed, v, c)
	return files, l.command(at), err
}

// export writes a chart and the scenario that it is of. Nothing that is there
// is written over: names that are taken get a number.
func export(s *model.Scenario, seed uint64, v tui.View, c *plots.Chart) (files []string, err error) {
	drawn := *c
	drawn.Footer = fmt.Sprintf("seed %d, ratesim %s", seed, versionOf().Version)
	writers := []struct {
		ending string
		write  func(io.Writer) error
	}{
		{".png", func(w io.Writer) error { return plots.Write(w, &drawn, "png") }},
		{".svg", func(w io.Writer) error { return plots.Write(w, &drawn, "svg") }},
		{".csv", func(w io.Writer) error { return chartCSV(w, c) }},
		{".yml", func(w io.Writer) error { _, err := w.Write(scenarios.Write(s)); return err }},
	}
	base := "ratesim-" + fileWord(s.Name) + "-" + v.String()
	name := base
	for n := 2; ; n++ {
		free := true
		for _, w := range writers {
			if _, err := os.Lstat(name + w.ending); err == nil {
				free = false
			}
		}
		if free {
			break
		}
		name = base + "-" + itoa(n)
	}
	for _, w := range writers {
		out, err := createFile("export", name+w.ending)
		if err != nil {
			return files, err
		}
		err = out.put(w.write)
		out.discard()
		if err != nil {
			return files, err
		}
		files = append(files, name+w.ending)
	}
	return files, nil
}

// command is the command line that runs a setting.
func (l *lab) command(at tui.Setting) string {
	words := []string{"ratesim", "run", shellWord(at.Scenario)}
	sets := changes(at.Fields)
	if at.Scenario == l.from {
		sets = append(append([]scenarios.Set{}, l.sets...), sets...)
	}
	for _, set := range sets {
		words = append(words, "--set", shellWord(set.Path+"="+set.Value))
	}
	if l.f.seed != nil {
		words = append(words, "--seed", strconv.FormatUint(*l.f.seed, 10))
	}
	if l.f.runs.N > 0 {
		words = append(words, "--runs", itoa(l.f.runs.N))
	}
	return strings.Join(words, " ")
}

// shellWord quotes what a shell would take apart.
func shellWord(s string) string {
	safe := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./=,:@%+", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// fileWord is a name that any file may have.
func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, s)
}

// chartCSV writes a chart's numbers, a line each.
func chartCSV(w io.Writer, c *plots.Chart) error {
	out := csv.NewWriter(w)
	number := func(v float64) string {
		if v != v {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	unit := func(a plots.Axis) string { return strings.TrimSpace(a.Label + a.Unit) }
	put := func(fields ...string) { _ = out.Write(fields) } // its error stays until Flush
	if c.Heat != nil {
		put(unit(c.X), unit(c.Y), c.Title)
		for y, row := range c.Heat.Cells {
			for x, v := range row {
				put(c.X.Steps[x], c.Y.Steps[y], number(v))
			}
		}
		out.Flush()
		return out.Error()
	}
	put("series", unit(c.X), unit(c.Y), "low", "high")
	for _, s := range c.Series {
		for i := range s.X {
			low, high := "", ""
			if i < len(s.Low) {
				low, high = number(s.Low[i]), number(s.High[i])
			}
			put(s.Name, number(s.X[i]), number(s.Y[i]), low, high)
		}
	}
	out.Flush()
	return out.Error()
}
