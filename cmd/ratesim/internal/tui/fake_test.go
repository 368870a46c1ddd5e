package tui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/ratesim/ratesim/plots"
)

// fakeLab answers at once and remembers what it was asked; a gate holds runs
// back until a test lets them go.
type fakeLab struct {
	mu      sync.Mutex
	gate    chan struct{}
	asked   []string
	stopped int
	fail    error
}

func (l *fakeLab) Scenarios() []Named {
	return []Named{{"webhooks", "A backlog of webhooks"}, {"mail", "Mails at two a second"}, {"night", "A nightly export"}}
}

func (l *fakeLab) Open(name string) (Setting, error) {
	if name == "night" {
		return Setting{}, errors.New("night: no such file")
	}
	s := fakeSetting()
	s.Scenario = name
	return s, nil
}

func fakeSetting() Setting {
	step := func(value string, steps int) string {
		n, _ := strconv.Atoi(value)
		return strconv.Itoa(max(n+steps, 1))
	}
	return Setting{Scenario: "webhooks", Fields: []Field{
		{Key: "to", Label: "to", Value: "10", File: "10", Turn: step},
		{Key: "per", Label: "per", Value: "1s", File: "1s"},
		{Key: "burst", Label: "burst", Value: "6", File: "6", Turn: step},
		{Key: "takes", Label: "takes", Value: "exp(50ms)", File: "exp(50ms)"},
	}}
}

// drained is a backlog that is gone after 60/burst seconds.
func drained(burst int) *plots.Chart {
	s := plots.Series{Name: fmt.Sprintf("burst %d: empty at %d s", burst, 60/burst), Step: true}
	for i := range 61 {
		s.X, s.Y = append(s.X, float64(i)/float64(burst)), append(s.Y, float64(600-10*i))
	}
	return &plots.Chart{X: plots.Axis{Label: "Time since start", Unit: " s"}, Y: plots.Axis{Label: "Jobs waiting"}, Series: []plots.Series{s}}
}

func filled() *plots.Chart {
	s := plots.Series{Name: "burst 6: at most 10 in 1s", Step: true}
	for i := range 21 {
		s.X, s.Y = append(s.X, float64(i)/2), append(s.Y, float64(i%11))
	}
	return &plots.Chart{X: plots.Axis{Label: "Time since start", Unit: " s"}, Y: plots.Axis{Label: "Claims in the window that ends here"}, Series: []plots.Series{s}, Levels: []plots.Level{{Name: "limit 10 per 1s", Y: 10}}}
}

func (l *fakeLab) Run(ctx context.Context, at Setting, beside *Setting, tell func(*Result)) error {
	burst, _ := strconv.Atoi(at.Fields[2].Value)
	l.mu.Lock()
	l.asked = append(l.asked, at.Fields[2].Value)
	gate, fail := l.gate, l.fail
	l.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			l.mu.Lock()
			l.stopped++
			l.mu.Unlock()
			return ctx.Err()
		}
	}
	if fail != nil {
		return fail
	}
	r := &Result{Title: "600 jobs, 10 per 1s", Runs: 1, Charts: [3]*plots.Chart{drained(burst), filled(), nil}}
	tell(r)
	last := *r
	last.Runs, last.Final, last.Passed = 20, true, burst > 3
	last.Numbers = []Number{{"drain", fmt.Sprintf("%d/s", burst)}, {"worst", "10 of 10"}}
	if beside != nil {
		last.Against = []Number{{"drain/s", "+1 (0.9 to 1.1)"}}
	}
	if !last.Passed {
		last.Warning = "failed drain_per_s: want >= 4"
	}
	tell(&last)
	return nil
}

func (l *fakeLab) Trade(_ context.Context, _ Setting, v View, progress func(done, total int)) (*plots.Chart, error) {
	progress(1, 2)
	if v == Heat {
		return &plots.Chart{X: plots.Axis{Label: "Burst", Steps: []string{"1", "6"}}, Y: plots.Axis{Label: "Dispatcher poll", Steps: []string{"0.2s", "1s"}}, Heat: &plots.Heat{Cells: [][]float64{{4, 5}, {1, 5}}, Best: [2]int{1, 0}}}, nil
	}
	return &plots.Chart{X: plots.Axis{Label: "Burst"}, Y: plots.Axis{Label: "Jobs/s"}, Series: []plots.Series{{Name: "drains at", Points: true, X: []float64{1, 2, 3, 4, 5, 6, 7}, Y: []float64{1, 2, 3, 4, 5, 5, 4}}}, Marks: []plots.Mark{{Name: "suggested: burst 6", X: 6, Y: 5}}}, nil
}

func (l *fakeLab) Suggest(_ context.Context, at Setting, progress func(done, total int)) (Setting, error) {
	return at.with(2, "5"), nil
}

func (l *fakeLab) Export(_ Setting, v View, _ *plots.Chart) ([]string, string, error) {
	return []string{v.String() + ".png"}, "ratesim run webhooks", nil
}

// screen is an app whose commands run in goroutines of a synctest bubble.
type screen struct {
	*app
	t    *testing.T
	msgs chan tea.Msg
	quit bool
}

func newTestScreen(t *testing.T, lab *fakeLab, width, height int, o Options) *screen {
	o.Out = &strings.Builder{}
	s := &screen{app: newApp(lab, fakeSetting(), o), t: t, msgs: make(chan tea.Msg)}
	s.exports = lab
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	s.start(s.Init())
	s.settle()
	return s
}

func (s *screen) start(cmd tea.Cmd) {
	if cmd != nil {
		go func() { s.msgs <- cmd() }()
	}
}

func (s *screen) send(m tea.Msg) {
	switch m := m.(type) {
	case nil:
	case tea.QuitMsg:
		s.quit = true
	case tea.BatchMsg:
		for _, cmd := range m {
			s.start(cmd)
		}
	default:
		_, cmd := s.Update(m)
		s.start(cmd)
		s.View() // draws whatever state it is in
	}
}

// settle handles messages until none comes without time passing.
func (s *screen) settle() {
	for {
		synctest.Wait()
		select {
		case m := <-s.msgs:
			s.send(m)
		default:
			return
		}
	}
}

// press sends keys by their names.
func (s *screen) press(names ...string) {
	for _, name := range names {
		s.send(keyNamed(name))
		s.settle()
	}
}

func keyNamed(name string) tea.KeyMsg {
	kinds := map[string]tea.KeyType{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight,
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ,
		"backspace": tea.KeyBackspace, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, " ": tea.KeySpace,
	}
	if k, ok := kinds[name]; ok {
		m := tea.KeyMsg{Type: k}
		if k == tea.KeySpace {
			m.Runes = []rune{' '}
		}
		return m
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// text is the screen without codes of colour.
func (s *screen) text() string { return plainText(s.View()) }

func (s *screen) want(parts ...string) {
	s.t.Helper()
	text := s.text()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			s.t.Errorf("the screen lacks %q:\n%s", p, text)
		}
	}
}

// end stops what runs and empties the bubble.
func (s *screen) end() {
	s.jobs.stop()
	s.replay = nil
	time.Sleep(time.Second) // the bubble's, for the last tick of a replay
	s.settle()
}
