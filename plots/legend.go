package plots

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a line of the legend: a name, and what it looks like.
type entry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// The measures of a heading.
const (
	titleSize, titleLine   = 12, vg.Length(15)
	legendSize, legendLine = 9, vg.Length(12.5)
	thumb, thumbGap        = vg.Length(26), vg.Length(5)
	columnGap              = vg.Length(16)
	mostLines              = 12 // of the legend: the picture needs room too
)

// heading is the title and the legend as they are laid out above the picture,
// where neither can lie over the data. What is too long is folded.
type heading struct {
	lines  []line
	height vg.Length
}

// line is a piece of a heading: so far right and down from its corner.
type line struct {
	text   string
	size   float64
	right  vg.Length
	down   vg.Length
	thumbs []plot.Thumbnailer
}

func newHeading(title string, legend []entry, wide vg.Length) *heading {
	h := &heading{}
	for _, text := range fold(title, sans(titleSize), wide, 2) {
		h.height += titleLine
		h.lines = append(h.lines, line{text: text, size: titleSize, down: h.height})
	}
	h.height += vg.Points(3)
	names := make([]string, len(legend))
	for i, e := range legend {
		names[i] = e.name
	}
	if rows, columns := arrange(names, wide); len(columns) > 1 {
		right := vg.Length(0)
		for i, e := range legend {
			h.lines = append(h.lines, line{e.name, legendSize, right, h.height + legendLine*vg.Length(i%rows+1), e.thumbs})
			if i%rows == rows-1 {
				right += columns[i/rows]
			}
		}
		h.height += legendLine * vg.Length(rows)
	} else {
		each := min(max(1, mostLines/max(len(legend), 1)), 3)
		for _, e := range legend {
			for i, text := range fold(e.name, sans(legendSize), wide-thumb-thumbGap, each) {
				h.height += legendLine
				l := line{text, legendSize, 0, h.height, []plot.Thumbnailer{}}
				if i == 0 {
					l.thumbs = e.thumbs
				}
				h.lines = append(h.lines, l)
			}
		}
	}
	h.height += vg.Points(7)
	return h
}

// draw writes the heading and gives what is left of the canvas.
func (h *heading) draw(dc draw.Canvas) draw.Canvas {
	for _, l := range h.lines {
		at := vg.Point{X: dc.Min.X + l.right, Y: dc.Max.Y - l.down}
		if l.thumbs != nil {
			box := draw.Canvas{Canvas: dc.Canvas, Rectangle: vg.Rectangle{Min: at, Max: vg.Point{X: at.X + thumb, Y: at.Y + legendSize}}}
			for _, t := range l.thumbs {
				t.Thumbnail(&box)
			}
			at.X += thumb + thumbGap
		}
		dc.FillText(text.Style{Color: ink, Font: sans(l.size), Handler: plot.DefaultTextHandler, XAlign: draw.XLeft, YAlign: draw.YBottom}, at, l.text)
	}
	dc.Max.Y -= h.height
	return dc
}

// arrange gives the fewest rows in which the names fit side by side, and how
// wide each column then is.
func arrange(names []string, wide vg.Length) (rows int, columns []vg.Length) {
	for rows = 1; rows <= len(names); rows++ {
		columns = nil
		sum := -columnGap
		for part := range slices.Chunk(names, rows) {
			w := widest(part, sans(legendSize)) + thumb + thumbGap + columnGap
			columns = append(columns, w)
			sum += w
		}
		if sum <= wide {
			return rows, columns
		}
	}
	return rows, nil
}

func widthOf(s string, f font.Font) vg.Length {
	return text.Style{Font: f, Handler: plot.DefaultTextHandler}.Width(s)
}

// widest is the width of the widest text.
func widest(all []string, f font.Font) (w vg.Length) {
	for _, s := range all {
		w = max(w, widthOf(s, f))
	}
	return w
}

// clip shortens a text that is too wide.
func clip(s string, f font.Font, wide vg.Length) string {
	if widthOf(s, f) <= wide {
		return s
	}
	for s != "" && widthOf(s+"…", f) > wide {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return strings.TrimRight(s, " ,:") + "…"
}

// fold breaks a text between words into lines, of which the last is clipped
// when there would be more than so many.
func fold(s string, f font.Font, wide vg.Length, most int) (lines []string) {
	words := strings.Fields(s)
	for len(words) > 0 && len(lines) < most-1 {
		n := 1
		for n < len(words) && widthOf(strings.Join(words[:n+1], " "), f) <= wide {
			n++
		}
		lines = append(lines, clip(strings.Join(words[:n], " "), f, wide))
		words = words[n:]
	}
	if len(words) > 0 {
		lines = append(lines, clip(strings.Join(words, " "), f, wide))
	}
	return lines
}
