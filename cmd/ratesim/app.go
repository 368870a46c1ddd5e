package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/scenarios"
)

// app is what every command shares: where its input comes from and where its
// output goes.
type app struct {
	ctx    context.Context
	out    *output
	errOut io.Writer
	in     io.Reader
	args   []string

	noColor bool // --no-color
}

// output is standard output that remembers its first error: a full disk must
// not end in exit code 0.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// run is the program: everything but the process. Tests call it.
func run(ctx context.Context, out, errOut io.Writer, in io.Reader, args []string) (code int) {
	a := &app{ctx: ctx, out: &output{w: out}, errOut: errOut, in: in, args: args}
	defer func() {
		// A bug is the machine's fault as far as the caller can tell, and a
		// stack trace helps nobody who has not got the source open.
		if r := recover(); r != nil {
			fmt.Fprintf(errOut, "internal error, please report it: %s\n", oneLine(fmt.Sprint(r)))
			code = codeMachine
		}
	}()
	for _, arg := range args {
		// Nobody means one, and in a message it would move the cursor.
		if strings.ContainsFunc(arg, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			fmt.Fprintf(errOut, "%q: has a control character in it, want an argument without\n", arg)
			return codeUsage
		}
	}
	root := newRoot(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil && a.out.err != nil {
		err = &exitError{codeMachine, fmt.Sprintf("standard output: %v", a.out.err)}
	}
	code, line := codeOf(ctx, err)
	if line != "" {
		fmt.Fprintln(errOut, line)
	}
	return code
}

// style is how standard output may be coloured: on a terminal, unless NO_COLOR
// or --no-color says no.
func (a *app) style() report.Style { return a.styleOf(a.out.w) }

// errStyle is the same for standard error.
func (a *app) errStyle() report.Style { return a.styleOf(a.errOut) }

func (a *app) styleOf(w io.Writer) report.Style {
	_, screen := report.Terminal(w)
	return report.Style{Color: screen && !a.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// width is how wide a table on standard output may be.
func (a *app) width() int {
	w, _ := report.Terminal(a.out.w)
	return w
}

// note prints a remark to standard error, where it is in nobody's way.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.errOut, "note: "+format+"\n", args...)
}

// warn prints a warning to standard error.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.errOut, "%s %s\n", a.errStyle().Warn("warning:"), fmt.Sprintf(format, args...))
}

// mistakes reports what is wrong with scenario files, a line each, and on a
// terminal the place with a caret under it.
func (a *app) mistakes(errs scenarios.Errors) error {
	if len(errs) == 0 {
		return nil
	}
	_, screen := report.Terminal(a.errOut)
	for _, e := range errs {
		fmt.Fprintln(a.errOut, e)
		if x := e.Excerpt(); screen && x != "" {
			fmt.Fprintln(a.errOut, strings.TrimRight(x, "\n"))
		}
	}
	return &exitError{code: codeUsage}
}

// progress is a bar on standard error, or nothing where that is no terminal.
func (a *app) progress(label string) *report.Progress {
	return report.NewProgress(a.errOut, label)
}

// lines is a line on standard error that changes, or nothing where that is no
// terminal.
func (a *app) lines() *report.Lines { return report.NewLines(a.errOut) }
