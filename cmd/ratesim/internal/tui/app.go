package tui

import (
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/ratesim/ratesim/plots"
)

// app is the screen's state. It changes in Update alone, which bubbletea calls
// from one goroutine.
type app struct {
	lab   Lab
	look  Options
	theme theme
	jobs  jobs

	width, height int

	at     Setting
	before []Setting // what undo goes back to
	beside *Setting  // laid under the current one, to compare
	field  int       // the chosen one
	edit   *input    // a value being typed

	view   View
	result *Result           // of the newest run that told something
	trades map[View]*trade   // charts that took many runs, of this setting
	failed string            // why the setting can't be run
	say    string            // the last thing worth telling
	more   string            // and its second line
	zoom   [numViews]zooming // each view's own
	replay *replaying
	frame  frame // the chart as it was drawn last, for the mouse
	chartX int   // where the chart begins on the screen
	chartY int
	drag   int // the column where a drag began, -1: none

	help    int // the page of the help that is shown, from 1; 0: none
	pick    *picker
	exports Exporter
	live    bool   // fed from outside: nothing can be changed
	over    bool   // live: the run has ended
	stop    func() // live: ends the run
	leaving bool   // live: as soon as the run has ended
	broken  bool   // left by ctrl+c while a run was under way: nobody waits for a report
}

// trade is a chart that takes many runs, or how far it is.
type endMsg string // of a live run: why it ended early, or nothing

type trade struct {
	chart       *plots.Chart
	err         string
	done, total int
}

func newApp(lab Lab, at Setting, o Options) *app {
	a := &app{lab: lab, look: o, theme: newTheme(o), at: at, trades: map[View]*trade{}, drag: -1, width: 80, height: 24}
	a.choose(at)
	return a
}

// choose puts the bar on the burst, which is what people come for.
func (a *app) choose(at Setting) {
	a.field = 0
	for i, f := range at.Fields {
		if strings.HasSuffix(f.Label, "burst") || strings.HasSuffix(f.Label, "allow") {
			a.field = i
			return
		}
	}
}

// Init is bubbletea's.
func (a *app) Init() tea.Cmd {
	if a.live {
		return nil
	}
	return a.run()
}

// Update is bubbletea's.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
	case tea.KeyMsg:
		return a, a.keysOf(msg)
	case tea.MouseMsg:
		return a, a.mouse(msg)
	case jobMsg:
		return a, a.told(msg)
	case tickMsg:
		return a, a.tick(msg)
	case openMsg:
		return a, a.opened(msg)
	case exportMsg:
		a.say, a.more = msg.String(), msg.command
	case *Result: // of a live run
		a.result = msg
	case endMsg:
		a.over, a.failed = true, string(msg)
		if a.leaving {
			return a, tea.Quit
		}
		if a.say == "" {
			a.say = "the run has ended: q leaves, with the report"
		}
	}
	return a, nil
}

// change takes a new setting and runs it; what ran is cancelled.
func (a *app) change(next Setting) tea.Cmd {
	a.before = append(a.before, a.at)
	return a.set(next)
}

func (a *app) set(next Setting) tea.Cmd {
	a.at, a.failed, a.say = next, "", ""
	a.replay = nil
	clear(a.trades)
	a.field = min(a.field, max(len(next.Fields)-1, 0))
	return a.run()
}

// run starts the run of the current setting, and the chart that is looked at.
func (a *app) run() tea.Cmd {
	at, beside := a.at, a.beside
	cmd := a.jobs.start(func(j *job) error {
		return a.lab.Run(j.ctx, at, beside, func(r *Result) { j.tell(r) })
	})
	return cmd
}

// lookInto starts what the chosen view needs and does not have yet.
func (a *app) lookInto() tea.Cmd {
	v := a.view
	if v < Burst || a.trades[v] != nil || a.live || a.failed != "" {
		return nil
	}
	a.trades[v] = &trade{}
	at := a.at
	return a.jobs.add(func(j *job) error {
		c, err := a.lab.Trade(j.ctx, at, v, func(done, total int) { j.progress(v, done, total) })
		if err != nil {
			return j.failed(v, err)
		}
		j.tell(tradeMsg{v, c})
		return nil
	})
}

// quit leaves; a live run is ended first, which takes a moment.
func (a *app) quit() tea.Cmd {
	if !a.live || a.over || a.leaving {
		return tea.Quit
	}
	a.leaving, a.say = true, "ending the run: running jobs get a moment"
	a.stop()
	return nil
}

// told takes what a job in the background says. What belongs to a setting that
// is no longer the current one is dropped.
func (a *app) told(m jobMsg) tea.Cmd {
	if m.job.gone() {
		return nil
	}
	switch news := m.news.(type) {
	case *Result:
		a.result = news
		if news.Final {
			return tea.Batch(m.job.next(), a.lookInto())
		}
	case tradeMsg:
		a.trades[news.view] = &trade{chart: news.chart}
	case progressMsg:
		if t := a.trades[news.view]; t != nil {
			t.done, t.total = news.done, news.total
		} else if news.view == suggesting {
			a.say = "looking for the burst: " + share(news.done, news.total)
		}
	case tradeErrMsg:
		a.trades[news.view] = &trade{err: news.err}
	case suggestMsg:
		cmd := a.change(news.at)
		a.say = news.say
		return cmd
	case errMsg:
		a.failed = string(news)
	case sayMsg:
		a.say = string(news)
	case overMsg:
		return nil
	}
	return m.job.next()
}

// chart is what the chosen view shows now, or nil and why not.
func (a *app) chart() (*plots.Chart, string) {
	if a.view >= Burst {
		switch t := a.trades[a.view]; {
		case a.live:
			return nil, "a live run has one burst and one poll"
		case a.failed != "":
			return nil, "this setting can't be run"
		case t == nil:
			return nil, "runs when the simulation is done"
		case t.err != "":
			return nil, t.err
		case t.chart != nil:
			return t.chart, ""
		default:
			return nil, "simulating " + share(t.done, t.total)
		}
	}
	if a.result == nil {
		return nil, "simulating"
	}
	if c := a.result.Charts[a.view]; c != nil {
		return c, ""
	}
	return nil, "this scenario has nothing to show here"
}

// unicodeLocale is true where the locale says UTF-8, or nothing.
func unicodeLocale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToUpper(v)
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return true
}
