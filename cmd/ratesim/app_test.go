package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// screen is a buffer that passes for a terminal.
type screen struct {
	bytes.Buffer
	width int
}

func (s *screen) TerminalWidth() int { return s.width }

var codes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColourOnATerminalOnly(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	args := []string{"explain", "--to", "10", "--per", "1s", "--burst", "3", "--poll", "1s", "--backlog", "60"}
	var plain, errs bytes.Buffer
	if code := run(context.Background(), &plain, &errs, nil, args); code != 0 {
		t.Fatal(errs.String())
	}
	if codes.MatchString(plain.String() + errs.String()) {
		t.Error("colour where there is no terminal")
	}
	colour := &screen{width: 80}
	run(context.Background(), colour, io.Discard, nil, args)
	if !codes.MatchString(colour.String()) {
		t.Error("no colour on a terminal")
	}
	if got := codes.ReplaceAllString(colour.String(), ""); got != plain.String() {
		t.Errorf("with its colour taken out a report differs:\n%s", got)
	}

	off := &screen{width: 80}
	run(context.Background(), off, off, nil, append(args, "--no-color"))
	if codes.MatchString(off.String()) {
		t.Error("colour in spite of --no-color")
	}
	t.Setenv("NO_COLOR", "1")
	off.Reset()
	run(context.Background(), off, off, nil, args)
	if codes.MatchString(off.String()) {
		t.Error("colour in spite of NO_COLOR")
	}
}

func TestReportsFitTheTerminal(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120} {
		s := &screen{width: width}
		run(context.Background(), s, io.Discard, nil,
			[]string{"explain", "--to", "10", "--per", "1s", "--burst", "3", "--poll", "1s", "--backlog", "600", "--no-color"})
		for line := range strings.Lines(s.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("%d columns on a terminal of %d: %s", n, width, line)
			}
		}
	}
}

// waiting is standard input that never says anything.
type waiting struct{}

func (waiting) Read([]byte) (int, error) { select {} }

func TestInterruptedWhileWaiting(t *testing.T) {
	for sig, want := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(10*time.Millisecond, func() { cancel(interrupted{sig}) })
		var errs bytes.Buffer
		code := run(ctx, io.Discard, &errs, waiting{}, []string{"audit", "--to", "1", "--per", "1s"})
		if code != want || errs.String() != "interrupted\n" {
			t.Errorf("%v: exit code %d and %q, want %d", sig, code, errs.String(), want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(interrupted{os.Interrupt})
	for _, c := range []struct {
		name string
		err  error
		code int
		line string
	}{
		{"done", nil, 0, ""},
		{"a verdict", failed(), 1, ""},
		{"a mistake", usagef("--to: %d", 0), 2, "--to: 0"},
		{"a file that is not there", fileError(&fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}), 2, "x: no such file or directory"},
		{"a full disk", fileError(&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}), 3, "x: no space left on device"},
		{"whatever else", errors.New("lost the database"), 3, "lost the database"},
		{"interrupted", context.Canceled, 130, "interrupted"},
	} {
		if code, line := codeOf(ctx, c.err); code != c.code || line != c.line {
			t.Errorf("%s: %d %q, want %d %q", c.name, code, line, c.code, c.line)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAFullDiskIsNotSuccess(t *testing.T) {
	var errs bytes.Buffer
	for _, args := range [][]string{{"version"}, {"version", "--json"}, {"explain", "--to", "1", "--per", "1s", "--burst", "1"}, {"man"}, {"schema", "output"}} {
		errs.Reset()
		if code := run(context.Background(), broken{}, &errs, nil, args); code != 3 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
	}
}

// bomb is standard input that brings the program down.
type bomb struct{}

func (bomb) TerminalWidth() int          { panic("out of luck\nand of lines") }
func (bomb) Read([]byte) (int, error)    { return 0, io.EOF }
func (bomb) Write(p []byte) (int, error) { return len(p), nil }

func TestABugIsOneLine(t *testing.T) {
	var errs bytes.Buffer
	code := run(context.Background(), io.Discard, &errs, bomb{}, []string{"audit", "--to", "1", "--per", "1s"})
	if code != 3 || errs.String() != "internal error, please report it: out of luck and of lines\n" {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
}

func TestMistakesInFilesAllShow(t *testing.T) {
	_, errs := scenarios.Read("bad.yml", []byte("name: x\nlimitz: 1\n"), scenarios.Options{})
	var out bytes.Buffer
	a := &app{errOut: &out}
	if code, line := codeOf(context.Background(), a.mistakes(errs)); code != 2 || line != "" {
		t.Errorf("exit code %d and %q", code, line)
	}
	if got := strings.Count(out.String(), "\n"); got != len(errs) || !strings.HasPrefix(out.String(), "bad.yml:") {
		t.Errorf("%d lines for %d mistakes:\n%s", got, len(errs), out.String())
	}
	s := &screen{width: 80}
	a.errOut = s
	_ = a.mistakes(errs)
	if !strings.Contains(s.String(), "^") {
		t.Errorf("no caret on a terminal:\n%s", s.String())
	}
	if err := a.mistakes(nil); err != nil {
		t.Errorf("%v for no mistakes", err)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"burst", "backlog", "bucket", "per", "to"}
	for word, want := range map[string]string{"brust": "burst", "bursts": "burst", "backlogs": "backlog", "pre": "per", "frobnicate": "", "x": "to"} {
		if word == "x" {
			want = "" // one letter of two is no guess
		}
		if got := model.Nearest(word, names); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// Every flag reads back what it prints, so that defaults in help can be typed.
func TestFlagsReadWhatTheyPrint(t *testing.T) {
	d, c, p, b, r, x, ch := new(duration), &count{}, new(pollPair), new(burstRange), new(rate), new(dist), &choice{among: []string{"csv", "lines"}}
	for _, f := range []struct {
		v interface {
			Set(string) error
			String() string
			Type() string
		}
		in, out string
	}{
		{d, "1min", "1m"}, {d, "1 hour", "1h"}, {d, "90s", "1m30s"}, {c, "1_000", "1000"}, {p, "1s,0.1s", "1s,100ms"}, {p, "200ms", "200ms,100ms"},
		{b, "6", "6"}, {b, "2..8", "2..8"}, {r, "100/min", "100/min"}, {x, "50ms", "50ms"}, {ch, "csv", "csv"},
	} {
		if err := f.v.Set(f.in); err != nil || f.v.String() != f.out {
			t.Errorf("%s: %q, %v, want %q", f.in, f.v.String(), err, f.out)
		}
		if err := f.v.Set(f.v.String()); err != nil {
			t.Errorf("%s: %v when read back", f.in, err)
		}
		if strings.HasPrefix(article(f.v.Type()), "a value") {
			t.Errorf("type %s has no words of its own", f.v.Type())
		}
	}
	if r.PerSecond() < 1.66 || r.PerSecond() > 1.67 {
		t.Errorf("100/min is %v a second", r.PerSecond())
	}
}

func TestFlagsRefuse(t *testing.T) {
	for _, c := range []struct {
		v    interface{ Set(string) error }
		in   string
		want string
	}{
		{new(duration), "1", "unit"}, {new(duration), "0s", "above 0"}, {new(duration), "fast", "length"},
		{&count{Least: 1}, "0", "at least 1"}, {&count{}, "1.5", "not a whole number"}, {&count{Most: 9}, "10", "at most 9"},
		{new(pollPair), "1s,2s,3s", "3 parts"}, {new(pollPair), "1s,", "worker"}, {new(pollPair), "999us", "at least 1ms"}, {new(pollPair), "1s,5", "unit"},
		{new(burstRange), "0", "at least 1"}, {new(burstRange), "8..2", "2..8"}, {new(burstRange), "a..b", "range"},
		{new(rate), "5", "5"}, {new(dist), "exp(", "exp("}, {&choice{among: []string{"csv", "lines"}}, "line", "did you mean lines"},
	} {
		if err := c.v.Set(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want a sentence with %q", c.in, err, c.want)
		}
	}
}

func TestCheckLimitNamesTheFlag(t *testing.T) {
	for _, c := range []struct {
		to    int
		per   time.Duration
		burst burstRange
		want  string
	}{
		{10, time.Second, burstRange{1, 11}, "--burst: 11 is above --to 10, want 1 to 10"},
		{100000, time.Second, burstRange{1, 1}, "--to: the interval"},
		{2, 1 << 62, burstRange{2, 2}, "--per: "},
	} {
		if err := checkLimit(c.to, c.per, c.burst); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%d per %v burst %v: %v, want %q", c.to, c.per, c.burst, err, c.want)
		}
	}
	if err := checkLimit(10, time.Second, burstRange{1, 10}); err != nil {
		t.Error(err)
	}
}

func TestCompletionOffersValues(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"audit", "--format", ""}, "ndjson"},
		{[]string{"schema", ""}, "output"},
		{[]string{"completion", ""}, "fish"},
		{[]string{"help", ""}, "explain"},
		{[]string{"explain", "--po"}, "--poll"},
	} {
		var out bytes.Buffer
		if code := run(context.Background(), &out, io.Discard, nil, append([]string{cobra.ShellCompRequestCmd}, c.args...)); code != 0 || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v: exit code %d\n%s", c.args, code, out.String())
		}
	}
}
