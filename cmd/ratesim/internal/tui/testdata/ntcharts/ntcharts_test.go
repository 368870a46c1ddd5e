package tui

import (
	"testing"
	"time"

	ntcanvas "github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/linechart"
	"github.com/NimbleMarkets/ntcharts/linechart/timeserieslinechart"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// BenchmarkFrameNtcharts draws the series of BenchmarkFrame, without bands and
// legend, with the line charts of ntcharts, so that it can be told what drawing
// by hand is worth. The time series chart is the best of theirs: it gets its
// data once, and only draws and writes a frame each time. The other draws line
// by line.
//
// ntcharts is no dependency of the project: this file, its go.mod and its go.sum
// are laid over the project for one command, at the top of the repository:
//
//	t=cmd/ratesim/internal/tui/testdata/ntcharts; go test -mod=mod -modfile=$t/ntcharts.mod -overlay=$t/overlay.json -run '^$' -bench Frame ./cmd/ratesim/internal/tui
func BenchmarkFrameNtcharts(b *testing.B) {
	lipgloss.SetColorProfile(termenv.ANSI256)
	styles := []lipgloss.Style{lipgloss.NewStyle().Foreground(lipgloss.Color("32")), lipgloss.NewStyle().Foreground(lipgloss.Color("166"))}
	series := drainChart().Series[:2]
	most := 0.0
	for _, s := range series {
		most = max(most, s.X[len(s.X)-1])
	}
	// steps gives f the corners of a series.
	steps := func(i int, f func(x, y float64)) {
		s := series[i]
		for k := range s.X {
			if k > 0 {
				f(s.X[k], s.Y[k-1])
			}
			f(s.X[k], s.Y[k])
		}
	}
	b.Run("timeseries", func(b *testing.B) {
		at := func(x float64) time.Time { return time.Unix(0, 0).Add(time.Duration(x * float64(time.Second))) }
		m := timeserieslinechart.New(160, 45, timeserieslinechart.WithTimeRange(at(0), at(most)), timeserieslinechart.WithYRange(0, 100))
		for i, name := range []string{"default", "other"} {
			steps(i, func(x, y float64) { m.PushDataSet(name, timeserieslinechart.TimePoint{Time: at(x), Value: y}) })
			m.SetDataSetStyle(name, styles[i])
		}
		b.ReportAllocs()
		for b.Loop() {
			m.DrawBrailleAll()
			_ = m.View()
		}
	})
	b.Run("lines", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := linechart.New(160, 45, 0, most, 0, 100)
			m.DrawXYAxisAndLabel()
			for i := range series {
				var last *ntcanvas.Float64Point
				steps(i, func(x, y float64) {
					p := ntcanvas.Float64Point{X: x, Y: y}
					if last != nil {
						m.DrawBrailleLineWithStyle(*last, p, styles[i])
					}
					last = &p
				})
			}
			_ = m.View()
		}
	})
}
