// Package tui shows scenarios in a terminal.
//
// Its charts are blocks of text, made from the values that become pictures
// elsewhere. They are drawn by hand: a frame is due many times a second, and
// what a reader wants of them, steps, a limit, a spike that never vanishes, is
// little code.
package tui

import (
	"math"

	"github.com/ratesim/ratesim/plots"
)

// look says how a chart is drawn. Its zero value is no picture at all: it has
// no size.
type look struct {
	Width, Height int // cells
	Symbols       symbols
	Colors        colors
	Dark          bool    // the background
	From, To      float64 // the part of the X axis that is shown; both 0: all
	Top           float64 // the Y axis reaches at least so far; 0: as far as needed
	Cursor        float64 // X of the cursor line
	HasCursor     bool
	Until         float64 // nothing later than this X is drawn
	HasUntil      bool
	Front         int  // the series drawn last
	Hidden        uint // bit i: series i is hidden
}

// frame is a drawn chart, and where on it what was drawn.
type frame struct {
	Lines []string // as many as the look is high, each as many cells as it is wide
	// The parts of the axes that are shown. Top as the next look's Top keeps
	// the scale from jumping.
	From, To, Top float64
	// The first and the last column and row of the plotting area, both inside.
	// It is empty if Right < Left.
	Left, Right, TopRow, Bottom int
}

// at is the X in the middle of a column of cells.
func (f *frame) at(column int) float64 {
	return f.From + (float64(column-f.Left)+0.5)/float64(max(f.Right-f.Left+1, 1))*(f.To-f.From)
}

// painter draws one chart.
type painter struct {
	canvas
	c          *plots.Chart
	l          look
	g          *glyphs
	from, to   float64 // X
	low, high  float64 // Y
	until      float64 // nothing later
	yStep      float64
	legendRows int
	yNameRow   int // -1: no room
	axisRow    int // -1: no room
	labelRow   int // -1: no room
	xNameRow   int // the same as axisRow where there is little room
	spans      []span
	ends       []span // of a band's other edge
}

// draw draws a chart. It never fails: what has no room is left out, the
// plotting area last.
func draw(c *plots.Chart, l look) frame {
	l.Width, l.Height = max(l.Width, 0), max(l.Height, 0)
	p := &painter{c: c, l: l, g: l.Symbols.glyphs(), canvas: newCanvas(l.Width, l.Height, l.Symbols)}
	p.rangeX()
	legend := p.planLegend()
	p.layoutRows(legend.rows)
	p.rangeY()
	p.layoutColumns()
	p.axes()
	if c.Heat != nil {
		p.heat()
	} else {
		p.series()
		p.levels()
		p.cursor()
		p.marks()
	}
	p.drawLegend(legend)
	return frame{
		Lines: p.lines(inkCodes(l.Colors, l.Dark)), From: p.from, To: p.to, Top: p.high,
		Left: p.left, Right: p.left + p.w - 1, TopRow: p.top, Bottom: p.top + p.h - 1,
	}
}

// layoutRows shares the rows out: the legend, the name of Y, the plotting area,
// the axis, its numbers, and the name of X.
func (p *painter) layoutRows(legend int) {
	p.legendRows, p.yNameRow, p.axisRow, p.labelRow, p.xNameRow = legend, -1, -1, -1, -1
	p.top, p.h = legend, p.l.Height-legend
	take := func(row *int) {
		p.h--
		*row = p.top + p.h
	}
	if p.l.Height >= 16 && p.c.X.Label != "" {
		take(&p.xNameRow)
	}
	if p.l.Height >= 5 {
		take(&p.labelRow)
		take(&p.axisRow)
		if p.xNameRow < 0 {
			p.xNameRow = p.axisRow // a row less for the name, and no label less
		}
	}
	if p.l.Height >= 8 && p.c.Y.Label != "" {
		p.yNameRow = p.top
		p.top++
		p.h--
	}
}

// layoutColumns leaves room for the labels of Y at the left.
func (p *painter) layoutColumns() {
	wide := 0
	for _, t := range p.yTicks() {
		wide = max(wide, width(p.clean(t.Label)))
	}
	wide = min(wide, p.l.Width/3)
	p.left = wide + 2 // a blank and the axis
	if p.l.Width < 10 {
		p.left = 0
	}
	p.w = p.l.Width - p.left
	if p.w > 6 && p.axisRow >= 0 && p.c.Heat == nil {
		p.w-- // the last label of X stands half outside
	}
}

// shown says whether a series is drawn.
func (p *painter) shown(i int) bool { return i >= 64 || p.l.Hidden>>i&1 == 0 }

// tiny is a range that is as good as none: in smaller ones steps round to zero.
const tiny = 1e-290

// rangeX is the part of X that is shown. Hidden series count: to hide one is
// no reason to jump.
func (p *painter) rangeX() {
	p.from, p.to, p.until = p.l.From, p.l.To, math.Inf(1)
	if p.l.HasUntil && p.l.Until == p.l.Until {
		p.until = p.l.Until
	}
	if finite(p.from) && finite(p.to) && p.to-p.from > tiny {
		return
	}
	p.from, p.to = 0, 0
	for i := range p.c.Series {
		if xs := p.c.Series[i].X; len(xs) > 0 {
			for _, x := range []float64{xs[0], xs[len(xs)-1]} {
				if finite(x) {
					p.from, p.to = min(p.from, x), max(p.to, x)
				}
			}
		}
	}
	if p.c.Heat != nil {
		p.from, p.to = -0.5, float64(len(p.c.X.Steps))-0.5
	}
	if !(p.to-p.from > tiny) {
		p.to = p.from + 1
	}
}

// rangeY is the part of Y that is shown: from zero, or below it if there is
// anything, to the highest that is in view, in half steps.
func (p *painter) rangeY() {
	p.low, p.high = 0, 0
	if p.c.Heat != nil {
		p.low, p.high, p.yStep = -0.5, max(float64(len(p.c.Y.Steps))-0.5, 0.5), 1
		return
	}
	for i := range p.c.Series {
		if s := &p.c.Series[i]; p.shown(i) {
			p.reach(s, s.Y)
			p.reach(s, s.Low)
			p.reach(s, s.High)
		}
	}
	for _, l := range p.c.Levels {
		if finite(l.Y) {
			p.low, p.high = min(p.low, l.Y), max(p.high, l.Y*1.06) // its name stands above
		}
	}
	for _, m := range p.c.Marks {
		if finite(m.Y) && m.X >= p.from && m.X <= min(p.to, p.until) {
			p.low, p.high = min(p.low, m.Y), max(p.high, m.Y)
		}
	}
	if finite(p.l.Top) {
		p.high = max(p.high, p.l.Top)
	}
	if !(p.high-p.low > tiny) {
		p.low, p.high = 0, 1
	}
	p.yStep = plots.Round((p.high - p.low) / float64(max((p.h-1)/3, 1)))
	half := p.yStep / 2
	p.high = math.Ceil(p.high/half-1e-9) * half
	p.low = math.Floor(p.low/half+1e-9) * half
}

// reach widens Y so that it holds what is seen of values.
func (p *painter) reach(s *plots.Series, values []float64) {
	n := min(len(s.X), len(values))
	last := min(p.to, p.until)
	i, end := searchX(s.X[:n], p.from), searchX(s.X[:n], math.Nextafter(last, math.Inf(1)))
	low, high := extremes(values[i:max(i, end)])
	low, high = min(low, p.low), max(high, p.high)
	for _, x := range [2]float64{p.from, last} { // what comes in and goes out of view
		if v, ok := valueAt(&plots.Series{X: s.X[:n], Y: values[:n], Step: s.Step}, x); ok {
			low, high = min(low, v), max(high, v)
		}
	}
	p.low, p.high = low, high
}
