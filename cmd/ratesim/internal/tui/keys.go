package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// keyMap is every key that does something.
type keyMap struct {
	Up, Down, Less, More, Lesser, Greater, Type, Undo key.Binding
	Next, Previous, Number                            key.Binding
	Left, Right, FarLeft, FarRight                    key.Binding
	In, Out, All, PanLeft, PanRight, Front            key.Binding
	Compare, Suggest, Export, Find                    key.Binding
	Replay, Pause, Step, Slower, Faster               key.Binding
	Help, Back, Suspend, Quit                         key.Binding
}

func bind(help, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
}

var keys = keyMap{
	Up: bind("↑ ↓", "choose a setting", "up", "k"), Down: bind("↓", "", "down", "j"),
	Less: bind("← →", "turn it", "left"), More: bind("→", "", "right"),
	Lesser: bind("shift ← →", "ten steps", "shift+left", "<left>", "{"), Greater: bind("", "", "shift+right", "}"),
	Type: bind("enter", "type a value", "enter"), Undo: bind("u", "undo", "u"),

	Next: bind("tab 1-5", "another chart", "tab"), Previous: bind("", "", "shift+tab"), Number: bind("", "", "1", "2", "3", "4", "5"),

	Left: bind("h l", "move the cursor", "h"), Right: bind("", "", "l"),
	FarLeft: bind("H L", "ten columns", "H"), FarRight: bind("", "", "L"),
	In: bind("+ -", "zoom at the cursor", "+", "="), Out: bind("", "", "-", "_"), All: bind("0", "all of it", "0", "a"),
	PanLeft: bind("[ ]", "pan", "["), PanRight: bind("", "", "]"), Front: bind("f", "next line to the front", "f"),

	Compare: bind("c", "hold it, to compare", "c"), Suggest: bind("s", "the suggested burst", "s"),
	Export: bind("e", "chart and setting to files", "e"), Find: bind("/", "open a scenario", "/"),

	Replay: bind("r", "replay the run", "r"), Pause: bind("space", "pause", " "), Step: bind(".", "one step", "."),
	Slower: bind("< >", "slower, faster", "<"), Faster: bind("", "", ">"),

	Help: bind("?", "help", "?"), Back: bind("esc", "back", "esc"), Suspend: bind("ctrl+z", "suspend", "ctrl+z"), Quit: bind("q", "leave, with the report", "q", "ctrl+c"),
}

// groups are the keys as the help shows them.
func (k keyMap) groups() []group {
	return []group{
		{"setting", []key.Binding{k.Up, k.Less, k.Lesser, k.Type, k.Undo, k.Suggest, k.Compare, k.Find}},
		{"chart", []key.Binding{k.Next, k.Left, k.FarLeft, k.In, k.PanLeft, k.All, k.Front, k.Export}},
		{"replay", []key.Binding{k.Replay, k.Pause, k.Step, k.Slower}},
		{"", []key.Binding{k.Help, k.Back, k.Suspend, k.Quit}},
	}
}

type group struct {
	name string
	keys []key.Binding
}

// short is the line of help that is always there.
func (a *app) short() string {
	switch {
	case a.edit != nil:
		return "enter take · esc back"
	case a.help > 0 && a.help < a.helpPages():
		return "? more · esc back"
	case a.help > 0:
		return "? or esc back"
	case a.pick != nil:
		return "↑↓ choose · enter open · esc back"
	case a.replay != nil:
		return "space pause · . step · < > speed · r end"
	case a.live:
		if a.width < sideBySide {
			return "tab chart · ? help · q end"
		}
		return "tab chart · h l cursor · + - zoom · 0 all · e export · ? help · q end"
	}
	if a.width < sideBySide {
		return "←→ turn · ↑↓ choose · ? help · q leave"
	}
	return "←→ turn · ↑↓ choose · tab chart · c compare · s suggest · ? help · q leave"
}

// keysOf does what keys ask for: those pressed in quick succession come as one
// message.
func (a *app) keysOf(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || len(k.Runes) < 2 || k.Paste {
		return a.key(k)
	}
	var all []tea.Cmd
	for _, r := range k.Runes {
		all = append(all, a.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}))
		a.View() // what a key does may hang on the frame before it
	}
	return tea.Batch(all...)
}

// key does what a key asks for.
func (a *app) key(k tea.KeyMsg) tea.Cmd {
	is := func(b key.Binding) bool { return key.Matches(k, b) }
	if k.Type == tea.KeyCtrlC {
		a.broken = !a.live && (a.result == nil || !a.result.Final)
		return a.quit()
	}
	switch {
	case a.edit != nil:
		return a.typing(k)
	case a.pick != nil:
		return a.picking(k)
	case a.help > 0 && is(keys.Help):
		a.help = (a.help + 1) % (a.helpPages() + 1)
		return nil
	case a.help > 0:
		a.help = 0
		if is(keys.Back) || is(keys.Quit) {
			return nil
		}
	}
	a.say, a.more = "", ""
	if !a.live {
		if cmd, done := a.turnKey(k, is); done {
			return cmd
		}
	}
	if cmd, done := a.chartKey(k, is); done {
		return cmd
	}
	switch {
	case is(keys.Help):
		a.help = 1
	case is(keys.Back):
		a.zoom[a.view].cursor = false
		a.replay = nil
	case is(keys.Export):
		return a.export()
	case is(keys.Suspend):
		return tea.Suspend
	case is(keys.Quit):
		return a.quit()
	}
	return nil
}

// turnKey is a key that changes the setting.
func (a *app) turnKey(_ tea.KeyMsg, is func(key.Binding) bool) (tea.Cmd, bool) {
	switch {
	case is(keys.Up):
		a.field = (a.field + len(a.at.Fields) - 1) % max(len(a.at.Fields), 1)
	case is(keys.Down):
		a.field = (a.field + 1) % max(len(a.at.Fields), 1)
	case is(keys.Less):
		return a.turn(-1), true
	case is(keys.More):
		return a.turn(1), true
	case is(keys.Lesser):
		return a.turn(-10), true
	case is(keys.Greater):
		return a.turn(10), true
	case is(keys.Type):
		a.type_()
	case is(keys.Undo):
		n := len(a.before)
		if n == 0 {
			a.say = "nothing to undo"
			return nil, true
		}
		last := a.before[n-1]
		a.before = a.before[:n-1]
		return a.set(last), true
	case is(keys.Compare):
		return a.compare(), true
	case is(keys.Suggest):
		return a.suggest(), true
	case is(keys.Find):
		a.pick = newPicker(a.lab.Scenarios())
	case is(keys.Replay):
		return a.startReplay(), true
	default:
		return nil, false
	}
	return nil, true
}

// chartKey is a key that changes how the chart is looked at.
func (a *app) chartKey(k tea.KeyMsg, is func(key.Binding) bool) (tea.Cmd, bool) {
	z := &a.zoom[a.view]
	switch {
	case is(keys.Next):
		return a.show((a.view + 1) % numViews), true
	case is(keys.Previous):
		return a.show((a.view + numViews - 1) % numViews), true
	case is(keys.Number):
		return a.show(View(k.String()[0] - '1')), true
	case is(keys.Left):
		z.move(a.frame, -1)
	case is(keys.Right):
		z.move(a.frame, 1)
	case is(keys.FarLeft):
		z.move(a.frame, -10)
	case is(keys.FarRight):
		z.move(a.frame, 10)
	case is(keys.In):
		z.scale(a.frame, a.whole(), 0.5)
	case is(keys.Out):
		z.scale(a.frame, a.whole(), 2)
	case is(keys.All):
		*z = zooming{cursor: z.cursor, at: z.at}
	case is(keys.PanLeft):
		z.pan(a.frame, a.whole(), -0.25)
	case is(keys.PanRight):
		z.pan(a.frame, a.whole(), 0.25)
	case is(keys.Front):
		z.front++
	case a.replay != nil && is(keys.Pause):
		return a.pause(), true
	case a.replay != nil && is(keys.Step):
		a.replay.paused = true
		a.replay.step(1)
	case a.replay != nil && is(keys.Slower):
		a.replay.speed /= 2
	case a.replay != nil && is(keys.Faster):
		a.replay.speed *= 2
	default:
		return nil, false
	}
	return nil, true
}

// show turns to a view.
func (a *app) show(v View) tea.Cmd {
	a.view = v
	if v >= Burst {
		a.replay = nil
	}
	if a.result == nil || !a.result.Final {
		return nil // when the simulation is done
	}
	return a.lookInto()
}
