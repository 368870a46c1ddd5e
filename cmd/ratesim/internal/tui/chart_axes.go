package tui

import (
	"math"

	"github.com/ratesim/ratesim/plots"
)

// column is where in the plotting area a value of X is, in cells from its left.
func (p *painter) column(x float64) (int, bool) {
	share := (x - p.from) / (p.to - p.from)
	if !(share >= 0 && share <= 1) {
		return 0, false
	}
	return min(int(share*float64(p.w)), p.w-1), p.w > 0
}

// row is where in the plotting area a value of Y is, in dots from its top.
func (p *painter) row(y float64) int {
	last := p.h*p.dotsY - 1
	share := (y - p.low) / (p.high - p.low)
	if !(share > 0) {
		share = 0 // NaN, too: no row is as far away as that
	}
	share = min(share, 1)
	return last - int(math.Round(share*float64(last)))
}

// yTicks are the labels at the left.
func (p *painter) yTicks() []plots.Tick {
	if p.h < 1 {
		return nil
	}
	return p.c.Y.Ticks(p.low, p.high, p.yStep)
}

// axes draws both axes, with their labels and names.
func (p *painter) axes() {
	p.axisY()
	if p.axisRow >= 0 {
		p.axisX()
	}
	p.names()
}

func (p *painter) axisY() {
	if p.left > 0 {
		for y := range p.h {
			p.put(p.left-1, p.top+y, p.g.vertical, inkAxis, textLayer)
		}
		if p.axisRow >= 0 {
			p.put(p.left-1, p.axisRow, p.g.corner, inkAxis, textLayer)
		}
	}
	if p.c.Heat != nil {
		return // its labels stand beside its cells
	}
	last := math.MaxInt
	for _, t := range p.yTicks() {
		y := p.top + p.row(t.Value)/p.dotsY
		if y >= last {
			continue // no row of its own
		}
		last = y
		p.labelY(y, t.Label, p.g.tickY)
		if p.l.Colors != noColor && t.Value != 0 {
			for x := range max(p.w, 0) {
				p.put(p.left+x, y, p.g.grid, inkGrid, gridLayer)
			}
		}
	}
}

// labelY writes a label to the left of a row of the plotting area.
func (p *painter) labelY(y int, label string, tick rune) {
	if p.left == 0 {
		return
	}
	label = p.cut(p.clean(label), p.left-2)
	p.text(p.left-2-width(label), y, p.left-2, label, inkDim)
	p.put(p.left-1, y, tick, inkAxis, textLayer)
}

func (p *painter) axisX() {
	for x := range max(p.w, 0) {
		p.put(p.left+x, p.axisRow, p.g.horizontal, inkAxis, textLayer)
	}
	if p.c.Heat != nil {
		return
	}
	free := 0 // the first column that has no label yet
	for _, t := range p.xTicks() {
		x, ok := p.column(t.Value)
		if !ok {
			continue
		}
		label := p.clean(t.Label)
		wide := width(label)
		at := max(min(p.left+x-wide/2, p.width-wide), 0)
		if at < free {
			continue
		}
		p.text(at, p.labelRow, wide, label, inkDim)
		p.put(p.left+x, p.axisRow, p.g.tickX, inkAxis, textLayer)
		free = at + wide + 1
	}
}

// xTicks are as many labels as there is room for.
func (p *painter) xTicks() []plots.Tick {
	most := max(p.w/10, min(p.w/6, 5), 1)
	step := plots.Round((p.to - p.from) / float64(most))
	for range 8 {
		ticks := p.c.X.Ticks(p.from, p.to, step)
		wide := 0
		for _, t := range ticks {
			wide = max(wide, width(t.Label))
		}
		if len(p.c.X.Steps) > 0 || (wide+2)*len(ticks) <= p.w+wide {
			return ticks
		}
		step = plots.Round(step * 1.5)
	}
	return nil
}

// names writes the name of Y above its axis and that of X below its end.
func (p *painter) names() {
	if p.yNameRow >= 0 {
		p.text(0, p.yNameRow, p.width, p.cut(p.clean(p.c.Y.Label), p.width), inkPlain)
	}
	name := p.clean(p.c.X.Label)
	if p.xNameRow < 0 || name == "" {
		return
	}
	room := p.width
	if p.xNameRow == p.axisRow {
		room = p.w * 2 / 3
		name = " " + name // after the end of the axis
	}
	name = p.cut(name, room)
	p.text(p.width-width(name), p.xNameRow, p.width, name, inkPlain)
}
