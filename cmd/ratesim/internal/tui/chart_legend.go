package tui

import (
	"fmt"
	"math"

	"github.com/ratesim/ratesim/plots"
)

// entry is one series in the legend.
type entry struct {
	series int // -1: says how many more there are
	name   string
	value  string
	wide   int // in cells, uncut
}

// legend is how the entries are laid out: by rows.
type legend struct {
	entries       []entry
	rows, columns int
	wide          []int // of each column
}

// The parts of an entry: where the front is marked, the sample of the line, a
// blank, the name, two blanks, the value.
const (
	frontWide  = 2
	sampleWide = 3
	legendGap  = 3 // between columns
	narrowest  = 18
)

// planLegend lays the legend out in no more than a third of the height.
func (p *painter) planLegend() legend {
	most := p.l.Height / 3
	if p.c.Heat != nil && most > 0 {
		return legend{rows: 1}
	}
	var all []entry
	for i := range p.c.Series {
		e := entry{series: i, name: p.clean(p.c.Series[i].Name), value: p.clean(p.lastValue(i))}
		e.wide = p.fixedWide() + width(e.name) + 2 + width(e.value)
		all = append(all, e)
	}
	if len(all) == 0 || most == 0 {
		return legend{}
	}
	for columns := len(all); columns >= 1; columns-- {
		if l := fold(all, columns); l.rows > most {
			break
		} else if l.total() <= p.l.Width {
			return l
		}
	}
	// Some are cut, in as few columns as hold all.
	columns := (len(all) + most - 1) / most
	columns = max(min(columns, (p.l.Width+legendGap)/(narrowest+legendGap)), 1)
	if room := columns * most; len(all) > room {
		left := len(all) - room + 1
		all = append(all[:room-1:room-1], entry{series: -1, name: fmt.Sprintf("and %d more", left)})
	}
	l := fold(all, columns)
	for i := range l.wide {
		l.wide[i] = min(l.wide[i], (p.l.Width-legendGap*(columns-1))/columns)
	}
	return l
}

func fold(all []entry, columns int) legend {
	l := legend{entries: all, columns: columns, rows: (len(all) + columns - 1) / columns, wide: make([]int, columns)}
	for i, e := range all {
		l.wide[i%columns] = max(l.wide[i%columns], e.wide)
	}
	return l
}

func (l *legend) total() int {
	sum := legendGap * (l.columns - 1)
	for _, w := range l.wide {
		sum += w
	}
	return sum
}

// fixedWide is what an entry takes before its name.
func (p *painter) fixedWide() int {
	if len(p.c.Series) > 1 {
		return frontWide + sampleWide + 1
	}
	return sampleWide + 1 // no other could be in front
}

// lastValue is what a series says at the end of what is shown, or at its own.
func (p *painter) lastValue(i int) string {
	s := &p.c.Series[i]
	if !p.shown(i) {
		return "hidden"
	}
	if s.Points || len(p.c.Marks) > 0 {
		return "" // where the axis ends is no answer
	}
	at := min(p.to, p.until)
	if n := min(len(s.X), len(s.Y)); n > 0 {
		at = min(at, s.X[n-1])
	}
	v, ok := valueAt(s, at)
	if !ok {
		return p.g.none
	}
	return number(v) + p.c.Y.Unit
}

// number keeps three digits, and all of those before the point.
func number(v float64) string {
	if math.Abs(v) >= 1000 {
		return plots.Number(math.Round(v))
	}
	return plots.Number(plots.RoundTo(v, 3))
}

func (p *painter) drawLegend(l legend) {
	if p.c.Heat != nil {
		if l.rows > 0 {
			p.heatLegend()
		}
		return
	}
	for i, e := range l.entries {
		x := 0
		for k := range i % l.columns {
			x += l.wide[k] + legendGap
		}
		p.entry(x, i/l.columns, l.wide[i%l.columns], e)
	}
}

// entry writes one series into the legend.
func (p *painter) entry(x, y, wide int, e entry) {
	end := min(x+wide, p.width)
	if e.series < 0 {
		p.text(x+p.fixedWide(), y, end-x, p.cut(e.name, end-x-p.fixedWide()), inkDim)
		return
	}
	i, s := e.series, &p.c.Series[e.series]
	name, sample := inkPlain, inkSeries+ink(i%hues)
	if p.fixedWide() > sampleWide+1 {
		if i == p.l.Front {
			p.text(x, y, end-x, string(p.g.front), inkBold)
			name = inkBold
		}
		x += frontWide
	}
	dash := p.g.samples[i%len(p.g.samples)]
	switch {
	case !p.shown(i):
		name = inkDim
	case s.Thin:
		p.text(x, y, end-x, p.g.thin, inkThin)
	default:
		runes := []rune(dash)
		p.text(x, y, end-x, string([]rune{runes[0], p.mark(i), runes[1]}), sample)
	}
	x += sampleWide + 1
	value := p.cut(e.value, max(end-x, 0))
	room := end - x - width(value) - 2
	p.text(x, y, max(room, 0), p.cut(e.name, room), name)
	if room > 0 || end-x >= width(value) {
		p.text(end-width(value), y, width(value), value, name)
	}
}
