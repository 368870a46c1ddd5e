package tui

import (
	"math"

	"github.com/ratesim/ratesim/plots"
)

// span is what a line does in one column of dots.
type span struct {
	in, out   float64 // its first and its last value
	low, high float64
	ok        bool // there is anything at all
	joined    bool // to the column before
}

// columns fills spans with what values do in each column of dots. It reads only
// the values in view, each once, so that however many there are, the least and
// the most of each column stay.
func (p *painter) columns(s *plots.Series, values []float64, spans []span) []span {
	cols := max(p.w, 0) * p.dotsX
	if cap(spans) < cols {
		spans = make([]span, cols)
	}
	spans = spans[:cols]
	xs := s.X[:min(len(s.X), len(values))]
	end := min(p.to, p.until)
	i := searchX(xs, p.from)
	held, holds := 0.0, false // the value before this column, of steps
	if s.Step && i > 0 && finite(values[i-1]) {
		held, holds = values[i-1], true
	}
	beyond := math.Nextafter(end, math.Inf(1))
	joined := false
	for col := range spans {
		x0 := p.from + float64(col)/float64(cols)*(p.to-p.from)
		x1 := p.from + float64(col+1)/float64(cols)*(p.to-p.from)
		if col == cols-1 {
			x1 = math.Nextafter(p.to, math.Inf(1))
		}
		sp := span{low: math.Inf(1), high: math.Inf(-1), joined: joined}
		if x0 > end {
			clear(spans[col:])
			break
		}
		if holds && i < len(xs) {
			sp = span{held, held, held, held, true, joined}
		}
		first := i
		i += searchX(xs[i:], min(x1, beyond))
		if first < i {
			sp.take(values[first:i])
			holds = s.Step && finite(values[i-1])
			held = values[i-1]
		}
		if first == i && !s.Step && i > 0 && i < len(xs) {
			x := (x0 + x1) / 2
			v := values[i-1] + (values[i]-values[i-1])*(x-xs[i-1])/(xs[i]-xs[i-1])
			if finite(v) && x <= end {
				sp = span{v, v, v, v, true, joined}
			}
		}
		joined = sp.ok && (first == i || finite(values[i-1]))
		spans[col] = sp
	}
	return spans
}

// take adds the values of a column, in their order.
func (sp *span) take(values []float64) {
	low, high := extremes(values)
	for _, v := range values {
		if !finite(v) {
			sp.joined = false
		} else {
			if !sp.ok {
				sp.in = v
			}
			break
		}
	}
	for i := len(values) - 1; i >= 0; i-- {
		if finite(values[i]) {
			sp.out, sp.ok = values[i], true
			break
		}
	}
	sp.low, sp.high = min(sp.low, low), max(sp.high, high)
}

// series draws all of them: bands, then references, then lines, the one in
// front last.
func (p *painter) series() {
	if p.w < 1 || p.h < 1 {
		return
	}
	each := func(f func(i int, s *plots.Series)) {
		for i := range p.c.Series {
			if i != p.l.Front && p.shown(i) {
				f(i, &p.c.Series[i])
			}
		}
		if i := p.l.Front; i >= 0 && i < len(p.c.Series) && p.shown(i) {
			f(i, &p.c.Series[i])
		}
	}
	each(p.band)
	each(func(i int, s *plots.Series) {
		if s.Thin {
			p.spans = p.columns(s, s.Y, p.spans)
			p.line(s, inkThin, thinDash, thinLayer, '.')
		}
	})
	p.levelLines()
	each(func(i int, s *plots.Series) {
		if !s.Thin {
			p.spans = p.columns(s, s.Y, p.spans)
			p.line(s, inkSeries+ink(i%hues), dashes[i%len(dashes)], lineLayer, p.mark(i))
			p.marksOn(i, s)
		}
	})
}

// mark is the letter that tells a series from the others.
func (p *painter) mark(i int) rune { return p.g.marks[i%len(p.g.marks)] }

// band shades what lies between the least and the most: sparse dots, which give
// way to whatever else is drawn.
func (p *painter) band(i int, s *plots.Series) {
	if s.Low == nil || s.High == nil {
		return
	}
	pen := inkBand + ink(i%hues)
	p.spans, p.ends = p.columns(s, s.Low, p.spans), p.columns(s, s.High, p.ends)
	for x := range p.spans {
		if !p.spans[x].ok || !p.ends[x].ok {
			continue
		}
		top, bottom := p.row(p.ends[x].high), p.row(p.spans[x].low)
		for y := top; y <= bottom; y++ {
			switch {
			case p.symbols == braille && (x+i)%2 == 0 && (y+2*(x/2+i))%4 == 0, p.symbols == ascii && (x+y)%2 == 0:
				p.dot(x, y, '.', pen, bandLayer)
			case p.symbols == block && x%2 == 0 && y%2 == 0 && y < bottom:
				// Quadrants are as dark as a line: a whole cell of shade is not.
				p.put(p.left+x/2, p.top+y/2, '░', pen, bandLayer)
			}
		}
	}
}

// line draws the spans, from dot to dot along the line. Turning points are
// drawn whatever the dash says: a spike must not fall into a gap.
func (p *painter) line(s *plots.Series, ink ink, dash []int, over layer, letter rune) {
	if p.symbols == ascii {
		dash = nil
		if s.Thin {
			dash = []int{1, 2}
		}
	}
	before, along := 0, 0
	for x := range p.spans {
		sp := &p.spans[x]
		if !sp.ok {
			continue
		}
		out, top, bottom := p.row(sp.out), p.row(sp.high), p.row(sp.low)
		in := p.row(sp.in)
		if sp.joined {
			in = before
			switch { // a step has its riser here, a slope began in the column before
			case s.Step || in == out:
			case out > in:
				in++
			default:
				in--
			}
		}
		before = out
		top, bottom = min(top, in, out), max(bottom, in, out)
		solid := top < min(in, out) || bottom > max(in, out)
		for y := top; y <= bottom; y++ {
			at := along + y - top
			if out < in {
				at = along + bottom - y
			}
			if solid || on(dash, at) || bottom-top > 1 && (y == top || y == bottom) && !s.Thin {
				p.dot(x, y, p.stroke(s, letter, x, y, top, bottom), ink, over)
			}
		}
		along += bottom - top + 1
	}
}

// stroke is the letter of a line where there are no dots: the mark of the
// series at each of its corners and now and then between, else the way it goes.
func (p *painter) stroke(s *plots.Series, letter rune, x, y, top, bottom int) rune {
	switch {
	case !s.Step || s.Thin:
		return letter
	case top == bottom && x%8 != 0:
		return '-'
	case y != top && y != bottom:
		return '|'
	}
	return letter
}

// marksOn puts the marks of a series on its line: at each value if it has
// points, else now and then.
func (p *painter) marksOn(i int, s *plots.Series) {
	hue := inkSeries + ink(i%hues)
	if s.Points {
		n := min(len(s.X), len(s.Y))
		last := -2
		for k := searchX(s.X[:n], p.from); k < n && s.X[k] <= min(p.to, p.until); k++ {
			x, ok := p.column(s.X[k])
			if ok && finite(s.Y[k]) && x > last+1 {
				p.put(p.left+x, p.top+p.row(s.Y[k])/p.dotsY, p.mark(i), hue, lineLayer)
				last = x
			}
		}
		return
	}
	if p.symbols == ascii {
		return
	}
	apart := max(p.w/5, 10)
	next := apart * (2*i + 1) / (2 * len(p.c.Series)) % apart
	for x := next; x < p.w; x++ {
		if sp := &p.spans[x*p.dotsX]; x >= next && sp.ok && p.row(sp.low)-p.row(sp.high) <= p.dotsY {
			p.put(p.left+x, p.top+p.row(sp.out)/p.dotsY, p.mark(i), hue, lineLayer)
			next += apart
		}
	}
}
