package tui

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/plots"
)

// checkFrame holds what every frame promises: its lines and their widths.
func checkFrame(t rapid.TB, l look, f frame) {
	if len(f.Lines) != l.Height {
		t.Fatalf("%d lines, want %d", len(f.Lines), l.Height)
	}
	for y, line := range f.Lines {
		if w := ansi.StringWidth(line); w != l.Width {
			t.Fatalf("line %d is %d cells wide, want %d: %q", y, w, l.Width, line)
		}
		if last := strings.LastIndex(line, "\x1b["); last >= 0 && (l.Colors == noColor || !strings.HasPrefix(line[last:], "\x1b[0m")) {
			t.Fatalf("line %d ends in colour, or has one that nobody asked for: %q", y, line)
		}
		if text := ansi.Strip(line); l.Symbols == ascii && !plain(text) {
			t.Fatalf("line %d is not ASCII: %q", y, text)
		}
	}
	if f.Right >= l.Width || f.Bottom >= l.Height || f.Left < 0 || f.TopRow < 0 {
		t.Fatalf("the plotting area %+v lies outside %dx%d", f, l.Width, l.Height)
	}
}

// oddNumbers are those that break what isn't ready for them.
var oddNumbers = rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 100), rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324}))

func oddNames() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "burst 6: empty at 20 s", "限流 limit", "é́e", "👩‍👩‍👧 family", "\x1b[31mred\x1b[0m", "a\tb\nc", "\u0600x", "\u200d", "5 µs – 3 …", "🇩🇪🇫🇷"}))
}

func oddChart(t *rapid.T) *plots.Chart {
	names, numbers := oddNames(), rapid.SliceOfN(oddNumbers, 0, 12)
	axis := func(label string) plots.Axis {
		return plots.Axis{Label: names.Draw(t, label), Unit: names.Draw(t, "unit"), Steps: rapid.SliceOfN(names, 0, 4).Draw(t, "steps")}
	}
	c := &plots.Chart{X: axis("x"), Y: axis("y")}
	for range rapid.IntRange(0, 9).Draw(t, "series") {
		s := plots.Series{Name: names.Draw(t, "name"), X: numbers.Draw(t, "xs"), Y: numbers.Draw(t, "ys")}
		s.Step, s.Points, s.Thin = rapid.Bool().Draw(t, "step"), rapid.Bool().Draw(t, "points"), rapid.Bool().Draw(t, "thin")
		if rapid.Bool().Draw(t, "band") {
			s.Low, s.High = numbers.Draw(t, "low"), numbers.Draw(t, "high")
		}
		c.Series = append(c.Series, s)
	}
	for range rapid.IntRange(0, 2).Draw(t, "levels") {
		c.Levels = append(c.Levels, plots.Level{Name: names.Draw(t, "level"), Y: oddNumbers.Draw(t, "at")})
		c.Marks = append(c.Marks, plots.Mark{Name: names.Draw(t, "mark"), X: oddNumbers.Draw(t, "mx"), Y: oddNumbers.Draw(t, "my")})
	}
	if rapid.IntRange(0, 3).Draw(t, "heat") == 0 {
		c.Heat = &plots.Heat{Cells: rapid.SliceOfN(numbers, 0, 5).Draw(t, "cells"), Best: [2]int{rapid.IntRange(-1, 5).Draw(t, "bx"), rapid.IntRange(-1, 5).Draw(t, "by")}}
	}
	return c
}

// Whatever is drawn however, a frame has its lines and its widths.
func TestEverySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(most int) int {
			return rapid.OneOf(rapid.IntRange(0, 12), rapid.IntRange(0, most)).Draw(t, "size")
		}
		l := look{
			Width: side(400), Height: side(200), Symbols: symbols(rapid.IntRange(0, 2).Draw(t, "symbols")), Colors: colors(rapid.IntRange(0, 3).Draw(t, "colors")),
			Dark: rapid.Bool().Draw(t, "dark"), From: oddNumbers.Draw(t, "from"), To: oddNumbers.Draw(t, "to"), Top: oddNumbers.Draw(t, "top"),
			Cursor: oddNumbers.Draw(t, "cursor"), HasCursor: rapid.Bool().Draw(t, "has cursor"), Until: oddNumbers.Draw(t, "until"), HasUntil: rapid.Bool().Draw(t, "has until"),
			Front: rapid.IntRange(-1, 9).Draw(t, "front"), Hidden: rapid.UintRange(0, 1023).Draw(t, "hidden"),
		}
		if rapid.Bool().Draw(t, "all") {
			l.From, l.To = 0, 0
		}
		checkFrame(t, l, draw(oddChart(t), l))
	})
}

// Numbers so small that a step between them is zero once took for ever.
func TestTinyNumbers(t *testing.T) {
	for _, v := range []float64{5e-324, -5e-324, 1e-310, 1e-300, 1e-280, 9e299, -9e299} {
		for s := braille; s <= ascii; s++ {
			c := &plots.Chart{Series: []plots.Series{{X: []float64{0, 1}, Y: []float64{0, v}}, {X: []float64{0, v}, Y: []float64{0, 1}, Step: true}}}
			for _, l := range []look{{}, {From: 0, To: v}, {From: v, To: 0}, {Top: v}, {From: 1e18, To: math.Nextafter(1e18, 2e18)}} {
				l.Width, l.Height, l.Symbols = 60, 20, s
				checkFrame(t, l, draw(c, l))
			}
			c.Series = c.Series[:1]
			l := look{Width: 60, Height: 20, Symbols: s}
			checkFrame(t, l, draw(c, l))
		}
	}
}

func TestEveryTinySize(t *testing.T) {
	for _, c := range []*plots.Chart{drainChart(), windowsChart(), burstChart(), heatChart(), {}} {
		for w := range 45 {
			for h := range 20 {
				for s := braille; s <= ascii; s++ {
					l := look{Width: w, Height: h, Symbols: s, Colors: colors(h % 4), HasCursor: true, Cursor: 3}
					checkFrame(t, l, draw(c, l))
				}
			}
		}
	}
}

// million is a flat line with one sample at 99.
func million(step bool) *plots.Chart {
	s := plots.Series{Name: "level", Step: step}
	for i := range 1_000_000 {
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, 5)
	}
	s.Y[333_333] = 99
	return &plots.Chart{Series: []plots.Series{s}}
}

// One sample among a million is as high as it is, in each kind of symbols and
// whatever the dash of its line.
func TestASpikeStays(t *testing.T) {
	for _, step := range []bool{true, false} {
		c := million(step)
		for other := range 4 {
			all := append(make([]plots.Series, other), c.Series...)
			for s := braille; s <= ascii; s++ {
				l := look{Width: 80, Height: 24, Symbols: s, Front: -1}
				f := draw(&plots.Chart{Series: all}, l)
				p := &painter{canvas: canvas{h: f.Bottom - f.TopRow + 1, dotsY: 1}, high: f.Top}
				column := f.Left + (f.Right-f.Left+1)/3
				cell := []rune(f.Lines[f.TopRow+p.row(99)])[column]
				above := ""
				for y := f.TopRow; y < f.TopRow+p.row(99); y++ {
					above += strings.TrimSpace(string([]rune(f.Lines[y])[f.Left:]))
				}
				if cell == ' ' && above == "" {
					t.Errorf("step %v, symbols %v, dash %d: nothing at 99:\n%s", step, s, other, strings.Join(f.Lines, "\n"))
				}
			}
		}
	}
}

// A frame of a million points needs no more memory than one of a thousand.
func TestNoMemoryPerPoint(t *testing.T) {
	big, l := million(true), look{Width: 160, Height: 45}
	small := &plots.Chart{Series: []plots.Series{{Step: true, X: big.Series[0].X[:1000], Y: big.Series[0].Y[:1000]}}}
	a, b := testing.AllocsPerRun(3, func() { draw(small, l) }), testing.AllocsPerRun(3, func() { draw(big, l) })
	if b > a+10 || b > 150 {
		t.Errorf("%v allocations for a thousand points, %v for a million", a, b)
	}
}

func TestTheFrontWinsWhereLinesMeet(t *testing.T) {
	same := plots.Series{X: []float64{0, 10}, Y: []float64{0, 10}}
	c := &plots.Chart{Series: []plots.Series{same, {}, {}, {}, same}} // two without dashes
	first, fifth := "\x1b[0;94m", "\x1b[0;93m"
	for front, want := range map[int]string{0: first, 4: fifth} {
		f := draw(c, look{Width: 41, Height: 21, Colors: color16, Dark: true, Front: front})
		area, other := strings.Join(f.Lines[f.TopRow:], "\n"), map[int]string{0: fifth, 4: first}[front]
		if !strings.Contains(area, want) || strings.Contains(area, other) {
			t.Errorf("front %d:\n%s", front, area)
		}
	}
}

func TestUntilAndHidden(t *testing.T) {
	c := drainChart()
	l := look{Width: 80, Height: 24, HasUntil: true, Until: 10}
	f := draw(c, l)
	for y := f.TopRow; y <= f.Bottom; y++ {
		if after := strings.TrimSpace(string([]rune(f.Lines[y])[f.Left+(f.Right-f.Left)*11/33:])); after != "" {
			t.Errorf("something later than 10 s is drawn: %q", after)
		}
	}
	if head := strings.Join(f.Lines[:f.TopRow], "\n"); !strings.Contains(head, "70") || !strings.Contains(head, "51") {
		t.Errorf("the legend does not say what waits at 10 s:\n%s", head)
	}
	l.Hidden = 1
	if head := strings.Join(draw(c, l).Lines[:3], "\n"); !strings.Contains(head, "hidden") {
		t.Errorf("the legend does not say what is hidden:\n%s", head)
	}
}

// The scale may be handed back for ever without growing by itself.
func TestTopHolds(t *testing.T) {
	for _, v := range []float64{1, 3, 7.3, 10, 99, 101, 12345, 0.003} {
		for h := 5; h < 60; h += 3 {
			c := &plots.Chart{Series: []plots.Series{{X: []float64{0, 1}, Y: []float64{0, v}}}}
			l := look{Width: 60, Height: h}
			l.Top = draw(c, l).Top
			if again := draw(c, l).Top; again != l.Top || again < v {
				t.Errorf("%v at height %d: up to %v, then to %v", v, h, l.Top, again)
			}
		}
	}
}

func TestColumnsAreFoundAgain(t *testing.T) {
	f := draw(drainChart(), look{Width: 93, Height: 24, From: 3, To: 17.5})
	p := &painter{canvas: canvas{w: f.Right - f.Left + 1}, from: f.From, to: f.To}
	for x := f.Left; x <= f.Right; x++ {
		if got, ok := p.column(f.at(x)); !ok || got+f.Left != x {
			t.Errorf("column %d is found at %d", x, got+f.Left)
		}
	}
}

func TestLegendFolds(t *testing.T) {
	c := drainChart()
	for range 20 {
		c.Series = append(c.Series, c.Series[0])
	}
	for w := 20; w < 200; w += 7 {
		for h := 6; h < 50; h += 5 {
			f := draw(c, look{Width: w, Height: h, Symbols: ascii})
			if f.TopRow > h/3+1 {
				t.Errorf("%dx%d: the plotting area begins at row %d", w, h, f.TopRow)
			}
		}
	}
}

func TestValueAt(t *testing.T) {
	xs, ys := []float64{1, 2, 2, 4}, []float64{10, 20, 30, math.NaN()}
	for _, row := range []struct {
		step bool
		x    float64
		want float64
		ok   bool
	}{
		{true, 0.9, 0, false},
		{true, 1, 10, true},
		{true, 1.9, 10, true},
		{true, 2, 30, true}, // the last of those at once
		{true, 3.9, 30, true},
		{true, 4, 0, false},
		{false, 1.5, 15, true},
		{false, 2, 30, true},
		{false, 3, 0, false},
		{false, 5, 0, false},
		{false, math.NaN(), 0, false},
	} {
		got, ok := valueAt(&plots.Series{X: xs, Y: ys, Step: row.step}, row.x)
		if ok != row.ok || ok && got != row.want {
			t.Errorf("step %v at %v: %v, %v, want %v, %v", row.step, row.x, got, ok, row.want, row.ok)
		}
	}
	if v, ok := valueAt(&plots.Series{X: []float64{1, 2}, Y: []float64{3, 4}, Step: true}, 99); v != 4 || !ok {
		t.Errorf("a step after its end: %v, %v, want 4", v, ok)
	}
}

// contrast is how far two colours stand apart, from 1 to 21; text wants 4.5.
func contrast(a, b rgb) float64 {
	la, lb := luminance(a)+0.05, luminance(b)+0.05
	return max(la, lb) / min(la, lb)
}

func TestColoursStandOut(t *testing.T) {
	for _, dark := range []bool{true, false} {
		for i, hue := range seriesRGB[dark] {
			for _, hue := range []rgb{hue, rgb256(series256[dark][i])} {
				if c := contrast(hue, background(dark)); c < 4.5 {
					t.Errorf("dark %v: the colour %v of series %d stands out by %.1f, want 4.5", dark, hue, i, c)
				}
			}
		}
		for i := range heatEnd - 1 {
			for _, pair := range [][2]rgb{{heatRGB(dark, i), heatRGB(dark, i+1)}, {rgb256(heat256[dark][i]), rgb256(heat256[dark][i+1])}} {
				if brighter := luminance(pair[1]) > luminance(pair[0]); brighter != dark {
					t.Errorf("dark %v: from heat %d on, the row turns: %v", dark, i, pair)
				}
			}
		}
		for _, o := range otherInks {
			v := o.light
			if dark {
				v = o.dark
			}
			if c := contrast(v, background(dark)); c < 4.5 && o.ink != inkGrid {
				t.Errorf("dark %v: ink %d stands out by %.1f, want 4.5", dark, o.ink, c)
			}
		}
	}
	for c, want := range map[rgb]int{{0, 0, 0}: 16, {255, 255, 255}: 231, {95, 135, 175}: 67, {128, 128, 128}: 244} {
		if got := index256(c); got != want {
			t.Errorf("%v is colour %d, want %d", c, got, want)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	c := drainChart()
	c.Series = c.Series[:2]
	b.ReportAllocs()
	for b.Loop() {
		draw(c, look{Width: 160, Height: 45, Colors: color256, Dark: true})
	}
}

func BenchmarkMillion(b *testing.B) {
	c := million(true)
	b.ReportAllocs()
	for b.Loop() {
		draw(c, look{Width: 160, Height: 45})
	}
}
