//go:build live

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// terminal is a program in a terminal of tmux, which is keys in and a screen
// out.
type terminal struct {
	t      *testing.T
	socket string
}

// inTerminal starts a program. What it printed and its exit code are on the
// screen when it has ended.
func inTerminal(t *testing.T, width, height int, env []string, command string) *terminal {
	t.Helper()
	x := &terminal{t, "ratesim-" + strconv.Itoa(os.Getpid()) + "-" + regexp.MustCompile(`\W`).ReplaceAllString(t.Name(), "-")}
	x.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "env "+strings.Join(env, " ")+" "+command+"; echo exit $?; cat")
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", x.socket, "kill-server").Run() })
	return x
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (x *terminal) keys(names ...string) { x.tmux(append([]string{"send-keys"}, names...)...) }

// wait is the screen once it has all the parts.
func (x *terminal) wait(parts ...string) string {
	x.t.Helper()
	var screen string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		screen = x.tmux("capture-pane", "-p")
		all := true
		for _, p := range parts {
			all = all && strings.Contains(screen, p)
		}
		if all {
			return screen
		}
	}
	x.t.Fatalf("the screen never had all of %q:\n%s", parts, screen)
	return ""
}

func TestRealScreen(t *testing.T) {
	program := build(t)
	for name, c := range map[string]struct {
		width, height int
		env           []string
		flags         string
	}{
		"40x12":   {40, 12, nil, ""},
		"80x24":   {80, 24, nil, ""},
		"160x45":  {160, 45, []string{"COLORTERM=truecolor"}, ""},
		"nocolor": {80, 24, []string{"NO_COLOR=1"}, ""},
		"ascii":   {80, 24, nil, "--symbols ascii"},
		"linux":   {80, 24, []string{"TERM=linux"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := inTerminal(t, c.width, c.height, c.env, program+" tui webhooks "+c.flags)
			six := x.wait("passed", "drain", "4.98")
			x.keys("Left", "Left", "Left", "Left", "Left")
			one := x.wait("failed", "0.99")
			if six == one {
				t.Error("burst 1 looks like burst 6")
			}
			if ascii := name == "ascii" || name == "linux"; ascii && strings.ContainsAny(one, "⠁⢸│┤└█") {
				t.Errorf("braille or blocks in a screen of ASCII:\n%s", one)
			}
			if name == "nocolor" {
				if codes := regexp.MustCompile(`\x1b\[[0-9;]*[34][0-9]`).FindString(x.tmux("capture-pane", "-p", "-e")); codes != "" {
					t.Errorf("colour in spite of NO_COLOR: %q", codes)
				}
			}
			x.keys("?")
			x.wait("choose a setting")
			x.keys("Escape")
			x.wait("turn")
			x.keys("2", "3", "4", "5", "1", "u", "u", "u", "u", "u")
			x.wait("passed")
			x.keys("q")
			last := x.wait("exit 0")
			if !strings.Contains(last, "passed") || !strings.Contains(last, "drain") {
				t.Errorf("lacks the report:\n%s", last)
			}
		})
	}
}

// The exit code is that of the setting one leaves with.
func TestRealScreenExitCode(t *testing.T) {
	x := inTerminal(t, 100, 30, nil, build(t)+" tui webhooks")
	x.wait("passed")
	x.keys("Left", "Left")
	x.wait("failed")
	x.keys("q")
	x.wait("exit 1", "drain_per_s")
}

func TestRealScreenTooSmall(t *testing.T) {
	x := inTerminal(t, 60, 20, nil, build(t)+" tui webhooks")
	x.wait("passed")
	x.tmux("resize-window", "-x", "39", "-y", "10")
	x.wait("too small, want 40x12", "drain 4.98")
	x.tmux("resize-window", "-x", "120", "-y", "40")
	x.wait("dispatch poll", "Jobs waiting")
}

func TestRealScreenExports(t *testing.T) {
	program := build(t)
	dir := t.TempDir()
	x := inTerminal(t, 200, 30, nil, "sh -c 'cd "+dir+" && "+program+" tui webhooks'")
	x.wait("passed")
	x.keys("s")
	x.wait("suggested one")
	x.keys("e")
	x.wait("wrote ratesim-webhooks-drain.png", "ratesim run webhooks")
	x.keys("q")
	x.wait("exit 0")
	for _, ending := range []string{"png", "svg", "csv", "yml"} {
		if info, err := os.Stat(filepath.Join(dir, "ratesim-webhooks-drain."+ending)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", ending, err)
		}
	}
}

// A live run is shown as it goes, ended by leaving, and told of in the end.
func TestRealScreenLive(t *testing.T) {
	program := build(t)
	x := inTerminal(t, 100, 30, nil, program+" live webhooks --for 60s --tui")
	x.wait("live", "simulated", "claimed")
	x.keys("q")
	x.wait("interrupted", "exit 130")
	y := inTerminal(t, 100, 50, nil, program+" live --to 10 --per 1s --burst 6 --backlog 12 --tui")
	y.wait("the run has ended")
	y.keys("q")
	y.wait("exit 0", "Live and simulation agree")
}

// A trace of 5 MB of arrivals is simulated for seconds; meanwhile the screen
// does what keys say.
func TestRealScreenWithABigTrace(t *testing.T) {
	dir := t.TempDir()
	var trace strings.Builder
	for i := 0; trace.Len() < 5_000_000; i++ {
		trace.WriteString(strconv.FormatFloat(float64(i)/5, 'f', 6, 64) + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "trace.csv"), []byte(trace.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "big.yml")
	if err := os.WriteFile(name, []byte("name: big\nlimits: {api: {to: 10, per: 1s, burst: 6}}\njobs: [{class: J, limit: api, arrivals: trace trace.csv}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := inTerminal(t, 120, 40, nil, build(t)+" tui "+name)
	x.wait("1 run, simulating")
	for _, step := range [][2]string{{"?", "choose a setting"}, {"Escape", "Jobs waiting"}, {"2", "Claims in the window"}, {"h", "window"}, {"Left", "◂ 5 ▸"}, {"Left", "◂ 4 ▸"}} {
		began := time.Now()
		x.keys(step[0])
		x.wait(step[1])
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s took %v", step[0], took)
		}
	}
	x.keys("C-c")
	x.wait("exit")
}
