package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// picker is the list of scenarios, and what it is narrowed to.
type picker struct {
	all    []Named
	filter textinput.Model
	chosen int
}

func newPicker(all []Named) *picker {
	t := textinput.New()
	t.Prompt = "/"
	t.Focus()
	return &picker{all: all, filter: t}
}

// found are the scenarios that have all words of the filter in them.
func (p *picker) found() (out []Named) {
	words := strings.Fields(strings.ToLower(p.filter.Value()))
next:
	for _, n := range p.all {
		text := strings.ToLower(n.Name + " " + n.About)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		out = append(out, n)
	}
	return out
}

// picking is a key while a scenario is looked for.
func (a *app) picking(k tea.KeyMsg) tea.Cmd {
	p := a.pick
	found := p.found()
	switch k.Type {
	case tea.KeyEsc:
		a.pick = nil
	case tea.KeyUp:
		p.chosen = max(p.chosen-1, 0)
	case tea.KeyDown:
		p.chosen = min(p.chosen+1, max(len(found)-1, 0))
	case tea.KeyPgUp:
		p.chosen = max(p.chosen-10, 0)
	case tea.KeyPgDown:
		p.chosen = min(p.chosen+10, max(len(found)-1, 0))
	case tea.KeyEnter:
		if len(found) == 0 {
			return nil
		}
		a.pick = nil
		name, lab := found[p.chosen].Name, a.lab
		return func() tea.Msg {
			next, err := lab.Open(name)
			return openMsg{next, err}
		}
	default:
		p.filter, _ = p.filter.Update(k) // its command only blinks
		p.chosen = 0
	}
	return nil
}

// openMsg is a scenario that was read.
type openMsg struct {
	at  Setting
	err error
}

// opened turns to another scenario.
func (a *app) opened(m openMsg) tea.Cmd {
	if m.err != nil {
		a.say = m.err.Error()
		return nil
	}
	a.result, a.beside, a.zoom = nil, nil, [numViews]zooming{}
	a.choose(m.at)
	return a.change(m.at)
}

// lines draws the list.
func (p *picker) lines(t theme, width, most int) []string {
	found := p.found()
	lines := []string{pad(" "+p.filter.View(), width)}
	first := min(max(p.chosen-(most-1)/2, 0), max(len(found)-(most-1), 0))
	for i := first; i < len(found) && len(lines) < most; i++ {
		name := fit(found[i].Name, min(34, width/2))
		line := "  " + name + " " + t.dim.Render(short(strings.Join(strings.Fields(found[i].About), " "), max(width-cells(name)-4, 0)))
		if i == p.chosen {
			line = t.on.Render("› " + short(found[i].Name, width-2))
			if rest := width - cells(line) - 1; rest > 10 {
				line += " " + t.dim.Render(short(strings.Join(strings.Fields(found[i].About), " "), rest))
			}
		}
		lines = append(lines, pad(line, width))
	}
	if len(found) == 0 {
		lines = append(lines, pad("  none has that in its name or in what it is about", width))
	}
	for len(lines) < most {
		lines = append(lines, pad("", width))
	}
	return lines
}
