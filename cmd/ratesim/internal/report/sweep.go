package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
	"github.com/ratesim/ratesim/sim/measure"
)

// Failures are the expectations and promises that did not hold, in words.
func (r *Ran) Failures() (out []string) {
	for _, v := range r.Verdicts {
		switch v.Outcome {
		case measure.Failed:
			out = append(out, told(v))
		case measure.Undecided:
			out = append(out, "undecided "+told(v))
		}
	}
	return append(out, r.problems()...)
}

// SweepText writes a grid as a table, and its best trade-offs in words.
func SweepText(w io.Writer, f *sweep.File, width int, s Style) {
	prose := min(width, PlainWidth)
	title := fmt.Sprintf("%s: %s", oneLine(f.Sweep), Count(f.Cells, "cell"))
	if f.Shard != "1/1" || len(f.Results) < f.Cells {
		title += fmt.Sprintf(", of which these are %d (part %s)", len(f.Results), f.Shard)
	}
	fmt.Fprintln(w, s.Bold(Fill(title, prose, 0)))
	fmt.Fprintln(w)
	front := sweep.Front(f.Results)
	t := &Table{Columns: []Column{{}}}
	for _, a := range f.Vary {
		t.Columns = append(t.Columns, Column{Head: shortKey(a.Key), Right: true})
	}
	keys := []struct {
		key, head string
		drop      int
	}{{"drain_per_s", "drain/s", 0}, {"drain_ratio", "reached", 2}, {"at_once", "at once", 1}, {"window_max", "worst", 4}, {"checks_per_job", "checks/job", 3}, {"queries_per_s", "queries/s", 1}, {"makespan_s", "makespan s", 5}}
	for _, k := range keys {
		t.Columns = append(t.Columns, Column{Head: k.head, Right: true, Drop: k.drop})
	}
	t.Columns = append(t.Columns, Column{})
	for _, r := range f.Results {
		mark := ""
		if front[r.Cell] {
			mark = "*"
		}
		row := []string{mark}
		for _, v := range r.Values {
			row = append(row, oneLine(v))
		}
		for _, k := range keys {
			v, ok := r.Summary[k.key]
			switch {
			case !ok:
				row = append(row, "")
			case k.key == "drain_ratio":
				row = append(row, percent(v))
			default:
				row = append(row, Digits(v, 3))
			}
		}
		if !r.Passed {
			row = append(row, "failed")
		}
		t.Add(row...)
	}
	t.Mark = func(i int, line string) string {
		if front[f.Results[i].Cell] {
			return s.Bold(line)
		}
		return line
	}
	t.Write(w, width, s)
	if fast, calm, cheap, ok := sweep.Best(f.Results); ok {
		fmt.Fprintln(w, s.Dim(Fill("* no other is as good in drain, jobs at once and statements a second, and better in one", prose, 2)))
		fmt.Fprintln(w)
		say := func(text string, r sweep.Result) {
			fmt.Fprintln(w, Fill(fmt.Sprintf("%s: %s, %s/s, %s at once, %s statements a second.", text, Setting(f, r),
				Digits(r.Summary["drain_per_s"], 3), Digits(r.Summary["at_once"], 6), Digits(r.Summary["queries_per_s"], 3)), prose, 2))
		}
		say("Fastest drain", fast)
		if calm.Cell != fast.Cell {
			say("Fewest at once within 5 % of it", calm)
		}
		if cheap.Cell != fast.Cell {
			say("Fewest statements within 5 % of it", cheap)
		}
	}
	for _, r := range f.Results {
		for _, text := range r.Failed {
			fmt.Fprintln(w, Fill(s.Bad("failed")+" with "+Setting(f, r)+": "+text, prose, 2))
		}
	}
}

// shortKey is the end of a path, which tells what it is.
func shortKey(path string) string {
	parts := strings.Split(path, ".")
	if n := len(parts); n > 1 && parts[n-1] == "polling_interval" {
		return strings.TrimSuffix(parts[0], "s") + " poll"
	}
	return parts[len(parts)-1]
}

// Setting is what a cell varies, in words.
func Setting(f *sweep.File, r sweep.Result) string {
	var parts []string
	for i, a := range f.Vary {
		parts = append(parts, shortKey(a.Key)+" "+oneLine(r.Values[i]))
	}
	return strings.Join(parts, ", ")
}

// SweepNDJSON writes a grid as lines: a first one about the sweep, then one a
// cell.
func SweepNDJSON(w io.Writer, f *sweep.File) error {
	if err := SweepLine(w, f.Header); err != nil {
		return err
	}
	for _, r := range f.Results {
		if err := SweepLine(w, r); err != nil {
			return err
		}
	}
	return nil
}

// SweepLine writes a line of a grid, in one piece.
func SweepLine(w io.Writer, line any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

// SweepCSV writes a grid as a table for programs.
func SweepCSV(w io.Writer, f *sweep.File) error {
	c := csv.NewWriter(w)
	head := []string{"cell", "id"}
	for _, a := range f.Vary {
		head = append(head, a.Key)
	}
	head = append(append(head, "runs", "passed", "bound_by"), measure.Names()...)
	if err := c.Write(head); err != nil {
		return err
	}
	for _, r := range f.Results {
		row := append([]string{strconv.Itoa(r.Cell), r.ID}, r.Values...)
		row = append(row, strconv.Itoa(r.Runs), strconv.FormatBool(r.Passed), r.BoundBy)
		for _, name := range measure.Names() {
			cell := ""
			if v, ok := r.Summary[name]; ok {
				cell = strconv.FormatFloat(v, 'f', -1, 64)
			}
			row = append(row, cell)
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
