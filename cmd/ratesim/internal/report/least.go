package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
	"github.com/ratesim/ratesim/sim/tune"
)

// LeastText writes which cell of a grid costs least, and how the others that
// were looked at to the end stand to it.
func LeastText(w io.Writer, p *sweep.Plan, cost string, r *tune.Ranking, width int, s Style) {
	prose := min(width, PlainWidth)
	fmt.Fprintln(w, s.Bold(Fill(leastVerdict(p, cost, r), prose, 0)))
	fmt.Fprintln(w)
	t := &Table{Columns: []Column{{}, {Head: "setting"}, {Head: "cost", Right: true}, {Head: "more than the best", Right: true}, {Head: "95 % interval", Drop: 1}, {}}}
	for _, f := range r.Finalists {
		mark, behind, interval := "", "", ""
		switch f.Standing {
		case tune.Best:
			mark = ">"
		case tune.Tied:
			mark = "="
		case tune.Broken:
			behind = "~"
		}
		if f.Standing != tune.Best && f.Standing != tune.Broken {
			behind, interval = signed(f.Behind.Value, 3), signed(f.Behind.Low, 2)+" to "+signed(f.Behind.High, 2)
		}
		t.Add(mark, cellOf(p, f.Index), Digits(f.Cost.Value, 4), behind, interval, standing(f.Standing))
	}
	t.Write(w, width, s)
	text := fmt.Sprintf("%d of %d cells to the end, %s in all", len(r.Finalists), len(p.Cells), Count(r.Runs, "run"))
	if r.Hopeless > 0 {
		text += fmt.Sprintf("; in %d more jobs come than the limit ever lets through", r.Hopeless)
	}
	fmt.Fprintln(w, s.Dim("  "+Fill(text, prose-2, 2)))
}

func leastVerdict(p *sweep.Plan, cost string, r *tune.Ranking) string {
	best := r.Finalists[0]
	if best.Standing != tune.Best {
		return "No cell that was looked at to the end holds its expectations."
	}
	var tied, unsure []string
	for _, f := range r.Finalists[1:] {
		switch f.Standing {
		case tune.Tied:
			tied = append(tied, cellOf(p, f.Index))
		case tune.Unsure:
			unsure = append(unsure, cellOf(p, f.Index))
		}
	}
	text := fmt.Sprintf("%s costs least: %s is %s", cellOf(p, best.Index), oneLine(cost), Digits(best.Cost.Value, 4))
	if len(tied) > 0 {
		text += fmt.Sprintf(", and no more than 1 %% less than with %s", strings.Join(tied, " or "))
	}
	if len(unsure) > 0 {
		text += fmt.Sprintf("; not told apart from %s", strings.Join(unsure, ", "))
	}
	return text + "."
}

func standing(s tune.Standing) string {
	switch s {
	case tune.Unsure:
		return "not told apart"
	case tune.Broken:
		return "an expectation fails"
	}
	return string(s)
}

// cellOf is what a cell sets, in short: burst 6, polling_interval 0.2s.
func cellOf(p *sweep.Plan, i int) string {
	var parts []string
	for k, v := range p.Cells[i].Values {
		parts = append(parts, shortKey(p.Axes[k].Key)+" "+v)
	}
	return strings.Join(parts, ", ")
}
