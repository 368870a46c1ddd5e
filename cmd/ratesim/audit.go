package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/starts"
	"github.com/ratesim/ratesim/sim/measure"
)

func newAudit(a *app) *cobra.Command {
	var (
		to     = count{Least: 1}
		per    duration
		format = choice{among: []string{"csv", "ndjson", "lines"}}
		unit   = choice{among: []string{"s", "ms", "us", "ns"}}
		col    column
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "audit --to N --per D [FILE]",
		Short: "Whether recorded starts kept a limit, and where they didn't",
		Long: `Reads when jobs started and says whether any window of --per, wherever it
starts, holds more than --to: where, how full windows of other lengths got, and
the smallest burst that would have let all of them pass as they stand.

FILE is CSV with a header or without, NDJSON, or lines with a time in them; a -
or none is standard input. Every line of a log with a time counts as a start:
grep for those that are starts first. Times are dates such as
2006-01-02T15:04:05.123456Z, times of day such as 15:04:05.123 (back by over an
hour is the next day), or numbers: seconds, milliseconds, microseconds or
nanoseconds, by the ending of the column's name (_s, _ms, _us, _ns) or by their
size. Counting is exact.

The exit code is 1 if the limit was broken.`,
		Example: `  ratesim audit --to 10 --per 1s starts.csv
  ratesim audit --to 10 --per 1s --column gate_us claims.csv
  grep Performing production.log | ratesim audit --to 100 --per 1min --json`,
		Args: atMost(1, "one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := require(cmd, "to", "10", "per", "1s"); err != nil {
				return err
			}
			in, name, closeFile, err := a.open(args)
			if err != nil {
				return err
			}
			defer closeFile()
			got, err := readStarts(a.ctx, in, name, starts.Options{
				Format: starts.Format(format.value), Column: string(col), Unit: starts.Units[unit.value],
			})
			if err != nil {
				return err
			}
			if len(got.Times) == 0 {
				return usagef("%s: no start times in it, want at least one", name)
			}
			found, err := measure.Inspect(got.Times, to.N, time.Duration(per), got.Grain)
			if err != nil {
				return err
			}
			res := &report.Audited{Audit: found, Name: name, Starts: got}
			for _, n := range res.Notes() {
				a.note("%s", n)
			}
			for _, w := range res.Warnings() {
				a.warn("%s", w)
			}
			if asJSON {
				err = report.AuditJSON(a.out, res)
			} else {
				report.AuditText(a.out, res, a.width(), a.style())
			}
			if err == nil && !found.Held() {
				return failed()
			}
			return err
		},
	}
	f := cmd.Flags()
	f.Var(&to, "to", "the most starts in any window of --per")
	f.Var(&per, "per", "the length of the window, such as 1s or 1min")
	f.Var(&col, "column", "the column or field of the start times, by name, or by number from 1")
	f.Var(&format, "format", "csv, ndjson or lines; else found out by looking")
	f.Var(&unit, "unit", "what numbers count: s, ms, us or ns; else by name or size")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	complete(cmd, "per", "1s", "1min", "1h", "24h")
	complete(cmd, "format", format.among...)
	complete(cmd, "unit", unit.among...)
	return cmd
}

// open is the file that the arguments name, or standard input.
func (a *app) open(args []string) (in io.Reader, name string, closeFile func(), err error) {
	nothing := func() {}
	if len(args) == 0 || args[0] == "-" {
		if _, screen := report.Terminal(a.in); screen {
			a.note("reading from the terminal, end with Ctrl-D")
		}
		return a.in, "stdin", nothing, nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, "", nothing, fileError(err)
	}
	return f, args[0], func() { _ = f.Close() }, nil // only read: nothing can be lost
}

// readStarts reads until the end or until ctx does: a read that waits for
// somebody to type can't be called off, so it is left behind.
func readStarts(ctx context.Context, in io.Reader, name string, o starts.Options) (*starts.Starts, error) {
	type result struct {
		got *starts.Starts
		err error
	}
	done := make(chan result, 1)
	go func() {
		got, err := starts.Read(ctx, in, name, o)
		done <- result{got, err}
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-done:
		var pe *os.PathError
		switch {
		case r.err == nil:
			return r.got, nil
		case errors.As(r.err, &pe):
			return nil, fileError(r.err)
		case errors.Is(r.err, context.Canceled):
			return nil, context.Cause(ctx)
		}
		return nil, usageError(r.err)
	}
}
