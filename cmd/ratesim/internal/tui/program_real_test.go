//go:build live

package tui

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"
)

// The real program, its reader of keys and its renderer: what is typed comes
// out, at every size, and the program ends by itself.
func TestRealProgram(t *testing.T) {
	for _, o := range []Options{
		{Symbols: "braille", Colors: "true", FPS: 10}, {Symbols: "block", Colors: "16", FPS: 10}, {Symbols: "ascii", Colors: "none", FPS: 10},
	} {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}} {
			o.Out = io.Discard
			lab := &fakeLab{}
			a := newApp(lab, fakeSetting(), o)
			a.exports = lab
			m := teatest.NewTestModel(t, a, teatest.WithInitialTermSize(size[0], size[1]))
			wait := func(part string) {
				t.Helper()
				teatest.WaitFor(t, m.Output(), func(b []byte) bool { return bytes.Contains([]byte(ansi.Strip(string(b))), []byte(part)) }, teatest.WithDuration(10*time.Second))
			}
			wait("passed")
			for range 5 {
				m.Send(tea.KeyMsg{Type: tea.KeyLeft})
			}
			wait("failed")
			m.Type("2")
			wait("limit 10 per 1s"[:5])
			m.Type("q")
			m.WaitFinished(t, teatest.WithFinalTimeout(10*time.Second))
			last := m.FinalModel(t).(*app)
			last.jobs.stop()
			if got := last.at.Fields[2].Value; got != "1" {
				t.Errorf("%v: burst %s at the end, want 1", size, got)
			}
			if o.Symbols == "ascii" && strings.ContainsAny(last.View(), "⠁│┤█") {
				t.Errorf("%v: not ASCII:\n%s", size, last.View())
			}
		}
	}
}
