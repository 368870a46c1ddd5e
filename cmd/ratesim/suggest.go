package main

import (
	"errors"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/tune"
)

// suggestFlags are the flags of suggest as they were read.
type suggestFlags struct {
	setting
	laravelFlags
	providerFlags
	system             choice
	file               queueConfig
	atOnce, runs, jobs count

	burst  burstRange
	drain  rate
	keepUp float64
	seed   uint64
	asJSON bool
}

func newSuggest(a *app) *cobra.Command {
	f := suggestFlags{
		setting: newSetting(), atOnce: count{Least: 1}, runs: count{Least: 2, Most: 10_000}, jobs: count{Least: 1, Most: 1024},
		keepUp: 0.95, seed: 1, laravelFlags: newLaravelFlags(), providerFlags: newProviderFlags(), file: newQueueConfig(), system: choice{value: string(model.SolidQueue), among: []string{string(model.SolidQueue), string(model.Laravel)}},
	}
	cmd := &cobra.Command{
		Use:   "suggest --to N --per D",
		Short: "The burst to take, why, and what it costs",
		Long: `Simulates a backlog under a limit with every burst that makes sense, on Solid
Queue's rules and with the costs measured on a real one, and names the smallest
burst with which the backlog drains as fast as that burst declares.

--poll gives the polling intervals of the dispatcher and of the worker. Longer
ones need a larger burst, and a larger burst leaves a slower drain.

--system laravel asks of Laravel's queue instead how many workers and which
--sleep keep up with --allow jobs in --every, how many tries lose none, and what
Redis::throttle costs beside reserved slots.`,
		Example: `  ratesim suggest --to 10 --per 1s --poll 1s,0.1s
  ratesim suggest --to 100 --per 1min
  ratesim suggest --to 10 --per 1s --poll 1s,1s --backlog 300
  ratesim suggest --to 10 --per 1s --burst 3..6 --json
  ratesim suggest --to 20 --per 1s --drain 15/s --takes 50ms
  ratesim suggest --to 10 --per 1s --from config/queue.yml --env production
  ratesim suggest --provider 10/s --call-delay "uniform(0ms, 500ms)"
  ratesim suggest --system laravel --allow 8 --every 1s --blast 200`,
		Args: atMost(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := foreign(cmd, model.System(f.system.value)); err != nil {
				return err
			}
			if f.file.name != "" {
				if err := f.from(a, cmd, &f.file); err != nil {
					return err
				}
			}
			if cmd.Flags().Changed("provider") {
				return f.safe(a, cmd)
			}
			for _, name := range []string{"call-delay", "provider-window"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s: there is no provider, want --provider too, such as --provider 10/s", name)
				}
			}
			if f.system.value == string(model.Laravel) {
				return f.laravel(a, cmd)
			}
			if err := require(cmd, "to", "10", "per", "1s"); err != nil {
				return err
			}
			if err := f.onlyTiming(cmd); err != nil {
				return err
			}
			q, err := f.question()
			if err != nil {
				return err
			}
			bar := a.progress("simulating")
			q.Progress = bar.Set
			answer, err := tune.Suggest(a.ctx, q)
			bar.Clear()
			if answer == nil {
				return err
			}
			if err != nil {
				a.warn("interrupted: what follows rests on the candidates that were done")
			}
			if !f.asJSON {
				report.SuggestText(a.out, q, answer, a.width(), a.style())
			} else if wrote := report.SuggestJSON(a.out, q, answer); wrote != nil {
				return wrote
			}
			if err == nil && q.Drain > 0 && answer.Reach == nil {
				return failed()
			}
			return err
		},
	}
	s := cmd.Flags()
	s.Var(&f.system, "system", "whose queue it is")
	f.setting.add(cmd)
	f.laravelFlags.add(cmd)
	f.providerFlags.add(cmd)
	s.StringVar(&f.file.name, "from", "", "take polls and processes from a config/queue.yml `FILE`")
	f.file.add(cmd)
	s.Var(&f.burst, "burst", "judge only this burst, or these")
	s.Var(&f.claim, "claim", "how long a claim's transaction takes")
	s.Var(&f.dispatch, "dispatch", "how long a dispatcher's transaction takes")
	s.Var(&f.cpu, "job-cpu", "what a job costs its process besides --takes; 0ms outside Ruby")
	s.StringVar(&f.timing, "timing", "", "take all costs from a `FILE` that ratesim live --fit wrote")
	s.Var(&f.atOnce, "at-once", "the most a quiet budget may let start at once")
	s.Var(&f.drain, "drain", "the drain to reach: tries shorter polls too")
	s.Float64Var(&f.keepUp, "keep-up", f.keepUp, "the `SHARE` of its declared drain at which a burst keeps up")
	s.Var(&f.runs, "runs", "replications of each burst (default: as many as it takes)")
	s.Uint64Var(&f.seed, "seed", f.seed, "the same `N` draws the same")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.BoolVar(&f.asJSON, "json", false, "one JSON document")
	return cmd
}

// question is what the flags ask.
func (f *suggestFlags) question() (*tune.Question, error) {
	// A burst that is not given is judged at its best: as large as can be.
	bursts := f.burst
	if bursts.From == 0 {
		bursts = burstRange{f.to.N, f.to.N}
	}
	if err := checkLimit(f.to.N, time.Duration(f.per), bursts); err != nil {
		return nil, err
	}
	if f.keepUp <= 0 || f.keepUp > 1 || math.IsNaN(f.keepUp) {
		return nil, usagef("--keep-up: %v is not a share, want above 0 and at most 1, such as 0.95", f.keepUp)
	}
	if f.burst.From > 0 && f.atOnce.N > 0 && f.burst.From > f.atOnce.N {
		return nil, usagef("--burst: %d lets more start at once than --at-once %d", f.burst.From, f.atOnce.N)
	}
	s, err := f.scenario("suggest", 0)
	if err != nil {
		return nil, err
	}
	if most := float64(f.to.N) / time.Duration(f.per).Seconds(); f.drain.PerSecond() > most {
		return nil, usagef("--drain: %s is more than the limit lets through, want at most %s", f.drain.text, report.Rate(most, time.Duration(f.per)))
	}
	q := &tune.Question{
		Setting: s, From: f.burst.From, To: f.burst.To, Backlog: f.backlog.N, AtOnce: f.atOnce.N,
		KeepUp: f.keepUp, Drain: f.drain.PerSecond(), Seed: f.seed, Runs: f.runs.N, Jobs: f.jobs.N,
	}
	if err := q.Check(); err != nil {
		var tooLong *tune.TooLong
		if errors.As(err, &tooLong) && f.backlog.N == 0 {
			return nil, usagef("--per: %v", err)
		}
		if f.backlog.N == 0 {
			return nil, usagef("--to: %v", err)
		}
		return nil, usagef("--backlog: %v", err)
	}
	return q, nil
}
