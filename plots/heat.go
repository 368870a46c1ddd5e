package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heat draws a cell for each pair of places, the darker the higher, with its
// number in it: a picture that is read without a scale beside it.
func (c *Chart) heat(p *plot.Plot) error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range c.Heat.Cells {
		for _, v := range row {
			if v == v {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	p.X.Min, p.X.Max = -0.5, float64(len(c.X.Steps))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(c.Y.Steps))-0.5
	p.Add(&cells{heat: c.Heat, low: low, high: high})
	return nil
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
			box := []vg.Point{
				{X: x(float64(i) - 0.5), Y: y(float64(j) - 0.5)}, {X: x(float64(i) + 0.5), Y: y(float64(j) - 0.5)},
				{X: x(float64(i) + 0.5), Y: y(float64(j) + 0.5)}, {X: x(float64(i) - 0.5), Y: y(float64(j) + 0.5)},
			}
			share, label := 0.0, "–"
			if v == v {
				label = Number(RoundTo(v, 3))
				if h.high > h.low {
					share = (v - h.low) / (h.high - h.low)
				}
			}
			dc.FillPolygon(shade(share), box)
			ring := draw.LineStyle{Color: color.White, Width: vg.Points(1)}
			if h.heat.Best == [2]int{i, j} {
				ring = draw.LineStyle{Color: ink, Width: vg.Points(2.2)}
				for k := range box { // inside its cell, so that no neighbour covers it
					box[k].X += vg.Points([]float64{1.5, -1.5, -1.5, 1.5}[k])
					box[k].Y += vg.Points([]float64{1.5, 1.5, -1.5, -1.5}[k])
				}
			}
			dc.StrokeLines(ring, append(box, box[0]))
			var pen color.Color = ink
			if share > 0.55 {
				pen = color.White
			}
			style := text.Style{Color: pen, Font: sans(8), Handler: plot.DefaultTextHandler, XAlign: draw.XCenter, YAlign: draw.YCenter}
			dc.FillText(style, vg.Point{X: x(float64(i)), Y: y(float64(j))}, label)
		}
	}
}
