package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// input is a value being typed.
type input struct{ textinput.Model }

// turn changes the chosen field by so many steps.
func (a *app) turn(steps int) tea.Cmd {
	if len(a.at.Fields) == 0 {
		return nil
	}
	f := a.at.Fields[a.field]
	if f.Turn == nil {
		a.type_()
		return nil
	}
	next := f.Turn(f.Value, steps)
	if next == f.Value {
		a.say = f.Label + " has no value beyond " + f.Value
		return nil
	}
	return a.change(a.at.with(a.field, next))
}

// type_ opens the chosen field for typing.
func (a *app) type_() {
	if len(a.at.Fields) == 0 {
		return
	}
	f := a.at.Fields[a.field]
	t := textinput.New()
	t.Prompt = ""
	t.SetValue(f.Value)
	t.CursorEnd()
	t.Focus()
	a.edit = &input{t}
}

// typing is a key while a value is typed.
func (a *app) typing(k tea.KeyMsg) tea.Cmd {
	switch k.Type {
	case tea.KeyEsc:
		a.edit = nil
	case tea.KeyEnter:
		value := a.edit.Value()
		a.edit = nil
		if value != a.at.Fields[a.field].Value {
			return a.change(a.at.with(a.field, value))
		}
	default:
		a.edit.Model, _ = a.edit.Model.Update(k) // its command only blinks
	}
	return nil
}

// fieldLines are the settings, one a line, at most so many, the chosen one
// among them.
func (a *app) fieldLines(width, most int) (lines []string) {
	first := 0
	if n := len(a.at.Fields); n > most {
		first = min(max(a.field-most/2, 0), n-most)
	}
	label := 0
	for _, f := range a.at.Fields {
		label = max(label, cells(f.Label))
	}
	label = min(label, width/2)
	for i := first; i < len(a.at.Fields) && len(lines) < most; i++ {
		f := a.at.Fields[i]
		value, name := f.Value, fit(f.Label, label)
		room := max(width-label-5, 1)
		switch {
		case i == a.field && a.edit != nil:
			a.edit.Width = room
			lines = append(lines, pad("› "+a.theme.bold.Render(name)+" "+a.edit.View(), width))
			continue
		case i == a.field && !a.live:
			turn := "◂ " + short(value, room) + " ▸"
			lines = append(lines, pad(a.theme.on.Render("› "+name+turn), width))
			continue
		}
		value = short(value, room)
		if f.changed() {
			value = a.theme.accent.Render(value) + "*"
		}
		lines = append(lines, pad("  "+name+"  "+value, width))
	}
	return lines
}

// fieldLine is the chosen setting alone, where there is no room for all.
func (a *app) fieldLine(width int) string {
	if len(a.at.Fields) == 0 || a.live {
		return pad("", width)
	}
	f := a.at.Fields[a.field]
	if a.edit != nil {
		a.edit.Width = max(width-cells(f.Label)-3, 4)
		return pad("› "+a.theme.bold.Render(f.Label)+" "+a.edit.View(), width)
	}
	place := fmt.Sprintf("  %d of %d", a.field+1, len(a.at.Fields))
	text := f.Label + " ◂ " + short(f.Value, max(width-cells(f.Label)-cells(place)-6, 4)) + " ▸"
	return pad(a.theme.on.Render(text)+a.theme.dim.Render(place), width)
}

// numberLines are what the run showed, at most so many, and under them how it
// differs from the setting beside it.
func (a *app) numberLines(width, most int) (lines []string) {
	if a.result == nil {
		return nil
	}
	put := func(all []Number) {
		label := 0
		for _, n := range all {
			label = max(label, cells(n.Label))
		}
		room := max(width-label-1, 1)
		for _, n := range all {
			value, interval := n.Value, ""
			if i := strings.Index(value, " ("); i > 0 && cells(value) > room {
				value, interval = value[:i], "  "+value[i+1:] // on a line of its own
			}
			lines = append(lines, pad(a.theme.dim.Render(fit(n.Label, label))+" "+short(value, room), width))
			if interval != "" {
				lines = append(lines, fit(interval, width))
			}
		}
	}
	if len(a.result.Against) > 0 && !a.live {
		put(a.result.Against)
		lines = append(lines, pad("", width))
		put(beside(a.result.Numbers, a.result.Held))
	} else {
		if a.failed != "" {
			lines = append(lines, fit(a.theme.dim.Render("before this change"), width))
		}
		put(a.result.Numbers)
	}
	return lines[:min(len(lines), max(most, 0))]
}

// beside are the numbers of two settings, the held one's after the other's.
func beside(now, held []Number) (out []Number) {
	for _, n := range now {
		for _, h := range held {
			if h.Label == n.Label {
				out = append(out, Number{n.Label, n.Value + " (held " + h.Value + ")"})
			}
		}
	}
	return out
}
