package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
)

// console is a block of the README that shows commands and what they print.
var console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// shown is a command of a block: its line, its arguments, and the output below
// it.
type shown struct {
	line   string
	args   []string
	output string
}

// commands are the commands of a block. Each must run this program, so that
// nothing is shown that nobody checks.
func commands(t *testing.T, block string) (all []shown) {
	t.Helper()
	for line := range strings.Lines(block) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			if len(all) == 0 {
				t.Fatalf("a console block begins with %q, want a line that begins with $", line)
			}
			all[len(all)-1].output += line
			continue
		}
		args, ours := strings.CutPrefix(command, "go run ./cmd/ratesim ")
		if !ours {
			args, ours = strings.CutPrefix(command, "ratesim ")
		}
		if !ours || strings.ContainsAny(args, `'"|<>$\`) {
			t.Fatalf("%q can't be run here, want go run ./cmd/ratesim or ratesim and plain arguments", command)
		}
		all = append(all, shown{line: line, args: strings.Fields(args)})
	}
	return all
}

// TestReadmeShowsWhatIsPrinted runs the README's commands. With UPDATE_README=1
// it writes what they print into the README.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	const name = "../../README.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("UPDATE_README") != ""
	ran := 0
	text := console.ReplaceAllStringFunc(string(data), func(whole string) string {
		block := "```console\n"
		for _, c := range commands(t, console.FindStringSubmatch(whole)[1]) {
			ran++
			var out, errOut bytes.Buffer
			code := run(context.Background(), &out, &errOut, strings.NewReader(""), c.args)
			if code != 0 && code != codeFailed {
				t.Fatalf("%sends with %d: %s", c.line, code, errOut.String())
			}
			if out.String() != c.output && !update {
				t.Errorf("%sprints\n%s\nthe README shows\n%s", c.line, out.String(), c.output)
			}
			block += c.line + out.String()
		}
		return block + "```"
	})
	if ran == 0 {
		t.Fatal("the README shows no run")
	}
	if update && text != string(data) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadmeScenarioRuns holds the README's scenario to its own expectations.
func TestReadmeScenarioRuns(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(data), -1)
	if len(found) == 0 {
		t.Fatal("the README shows no scenario")
	}
	for _, f := range found {
		name := t.TempDir() + "/readme.yml"
		if err := os.WriteFile(name, []byte(f[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errOut bytes.Buffer
		if code := run(context.Background(), &out, &errOut, strings.NewReader(""), []string{"run", name}); code != 0 {
			t.Errorf("the README's scenario ends with %d: %s%s", code, errOut.String(), out.String())
		}
	}
}
