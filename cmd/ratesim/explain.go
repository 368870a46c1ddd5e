package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model/analytic"
	"github.com/ratesim/ratesim/sim/measure"
)

func newExplain(a *app) *cobra.Command {
	var (
		to      = count{Least: 1}
		per     duration
		burst   = count{Least: 1}
		polls   pollPair
		backlog = count{Least: 1}
		bucket  = count{Least: 1}
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "explain --to N --per D --burst N",
		Short: "What a limit promises, in words and numbers",
		Long: `Says what a limit promises, by formula and without a run: how many start at
once, how they are spaced after that, how fast a backlog drains, the most in any
window of any length, and what other limiters would do with the same numbers.

With --poll it adds what a queue that looks once in a while leaves of the drain,
and the smallest burst that is enough for it; with --backlog how long that many
waiting jobs take.`,
		Example: `  ratesim explain --to 10 --per 1s --burst 6
  ratesim explain --to 10 --per 1s --burst 6 --poll 1s,0.1s --backlog 600
  ratesim explain --to 100 --per 1min --burst 10 --backlog 50
  ratesim explain --to 4 --per 1min --burst 1 --bucket 100 --backlog 300
  ratesim explain --to 10 --per 1min --burst 6 --json`,
		Args: atMost(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := require(cmd, "to", "10", "per", "1s", "burst", "6"); err != nil {
				return err
			}
			if err := checkLimit(to.N, time.Duration(per), burstRange{burst.N, burst.N}); err != nil {
				return err
			}
			e := analytic.Explain(analytic.Question{
				Limit:      gcra.Limit{To: to.N, Per: time.Duration(per), Burst: burst.N},
				Dispatcher: polls.Dispatcher, Worker: polls.Worker,
				Backlog: backlog.N, Bucket: bucket.N,
				Lengths: measure.Lengths(time.Duration(per)),
			})
			for _, w := range e.Warnings {
				a.warn("%s", w)
			}
			if asJSON {
				return report.ExplainJSON(a.out, e)
			}
			report.ExplainText(a.out, e, a.width(), a.style())
			return nil
		},
	}
	f := cmd.Flags()
	f.Var(&to, "to", "the most jobs in any window of --per")
	f.Var(&per, "per", "the length of the window, such as 1s or 1min")
	f.Var(&burst, "burst", "how many a quiet budget lets start at once")
	f.Var(&polls, "poll", "polling intervals of the dispatcher and the worker, such as 1s,0.1s")
	f.Var(&backlog, "backlog", "waiting jobs: when are they cleared?")
	f.Var(&bucket, "bucket", "compare with a token bucket of this capacity too")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	complete(cmd, "per", "1s", "1min", "1h", "24h")
	complete(cmd, "poll", "1s,0.1s", "0.2s,0.1s", "1s,1s")
	return cmd
}
