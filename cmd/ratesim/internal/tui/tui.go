// Package tui is the screen: the settings of a scenario on one side, a chart on
// the other. It draws what a [Lab] gives it and computes nothing itself: a
// change of a setting is handed to the lab, which runs in the background, and
// the frame never waits for it.
//
// All imports of the terminal libraries are in this package, so that a move to
// their next version touches one folder.
package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/ratesim/ratesim/plots"
)

// Lab computes what the screen shows. Its methods may be called by several
// goroutines at once, but for Fields and Turn, which must be quick.
type Lab interface {
	// Scenarios are the names that can be opened, with a line about each.
	Scenarios() []Named
	// Open reads a scenario and gives the setting as its file has it.
	Open(name string) (Setting, error)
	// Run simulates a setting, and beside it the one that it is compared with,
	// if there is one. It tells what it has whenever that is worth a look: the
	// first replication at once, then all of them.
	Run(ctx context.Context, at Setting, beside *Setting, tell func(*Result)) error
	// Trade computes one of the charts that take many runs.
	Trade(ctx context.Context, at Setting, v View, progress func(done, total int)) (*plots.Chart, error)
	// Suggest is the setting with the suggested burst.
	Suggest(ctx context.Context, at Setting, progress func(done, total int)) (Setting, error)
	Exporter
}

// Exporter writes the chart as pictures and numbers and the setting as a
// scenario, and gives the files' names and the equal command line.
type Exporter interface {
	Export(at Setting, v View, c *plots.Chart) (files []string, command string, err error)
}

// Named is a scenario that can be opened.
type Named struct{ Name, About string }

// Setting is a scenario and the values that can be changed in it.
type Setting struct {
	Scenario string
	Fields   []Field
}

// Field is one value of a setting.
type Field struct {
	Key   string // the lab's own name for it
	Label string // what people call it: burst
	Value string // as a scenario file has it: 6
	File  string // what the file says, so that a change can be told
	// Turn is the value so many steps on, or the same where there is no next.
	// nil: it can only be typed.
	Turn func(value string, steps int) string
}

// changed is true for a field that differs from its file.
func (f Field) changed() bool { return f.Value != f.File }

// with is the setting with one value replaced. The old one stays as it is.
func (s Setting) with(field int, value string) Setting {
	fields := make([]Field, len(s.Fields))
	copy(fields, s.Fields)
	fields[field].Value = value
	s.Fields = fields
	return s
}

// Result is what a run of a setting showed, ready to draw.
type Result struct {
	Title   string
	Charts  [3]*plots.Chart // of the views Drain, Windows and Waits; nil: has none
	Numbers []Number
	Against []Number // how the setting differs from the one beside it
	Held    []Number // the numbers of that one
	Runs    int      // replications so far
	Final   bool     // nothing more is to come
	Passed  bool     // with Final: every expectation holds
	Warning string
}

// Number is a labelled value.
type Number struct{ Label, Value string }

// View is what the chart shows.
type View int

// The views, in the order of their number keys.
const (
	Drain View = iota
	Windows
	Waits
	Burst
	Heat
	numViews
)

var viewNames = [numViews]string{"drain", "windows", "waits", "burst", "heat"}

func (v View) String() string { return viewNames[v] }

// Options say how the screen looks and behaves.
type Options struct {
	Symbols string // auto, braille, block or ascii
	Colors  string // auto, none, 16, 256 or true
	NoMouse bool
	FPS     int // how often a replay moves, a second

	In  io.Reader // the terminal
	Out io.Writer
}

// Symbols and Colors are the words that [Options] knows.
var (
	Symbols = []string{"auto", "braille", "block", "ascii"}
	Colors  = []string{"auto", "none", "16", "256", "true"}
)

// Show opens the screen with a setting until the person leaves, and gives the
// setting as it then was.
func Show(ctx context.Context, lab Lab, at Setting, o Options) (Setting, error) {
	m := newApp(lab, at, o)
	m.exports = lab
	_, err := o.program(ctx, m).Run()
	m.jobs.stop()
	if err == nil && m.broken {
		err = ErrLeft
	}
	return m.at, wrapped(err)
}

// Watch shows a run that goes on elsewhere: feed drives it until it ends or ctx
// does, and tells how it stands. Leaving the screen before its end ends it.
func Watch(ctx context.Context, at Setting, e Exporter, o Options, feed func(ctx context.Context, tell func(*Result)) error) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	m := newApp(nil, at, o)
	m.live, m.exports, m.stop = true, e, stop
	p := o.program(ctx, m)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		why := ""
		if err := feed(running, func(r *Result) { p.Send(r) }); err != nil && running.Err() == nil {
			why = err.Error()
		}
		p.Send(endMsg(why))
	}()
	_, err := p.Run()
	stop()
	<-ended
	return wrapped(err)
}

// program is a model on the terminal.
func (o Options) program(ctx context.Context, m tea.Model) *tea.Program {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithAltScreen(), tea.WithFPS(30), tea.WithoutSignalHandler()}
	if !o.NoMouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	return tea.NewProgram(m, options...)
}

// wrapped is bubbletea's error in our own words.
func wrapped(err error) error {
	if errors.Is(err, tea.ErrProgramKilled) || errors.Is(err, tea.ErrInterrupted) {
		return context.Canceled
	}
	return err
}

// ErrLeft is returned when the person left in the middle of a run.
var ErrLeft = errors.New("interrupted")

// theme is how text is set off.
type theme struct {
	colors                                 colors
	symbols                                symbols
	dark                                   bool
	bold, dim, on, good, bad, warn, accent lipgloss.Style
}

// newTheme finds out what the terminal can show.
func newTheme(o Options) theme {
	r := lipgloss.NewRenderer(o.Out)
	t := theme{symbols: symbolsOf(o.Symbols), dark: true}
	switch o.Colors {
	case "none":
		r.SetColorProfile(termenv.Ascii)
	case "16":
		r.SetColorProfile(termenv.ANSI)
	case "256":
		r.SetColorProfile(termenv.ANSI256)
	case "true":
		r.SetColorProfile(termenv.TrueColor)
	}
	if f, ok := o.Out.(*os.File); ok && f != nil {
		t.dark = r.HasDarkBackground()
	}
	switch r.ColorProfile() {
	case termenv.TrueColor:
		t.colors = trueColor
	case termenv.ANSI256:
		t.colors = color256
	case termenv.ANSI:
		t.colors = color16
	default:
		t.colors = noColor
	}
	t.bold, t.dim, t.on = r.NewStyle().Bold(true), r.NewStyle().Faint(true), r.NewStyle().Reverse(true)
	t.good, t.bad, t.warn, t.accent = r.NewStyle(), r.NewStyle().Bold(true), r.NewStyle().Bold(true), r.NewStyle().Bold(true)
	if t.colors != noColor {
		t.good, t.bad = t.good.Foreground(lipgloss.Color("2")), t.bad.Foreground(lipgloss.Color("1"))
		t.warn, t.accent = t.warn.Foreground(lipgloss.Color("3")), t.accent.Foreground(lipgloss.Color("6"))
	}
	return t
}

// symbolsOf reads the word of an option; auto goes by the locale and the kind
// of terminal.
func symbolsOf(word string) symbols {
	switch word {
	case "braille":
		return braille
	case "block":
		return block
	case "ascii":
		return ascii
	}
	if os.Getenv("TERM") == "linux" || !unicodeLocale() {
		return ascii
	}
	return braille
}

// frameTime is how long a frame of a replay lasts.
func (o Options) frameTime() time.Duration { return time.Second / time.Duration(max(o.FPS, 1)) }
