package tui

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
)

// layer says what a cell holds, the more important the higher: what comes later
// may take a cell from a lower layer only.
type layer uint8

const (
	empty layer = iota
	gridLayer
	bandLayer
	thinLayer
	levelLayer
	lineLayer
	textLayer
)

// cell is one place of a terminal.
type cell struct {
	letter rune  // 0: dots; above utf8.MaxRune: one of the clusters; right: the rest of a wide one
	dots   uint8 // bits of a braille letter or of quadrants
	ink    ink
	layer  layer
}

// right is the second half of a letter two cells wide.
const right rune = -1

// canvas is a block of cells, with a plotting area that is measured in dots
// from its upper left.
type canvas struct {
	width, height   int
	cells           []cell
	clusters        []string // letters of more than one rune
	symbols         symbols
	left, top, w, h int // the plotting area in cells
	dotsX, dotsY    int // of one cell
}

func newCanvas(width, height int, s symbols) canvas {
	g := s.glyphs()
	return canvas{width: width, height: height, cells: make([]cell, width*height), symbols: s, dotsX: g.dotsX, dotsY: g.dotsY}
}

// dot sets one dot of the plotting area. Dots share a cell: it takes the ink
// of the later one, and what lies behind lines gives way to them. The letter
// is for symbols without dots.
func (cv *canvas) dot(x, y int, letter rune, ink ink, on layer) {
	cx, cy := x/cv.dotsX, y/cv.dotsY
	if x < 0 || y < 0 || cx >= cv.w || cy >= cv.h {
		return
	}
	c := &cv.cells[(cv.top+cy)*cv.width+cv.left+cx]
	switch {
	case c.layer > on:
		return
	case c.layer < on && c.layer <= thinLayer || c.letter != 0:
		*c = cell{}
	}
	c.ink, c.layer = ink, on
	switch cv.symbols {
	case ascii:
		c.letter = letter
	case block:
		c.dots |= 1 << (y%2*2 + x%2)
	default:
		c.dots |= brailleBits[x%2][y%4]
	}
}

// put sets one cell to a letter one cell wide.
func (cv *canvas) put(x, y int, letter rune, ink ink, on layer) {
	if x < 0 || y < 0 || x >= cv.width || y >= cv.height {
		return
	}
	c := &cv.cells[y*cv.width+x]
	if c.letter == right && x > 0 {
		cv.cells[y*cv.width+x-1].letter = ' '
	}
	if x+1 < cv.width && cv.cells[y*cv.width+x+1].letter == right {
		cv.cells[y*cv.width+x+1].letter = ' '
	}
	*c = cell{letter: letter, ink: ink, layer: on}
}

// text writes clean text from x on, no further than room cells, and says how
// many it took.
func (cv *canvas) text(x, y, room int, text string, ink ink) int {
	room = min(room, cv.width-x)
	at := 0
	for state := byte(0); len(text) > 0; {
		if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
			if at+1 > room {
				break
			}
			cv.put(x+at, y, rune(text[0]), ink, textLayer)
			text = text[1:]
			at++
			continue
		}
		cluster, wide, n, next := ansi.DecodeSequence(text, state, nil)
		if at+wide > room {
			break
		}
		letter, size := utf8.DecodeRuneInString(cluster)
		if size != len(cluster) {
			cv.clusters = append(cv.clusters, cluster)
			letter = utf8.MaxRune + rune(len(cv.clusters))
		}
		if wide > 0 {
			cv.put(x+at, y, letter, ink, textLayer)
		}
		for k := 1; k < wide; k++ {
			cv.put(x+at+k, y, ' ', ink, textLayer)
			if x+at+k >= 0 && y >= 0 && y < cv.height {
				cv.cells[y*cv.width+x+at+k].letter = right
			}
		}
		at += wide
		text, state = text[n:], next
	}
	return at
}

// lines are the rows as text, with codes where the ink changes; without codes
// nothing but letters.
func (cv *canvas) lines(codes *[inks]string) []string {
	out := make([]string, cv.height)
	buf := make([]byte, 0, cv.width*cv.height*3+cv.height*64)
	ends := make([]int, cv.height)
	for y := range out {
		pen := inkPlain
		for _, c := range cv.cells[y*cv.width : (y+1)*cv.width] {
			letter := cv.letter(c)
			if letter == right {
				continue
			}
			if codes != nil && c.ink != pen && (letter != ' ' || c.ink >= inkHeat || pen >= inkHeat) {
				buf = append(buf, codes[c.ink]...)
				pen = c.ink
			}
			if letter > utf8.MaxRune {
				buf = append(buf, cv.clusters[letter-utf8.MaxRune-1]...)
			} else {
				buf = utf8.AppendRune(buf, letter)
			}
		}
		if pen != inkPlain {
			buf = append(buf, codes[inkPlain]...)
		}
		ends[y] = len(buf)
	}
	whole, start := unsafe.String(unsafe.SliceData(buf), len(buf)), 0
	for y, end := range ends {
		out[y], start = whole[start:end], end
	}
	return out
}

// letter is what is seen of a cell.
func (cv *canvas) letter(c cell) rune {
	switch {
	case c.letter != 0:
		return c.letter
	case c.dots == 0:
		return ' '
	case cv.symbols == block:
		return quadrants[c.dots]
	}
	return 0x2800 + rune(c.dots)
}

// width is how many cells clean text takes.
func width(text string) int {
	if plain(text) {
		return len(text)
	}
	return ansi.StringWidth(text)
}

// plain says whether text is printable ASCII.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// replaced is how ASCII says what ratesim's own words hold beyond it.
var replaced = map[rune]string{'µ': "u", 'μ': "u", '–': "-", '…': "..", '−': "-", '×': "x"}

// clean is text that takes the cells it is measured to take, wherever it is
// written: no control codes, no letters that join what follows, and ASCII if
// nothing else can be shown.
func (cv *canvas) clean(text string) string {
	if plain(text) {
		return text
	}
	var out strings.Builder
	for state := byte(0); len(text) > 0; {
		cluster, wide, n, next := ansi.DecodeSequence(text, state, nil)
		text, state = text[n:], next
		first, _ := utf8.DecodeRuneInString(cluster)
		switch {
		case cluster == "\t" || cluster == "\n":
			out.WriteByte(' ')
		case wide == 0 || !utf8.ValidString(cluster) || ansi.StringWidth("│"+cluster+"│") != wide+2:
		case cv.symbols != ascii || plain(cluster):
			out.WriteString(cluster)
		case replaced[first] != "":
			out.WriteString(replaced[first])
		default:
			out.WriteString(strings.Repeat("?", wide))
		}
	}
	return out.String()
}

// cut is clean text that takes no more than room cells.
func (p *painter) cut(text string, room int) string {
	if width(text) <= room {
		return text
	}
	if room < 4 {
		return ansi.Truncate(text, max(room, 0), "")
	}
	return ansi.Truncate(text, room, p.g.ellipsis)
}
