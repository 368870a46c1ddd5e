package tui

import (
	"math"

	"github.com/ratesim/ratesim/plots"
)

// heat draws a cell for each pair of places: a shade, by colour or by letters,
// its number where there is room, and brackets around the best.
func (p *painter) heat() {
	rows := len(p.c.Heat.Cells)
	cols := len(p.c.X.Steps)
	for _, row := range p.c.Heat.Cells {
		cols = max(cols, len(row))
	}
	if rows == 0 || cols == 0 || p.w < 1 || p.h < 1 {
		return
	}
	low, high := p.heatRange()
	best := p.c.Heat.Best
	for j, row := range p.c.Heat.Cells {
		for i, v := range row {
			if best != [2]int{i, j} {
				p.heatCell(i, j, cols, rows, v, low, high)
			}
		}
	}
	if j := best[1]; j >= 0 && j < rows && best[0] >= 0 && best[0] < len(p.c.Heat.Cells[j]) {
		p.heatCell(best[0], j, cols, rows, p.c.Heat.Cells[j][best[0]], low, high)
	}
	p.heatLabels(cols, rows)
}

// heatBox is the cells from x0 to before x1 and y0 to before y1, at least one.
func (p *painter) heatBox(i, j, cols, rows int) (x0, x1, y0, y1 int) {
	x0, x1 = i*p.w/cols, (i+1)*p.w/cols
	y0, y1 = (rows-1-j)*p.h/rows, (rows-j)*p.h/rows
	return p.left + x0, p.left + max(x1, x0+1), p.top + y0, p.top + max(y1, y0+1)
}

func (p *painter) heatCell(i, j, cols, rows int, v, low, high float64) {
	x0, x1, y0, y1 := p.heatBox(i, j, cols, rows)
	share := 0.0
	if high > low {
		share = (v - low) / (high - low)
	}
	label, letter, pen := p.g.none, ' ', inkPlain
	if finite(v) {
		label = number(v)
		letter = p.g.shades[int(min(max(share, 0), 1)*float64(len(p.g.shades)-1)+0.5)]
		if p.l.Colors >= color256 {
			letter, pen = ' ', inkHeat+ink(min(max(share, 0), 1)*(heatEnd-1)+0.5)
		}
	}
	edge := x1
	if x1-x0 >= 5 && pen == inkPlain {
		edge-- // a blank tells cells of letters apart
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < edge; x++ {
			p.put(x, y, letter, pen, textLayer)
		}
	}
	// A number that is too wide for its cell is rounded until it fits.
	for digits := 2; finite(v) && digits > 0 && width(label)+2 > edge-x0; digits-- {
		label = plots.Number(plots.RoundTo(v, digits))
	}
	wide, middle := width(label), (y0+y1-1)/2
	isBest := p.c.Heat.Best == [2]int{i, j}
	if room := edge - x0; room >= wide+2 {
		at := x0 + (room-wide)/2
		p.put(at-1, middle, ' ', pen, textLayer)
		p.put(at+wide, middle, ' ', pen, textLayer)
		p.text(at, middle, wide, label, pen)
		x0, edge = at-1, at+wide+1
	}
	switch {
	case !isBest:
	case edge-x0 >= 2:
		p.put(x0, middle, p.g.open, pen, textLayer)
		p.put(edge-1, middle, p.g.closed, pen, textLayer)
	default:
		p.put(x0, middle, p.g.best, pen, textLayer)
	}
}

// heatLabels names the places of both axes, as many as there is room for.
func (p *painter) heatLabels(cols, rows int) {
	last := math.MaxInt
	for j, name := range p.c.Y.Steps[:min(len(p.c.Y.Steps), rows)] {
		_, _, y0, y1 := p.heatBox(0, j, cols, rows)
		if y := (y0 + y1 - 1) / 2; y < last {
			p.labelY(y, name, p.g.tickY)
			last = y
		}
	}
	if p.labelRow < 0 {
		return
	}
	free := p.left
	for i, name := range p.c.X.Steps[:min(len(p.c.X.Steps), cols)] {
		x0, x1, _, _ := p.heatBox(i, 0, cols, rows)
		name = p.clean(name)
		wide := width(name)
		at := max((x0+x1-wide)/2, free)
		if at > max((x0+x1-1)/2, free) || at+wide > p.width {
			continue
		}
		p.text(at, p.labelRow, wide, name, inkDim)
		if x := (x0 + x1 - 1) / 2; p.cells[p.axisRow*p.width+x].letter == p.g.horizontal {
			p.put(x, p.axisRow, p.g.tickX, inkAxis, textLayer) // but where the name of X stands
		}
		free = at + wide + 1
	}
	if p.l.HasCursor {
		if x, ok := p.column(math.Round(p.l.Cursor)); ok {
			p.put(p.left+x, p.axisRow, p.g.cursorAt, inkCursor, textLayer)
		}
	}
}

// heatRange is the least and the most of all cells.
func (p *painter) heatRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range p.c.Heat.Cells {
		for _, v := range row {
			if finite(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}

// heatLegend says how the shades go, and which cell is the best.
func (p *painter) heatLegend() {
	low, high := p.heatRange()
	if !(low <= high) {
		return
	}
	x := p.text(0, 0, p.width, number(low)+" ", inkPlain)
	if p.l.Colors >= color256 {
		for i := range heatEnd {
			x += p.text(x, 0, p.width-x, " ", inkHeat+ink(i))
		}
	} else {
		for _, letter := range p.g.shades {
			x += p.text(x, 0, p.width-x, string(letter), inkPlain)
		}
	}
	x += p.text(x, 0, p.width-x, " "+number(high), inkPlain)
	i, j := p.c.Heat.Best[0], p.c.Heat.Best[1]
	if i < 0 || j < 0 || i >= len(p.c.X.Steps) || j >= len(p.c.Y.Steps) {
		return
	}
	best := string(p.g.open) + "best" + string(p.g.closed) + " " + named(p.c.X, i) + ", " + named(p.c.Y, j)
	p.text(x+3, 0, p.width-x-3, p.cut(p.clean(best), p.width-x-3), inkPlain)
}

// named is a place of an axis with the axis' name.
func named(a plots.Axis, i int) string {
	if a.Label == "" {
		return a.Steps[i]
	}
	return a.Label + " " + a.Steps[i]
}
