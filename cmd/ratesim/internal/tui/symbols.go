package tui

// symbols is what lines are made of.
type symbols int

// From the finest to what every terminal has.
const (
	braille symbols = iota // two by four dots a cell
	block                  // two by two
	ascii                  // one, and no letter outside ASCII anywhere
)

// glyphs are the letters of a kind of symbols.
type glyphs struct {
	dotsX, dotsY                      int // of a cell
	vertical, horizontal, corner      rune
	tickY, tickX, levelTick, cursorAt rune
	cursor, grid, point, front        rune
	ellipsis, none                    string
	marks                             []rune   // one a series
	samples                           []string // around its mark, the lines of the legend
	thin                              string
	shades                            []rune
	open, closed                      rune // brackets of the best cell
	best                              rune // the best cell where brackets have no room
}

var unicodeGlyphs = glyphs{
	dotsX: 2, dotsY: 4,
	vertical: '│', horizontal: '─', corner: '└', tickY: '┤', tickX: '┬', levelTick: '╡', cursorAt: '▲',
	cursor: '│', grid: '┈', point: '◉', front: '▸', ellipsis: "…", none: "–",
	marks: []rune("●■▲◆○□△"), samples: []string{"──", "╌╌", "┈┈", "─╌"}, thin: "· ·",
	shades: []rune("·░▒▓█"), open: '[', closed: ']', best: '◉',
}

var blockGlyphs = func() glyphs {
	g := unicodeGlyphs
	g.dotsY = 2
	return g
}()

var asciiGlyphs = glyphs{
	dotsX: 1, dotsY: 1,
	vertical: '|', horizontal: '-', corner: '+', tickY: '+', tickX: '+', levelTick: '=', cursorAt: '^',
	cursor: ':', grid: '.', point: '@', front: '>', ellipsis: "..", none: "-",
	marks: []rune("*+ox#%&"), samples: []string{"--"}, thin: ". .",
	shades: []rune(".:-=+*#%@"), open: '[', closed: ']', best: '@',
}

func (s symbols) glyphs() *glyphs {
	switch s {
	case ascii:
		return &asciiGlyphs
	case block:
		return &blockGlyphs
	}
	return &unicodeGlyphs
}

// The dots of a braille letter, by column and row.
var brailleBits = [2][4]uint8{{1, 2, 4, 64}, {8, 16, 32, 128}}

// quadrants are the letters of two by two dots: one bit each, by rows.
var quadrants = []rune(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

// dashes tell lines apart: how many dots on and off, in turn. They follow the
// line, up and down as well.
var dashes = [][]int{nil, {4, 2}, {1, 1}, {4, 1, 1, 1}}

var (
	thinDash  = []int{1, 3}
	levelDash = []int{2, 2}
)

// on says whether a dash has ink at a dot of its line.
func on(dash []int, at int) bool {
	if dash == nil {
		return true
	}
	sum := 0
	for _, n := range dash {
		sum += n
	}
	at %= sum
	for i, n := range dash {
		if at < n {
			return i%2 == 0
		}
		at -= n
	}
	return false
}
