package tui

import (
	"fmt"
	"math"
	"sync"
)

// colors is how many colours a terminal has.
type colors int

const (
	noColor colors = iota
	color16
	color256
	trueColor
)

// ink is what a cell is drawn with.
type ink uint8

const (
	inkPlain ink = iota
	inkBold
	inkDim // numbers of the axes
	inkAxis
	inkGrid
	inkThin
	inkLevel
	inkMark
	inkCursor
	inkSeries                     // one for each of the hues
	inkBand   = inkSeries + hues  // the same, paler
	inkHeat   = inkBand + hues    // from low to high
	inks      = inkHeat + heatEnd // how many there are
)

const (
	hues    = 7
	heatEnd = 10
)

type rgb struct{ r, g, b uint8 }

// The colours of Okabe and Ito in the order of the pictures, each made lighter
// or darker until it stands out from the background (at least 4.5 to 1, as
// for text): the blue of the pictures is too dark on black, their orange too
// light on white.
var seriesRGB = map[bool][hues]rgb{
	true:  {{0x4F, 0xA3, 0xE3}, {0xF0, 0x7D, 0x33}, {0x1F, 0xB8, 0x8C}, {0xD9, 0x8A, 0xB6}, {0xE6, 0x9F, 0x00}, {0x8F, 0xD0, 0xF5}, {0xF2, 0xF2, 0xF2}},
	false: {{0x00, 0x66, 0xA3}, {0xB8, 0x4A, 0x00}, {0x00, 0x78, 0x57}, {0xA6, 0x4D, 0x80}, {0x8A, 0x5F, 0x00}, {0x1C, 0x75, 0xA8}, {0x1A, 0x1A, 0x1A}},
}

// The same of 256 colours, by eye: the nearest on white are two browns.
var series256 = map[bool][hues]int{
	true:  {74, 209, 36, 175, 178, 117, 255},
	false: {25, 160, 29, 126, 94, 62, 234},
}

// heat256 is a heat map in 256 colours: all blue, where the nearest would turn
// green in between.
var heat256 = map[bool][heatEnd]int{
	true:  {236, 24, 25, 31, 32, 67, 74, 75, 81, 117},
	false: {255, 189, 153, 117, 75, 74, 68, 32, 25, 24},
}

// The same with the sixteen colours, whose shades are the terminal's.
var series16 = map[bool][hues]int{
	true:  {94, 91, 92, 95, 93, 96, 97},
	false: {34, 31, 32, 35, 33, 36, 30},
}

// The other inks: true colours and sixteen.
var otherInks = []struct {
	ink         ink
	dark, light rgb
	dark16      string
	light16     string
}{
	{inkDim, rgb{0xA8, 0xA8, 0xA8}, rgb{0x5F, 0x5F, 0x5F}, "37", "90"},
	{inkAxis, rgb{0x8A, 0x8A, 0x8A}, rgb{0x76, 0x76, 0x76}, "37", "90"},
	{inkGrid, rgb{0x3A, 0x3A, 0x3A}, rgb{0xD0, 0xD0, 0xD0}, "90", "37"},
	{inkThin, rgb{0xA8, 0xA8, 0xA8}, rgb{0x6A, 0x6A, 0x6A}, "37", "90"},
	{inkLevel, rgb{0xFF, 0xFF, 0xFF}, rgb{0x00, 0x00, 0x00}, "1;97", "1;30"},
	{inkMark, rgb{0xFF, 0xFF, 0xFF}, rgb{0x00, 0x00, 0x00}, "1;97", "1;30"},
	{inkCursor, rgb{0xF0, 0xE4, 0x42}, rgb{0x7A, 0x5C, 0x00}, "93", "30"},
}

func background(dark bool) rgb {
	if dark {
		return rgb{0x16, 0x16, 0x16}
	}
	return rgb{0xFF, 0xFF, 0xFF}
}

// mix goes from a to b.
func mix(a, b rgb, share float64) rgb {
	m := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a))) }
	return rgb{m(a.r, b.r), m(a.g, b.g), m(a.b, b.b)}
}

// heatRGB is the background of a cell of a heat map: further from the
// terminal's the higher.
func heatRGB(dark bool, i int) rgb {
	share := float64(i) / (heatEnd - 1)
	if dark {
		return mix(rgb{0x1B, 0x28, 0x33}, rgb{0x7C, 0xCB, 0xF7}, share)
	}
	return mix(rgb{0xE9, 0xF2, 0xF8}, rgb{0x00, 0x5A, 0x91}, share)
}

// index256 is the nearest of the 216 colours of the cube or the 24 greys.
func index256(c rgb) int {
	steps := [6]int{0, 95, 135, 175, 215, 255}
	near := func(v uint8) (best int) {
		for i, s := range steps {
			if abs(s-int(v)) < abs(steps[best]-int(v)) {
				best = i
			}
		}
		return best
	}
	far := func(r, g, b int) int {
		dr, dg, db := r-int(c.r), g-int(c.g), b-int(c.b)
		return dr*dr + dg*dg + db*db
	}
	r, g, b := near(c.r), near(c.g), near(c.b)
	grey := min(max((int(c.r)+int(c.g)+int(c.b)-24+15)/30, 0), 23)
	if level := 8 + 10*grey; far(level, level, level) < far(steps[r], steps[g], steps[b]) {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}

// rgb256 is what a colour of the cube or a grey looks like.
func rgb256(i int) rgb {
	if i >= 232 {
		level := uint8(8 + 10*(i-232))
		return rgb{level, level, level}
	}
	step := func(v int) uint8 { return [6]uint8{0, 95, 135, 175, 215, 255}[v%6] }
	return rgb{step((i - 16) / 36), step((i - 16) / 6), step(i - 16)}
}

func abs(v int) int { return max(v, -v) }

// inkCodes are the control codes of each ink; nil: none at all. Each one first
// puts an end to what was before.
func inkCodes(c colors, dark bool) *[inks]string {
	if c <= noColor || c > trueColor {
		return nil
	}
	return allCodes()[c][dark]
}

var allCodes = sync.OnceValue(func() map[colors]map[bool]*[inks]string {
	all := map[colors]map[bool]*[inks]string{}
	for c := color16; c <= trueColor; c++ {
		all[c] = map[bool]*[inks]string{true: makeCodes(c, true), false: makeCodes(c, false)}
	}
	return all
})

func makeCodes(c colors, dark bool) *[inks]string {
	paint := func(ground int, v rgb) string {
		if c == color256 {
			return fmt.Sprintf("%d;5;%d", ground, index256(v))
		}
		return fmt.Sprintf("%d;2;%d;%d;%d", ground, v.r, v.g, v.b)
	}
	var out [inks]string
	out[inkPlain], out[inkBold] = "\x1b[0m", "\x1b[0;1m"
	set := func(i ink, code string) { out[i] = "\x1b[0;" + code + "m" }
	for _, o := range otherInks {
		v, code := o.light, o.light16
		if dark {
			v, code = o.dark, o.dark16
		}
		if c != color16 {
			code = paint(38, v)
		}
		set(o.ink, code)
	}
	for i := range ink(hues) {
		hue := seriesRGB[dark][i]
		line, band := paint(38, hue), paint(38, mix(hue, background(dark), 0.4))
		switch c {
		case color256:
			line = fmt.Sprintf("38;5;%d", series256[dark][i])
		case color16:
			line = fmt.Sprint(series16[dark][i])
			band = line
		}
		set(inkSeries+i, line)
		set(inkBand+i, band)
	}
	for i := range heatEnd {
		v := heatRGB(dark, i)
		ground := paint(48, v)
		if c == color256 {
			v = rgb256(heat256[dark][i])
			ground = fmt.Sprintf("48;5;%d", heat256[dark][i])
		}
		pen := rgb{0x11, 0x11, 0x11}
		if luminance(v) < 0.18 {
			pen = rgb{0xFF, 0xFF, 0xFF}
		}
		code := "0" // sixteen colours have no such row: letters do it
		if c != color16 {
			code = ground + ";" + paint(38, pen)
		}
		set(inkHeat+ink(i), code)
	}
	return &out
}

// luminance is how bright a colour looks, from 0 to 1, as WCAG defines it.
func luminance(c rgb) float64 {
	part := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*part(c.r) + 0.7152*part(c.g) + 0.0722*part(c.b)
}
