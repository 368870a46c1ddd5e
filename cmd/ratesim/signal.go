package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupted is why a context ended: the signal that asked for it. It carries
// the exit code a shell expects, 128 and the signal's number.
type interrupted struct{ sig os.Signal }

func (i interrupted) Error() string { return "interrupted" }

func (i interrupted) code() int {
	switch i.sig {
	case syscall.SIGTERM:
		return codeTerminated
	case syscall.SIGHUP:
		return codeHungUp
	}
	return codeInterrupted
}

// onSignal is a context that ends with the first SIGINT, SIGTERM or SIGHUP, so that
// what is finished can still be printed. A second signal kills at once: the
// handler is taken away with the first.
func onSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(got, syscall.SIGHUP)
	}
	go func() {
		select {
		case s := <-got:
			signal.Stop(got)
			cancel(interrupted{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(got); cancel(nil) }
}
