// Package plots draws charts as files with gonum/plot: PNG at twice the usual
// resolution, SVG and PDF. It draws what it is given and computes nothing. The
// same chart has the same bytes as PNG and SVG; a PDF holds its date.
//
// Lines are told apart by dashes as well as by colour, in the colours of Okabe
// and Ito, which most people with colour-blindness tell apart too.
package plots

import (
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Chart is one picture.
type Chart struct {
	Title  string
	X, Y   Axis
	Series []Series
	Levels []Level
	Marks  []Mark
	Heat   *Heat  // instead of series
	Footer string // where the numbers come from
}

// Axis is what is measured along one side, from zero.
type Axis struct {
	Label string
	Unit  string   // after each number of the axis, such as s
	Steps []string // names of the places 0, 1, 2 …, instead of numbers
}

// Series is a line. A Thin one is a reference and stands behind the others.
type Series struct {
	Name      string
	X, Y      []float64
	Low, High []float64 // a band, at the same X; nil: none
	Step      bool      // keeps its value until the next
	Points    bool      // with a mark at each value
	Thin      bool
}

// Level is a horizontal line, such as a limit.
type Level struct {
	Name string
	Y    float64
}

// Mark is a named point.
type Mark struct {
	Name string
	X, Y float64
}

// Heat is a value for each pair of places on the two axes, rows along Y.
type Heat struct {
	Cells [][]float64 // [y][x]; NaN: none
	Best  [2]int      // x and y of the cell to mark
}

// Formats are the endings of files that can be drawn.
var Formats = []string{"png", "svg", "pdf"}

// The size of a picture.
const (
	width  = 8 * vg.Inch
	height = 4.5 * vg.Inch
)

// The colours of Okabe and Ito, the darkest first.
var colors = []color.RGBA{
	{0x00, 0x72, 0xB2, 0xFF}, {0xD5, 0x5E, 0x00, 0xFF}, {0x00, 0x9E, 0x73, 0xFF}, {0xCC, 0x79, 0xA7, 0xFF},
	{0xE6, 0x9F, 0x00, 0xFF}, {0x56, 0xB4, 0xE9, 0xFF}, {0x00, 0x00, 0x00, 0xFF},
}

var dashes = [][]vg.Length{nil, {vg.Points(7), vg.Points(3)}, {vg.Points(2), vg.Points(2)}, {vg.Points(9), vg.Points(3), vg.Points(2), vg.Points(3)}}

var (
	ink  = color.Gray{0x22}
	grey = color.Gray{0x6A}
	pale = color.Gray{0xE2}
)

// sans is the font of all text: it is part of the program.
func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// Write draws a chart in one of the [Formats].
func Write(w io.Writer, c *Chart, format string) error {
	p, err := c.plot()
	if err != nil {
		return err
	}
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if format == "png" {
		canvas, err = newPNG(), nil
	}
	if err != nil {
		return fmt.Errorf("%s can't be drawn, want one of %s", format, strings.Join(Formats, ", "))
	}
	dc := draw.New(canvas)
	p.Draw(draw.Crop(dc, vg.Points(8), -vg.Points(14), vg.Points(18), -vg.Points(8)))
	c.footer(dc)
	if format == "svg" {
		return writeSVG(w, canvas)
	}
	_, err = canvas.WriteTo(w)
	return err
}

func (c *Chart) footer(dc draw.Canvas) {
	style := text.Style{Color: grey, Font: sans(7), Handler: plot.DefaultTextHandler, XAlign: draw.XRight, YAlign: draw.YBottom}
	dc.FillText(style, vg.Point{X: dc.Max.X - vg.Points(14), Y: dc.Min.Y + vg.Points(6)}, c.Footer)
}

func (c *Chart) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Title.Padding = c.Title, vg.Points(10)
	p.Title.TextStyle.Font, p.Title.TextStyle.Color = sans(12), ink
	for _, side := range []struct {
		axis *plot.Axis
		say  Axis
	}{{&p.X, c.X}, {&p.Y, c.Y}} {
		a := side.axis
		a.Label.Text = side.say.Label
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(10), ink
		a.Tick.Label.Font, a.Tick.Label.Color = sans(9), grey
		a.LineStyle.Color, a.Tick.LineStyle.Color, a.Padding = grey, grey, 0
		a.Tick.Marker = ticks(side.say)
	}
	p.Legend.Top = true
	p.Legend.TextStyle.Font, p.Legend.TextStyle.Color = sans(9), ink
	p.Legend.ThumbnailWidth = vg.Points(26)
	p.Legend.Padding = vg.Points(2)
	if c.Heat != nil {
		return p, c.heat(p)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = nil, pale
	p.Add(grid)
	for i := range c.Series {
		if err := c.Series[i].reduced().add(p, i); err != nil {
			return nil, err
		}
	}
	c.frame(p)
	for _, l := range c.Levels {
		line, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: l.Y}, {X: p.X.Max, Y: l.Y}})
		if err != nil {
			return nil, err
		}
		line.Color, line.Width, line.Dashes = ink, vg.Points(0.8), []vg.Length{vg.Points(3), vg.Points(2)}
		p.Add(line)
		p.Legend.Add(l.Name, line)
	}
	for _, m := range c.Marks {
		ring, err := plotter.NewScatter(plotter.XYs{{X: m.X, Y: m.Y}})
		if err != nil {
			return nil, err
		}
		ring.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: vg.Points(6), Shape: draw.RingGlyph{}}
		p.Add(ring)
		p.Legend.Add(m.Name, ring)
	}
	return p, nil
}

// frame is the range of both axes: from zero, and room above for the legend.
func (c *Chart) frame(p *plot.Plot) {
	top := 0.0
	for _, s := range c.Series {
		for _, values := range [][]float64{s.Y, s.High} {
			for _, v := range values {
				top = max(top, v)
			}
		}
	}
	for _, l := range c.Levels {
		top = max(top, l.Y)
	}
	p.X.Min = min(p.X.Min, 0)
	// A level runs all the way to the legend, which then stands above it.
	room := 1.06
	if len(c.Levels) > 0 {
		room = 1.04 + 0.055*float64(min(len(c.Series)+len(c.Levels), 8))
	}
	p.Y.Min, p.Y.Max = 0, top*room
	if !(p.Y.Max > 0) {
		p.Y.Max = 1
	}
	if !(p.X.Max > p.X.Min) {
		p.X.Max = p.X.Min + 1
	}
}

// add draws a series: its band first, then its line.
func (s *Series) add(p *plot.Plot, i int) error {
	xy := make(plotter.XYs, len(s.X))
	for k := range s.X {
		xy[k] = plotter.XY{X: s.X[k], Y: s.Y[k]}
	}
	hue := colors[i%len(colors)]
	if s.Low != nil {
		var ring plotter.XYs
		for k := range s.X {
			ring = append(ring, plotter.XY{X: s.X[k], Y: s.High[k]})
		}
		for k := len(s.X) - 1; k >= 0; k-- {
			ring = append(ring, plotter.XY{X: s.X[k], Y: s.Low[k]})
		}
		band, err := plotter.NewPolygon(ring)
		if err != nil {
			return err
		}
		band.Color, band.LineStyle.Width = color.NRGBA{hue.R, hue.G, hue.B, 0x30}, 0
		p.Add(band)
	}
	line, err := plotter.NewLine(xy)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	line.Color, line.Width, line.Dashes = hue, vg.Points(1.6), dashes[i%len(dashes)]
	if s.Step {
		line.StepStyle = plotter.PostStep
	}
	if s.Thin {
		line.Color, line.Width, line.Dashes = grey, vg.Points(0.8), []vg.Length{vg.Points(1.5), vg.Points(2.5)}
	}
	p.Add(line)
	if !s.Points {
		p.Legend.Add(s.Name, line)
		return nil
	}
	dots, err := plotter.NewScatter(xy)
	if err != nil {
		return err
	}
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}}
	dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]}
	p.Add(dots)
	p.Legend.Add(s.Name, line, dots)
	return nil
}

// ticks are those of [Axis.Ticks], with a small one half way to the next.
func ticks(a Axis) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) (out []plot.Tick) {
		step := Round((high - low) / 7)
		for _, t := range a.Ticks(low, high, step) {
			out = append(out, plot.Tick{Value: t.Value, Label: t.Label})
			if half := t.Value + step/2; len(a.Steps) == 0 && half <= high {
				out = append(out, plot.Tick{Value: half})
			}
		}
		return out
	})
}
