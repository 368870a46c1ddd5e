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
	"math"
	"strconv"
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
	Narrow bool   // as wide as a phone is: the same letters on half the width
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
	Name  string      // of the marked cell
	None  string      // what a cell without a value means
}

// Formats are the endings of files that can be drawn.
var Formats = []string{"png", "svg", "pdf"}

// The sizes of a picture. A narrow one grows with its heading, since it stands
// in a page.
const (
	width, height             = 8 * vg.Inch, 4.5 * vg.Inch
	widthNarrow, heightNarrow = 3.7 * vg.Inch, 2.9 * vg.Inch
)

// The margins: left, right, bottom, top.
const left, right, bottom, above = vg.Length(8), vg.Length(14), vg.Length(18), vg.Length(8)

// The colours of Okabe and Ito, the darkest first.
var colors = []color.RGBA{
	{0x00, 0x72, 0xB2, 0xFF}, {0xD5, 0x5E, 0x00, 0xFF}, {0x00, 0x9E, 0x73, 0xFF}, {0xCC, 0x79, 0xA7, 0xFF},
	{0xE6, 0x9F, 0x00, 0xFF}, {0x56, 0xB4, 0xE9, 0xFF}, {0x00, 0x00, 0x00, 0xFF},
}

// As many as there are colours, so that no two lines differ by colour alone.
var dashes = [][]vg.Length{nil, {7, 3}, {2, 2}, {9, 3, 2, 3}, {14, 4}, {5, 2, 1, 2, 1, 2}, {1, 4}}

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
	size := vg.Point{X: width, Y: height}
	if c.Narrow {
		size = vg.Point{X: widthNarrow, Y: heightNarrow}
	}
	p, legend, err := c.plot(size)
	if err != nil {
		return err
	}
	head := newHeading(c.Title, legend, size.X-left-right)
	if c.Narrow {
		size.Y += head.height
	}
	canvas, err := draw.NewFormattedCanvas(size.X, size.Y, format)
	if format == "png" {
		canvas, err = newPNG(size), nil
	}
	if err != nil {
		return fmt.Errorf("%s can't be drawn, want one of %s", format, strings.Join(Formats, ", "))
	}
	dc := draw.New(canvas)
	p.Draw(head.draw(draw.Crop(dc, left, -right, bottom, -above)))
	c.footer(dc)
	if format == "svg" {
		return writeSVG(w, canvas)
	}
	_, err = canvas.WriteTo(w)
	return err
}

func (c *Chart) footer(dc draw.Canvas) {
	style := text.Style{Color: grey, Font: sans(7), Handler: plot.DefaultTextHandler, XAlign: draw.XRight, YAlign: draw.YBottom}
	dc.FillText(style, vg.Point{X: dc.Max.X - right, Y: dc.Min.Y + vg.Points(6)}, c.Footer)
}

// plot is the picture below its heading, and the entries of the legend in it.
func (c *Chart) plot(size vg.Point) (p *plot.Plot, legend []entry, err error) {
	p = plot.New()
	for _, side := range []struct {
		axis *plot.Axis
		say  Axis
		room vg.Length // for the names of steps
		each vg.Length // what one of them needs
		many float64   // how many steps are read at ease
	}{
		{&p.X, c.X, size.X - vg.Points(70), widest(c.X.Steps, sans(9)) + vg.Points(6), float64(size.X / vg.Points(44))},
		{&p.Y, c.Y, size.Y - vg.Points(110), vg.Points(11), 7},
	} {
		a := side.axis
		a.Label.Text = clip(side.say.Label, sans(10), side.room)
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(10), ink
		a.Tick.Label.Font, a.Tick.Label.Color = sans(9), grey
		a.LineStyle.Color, a.Tick.LineStyle.Color, a.Padding = grey, grey, 0
		if n := len(side.say.Steps); n > 0 {
			a.Tick.Marker = names(side.say.Steps, int(math.Ceil(float64(vg.Length(n)*side.each/side.room))), size.X*0.3) // a long name leaves room for the data
			continue
		}
		a.Tick.Marker = ticks(side.say, side.many)
	}
	if c.Heat != nil {
		return p, c.heat(p), nil
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = nil, pale
	p.Add(grid)
	for i := range c.Series {
		e, err := c.Series[i].reduced().add(p, i)
		if err != nil {
			return nil, nil, err
		}
		legend = append(legend, e)
	}
	c.frame(p)
	var levels []string // one line of the legend has them all
	for i, l := range c.Levels {
		line, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: l.Y}, {X: p.X.Max, Y: l.Y}})
		if err != nil {
			return nil, nil, err
		}
		line.Color, line.Width, line.Dashes = ink, vg.Points(0.8), []vg.Length{vg.Points(3), vg.Points(2)}
		p.Add(line)
		if i == 0 {
			legend = append(legend, entry{thumbs: []plot.Thumbnailer{line}})
		}
		levels = append(levels, l.Name)
		legend[len(legend)-1].name = strings.Join(levels, ", ")
	}
	for _, m := range c.Marks {
		ring, err := plotter.NewScatter(plotter.XYs{{X: m.X, Y: m.Y}})
		if err != nil {
			return nil, nil, err
		}
		ring.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: vg.Points(6), Shape: draw.RingGlyph{}}
		p.Add(ring)
		legend = append(legend, entry{m.Name, []plot.Thumbnailer{ring}})
	}
	return p, legend, nil
}

// frame is the range of both axes: from zero, and a little more than the data.
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
	if n := len(c.X.Steps); n > 0 {
		p.X.Min, p.X.Max = -0.5, float64(n)-0.5
	}
	p.Y.Min, p.Y.Max = 0, top*1.06
	if !(p.Y.Max > 0) {
		p.Y.Max = 1
	}
	if !(p.X.Max > p.X.Min) || math.IsInf(p.X.Max, 0) {
		p.X.Max = p.X.Min + 1
	}
}

// add draws a series: its band first, then its line.
func (s *Series) add(p *plot.Plot, i int) (entry, error) {
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
			return entry{}, err
		}
		band.Color, band.LineStyle.Width = color.NRGBA{hue.R, hue.G, hue.B, 0x30}, 0
		p.Add(band)
	}
	line, err := plotter.NewLine(xy)
	if err != nil {
		return entry{}, fmt.Errorf("%s: %w", s.Name, err)
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
		return entry{s.Name, []plot.Thumbnailer{line}}, nil
	}
	dots, err := plotter.NewScatter(xy)
	if err != nil {
		return entry{}, err
	}
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}}
	dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]}
	p.Add(dots)
	return entry{s.Name, []plot.Thumbnailer{line, dots}}, nil
}

// ticks are those of [Axis.Ticks], about as many as wanted, with a small one
// half way to the next.
func ticks(a Axis, many float64) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) (out []plot.Tick) {
		step := Round((high - low) / min(many, 7))
		for _, t := range a.Ticks(low, high, step) {
			out = append(out, plot.Tick{Value: t.Value, Label: t.Label})
			if half := t.Value + step/2; half <= high {
				out = append(out, plot.Tick{Value: half})
			}
		}
		return out
	})
}

// names are the steps of an axis, of which at least every k-th is named: of
// whole numbers the round ones.
func names(steps []string, k int, longest vg.Length) plot.Ticker {
	if k > 1 {
		k = int(Round(float64(k)))
	}
	first := 0
	for i := range min(k, len(steps)) {
		if n, err := strconv.Atoi(steps[i]); err == nil && n%k == 0 {
			first = i
		}
	}
	return plot.TickerFunc(func(_, _ float64) (out []plot.Tick) {
		for i, name := range steps {
			t := plot.Tick{Value: float64(i)}
			if i%max(k, 1) == first {
				t.Label = clip(name, sans(9), longest)
			}
			out = append(out, t)
		}
		return out
	})
}
