package tui

import (
	"fmt"
	"strings"

	"github.com/ratesim/ratesim/plots"
)

// readout is what the lines say at the cursor.
func (a *app) readout() string {
	z := a.zoom[a.view]
	c, _ := a.chart()
	if c == nil || c.Heat != nil {
		return a.cell(c)
	}
	at, word := z.at, "at "
	switch {
	case a.replay != nil:
		at, word = a.replay.at, "▶ "
		if a.replay.paused {
			word = "▮▮ "
		}
	case !z.cursor:
		return a.theme.dim.Render("h l put a cursor on the chart")
	}
	parts := []string{word + value(at, c.X)}
	for i := range c.Series {
		v, ok := valueAt(&c.Series[i], at)
		narrow := a.width < sideBySide
		if !ok || narrow && c.Series[i].Thin {
			continue
		}
		name, _, _ := strings.Cut(c.Series[i].Name, ":")
		if narrow && a.beside == nil {
			name = strings.ToLower(c.Y.Label)
		}
		parts = append(parts, name+" "+value(v, c.Y))
	}
	if a.view == Drain {
		parts = append(parts, a.windowAt(at)...)
	} else {
		for _, l := range c.Levels {
			if v, ok := valueAt(&c.Series[0], at); ok {
				parts = append(parts, distance(l.Y-v))
			}
		}
	}
	return strings.Join(parts, a.theme.dim.Render(" │ "))
}

// value is a number on an axis, with its unit.
func value(v float64, on plots.Axis) string {
	return plots.Number(plots.RoundTo(v, 4)) + on.Unit
}

// windowAt is how full the window that ends at an instant is.
func (a *app) windowAt(at float64) (parts []string) {
	if a.result == nil || a.result.Charts[Windows] == nil {
		return nil
	}
	w := a.result.Charts[Windows]
	if len(w.Series) == 0 || len(w.Levels) == 0 {
		return nil
	}
	if v, ok := valueAt(&w.Series[0], at); ok {
		parts = append(parts, fmt.Sprintf("window %.0f of %.0f", v, w.Levels[0].Y), distance(w.Levels[0].Y-v))
	}
	return parts
}

// distance is how far the limit is, in words.
func distance(d float64) string {
	switch {
	case d > 0:
		return fmt.Sprintf("%.0f below the limit", d)
	case d == 0:
		return "at the limit"
	}
	return fmt.Sprintf("%.0f ABOVE the limit", -d)
}

// cell is what a heat map says at the cursor.
func (a *app) cell(c *plots.Chart) string {
	if c == nil || c.Heat == nil {
		return ""
	}
	x, y := c.Heat.Best[0], c.Heat.Best[1]
	if y >= len(c.Heat.Cells) || x >= len(c.Heat.Cells[y]) {
		return ""
	}
	text := fmt.Sprintf("best: %s %s, %s %s", strings.ToLower(c.X.Label), c.X.Steps[x], strings.ToLower(c.Y.Label), c.Y.Steps[y])
	if v := c.Heat.Cells[y][x]; v == v {
		text += fmt.Sprintf(", %.3g", v)
	}
	return text
}
