package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The least screen that a chart can be read on, and from where on the settings
// have a side of their own.
const (
	leastWidth  = 40
	leastHeight = 12
	sideBySide  = 72
)

// View is bubbletea's: the whole screen, drawn anew.
func (a *app) View() string {
	if a.theme.symbols == ascii {
		return asciiSigns.Replace(a.drawn())
	}
	return a.drawn()
}

// asciiSigns puts a letter of ASCII in the place of each sign that is none: as wide
// as it, so that nothing moves.
var asciiSigns = strings.NewReplacer("✓", "+", "✗", "x", "›", ">", "·", "-", "…", "~", "←", "<", "→", ">", "↑", "^", "↓", "v", "│", "|", "▶", ">", "▮", "|", "◂", "<", "▸", ">")

func (a *app) drawn() string {
	if a.width < leastWidth || a.height < leastHeight {
		return a.tooSmall()
	}
	body := a.body()
	lines := []string{a.titleLine(), a.tabLine()}
	switch {
	case a.help > 0:
		lines = append(lines, a.helpLines()...)
	case a.pick != nil:
		lines = append(lines, a.pick.lines(a.theme, a.width, body)...)
	case a.width >= sideBySide:
		lines = append(lines, a.wide(body)...)
	default:
		lines = append(lines, a.narrow(body)...)
	}
	lines = append(lines, fit(a.below(), a.width), pad(a.message(), a.width), pad(a.theme.dim.Render(short(a.short(), a.width)), a.width))
	return strings.Join(lines, "\n")
}

// body is how many lines are left for the settings and the chart.
func (a *app) body() int { return max(a.height-5, 1) }

// tooSmall says what is wanted, and still tells the numbers.
func (a *app) tooSmall() string {
	lines := []string{fmt.Sprintf("%dx%d is too small, want 40x12", a.width, a.height)}
	if a.result != nil {
		var all []string
		for _, n := range a.result.Numbers {
			all = append(all, n.Label+" "+n.Value)
		}
		lines = append(lines, strings.Join(all, ", "))
	}
	for i := range lines {
		lines[i] = short(lines[i], a.width)
	}
	return strings.Join(lines[:min(len(lines), max(a.height, 1))], "\n")
}

// titleLine is what is shown, and how the run stands.
func (a *app) titleLine() string {
	state := a.state()
	title := a.at.Scenario
	if a.result != nil && a.result.Title != "" {
		title += "  " + a.theme.dim.Render(a.result.Title)
	}
	room := a.width - cells(state) - 2
	return pad(pad(ansi.Truncate(" "+a.theme.bold.Render(title), max(room, 0), "…"), max(room, 0))+" "+state, a.width)
}

// state is how the run stands, in words.
func (a *app) state() string {
	switch r := a.result; {
	case a.failed != "":
		return a.theme.bad.Render("✗ can't be run")
	case r == nil:
		return a.theme.dim.Render("simulating")
	case a.live && !a.over:
		return a.theme.warn.Render("live")
	case !r.Final:
		return a.theme.dim.Render(runs(r.Runs) + ", simulating")
	case r.Passed:
		return a.theme.dim.Render(runs(r.Runs)) + " " + a.theme.good.Render("✓ passed")
	default:
		return a.theme.dim.Render(runs(r.Runs)) + " " + a.theme.bad.Render("✗ failed")
	}
}

func runs(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

// tabLine names the views, the chosen one reversed.
func (a *app) tabLine() string {
	var b strings.Builder
	for v := range numViews {
		name := a.tab(v)
		if v == a.view {
			name = a.theme.on.Render(name)
		}
		b.WriteString(name)
	}
	z := a.zoom[a.view]
	if z.from != 0 || z.to != 0 {
		b.WriteString(a.theme.dim.Render("  zoomed, 0 shows all"))
	}
	return pad(b.String(), a.width)
}

// tab is the name of a view in the line of them; where that is short, only the
// chosen one has more than its number.
func (a *app) tab(v View) string {
	if a.width < 50 && v != a.view {
		return fmt.Sprintf(" %d ", v+1)
	}
	return fmt.Sprintf(" %d %s ", v+1, v)
}

// tabAt is the view whose name is at a place of the screen.
func (a *app) tabAt(x, y int) (View, bool) {
	if y != 1 {
		return 0, false
	}
	at := 0
	for v := range numViews {
		at += len(a.tab(v))
		if x < at {
			return v, true
		}
	}
	return 0, false
}

// sideWidth is how wide the settings are.
func (a *app) sideWidth() int { return min(max(a.width/4, 27), 36) }

// fieldAt is the setting that is at a place of the screen.
func (a *app) fieldAt(x, y int) (int, bool) {
	body := a.body()
	if a.width < sideBySide || x >= a.sideWidth() {
		return 0, false
	}
	most, first := a.fieldRoom(body), 0
	if n := len(a.at.Fields); n > most {
		first = min(max(a.field-most/2, 0), n-most)
	}
	i := first + y - 2
	return i, y >= 2 && y-2 < most && i < len(a.at.Fields)
}

// fieldRoom is how many settings are shown, so that the numbers have room too.
func (a *app) fieldRoom(body int) int { return min(len(a.at.Fields), max(body*2/3, body-10)) }

// wide is the settings and the numbers beside the chart.
func (a *app) wide(body int) []string {
	side := a.sideWidth()
	left := a.fieldLines(side, a.fieldRoom(body))
	if len(left) < body {
		left = append(left, pad("", side))
		left = append(left, a.numberLines(side, body-len(left))...)
	}
	for len(left) < body {
		left = append(left, pad("", side))
	}
	right := a.chartLines(a.width-side-1, body, side+1, 2)
	lines := make([]string, body)
	for i := range lines {
		lines[i] = left[i] + " " + right[i]
	}
	return lines
}

// narrow is the chosen setting, the chart, and the first numbers in a line.
func (a *app) narrow(body int) []string {
	lines := []string{a.fieldLine(a.width)}
	numbers := 1
	if body > 12 {
		numbers = 4
	}
	chart := max(body-1-numbers, 1)
	lines = append(lines, a.chartLines(a.width, chart, 0, 3)...)
	var all []string
	if a.result != nil {
		from := a.result.Numbers
		if len(a.result.Against) > 0 {
			from = a.result.Against
		}
		for _, n := range from {
			all = append(all, n.Label+" "+n.Value)
		}
	}
	lines = append(lines, wrapAt(all, ", ", a.width, numbers)...)
	return lines
}

// chartLines draws the chart into a part of the screen, or says why not.
func (a *app) chartLines(width, height, x, y int) []string {
	a.chartX, a.chartY = x, y
	c, why := a.chart()
	if c == nil {
		a.frame = frame{}
		lines := make([]string, height)
		for i := range lines {
			lines[i] = pad("", width)
		}
		lines[height/2] = pad(strings.Repeat(" ", max((width-cells(why))/2, 0))+a.theme.dim.Render(short(why, width)), width)
		return lines
	}
	z := &a.zoom[a.view]
	l := look{
		Width: width, Height: height, Symbols: a.theme.symbols, Colors: a.theme.colors, Dark: a.theme.dark,
		From: z.from, To: z.to, Cursor: z.at, HasCursor: z.cursor, Front: z.front % max(len(c.Series), 1),
	}
	if a.live && !a.over {
		l.Top = z.top
	}
	if a.replay != nil {
		l.Until, l.HasUntil = a.replay.at, true
	}
	a.frame = draw(c, l)
	z.top = max(z.top, a.frame.Top)
	return a.frame.Lines
}

// below is the readout of the cursor, or what did not fit into the message.
func (a *app) below() string {
	if a.more != "" && a.say != "" {
		return a.theme.accent.Render(a.more)
	}
	return a.readout()
}

// message is the last thing worth telling.
func (a *app) message() string {
	switch {
	case a.failed != "":
		return a.theme.bad.Render(short(a.failed, a.width))
	case a.say != "":
		return a.theme.accent.Render(short(a.say, a.width))
	case a.result != nil && a.result.Warning != "":
		return a.theme.warn.Render(short("warning: "+a.result.Warning, a.width))
	}
	return ""
}
