package tui

// levelLines draws each level, dashed, below the lines of the series: what
// runs along it is seen, and its ends and its name stay.
func (p *painter) levelLines() {
	for _, l := range p.c.Levels {
		if !finite(l.Y) {
			continue
		}
		y := p.row(l.Y)
		for x := range p.w * p.dotsX {
			if p.symbols == ascii && x%2 == 0 || p.symbols != ascii && on(levelDash, x) {
				p.dot(x, y, '=', inkLevel, levelLayer)
			}
		}
	}
}

// levels names them, where least is hidden by that, and marks them on the axis.
func (p *painter) levels() {
	if p.w < 1 || p.h < 1 {
		return
	}
	for _, l := range p.c.Levels {
		if !finite(l.Y) {
			continue
		}
		y := p.row(l.Y) / p.dotsY
		if p.left > 0 {
			p.put(p.left-1, p.top+y, p.g.levelTick, inkLevel, textLayer)
		}
		p.label(l.Name, inkLevel, p.w, y-1, y+1)
	}
}

// marks draws the named points.
func (p *painter) marks() {
	for _, m := range p.c.Marks {
		x, ok := p.column(m.X)
		if !ok || !finite(m.Y) || m.X > p.until || p.h < 1 {
			continue
		}
		y := p.row(m.Y) / p.dotsY
		p.put(p.left+x, p.top+y, p.g.point, inkMark, textLayer)
		p.label(m.Name, inkMark, x, y, y-1, y+1, y-2, y+2)
	}
}

// label writes a name into one of the rows, inside the plotting area, where it
// hides least, and as near to a column as that allows.
func (p *painter) label(name string, ink ink, near int, rows ...int) {
	name = p.cut(p.clean(name), p.w)
	wide := width(name)
	if wide == 0 {
		return
	}
	best, bestX, bestY := -1, 0, 0
	for k, y := range rows {
		if y < 0 || y >= p.h {
			continue
		}
		hidden := p.hiding(y)
		for x := 0; x+wide <= p.w; x++ {
			sum := 0
			for i := max(x-1, 0); i < min(x+wide+1, p.w); i++ {
				sum += hidden(i)
			}
			away := abs(x + wide/2 - near)
			if k == 0 { // beside it rather than across
				away = max(x-near-1, near-x-wide, 0)
			}
			if cost := sum*1000 + away*4 + k; best < 0 || cost < best {
				best, bestX, bestY = cost, x, y
			}
		}
	}
	if best >= 0 {
		p.text(p.left+bestX, p.top+bestY, wide, name, ink)
	}
}

// hiding says of a row what it would cost to write into one of its columns.
func (p *painter) hiding(y int) func(x int) int {
	row := p.cells[(p.top+y)*p.canvas.width+p.left:]
	return func(x int) int {
		switch row[x].layer {
		case textLayer:
			return 50 // another name, or a mark
		case lineLayer:
			return 3
		case thinLayer, levelLayer:
			return 1
		}
		return 0
	}
}

// cursor draws a vertical line behind whatever stands there.
func (p *painter) cursor() {
	x, ok := p.column(p.l.Cursor)
	if !p.l.HasCursor || !ok {
		return
	}
	for y := range p.h {
		if c := p.cells[(p.top+y)*p.canvas.width+p.left+x]; c.layer <= thinLayer {
			p.put(p.left+x, p.top+y, p.g.cursor, inkCursor, thinLayer)
		}
	}
	if p.axisRow >= 0 {
		p.put(p.left+x, p.axisRow, p.g.cursorAt, inkCursor, textLayer)
	}
}
