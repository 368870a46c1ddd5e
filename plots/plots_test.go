package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func charts() map[string]*Chart {
	return map[string]*Chart{
		"lines": {
			Title: "Backlog of 3 jobs", X: Axis{Label: "Time", Unit: " s"}, Y: Axis{Label: "Jobs waiting"}, Footer: "seed 1",
			Series: []Series{
				{Name: "burst 6", X: []float64{0, 1, 2}, Y: []float64{3, 2, 0}, Low: []float64{3, 1, 0}, High: []float64{3, 2, 1}, Step: true},
				{Name: "burst 3", X: []float64{0, 2, 4}, Y: []float64{3, 1, 0}, Points: true},
				{Name: "declared", X: []float64{0, 3}, Y: []float64{3, 0}, Thin: true},
			},
			Levels: []Level{{"limit 2", 2}}, Marks: []Mark{{"suggested", 1, 2}},
		},
		"heat":  {Title: "Heat", X: Axis{Label: "Burst", Steps: []string{"1", "2"}}, Y: Axis{Label: "Poll", Steps: []string{"1s"}}, Heat: &Heat{Cells: [][]float64{{1, math.NaN()}}}},
		"empty": {Title: "Nothing"},
	}
}

// Every chart can be drawn in every format, says what it should in words, and
// has the same bytes twice.
func TestWrite(t *testing.T) {
	for name, c := range charts() {
		for _, format := range Formats {
			var a, b bytes.Buffer
			if err := errors.Join(Write(&a, c, format), Write(&b, c, format)); err != nil {
				t.Fatalf("%s as %s: %v", name, format, err)
			}
			if format != "pdf" && !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%s as %s has other bytes the second time", name, format)
			}
			switch format {
			case "png":
				img, err := png.Decode(&a)
				if err != nil || img.Bounds().Dx() != 1536 || img.Bounds().Dy() != 864 {
					t.Errorf("%s: %v, %v", name, img.Bounds(), err)
				}
			case "svg":
				text := a.String()
				for d := xml.NewDecoder(strings.NewReader(text)); ; {
					if _, err := d.Token(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						t.Fatal(err)
					}
				}
				words := []string{c.Title, c.X.Label, c.Footer}
				for _, s := range c.Series {
					words = append(words, s.Name)
				}
				for _, w := range words {
					if !strings.Contains(text, w) {
						t.Errorf("%s does not say %q", name, w)
					}
				}
				if strings.Contains(text, "font-family:Liberation Sans") || !strings.Contains(text, "Helvetica") {
					t.Errorf("%s names no font to fall back to", name)
				}
				if strings.Contains(text, ">-0<") {
					t.Errorf("%s has a zero below zero", name)
				}
			}
		}
	}
	if err := Write(io.Discard, &Chart{}, "gif"); err == nil {
		t.Error("a gif can't be drawn, want an error")
	}
}

func TestRound(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, -3: 1, math.Inf(1): 1, 1: 1, 1.1: 2, 2: 2, 2.1: 5, 5.1: 10, 17.3: 20, 0.03: 0.05, 1234: 2000} {
		if got := Round(v); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%v: %v, want %v", v, got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	join := func(ticks []Tick) (text string) {
		for _, t := range ticks {
			text += t.Label + "|"
		}
		return text
	}
	for _, row := range []struct {
		axis            Axis
		low, high, step float64
		want            string
	}{
		{Axis{Unit: " s"}, 0, 60, 20, "0|20 s|40 s|60 s|"},
		{Axis{}, -1, 1.01, 0.5, "-1|-0.5|0|0.5|1|"},
		{Axis{Steps: []string{"50ms", "1s"}}, 0, 9, 1, "50ms|1s|"},
		{Axis{}, 0, 3e9, 1e9, "0|1e+09|2e+09|3e+09|"},
		{Axis{}, 1, 0, 1, ""},
		{Axis{}, 0, math.NaN(), 1, ""},
	} {
		if got := join(row.axis.Ticks(row.low, row.high, row.step)); got != row.want {
			t.Errorf("from %v to %v by %v: %s, want %s", row.low, row.high, row.step, got, row.want)
		}
	}
	if n := len(Axis{}.Ticks(1e18, 1e18+1024, 1e-3)); n > mostTicks {
		t.Errorf("%d ticks where a step is lost in rounding", n)
	}
}

// However long a run was, its picture stays small and shows every spike.
func TestReducedKeepsSpikes(t *testing.T) {
	s := &Series{Step: true}
	for i := range 1_000_000 {
		y := 5.0
		switch i {
		case 333_333:
			y = 99
		case 777_777:
			y = -1
		}
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, y)
		s.Low, s.High = append(s.Low, y-1), append(s.High, y+1)
	}
	r := s.reduced()
	if len(r.X) > 5*columns || len(r.Y) != len(r.X) || len(r.Low) != len(r.X) || len(r.High) != len(r.X) {
		t.Fatalf("%d points of %d", len(r.X), len(s.X))
	}
	if slices.Max(r.Y) != 99 || slices.Min(r.Y) != -1 || slices.Max(r.High) != 100 || slices.Min(r.Low) != -2 {
		t.Errorf("from %v to %v, the band from %v to %v", slices.Min(r.Y), slices.Max(r.Y), slices.Min(r.Low), slices.Max(r.High))
	}
	if !slices.IsSorted(r.X) || r.X[0] != 0 || r.X[len(r.X)-1] != 999_999 {
		t.Error("its points are not in order from the first to the last")
	}
	few := &Series{X: []float64{1, 2}, Y: []float64{3, 4}}
	if few.reduced() != few {
		t.Error("a short series is changed")
	}
}
