package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heat draws a cell for each pair of places, the darker the higher, with its
// number in it: a picture that is read without a scale beside it. Where cells
// are too small for numbers the legend has the scale.
func (c *Chart) heat(p *plot.Plot) (legend []entry) {
	low, high, none := math.Inf(1), math.Inf(-1), false
	for _, row := range c.Heat.Cells {
		for _, v := range row {
			if v == v {
				low, high = min(low, v), max(high, v)
			} else {
				none = true
			}
		}
	}
	p.X.Min, p.X.Max = -0.5, float64(len(c.X.Steps))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(c.Y.Steps))-0.5
	p.Add(&cells{heat: c.Heat, low: low, high: high})
	if c.Heat.Name != "" {
		legend = append(legend, entry{c.Heat.Name, []plot.Thumbnailer{best{}}})
	}
	if high >= low {
		legend = append(legend, entry{fmt.Sprintf("from %s to %s", Number(RoundTo(low, 3)), Number(RoundTo(high, 3))), []plot.Thumbnailer{scale{}}})
	}
	if none && c.Heat.None != "" {
		legend = append(legend, entry{c.Heat.None, []plot.Thumbnailer{missing{}}})
	}
	return legend
}

// best, scale and missing are what stands before their names in the legend.
type (
	best    struct{}
	scale   struct{}
	missing struct{}
)

func (best) Thumbnail(c *draw.Canvas) {
	ring := c.Rectangle
	ring.Min.X, ring.Max.X = ring.Min.X+vg.Points(6), ring.Max.X-vg.Points(6)
	c.StrokeLines(draw.LineStyle{Color: ink, Width: vg.Points(2)}, corners(ring))
}

func (scale) Thumbnail(c *draw.Canvas) {
	const steps = 6
	for i := range steps {
		box := c.Rectangle
		box.Min.X = c.Min.X + c.Size().X*vg.Length(i)/steps
		box.Max.X = c.Min.X + c.Size().X*vg.Length(i+1)/steps
		c.FillPolygon(shade(float64(i)/(steps-1)), corners(box))
	}
}

func (missing) Thumbnail(c *draw.Canvas) { absent(*c, c.Rectangle) }

// absent strikes out a cell without a value: its colour alone would be that of
// the least.
func absent(dc draw.Canvas, r vg.Rectangle) {
	dc.FillPolygon(pale, corners(r))
	dc.StrokeLine2(draw.LineStyle{Color: grey, Width: vg.Points(0.7)}, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
}

// corners are those of a rectangle, the first once more at the end.
func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
}

// cells is a plotter of a heat map.
type cells struct {
	heat      *Heat
	low, high float64
}

// shade goes from nearly white to the first of the colours.
func shade(share float64) color.RGBA {
	from, to := color.RGBA{0xF4, 0xF8, 0xFB, 0xFF}, colors[0]
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a))) }
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 0xFF}
}

// Plot is plot.Plotter's.
func (h *cells) Plot(dc draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&dc)
	for j, row := range h.heat.Cells {
		for i, v := range row {
			box := vg.Rectangle{Min: vg.Point{X: x(float64(i) - 0.5), Y: y(float64(j) - 0.5)}, Max: vg.Point{X: x(float64(i) + 0.5), Y: y(float64(j) + 0.5)}}
			share := 0.0
			if h.high > h.low {
				share = (v - h.low) / (h.high - h.low)
			}
			if v != v {
				absent(dc, box)
			} else {
				dc.FillPolygon(shade(share), corners(box))
			}
			dc.StrokeLines(draw.LineStyle{Color: color.White, Width: min(vg.Points(1), box.Size().X/8)}, corners(box))
			if v == v {
				label(dc, box, Number(RoundTo(v, 3)), share > 0.55)
			}
		}
	}
	for j, row := range h.heat.Cells { // last, so that no neighbour covers it
		for i := range row {
			if h.heat.Best == [2]int{i, j} {
				in := vg.Points(1)
				box := vg.Rectangle{Min: vg.Point{X: x(float64(i)-0.5) + in, Y: y(float64(j)-0.5) + in}, Max: vg.Point{X: x(float64(i)+0.5) - in, Y: y(float64(j)+0.5) - in}}
				dc.StrokeLines(draw.LineStyle{Color: ink, Width: vg.Points(2.2)}, corners(box))
			}
		}
	}
}

// label writes a number into its cell, smaller if need be, or not at all.
func label(dc draw.Canvas, box vg.Rectangle, number string, dark bool) {
	var pen color.Color = ink
	if dark {
		pen = color.White
	}
	for _, size := range []float64{8, 7, 6} {
		if widthOf(number, sans(size)) > box.Size().X-vg.Points(3) || vg.Points(size) > box.Size().Y {
			continue
		}
		style := text.Style{Color: pen, Font: sans(size), Handler: plot.DefaultTextHandler, XAlign: draw.XCenter, YAlign: draw.YCenter}
		dc.FillText(style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, number)
		return
	}
}
