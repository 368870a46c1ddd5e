package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/ratesim/ratesim/plots"
)

func plainText(s string) string { return ansi.Strip(s) }

// onScreen runs a test with a screen in a bubble; what it starts must end.
func onScreen(t *testing.T, width, height int, f func(s *screen, lab *fakeLab)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		lab := &fakeLab{}
		s := newTestScreen(t, lab, width, height, Options{Symbols: "braille", Colors: "none", FPS: 10})
		f(s, lab)
		s.end()
	})
}

func TestTurningRunsAgain(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.want("burst", "◂ 6 ▸", "20 runs ✓ passed", "drain 6/s", "empty at 10 s")
		before := s.text()
		s.press("left", "left", "left", "left", "left")
		s.want("◂ 1 ▸", "✗ failed", "empty at 60 s", "drain 1/s", "want >= 4")
		if s.text() == before {
			t.Error("the curve is the same")
		}
		s.press("u")
		s.want("◂ 2 ▸")
		s.press("shift+right")
		s.want("◂ 12 ▸")
		s.press("shift+left")
		s.want("◂ 2 ▸")
	})
}

// Keys that come in one message are as many as they are.
func TestKeysInQuickSuccession(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("right", "right", "uu", "h++2")
		s.want("◂ 6 ▸", "limit 10 per 1s")
		if z := s.zoom[Drain]; !z.cursor || z.from == 0 && z.to == 0 {
			t.Errorf("cursor %v, from %g to %g, want a cursor and a zoom", z.cursor, z.from, z.to)
		}
		s.press("1", "/", "mail", "enter")
		s.want(" mail ")
	})
}

func TestTyping(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("enter", "backspace", "4", "enter")
		s.want("◂ 4 ▸", "drain 4/s")
		s.press("enter", "9", "esc")
		s.want("◂ 4 ▸")
		// A value without steps is typed where it would be turned.
		s.press("down", "right", "x", "enter")
		s.want("exp(50ms)x")
	})
}

func TestAWrongValueIsTold(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		lab.fail = errors.New("limits.webhooks.burst: 11 is more than to, 10")
		s.press("right")
		s.want("✗ can't be run", "11 is more than to", "empty at 10 s")
		lab.fail = nil
		s.press("u")
		s.want("✓ passed")
	})
}

// Of ten quick changes only the last is shown, the others are cancelled, and
// none of their goroutines is left.
func TestQuickChangesEndInTheLast(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		lab.gate = make(chan struct{})
		for range 10 {
			s.send(keyNamed("right"))
		}
		s.settle()
		if lab.stopped != 9 {
			t.Errorf("%d runs were cancelled, want 9", lab.stopped)
		}
		s.want("empty at 10 s") // the old curve, until the new one is there
		close(lab.gate)
		s.settle()
		s.want("◂ 16 ▸", "drain 16/s")
	})
}

// A run that takes long holds no key and no frame up.
func TestTheFrameNeverWaits(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		lab.gate = make(chan struct{})
		s.press("right", "2", "1", "?", "?", "h", "+")
		s.want("◂ 7 ▸", "zoomed")
	})
}

func TestViews(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("tab")
		s.want("limit 10 per 1s")
		s.press("3")
		s.want("nothing to show here")
		s.press("4")
		s.want("suggested: burst 6", "drains at")
		s.press("5")
		s.want("Dispatcher poll", "best: burst 6, dispatcher poll 0.2s, 5")
		s.press("tab")
		s.want("Jobs waiting")
		s.press("shift+tab")
		s.want("Dispatcher poll")
		s.press("4", "right") // a new setting needs a new chart
		s.want("suggested: burst 6", "◂ 7 ▸")
	})
}

func TestCursorAndZoom(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("h")
		s.want("at 5 s", "window 10 of 10", "at the limit")
		s.press("L", "L")
		at := s.zoom[Drain].at
		s.press("+", "+")
		s.want("zoomed, 0 shows all")
		if f := s.app.frame; f.To-f.From > 2.6 || at < f.From || at > f.To {
			t.Errorf("shows %g to %g, want a quarter around the cursor at %g", f.From, f.To, at)
		}
		for range 40 {
			s.press("]")
		}
		if f := s.app.frame; f.To > 10.0001 {
			t.Errorf("panned to %g, want no further than the end, 10", f.To)
		}
		for range 40 {
			s.press("[")
		}
		if f := s.app.frame; f.From != 0 {
			t.Errorf("panned to %g, want no further than 0", f.From)
		}
		s.press("0")
		if f := s.app.frame; f.From != 0 || f.To < 10 {
			t.Errorf("shows %g to %g, want all of it", f.From, f.To)
		}
		s.press("esc")
		s.want("put a cursor on the chart")
	})
}

func TestMouse(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		x := s.chartX + s.app.frame.Left + (s.app.frame.Right-s.app.frame.Left)/2
		s.send(tea.MouseMsg{X: x, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		if z := s.zoom[Drain]; !z.cursor || z.at < 4 || z.at > 6 {
			t.Errorf("cursor at %g, want about 5", z.at)
		}
		s.send(tea.MouseMsg{X: x, Y: 10, Action: tea.MouseActionRelease})
		s.send(tea.MouseMsg{X: x, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp})
		s.want("zoomed")
		from := s.app.frame.From
		s.send(tea.MouseMsg{X: x, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		s.send(tea.MouseMsg{X: x + 5, Y: 10, Action: tea.MouseActionMotion, Button: tea.MouseButtonLeft})
		if s.app.frame.From >= from {
			t.Errorf("shows from %g after a drag to the right, want less than %g", s.app.frame.From, from)
		}
		s.send(tea.MouseMsg{X: x, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
		s.send(tea.MouseMsg{X: 14, Y: 1, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		if s.view != Windows {
			t.Errorf("a click on its name shows %v, want windows", s.view)
		}
		s.send(tea.MouseMsg{X: 5, Y: 2, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		if s.field != 0 {
			t.Errorf("a click chose field %d, want 0", s.field)
		}
	})
}

func TestCompareSuggestExport(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("c", "left")
		s.want("+1 (0.9 to 1.1)")
		s.press("c")
		s.want("compares no more", "drain 5/s")
		s.press("right", "s")
		s.want("burst 5 is suggested, it was 6", "◂ 5 ▸")
		s.press("s")
		s.want("this burst is the suggested one")
		s.press("e")
		s.want("wrote drain.png", "ratesim run webhooks")
	})
}

func TestPicker(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("/", "m", "a")
		s.want("mail")
		if strings.Contains(s.text(), "nightly") {
			t.Error("the filter lets through what lacks its word")
		}
		s.press("enter")
		s.want(" mail ")
		s.press("/", "x", "y", "z")
		s.want("none has that")
		s.press("enter", "esc")
		s.want(" mail ")
		s.press("/", "down", "down", "up", "down", "enter")
		s.want("night: no such file", " mail ")
	})
}

func TestReplay(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		s.press("r")
		pass := func(d time.Duration) {
			for range int(d / (100 * time.Millisecond)) {
				time.Sleep(100 * time.Millisecond) // the bubble's time
				s.settle()
			}
		}
		pass(3 * time.Second)
		s.want("▶ 2.5 s")
		s.press(" ")
		pass(time.Second)
		s.want("▮▮ 2.5 s")
		s.press(".")
		s.want("▮▮ 2.583 s")
		s.press(">", " ")
		pass(time.Second)
		s.want("▶ 4.25 s")
		s.press("<")
		pass(20 * time.Second)
		s.want("▮▮ 10 s")
		s.press(" ")
		s.want("▶ 0 s")
		s.press("r")
		s.want("put a cursor")
	})
}

// Every key of the help does something at every size, and nothing breaks.
func TestEveryKeyAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}, {300, 90}, {39, 12}, {40, 11}, {1, 1}, {72, 12}, {41, 50}} {
		for _, symbols := range Symbols[1:] {
			for _, color := range Colors[1:] {
				if testing.Short() && (symbols != "braille" || color != "true") {
					continue // no goroutine sees a difference
				}
				synctest.Test(t, func(t *testing.T) {
					s := newTestScreen(t, &fakeLab{}, size[0], size[1], Options{Symbols: symbols, Colors: color, FPS: 10})
					for _, g := range keys.groups() {
						for _, b := range g.keys {
							for _, k := range b.Keys() {
								s.press(k)
								check(t, s, size, k)
							}
						}
					}
					for _, k := range []string{"esc", "esc", "right", "5", "4", "3", "2", "1", "shift+right", "}", "{", "l", "FAR", "L", "H", "-", "]", ">", "<", "?"} {
						s.press(k)
						check(t, s, size, k)
					}
					s.end()
				})
			}
		}
	}
}

// check holds a frame to its size.
func check(t *testing.T, s *screen, size [2]int, key string) {
	t.Helper()
	lines := strings.Split(s.View(), "\n")
	if len(lines) > size[1] {
		t.Fatalf("%v after %q: %d lines", size, key, len(lines))
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > size[0] {
			t.Fatalf("%v after %q: a line of %d cells: %q", size, key, n, l)
		}
	}
	if s.theme.symbols == ascii {
		if i := strings.IndexFunc(s.View(), func(r rune) bool { return r > 126 }); i >= 0 {
			t.Fatalf("%v after %q: not ASCII: %q", size, key, s.View()[i:min(i+8, len(s.View()))])
		}
	}
}

// The help of a small screen has pages, and every key is on one of them.
func TestHelp(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}} {
		onScreen(t, size[0], size[1], func(s *screen, lab *fakeLab) {
			seen := ""
			for range s.helpPages() {
				s.press("?")
				seen += s.text()
			}
			for _, g := range keys.groups() {
				for _, b := range g.keys {
					if !strings.Contains(seen, b.Help().Desc) {
						t.Errorf("%v: no help for %s", size, b.Help().Key)
					}
				}
			}
			s.press("?")
			s.want("leave")
			s.press("?", "esc")
			s.want("leave")
		})
	}
}

func TestTooSmall(t *testing.T) {
	onScreen(t, 39, 12, func(s *screen, lab *fakeLab) {
		s.want("39x12 is too small, want 40x12", "drain 6/s, worst 10 of 10")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.want("1 drain")
	})
}

func TestQuit(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c"} {
		onScreen(t, 80, 24, func(s *screen, lab *fakeLab) {
			s.press(k)
			if !s.quit {
				t.Errorf("%s does not leave", k)
			}
		})
	}
}

// Ctrl-C in the middle of a run waits for no report; afterwards it is as q.
func TestLeavingARunUnderWay(t *testing.T) {
	onScreen(t, 80, 24, func(s *screen, lab *fakeLab) {
		s.press("ctrl+c")
		if !s.quit || s.broken {
			t.Errorf("after the run: quit %v, broken off %v, want the report", s.quit, s.broken)
		}
		s.quit, lab.gate = false, make(chan struct{})
		s.result = nil
		s.press("right")
		s.press("ctrl+c")
		if !s.quit || !s.broken {
			t.Errorf("in its middle: quit %v, broken off %v, want no report", s.quit, s.broken)
		}
	})
}

// A live run is ended before the screen goes, and what its feed tells is shown.
func TestLive(t *testing.T) {
	onScreen(t, 100, 30, func(s *screen, lab *fakeLab) {
		_, stop := context.WithCancel(context.Background())
		stopped := false
		s.live, s.result, s.stop = true, nil, func() { stopped = true; stop() }
		s.send(&Result{Title: "live one", Charts: [3]*plots.Chart{drained(3)}, Numbers: []Number{{"waiting", "42"}}})
		s.want("live", "waiting 42", "empty at 20 s")
		s.press("right", "s", "c", "enter", "/", "r")
		if len(lab.asked) != 1 {
			t.Errorf("a live run was changed: %v", lab.asked)
		}
		s.press("4")
		s.want("a live run has one burst")
		s.press("1", "q")
		if s.quit || !stopped {
			t.Errorf("quit %v, stopped %v: want the run to be ended first", s.quit, stopped)
		}
		s.want("ending the run")
		s.send(endMsg(""))
		s.settle()
		if !s.quit {
			t.Error("does not leave when the run has ended")
		}
	})
}

func BenchmarkUpdate(b *testing.B) {
	a := newApp(&fakeLab{}, fakeSetting(), Options{Symbols: "braille", Colors: "true", Out: &strings.Builder{}})
	a.width, a.height = 160, 45
	a.result = &Result{Final: true, Charts: [3]*plots.Chart{drained(6), filled(), nil}}
	b.ReportAllocs()
	for i := range b.N {
		a.Update(keyNamed([]string{"h", "l"}[i%2]))
		a.View()
	}
}
