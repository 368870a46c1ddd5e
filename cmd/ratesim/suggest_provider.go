package main

import (
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/analytic"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/tune"
)

// providerFlags ask which rate is safe at a provider.
type providerFlags struct {
	provider rate
	delay    dist
	window   choice
}

func newProviderFlags() providerFlags {
	return providerFlags{window: choice{value: string(model.ProviderSliding), among: []string{string(model.ProviderSliding), string(model.ProviderFixed), string(model.ProviderBucket)}}}
}

func (f *providerFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.Var(&f.provider, "provider", "ask which rate is safe at a provider that serves so many calls")
	s.Var(&f.delay, "call-delay", "with --provider: from a job's start to its call's arrival")
	s.Var(&f.window, "provider-window", "with --provider: how it counts")
}

// limitFlags are what --provider asks for, so that it can't be given.
var limitFlags = []string{"to", "per", "allow", "every", "at-once", "drain", "keep-up"}

// safe answers which rate a provider never refuses.
func (f *suggestFlags) safe(a *app, cmd *cobra.Command) error {
	for _, name := range limitFlags {
		if cmd.Flags().Changed(name) {
			return usagef("--%s: --provider asks which limit to take, want one of the two", name)
		}
	}
	if f.provider.N < 1 || f.provider.N != math.Trunc(f.provider.N) || f.provider.N > 1e6 {
		return usagef("--provider: %s is no whole number of calls, want one from 1 to 1000000 in a length of time, such as 8/s", f.provider.text)
	}
	system := model.System(f.system.value)
	scenario := f.rateOfSolidQueue
	most := func(n int, window time.Duration) int {
		return analytic.MostIn(gcra.Limit{To: n, Per: f.provider.Per, Burst: f.burstFor(n)}, window)
	}
	if system == model.Laravel {
		if f.provider.Per%time.Second != 0 {
			return usagef("--provider: %s counts in %s, want whole seconds: Laravel's throttles do", f.provider.text, report.Window(f.provider.Per))
		}
		if !cmd.Flags().Changed("workers") {
			f.workers.N = laravelWorkers
		}
		takes := f.takes.String()
		if !cmd.Flags().Changed("takes") {
			takes = laravelTakes
		}
		f.every = duration(f.provider.Per)
		// Late jobs come in crowds, so its window is all that holds them.
		most = func(n int, window time.Duration) int {
			return n * int((window+f.provider.Per-1)/f.provider.Per)
		}
		scenario = func(n int) (*model.Scenario, error) {
			f.allow.N = n
			s, err := laravelScenario(f, tune.LaravelSetup{Throttle: model.JobThrottle, Workers: f.workers.N, Sleep: time.Duration(f.sleep)}, takes)
			return f.counted(s), err
		}
	}
	bar := a.progress("simulating")
	defer bar.Clear()
	q := &tune.ProviderQuestion{Limit: int(f.provider.N), Scenario: scenario, Seed: f.seed, Runs: f.runs.N, Jobs: f.jobs.N, Progress: bar.Set}
	if spread, bounded := f.delay.Spread(); bounded {
		q.MostIn = func(n int) int { return most(n, f.provider.Per+spread) }
	}
	answer, err := tune.SafeRate(a.ctx, q)
	bar.Clear()
	if err != nil {
		return err
	}
	p := report.Provider{Limit: q.Limit, Per: f.provider.Per, Window: model.ProviderWindow(f.window.value), Delay: f.delay.String(), System: system, Seed: f.seed}
	if f.asJSON {
		err = report.ProviderJSON(a.out, p, answer)
	} else {
		report.ProviderText(a.out, p, answer, a.width(), a.style())
	}
	if err == nil && answer.Unrefused == nil {
		return failed()
	}
	return err
}

// burstFor is the burst of a limit of n: the given one, else the rule of thumb.
func (f *suggestFlags) burstFor(n int) int {
	burst := f.burst.From
	if burst == 0 {
		burst, _ = analytic.RuleOfThumb(n, f.provider.Per, f.polls.Dispatcher+f.polls.Worker)
	}
	return min(max(burst, 1), n)
}

// rateOfSolidQueue is a backlog under a limit of n, with the burst that the
// polls ask for.
func (f *suggestFlags) rateOfSolidQueue(n int) (*model.Scenario, error) {
	f.to.N, f.per = n, duration(f.provider.Per)
	s, err := f.scenario("suggest", f.burstFor(n))
	if err != nil {
		return nil, err
	}
	if s.Classes[0].Backlog == 0 {
		s.Classes[0].Backlog = max(600, 20*n)
	}
	return f.counted(s), nil
}

// counted puts the provider behind a scenario.
func (f *suggestFlags) counted(s *model.Scenario) *model.Scenario {
	if s == nil {
		return nil
	}
	p := scenarios.DefaultProvider()
	p.Limit, p.Per, p.Latency, p.Window = int(f.provider.N), f.provider.Per, f.delay.Dist, model.ProviderWindow(f.window.value)
	s.Provider = &p
	return s
}
