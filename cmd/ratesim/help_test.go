package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// What help shows is run: every example of every command, with the files it
// names lying about.
func TestEveryExampleInHelpRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"config/queue.yml": "production:\n  dispatchers: [{polling_interval: 1}]\n  workers: [{threads: 5, polling_interval: 0.2}]\n",
		"starts.csv":       "started_at\n2026-01-02T03:04:05.1Z\n2026-01-02T03:04:05.2Z\n",
		"claims.csv":       "seq,job,gate_us,commit_us\n0,1,51041,57028\n1,2,224701,227131\n",
		"production.log":   "2026-01-02 03:04:05.1 INFO Performing A\n2026-01-02 03:04:05.2 INFO Performed A\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	queueFile(t, "production.sqlite3")
	for _, part := range []string{"1/2", "2/2"} {
		var out bytes.Buffer
		args := []string{"sweep", "webhooks", "--vary", "limits.webhooks.burst=6,7", "--set", "expect={}", "--runs", "2", "--shard", part, "--out", "part-" + part[:1] + ".ndjson"}
		if code := run(context.Background(), &out, &out, strings.NewReader(""), args); code != 0 {
			t.Fatal(out.String())
		}
	}
	eachCommand(newRoot(&app{out: &output{w: io.Discard}, errOut: io.Discard}), func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		if c.Example == "" && c.Name() != "help" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			in := strings.NewReader("")
			if before, after, piped := strings.Cut(line, " | "); piped {
				in, line = strings.NewReader(grep(t, strings.Fields(before))), after
			}
			args := words(line)
			if len(args) == 0 || args[0] != "ratesim" {
				t.Errorf("%s: the example %q does not begin with ratesim", c.CommandPath(), line)
				continue
			}
			if args[1] == "live" {
				checkOnly(t, c, line, args[2:])
				continue
			}
			for i, w := range args {
				if w == "<" {
					text, err := os.ReadFile(args[i+1])
					if err != nil {
						t.Fatal(err)
					}
					in = strings.NewReader(string(text))
				}
				if w == "<" || w == ">" {
					args = args[:i]
					break
				}
			}
			var out, errOut bytes.Buffer
			if code := run(context.Background(), &out, &errOut, in, args[1:]); code != 0 && !(code == codeFailed && c.Name() == "sweep") || out.Len()+errOut.Len() == 0 {
				t.Errorf("%s: exit code %d\n%s", line, code, errOut.String())
			}
		}
	})
}

// queueFile makes a database with a waiting job.
func queueFile(t *testing.T, name string) {
	t.Helper()
	s := &model.Scenario{System: model.SolidQueue, Classes: []model.Class{{Name: "Job", Limit: -1, Queue: "default"}}}
	q, err := sqlite.Create(t.Context(), name, s, nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	one, err := q.Session(t.Context())
	if err == nil {
		_, err = one.Enqueue(0, 1, 0)
	}
	if err := errors.Join(err, one.Close(), q.Close()); err != nil {
		t.Fatal(err)
	}
}

// grep is what a shell's would print of a file.
func grep(t *testing.T, words []string) (found string) {
	t.Helper()
	if len(words) != 3 || words[0] != "grep" {
		t.Fatalf("%v is piped into ratesim, want grep WORD FILE", words)
	}
	text, err := os.ReadFile(words[2])
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, words[1]) {
			found += line
		}
	}
	return found
}

// checkOnly reads an example's flags. What takes real time is run by the tests
// that may (tag live).
func checkOnly(t *testing.T, c *cobra.Command, line string, args []string) {
	t.Helper()
	if err := c.ParseFlags(args); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	for _, name := range c.Flags().Args() {
		if _, err := scenarios.Find(name); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A flag's help begins small and a command's large, as the others do, and none
// is wider than a page.
func TestHelpReadsWell(t *testing.T) {
	root := newRoot(&app{out: &output{w: io.Discard}, errOut: io.Discard})
	eachCommand(root, func(c *cobra.Command) {
		if s := c.Short; s == "" || strings.HasSuffix(s, ".") || s[:1] != strings.ToUpper(s[:1]) {
			t.Errorf("%s: %q should begin large and end without a full stop", c.CommandPath(), s)
		}
		var out bytes.Buffer
		c.SetOut(&out)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > report.PlainWidth {
				t.Errorf("%s: a line of %d: %s", c.CommandPath(), len(line), line)
			}
		}
	})
}

func eachCommand(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, f)
	}
}

// words are those of a line, as a shell takes double quotes.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
