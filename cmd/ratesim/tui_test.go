package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/tui"
)

func testLab(t testing.TB, name string) (*lab, tui.Setting) {
	t.Helper()
	l := newLab(&tuiFlags{}, name, nil)
	at, err := l.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return l, at
}

// put is the setting with a field replaced.
func put(t testing.TB, at tui.Setting, label, value string) tui.Setting {
	t.Helper()
	at.Fields = append([]tui.Field{}, at.Fields...)
	for i := range at.Fields {
		if at.Fields[i].Label == label {
			at.Fields[i].Value = value
			return at
		}
	}
	t.Fatalf("no field %s among %v", label, at.Fields)
	return at
}

// ranOn is what the screen shows in the end.
func ranOn(t testing.TB, l *lab, at tui.Setting, beside *tui.Setting) *tui.Result {
	t.Helper()
	var last *tui.Result
	if err := l.Run(t.Context(), at, beside, func(r *tui.Result) { last = r }); err != nil {
		t.Fatal(err)
	}
	if !last.Final {
		t.Fatal("the last result is not final")
	}
	return last
}

// The screen's numbers are those of ratesim run, and a burst has a curve of its
// own.
func TestScreenShowsTheNumbersOfRun(t *testing.T) {
	l, at := testLab(t, "webhooks")
	curves := map[string]bool{}
	for _, burst := range []string{"1", "6"} {
		got := ranOn(t, l, put(t, at, "burst", burst), nil)
		var out, errOut bytes.Buffer
		run(t.Context(), &out, &errOut, nil, []string{"run", "webhooks", "--json", "--set", "limits.webhooks.burst=" + burst})
		var doc struct {
			Scenarios []struct {
				Passed  bool
				Runs    int
				Summary struct {
					Drain  float64 `json:"drain_per_s"`
					Window float64 `json:"window_max"`
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
			t.Fatalf("%v: %s", err, errOut.String())
		}
		s := doc.Scenarios[0]
		numbers := map[string]string{}
		for _, n := range got.Numbers {
			numbers[n.Label] = n.Value
		}
		if want := report.Rate(s.Summary.Drain, time.Second); numbers["drain"] != want {
			t.Errorf("burst %s: the screen's drain is %s, that of run %s", burst, numbers["drain"], want)
		}
		if want := fmt.Sprintf("%g of 10", s.Summary.Window); numbers["worst"] != want {
			t.Errorf("burst %s: the screen's worst window is %s, that of run %s", burst, numbers["worst"], want)
		}
		if got.Passed != s.Passed || got.Runs != s.Runs {
			t.Errorf("burst %s: passed %v in %d runs, run says %v in %d", burst, got.Passed, got.Runs, s.Passed, s.Runs)
		}
		curves[fmt.Sprint(got.Charts[tui.Drain].Series[0].Y)] = true
	}
	if len(curves) != 2 {
		t.Error("both bursts have the same curve")
	}
}

func TestScreenCompares(t *testing.T) {
	l, at := testLab(t, "webhooks")
	held := put(t, at, "burst", "3")
	r := ranOn(t, l, at, &held)
	if n := len(r.Charts[tui.Drain].Series); n < 2 {
		t.Errorf("%d lines, want both settings", n)
	}
	if len(r.Against) == 0 || !strings.HasPrefix(r.Against[0].Value, "+2.0") && !strings.HasPrefix(r.Against[0].Value, "+1.9") {
		t.Errorf("the difference is %v, want about +2 in the drain", r.Against)
	}
	same := ranOn(t, l, at, &at)
	for _, n := range same.Against {
		if n.Value != "the same" {
			t.Errorf("%s differs from itself by %s", n.Label, n.Value)
		}
	}
}

func TestScreenSuggests(t *testing.T) {
	l, at := testLab(t, "webhooks")
	next, err := l.Suggest(t.Context(), put(t, at, "burst", "2"), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range next.Fields {
		if f.Label == "burst" && f.Value != "6" {
			t.Errorf("burst %s is suggested, ratesim suggest says 6", f.Value)
		}
	}
}

// Every field of every shipped scenario can be turned and read back, and what
// the screen says is the equal command line is.
func TestFieldsTurn(t *testing.T) {
	for _, named := range (&lab{}).Scenarios() {
		l, at := testLab(t, named.Name)
		if _, err := l.scenario(at); err != nil {
			t.Errorf("%s as it is: %v", named.Name, err)
		}
		for i, f := range at.Fields {
			if f.Turn == nil {
				continue
			}
			for _, steps := range []int{1, -1, 10, -10} {
				value := f.Turn(f.Value, steps)
				if value == f.Value {
					continue
				}
				next := put(t, at, f.Label, value)
				if i > 0 && next.Fields[i].Value != value {
					continue // two classes may share a label
				}
				s, err := l.scenario(next)
				if err != nil {
					continue // such as a burst above to: told on the screen
				}
				if f.Label == "dispatchers" && len(s.Dispatchers) != len(value) && fmt.Sprint(len(s.Dispatchers)) != value {
					t.Errorf("%s: %d dispatchers, want %s", named.Name, len(s.Dispatchers), value)
				}
				if back := fields(s); len(back) == len(next.Fields) && back[i].Value != value {
					t.Errorf("%s: %s turned to %s is read as %s", named.Name, f.Label, value, back[i].Value)
				}
			}
		}
	}
}

func TestTurning(t *testing.T) {
	for _, c := range []struct {
		turn  func(string, int) string
		value string
		steps int
		want  string
	}{
		{turnCount(1), "6", 1, "7"}, {turnCount(1), "2", -10, "1"}, {turnCount(1), "x", 1, "x"},
		{turnLength, "1s", 1, "1.2s"}, {turnLength, "1s", -1, "800ms"}, {turnLength, "100ms", 10, "1s"}, {turnLength, "exp(50ms)", 1, "exp(50ms)"}, {turnLength, "1us", -1, "1us"},
		{turnRound, "600", 1, "800"}, {turnRound, "600", -1, "500"}, {turnRound, "0", 1, "1"}, {turnRound, "3", -10, "0"}, {turnRound, "10", 1, "12"},
		{turnSleep, "1s", 1, "2s"}, {turnSleep, "3s", -1, "2s"}, {turnSleep, "1s", -1, "800ms"}, {turnSleep, "800ms", 1, "1s"}, {turnSeconds, "1s", -10, "1s"},
		{turnRate, "none", 1, "poisson 1/s"}, {turnRate, "poisson 2/s", 1, "poisson 2.5/s"}, {turnRate, "cron 0 x 10", 1, "cron 0 x 10"}, {turnRate, "none", -1, "none"},
	} {
		if got := c.turn(c.value, c.steps); got != c.want {
			t.Errorf("%s turned by %d is %s, want %s", c.value, c.steps, got, c.want)
		}
	}
}

func TestExportWritesOverNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	l, at := testLab(t, "webhooks")
	at = put(t, at, "burst", "5")
	at = put(t, at, "dispatchers", "2")
	c := ranOn(t, l, at, nil).Charts[tui.Drain]
	first, command, err := l.Export(at, tui.Drain, c)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := l.Export(at, tui.Drain, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 4 || len(second) != 4 || first[0] == second[0] {
		t.Errorf("wrote %v and %v, want four files each, all different", first, second)
	}
	for _, name := range first {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The scenario and the command line say the same as the screen.
	var out, errOut bytes.Buffer
	run(t.Context(), &out, &errOut, nil, []string{"run", first[3], "--json"})
	words := []string{"run", "webhooks", "--json", "--set", "dispatchers=[{polling_interval: 1s, batch_size: 500}, {polling_interval: 1s, batch_size: 500}]", "--set", "limits.webhooks.burst=5"}
	if want := "ratesim run webhooks --set 'dispatchers=[{polling_interval: 1s, batch_size: 500}, {polling_interval: 1s, batch_size: 500}]' --set limits.webhooks.burst=5"; command != want {
		t.Errorf("the command is %s, want %s", command, want)
	}
	var again bytes.Buffer
	run(t.Context(), &again, &errOut, nil, words)
	clean := func(b []byte) string {
		lines := strings.Split(string(b), "\n")
		for i := range lines {
			if strings.Contains(lines[i], `"file"`) {
				lines[i] = ""
			}
		}
		return strings.Join(lines, "\n")
	}
	if out.Len() == 0 || clean(out.Bytes()) != clean(again.Bytes()) {
		t.Errorf("the exported scenario gives other numbers than the command line: %s", errOut.String())
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{"webhooks": "webhooks", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "jobs[0].backlog=5": "'jobs[0].backlog=5'", "a=1": "a=1"} {
		if got := shellWord(in); got != want {
			t.Errorf("%s is quoted as %s, want %s", in, got, want)
		}
	}
}

// A cancelled run ends soon, whatever it was at, and leaves nothing behind.
func TestScreenRunsCanBeCancelled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "big.yml")
	if err := os.WriteFile(name, []byte("name: big\nlimits: {api: {to: 100, per: 1s, burst: 5}}\njobs: [{class: J, backlog: 5000000, limit: api}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, at := testLab(t, name)
	before := runtime.NumGoroutine()
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if err := l.Run(ctx, at, nil, func(*tui.Result) {}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v, want the deadline", err)
		}
		cancel()
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines are left of %d", after, before)
	}
}

// Without a terminal the screen is the report, and ends as run does.
func TestScreenWithoutATerminal(t *testing.T) {
	for _, args := range [][]string{{"webhooks"}, {"webhooks", "--set", "limits.webhooks.burst=2"}, {"webhooks", "--runs", "10", "--no-tui"}} {
		var screen, plain, errOut bytes.Buffer
		code := run(t.Context(), &screen, &errOut, strings.NewReader(""), append([]string{"tui"}, args...))
		rest := []string{}
		for _, w := range args {
			if w != "--no-tui" {
				rest = append(rest, w)
			}
		}
		want := run(t.Context(), &plain, &errOut, nil, append([]string{"run"}, rest...))
		if code != want || screen.String() != plain.String() {
			t.Errorf("%v: ended with %d and printed %s, want %d and %s", args, code, screen.String(), want, plain.String())
		}
	}
}

// BenchmarkCurve is a change of burst until its curve is there to be drawn.
func BenchmarkCurve(b *testing.B) {
	l, at := testLab(b, "webhooks")
	settings := []tui.Setting{put(b, at, "burst", "5"), put(b, at, "burst", "6")}
	b.ReportAllocs()
	for i := range b.N {
		ctx, cancel := context.WithCancel(b.Context())
		_ = l.Run(ctx, settings[i%2], nil, func(*tui.Result) { cancel() })
		cancel()
	}
}
