package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/measure"
)

// statusLine is how a run stands, in one line.
func statusLine(st live.Status) string {
	line := fmt.Sprintf("%s  %d waiting  %d claimed  %s/s now", report.Length(time.Duration(st.At).Round(100*time.Millisecond)),
		st.Where.Waiting(), st.Where.Claims, report.Digits(st.Rate, 3))
	if st.To > 0 {
		line += fmt.Sprintf("  worst window %d of %d", st.Worst, st.To)
	}
	if st.NextSlot != gcra.Never && st.NextSlot > st.At {
		line += "  next slot in " + report.Length(st.NextSlot.Sub(st.At).Round(100*time.Millisecond))
	}
	if st.Left > 0 {
		line += "  " + report.Length(st.Left.Round(time.Second)) + " left"
	}
	return line
}

// told puts the run into the terms of a report.
func (f *liveFlags) told(s *model.Scenario, r *live.Result, cut bool) *report.Live {
	summary := measure.Once(r.Scenario, r.Run)
	l := &report.Live{
		Ran:    &report.Ran{Scenario: r.Scenario, Seed: f.seed, Summary: summary},
		Cut:    cut,
		Length: r.Length,
	}
	for _, e := range s.Expect {
		l.Ran.Verdicts = append(l.Ran.Verdicts, measure.Judge(e, summary))
	}
	if f.processes.N > 0 {
		l.Processes = report.LiveProcesses{Workers: f.processes.N, Killed: r.Killed, Failed: r.Where.Failed}
	}
	for _, k := range liveKeys {
		if v := r.Run.Whole[k]; v == v {
			l.Rows = append(l.Rows, report.LiveRow{Key: k, Live: v, Low: math.NaN(), Median: math.NaN(), High: math.NaN()})
		}
	}
	return l
}

// short says that a backlog is too small for its drain to be that of a long
// one, or nothing.
func short(s *model.Scenario) string {
	if len(s.Limits) != 1 || len(s.Classes) != 1 || s.Classes[0].Backlog == 0 || !s.Classes[0].Arrivals.None() {
		return ""
	}
	least := 20 * s.Limits[0].Burst
	if s.Classes[0].Backlog >= least {
		return ""
	}
	return fmt.Sprintf("the backlog is short: its first burst and its last jobs weigh much in its drain, which is not the limit's; %d or more come near", least)
}

// liveKeys are the numbers of a run that are told, in this order.
var liveKeys = []measure.Key{
	measure.DrainPerS, measure.MakespanS, measure.WindowMax, measure.AtOncePeak, measure.DeferralsPerJob,
	measure.WaitP50S, measure.WaitP95S, measure.WaitP99S, measure.RunningMax,
}

// compare simulates the run again and again, and notes where the simulations
// have their numbers.
func (f *liveFlags) compare(a *app, l *report.Live, r *live.Result, fitted *live.Fitted, cut bool) error {
	switch {
	case cut:
		l.Why = "the run was interrupted"
		return nil
	case f.kill > 0:
		l.Why = "a simulation kills no processes"
		return nil
	case r.Run.Whole[measure.Claims] == 0:
		l.Why = "nothing was claimed"
		return nil
	}
	s := fitted.Apply(r.Scenario)
	if f.length > 0 && !r.Drained {
		s.Until = time.Duration(f.length)
	}
	bar := a.progress("simulating")
	runs, err := sim.Replicate(a.ctx, s, sim.Options{Seed: f.seed, Runs: comparisons, Progress: bar.Set})
	bar.Clear()
	if err != nil {
		l.Why = "the simulation was interrupted"
		return err
	}
	l.Simulated(runs)
	return nil
}

func costOf(name string, all []time.Duration) report.LiveCost {
	c := report.LiveCost{Name: name, N: len(all)}
	if len(all) > 0 {
		slices.Sort(all)
		c.Median, c.P99 = all[len(all)/2], all[min(len(all)-1, len(all)*99/100)]
	}
	return c
}
