package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
)

func newMerge(a *app) *cobra.Command {
	format := choice{among: sweepFormats}
	var outName string
	cmd := &cobra.Command{
		Use:   "merge FILE…",
		Short: "The parts of a sweep put together, and judged",
		Long: `Puts the files together that ratesim sweep --shard wrote. Files of another
sweep, cells that are missing and cells that are there twice are refused.
Expectations are judged now: ends with 1 if one of any cell fails.`,
		Example: `  ratesim merge part-1.ndjson part-2.ndjson
  ratesim merge part-1.ndjson part-2.ndjson --format csv
  ratesim merge part-1.ndjson part-2.ndjson --out sweep.svg`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("merge: no file, want those that ratesim sweep --shard wrote")
			}
			var files []*sweep.File
			for _, name := range args {
				in, err := os.Open(name)
				if err != nil {
					return fileError(err)
				}
				f, err := sweep.ReadFile(name, in)
				_ = in.Close() // it was only read
				if err != nil {
					return usageError(err)
				}
				files = append(files, f)
			}
			whole, err := sweep.Merge(files)
			if err != nil {
				return usageError(err)
			}
			out, err := openSweep(outName)
			if err != nil {
				return err
			}
			defer out.discard()
			if err := out.write(a, whole); err != nil {
				return err
			}
			if err := show(a, whole, format.value); err != nil {
				return err
			}
			return judged(whole)
		},
	}
	cmd.Flags().Var(&format, "format", "what standard output gets")
	cmd.Flags().StringVarP(&outName, "out", "o", "", "write results or a picture to `FILE` too")
	complete(cmd, "format", sweepFormats...)
	return cmd
}
