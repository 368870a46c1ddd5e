package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ratesim": main})
}

// The scripts in testdata/script are what a user types and sees. With
// UPDATE_SCRIPTS=1 in the environment, what cmp compares is written anew.
func TestScripts(t *testing.T) { scripts(t, "testdata/script") }

func scripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"valid":  valid,
			"narrow": narrow,
		},
	})
}

// exits runs a command that ends with a code: exits 2 ratesim explain.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s", got, want, ts.ReadFile("stderr"))
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("a stack trace on standard error")
	}
}

// valid holds a file to the published schema: valid stdout.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("output.json", schema))
	s, err := c.Compile("output.json")
	ts.Check(err)
	if err := s.Validate(doc); (err != nil) != neg {
		ts.Fatalf("the schema says: %v", err)
	}
}

// narrow wants no line of a file wider than a page, and no control codes.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		for line := range strings.Lines(ts.ReadFile(name)) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > report.PlainWidth {
				ts.Fatalf("%d columns, want at most %d: %s", n, report.PlainWidth, line)
			}
			if strings.ContainsAny(line, "\x1b\r") {
				ts.Fatalf("control codes in %q", line)
			}
		}
	}
}
