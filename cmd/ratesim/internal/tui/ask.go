package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// compare holds the current setting, or lets it go.
func (a *app) compare() tea.Cmd {
	if a.beside != nil {
		a.beside = nil
		cmd := a.set(a.at)
		a.say = "compares no more"
		return cmd
	}
	held := a.at
	a.beside = &held
	cmd := a.set(a.at)
	a.say = "holds this setting: turn one, and both are shown"
	return cmd
}

// suggest asks for the best burst and takes it.
func (a *app) suggest() tea.Cmd {
	if a.failed != "" {
		return nil
	}
	at := a.at
	a.say = "looking for the burst"
	return a.jobs.add(func(j *job) error {
		next, err := a.lab.Suggest(j.ctx, at, func(done, total int) { j.progress(suggesting, done, total) })
		if err != nil {
			j.tell(sayMsg(err.Error()))
			return j.ctx.Err()
		}
		j.tell(suggestMsg{next, suggested(at, next)})
		return nil
	})
}

// suggested says what the suggestion changes.
func suggested(from, to Setting) string {
	for i, f := range to.Fields {
		if f.Value != from.Fields[i].Value {
			return f.Label + " " + f.Value + " is suggested, it was " + from.Fields[i].Value
		}
	}
	return "this burst is the suggested one"
}

// exportMsg is what an export wrote.
type exportMsg struct {
	files   []string
	command string
	err     error
}

func (m exportMsg) String() string {
	if m.err != nil {
		return m.err.Error()
	}
	name, _, _ := strings.Cut(m.files[0], ".")
	var endings []string
	for _, f := range m.files {
		endings = append(endings, strings.TrimPrefix(f, name))
	}
	return "wrote " + name + strings.Join(endings, " ") + "; its setting as a command:"
}

// export writes what is looked at.
func (a *app) export() tea.Cmd {
	c, why := a.chart()
	if c == nil {
		a.say = why
		return nil
	}
	at, v, exports := a.at, a.view, a.exports
	a.say = "writing"
	return func() tea.Msg {
		files, command, err := exports.Export(at, v, c)
		return exportMsg{files, command, err}
	}
}
