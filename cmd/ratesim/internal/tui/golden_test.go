package tui

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ratesim/ratesim/plots"
)

var update = os.Getenv("UPDATE_FRAMES") != ""

// drain is n jobs that leave in steps: size every length seconds from start on,
// in a band of so many seconds to either side.
func drain(name string, n int, start, length, band float64) plots.Series {
	s := plots.Series{Name: name, Step: true}
	at := func(x float64) float64 {
		return float64(n) - min(float64(n), max(0, math.Floor((x-start)/length)+1))
	}
	for k := 0; k <= n*2; k++ {
		x := start + float64(k/2)*length
		if k%2 == 1 {
			x += 0.4 * length // instants of the band alone
		}
		if k == 0 {
			x = 0
		}
		s.X, s.Y = append(s.X, x), append(s.Y, at(x))
		s.Low, s.High = append(s.Low, at(x+band*x/20)), append(s.High, at(x-band*x/20))
		if at(x) == 0 {
			break
		}
	}
	return s
}

// drainChart is two settings of one backlog and what one of them declares.
func drainChart() *plots.Chart {
	return &plots.Chart{
		Title: "Backlog of 100 jobs, 10 per 1s", X: plots.Axis{Label: "Time since start", Unit: " s"}, Y: plots.Axis{Label: "Jobs waiting"},
		Series: []plots.Series{
			drain("burst 3: empty at 33.3 s", 100, 0.3, 1.0/3, 1.1), drain("burst 6: empty at 20.1 s", 100, 0.3, 0.2, 0.8),
			{Name: "burst 6 declares 5/s", Thin: true, X: []float64{0, 18.8}, Y: []float64{94, 0}},
		},
	}
}

// windowsChart rises and falls below a limit, which it meets now and then.
func windowsChart() *plots.Chart {
	s := plots.Series{Name: "burst 6: at most 10 in 1s", Step: true}
	for i := range 420 {
		s.X = append(s.X, float64(i)/7)
		s.Y = append(s.Y, math.Round(5+3*math.Sin(float64(i)*0.9)+2*math.Sin(float64(i)*0.11)))
	}
	return &plots.Chart{
		X: plots.Axis{Label: "Time since start", Unit: " s"}, Y: plots.Axis{Label: "Claims in the window that ends here"},
		Series: []plots.Series{s}, Levels: []plots.Level{{Name: "limit 10 per 1s", Y: 10}},
	}
}

func waitsChart() *plots.Chart {
	c := &plots.Chart{X: plots.Axis{Label: "Waited no longer than", Unit: " s"}, Y: plots.Axis{Label: "Share of the jobs", Unit: " %"}}
	for i, length := range []float64{33, 20} {
		s := plots.Series{Name: fmt.Sprintf("burst %d: half within %.1f s", 3*i+3, length*0.49), Step: true}
		for k := range 101 {
			s.X, s.Y = append(s.X, length*math.Pow(float64(k)/100, 0.8+0.3*float64(i))), append(s.Y, float64(k))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func burstChart() *plots.Chart {
	return &plots.Chart{
		X: plots.Axis{Label: "Burst"}, Y: plots.Axis{Label: "Jobs/s"},
		Series: []plots.Series{
			{
				Name: "drains at", Points: true, X: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Y: []float64{0.99, 1.98, 2.97, 3.97, 4.96, 4.97, 4, 3, 2, 1},
				Low: []float64{0.7, 1.5, 2.4, 3.4, 4.5, 4.6, 3.7, 2.8, 1.9, 0.9}, High: []float64{1.3, 2.5, 3.6, 4.6, 5.4, 5.3, 4.3, 3.2, 2.1, 1.1},
			},
			{Name: "declares", Thin: true, X: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Y: []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}},
		},
		Marks: []plots.Mark{{Name: "suggested: burst 6, 4.97/s", X: 6, Y: 4.97}},
	}
}

func heatChart() *plots.Chart {
	c := &plots.Chart{
		X: plots.Axis{Label: "Burst", Steps: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}},
		Y: plots.Axis{Label: "Dispatcher poll", Steps: []string{"50ms", "100ms", "200ms", "500ms", "1s", "2s", "5s"}}, Heat: &plots.Heat{},
	}
	most := 0.0
	for j, poll := range []float64{0.05, 0.1, 0.2, 0.5, 1, 2, 5} {
		row := make([]float64, 10)
		for i := range row {
			row[i] = min(float64(10-i), float64(i+1)/poll*0.36)
			if row[i] > most {
				most, c.Heat.Best = row[i], [2]int{i, j}
			}
		}
		c.Heat.Cells = append(c.Heat.Cells, row)
	}
	c.Heat.Cells[6][0] = math.NaN()
	return c
}

// TestFrames keeps how each kind of chart looks, since that is what people read.
// UPDATE_FRAMES=1 rewrites them: look at each one that changed.
func TestFrames(t *testing.T) {
	charts := map[string]*plots.Chart{"drain": drainChart(), "windows": windowsChart(), "waits": waitsChart(), "burst": burstChart(), "heat": heatChart()}
	looks := map[string]look{"braille": {Symbols: braille}, "block": {Symbols: block}, "ascii": {Symbols: ascii}, "color16": {Colors: color16, Dark: true}}
	for chart, c := range charts {
		for kind, l := range looks {
			for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}} {
				name := fmt.Sprintf("%s-%s-%dx%d.txt", chart, kind, size[0], size[1])
				l.Width, l.Height = size[0], size[1]
				got := strings.Join(draw(c, l).Lines, "\n") + "\n"
				file := filepath.Join("testdata", name)
				if update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s is drawn otherwise; UPDATE_FRAMES=1 rewrites it. Now:\n%s", name, got)
				}
			}
		}
	}
}
