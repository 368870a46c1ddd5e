package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// The exit codes. Scripts read them, so they do not change.
const (
	codeFailed      = 1   // an expectation failed, a limit was broken
	codeUsage       = 2   // the command, a file or a value is wrong
	codeMachine     = 3   // the machine failed us: worth a second try
	codeHungUp      = 129 // SIGHUP: the terminal is gone
	codeInterrupted = 130 // SIGINT
	codeTerminated  = 143 // SIGTERM
)

// exitError ends the program with a code. An empty message prints nothing:
// the report has said it all.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// usagef is a mistake in the command or in a value; the message begins with
// the flag, or with the file and its line.
func usagef(format string, args ...any) error {
	return &exitError{codeUsage, fmt.Sprintf(format, args...)}
}

// usageError is a mistake of the caller's that another package has put in
// words, one line each.
func usageError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{codeUsage, err.Error()}
}

// failed is the verdict no, after the report has said why.
func failed() error { return &exitError{code: codeFailed} }

// fileError sorts an error of the file system: a name that is wrong is the
// caller's mistake, a disk that fails is the machine's.
func fileError(err error) error {
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		return err
	}
	line := fmt.Sprintf("%s: %v", pe.Path, pe.Err)
	for _, ours := range []error{fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, syscall.EISDIR, syscall.ENOTDIR} {
		if errors.Is(err, ours) {
			return &exitError{codeUsage, line}
		}
	}
	return &exitError{codeMachine, line}
}

// codeOf is the exit code of an error and the line to print, which may be
// empty. What nobody has sorted is the machine's fault: a mistake of the
// caller's always comes as an exitError.
func codeOf(ctx context.Context, err error) (int, string) {
	var stop interrupted
	var exit *exitError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &exit):
		return exit.code, exit.msg
	case errors.As(err, &stop):
		return stop.code(), stop.Error()
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &stop):
		return stop.code(), stop.Error()
	}
	return codeMachine, err.Error()
}

// oneLine folds a message into one line, for what may not take more.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
