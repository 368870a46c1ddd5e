package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/live/redis"
	"github.com/ratesim/ratesim/sim/measure"
)

// redisLine is how a run stands, in one line.
func redisLine(st redis.Status) string {
	line := fmt.Sprintf("%s  %d left  %d running  %d started  %s/s now", report.Length(time.Duration(st.At).Round(100*time.Millisecond)),
		st.Left, st.Running, st.Claims, report.Digits(st.Rate, 3))
	if st.To > 0 {
		line += fmt.Sprintf("  worst window %d of %d", st.Worst, st.To)
	}
	if st.Away > 0 {
		line += "  Redis away for " + report.Length(st.Away.Round(time.Second))
	}
	return line
}

// toldLaravel puts the run into the terms of a report.
func (f *liveFlags) toldLaravel(s *model.Scenario, server *redis.Server, r *redis.Result, stopped error) *report.Live {
	summary := measure.Once(s, r.Run)
	var lost *redis.Lost
	l := &report.Live{
		Ran:    &report.Ran{Scenario: s, Seed: f.seed, Summary: summary},
		Cut:    stopped != nil && !errors.As(stopped, &lost),
		Length: r.Length,
		Jobs:   report.LiveJobs{Finished: r.Jobs.Finished, Failed: r.Jobs.Failed, Ready: r.Jobs.Ready, Scheduled: r.Jobs.Delayed, Claimed: r.Jobs.Reserved},
	}
	for _, e := range s.Expect {
		l.Ran.Verdicts = append(l.Ran.Verdicts, measure.Judge(e, summary))
	}
	for _, k := range liveLaravelKeys {
		if v := r.Run.Whole[k]; v == v {
			l.Rows = append(l.Rows, report.LiveRow{Key: k, Live: v, Low: math.NaN(), Median: math.NaN(), High: math.NaN()})
		}
	}
	l.Costs = []report.LiveCost{
		costOf("round_trip", slices.Clone(r.Delays.Trips)), costOf("overshoot", slices.Clone(r.Delays.Overshoot)), costOf("wait_overshoot", slices.Clone(r.Delays.Late)),
	}
	c := r.Counts
	l.Redis = &report.LiveRedis{
		Server: server.Where, Version: server.Version, Embedded: server.URL == "", Ahead: r.Delays.Offset,
		Pops: c.Pops, EmptyPops: c.EmptyPops, RoundTrips: c.RoundTrips, Scripts: c.Evals, Checks: c.Checks, Holds: c.Holds,
		Releases: c.Releases, Rewrites: c.Rewrites, TriesBurned: c.TriesBurned, AttemptsMax: c.AttemptsMax, PopsMax: c.PopsMax,
		Killed: c.Killed, Troubles: c.Troubles, Unthrottled: c.Unthrottled, Again: c.Again, Dropped: r.Jobs.Dropped, Lost: r.Jobs.Lost,
	}
	for i, limit := range s.Limits {
		var began []gcra.Instant
		for _, start := range r.Starts {
			if slices.Contains(s.LimitsOf(start.Class), i) {
				began = append(began, start.Began)
			}
		}
		slices.Sort(began)
		most, _ := measure.WorstWindow(began, limit.Per)
		l.Redis.Windows = append(l.Redis.Windows, report.LiveWindow{
			Limit: limit.Name, To: limit.To, Per: limit.Per, Admitted: int64(whole(r.Run.Limits[i][measure.WindowMax])), Began: int64(most),
		})
	}
	return l
}

// whole is a count, 0 where there is none.
func whole(v float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return int(v)
}

// compareLaravel simulates the run again and again, with the delays it had, and
// notes where the simulations have their numbers.
func (f *liveFlags) compareLaravel(a *app, l *report.Live, r *redis.Result, cut bool) error {
	switch {
	case r.Jobs.Lost > 0:
		l.Why = "the run lost its jobs"
		return nil
	case cut:
		l.Why = "the run was interrupted"
		return nil
	case r.Counts.Troubles > 0:
		l.Why = "Redis was away, and a simulation's never is"
		return nil
	case r.Run.Whole[measure.Claims] == 0:
		l.Why = "no job started"
		return nil
	}
	s, err := r.Fitted(f.seed)
	if err != nil {
		return err
	}
	if f.length > 0 && !r.Drained {
		s.Until = time.Duration(f.length)
	}
	bar := a.progress("simulating")
	runs, err := sim.Replicate(a.ctx, s, sim.Options{Seed: f.seed, Runs: comparisons, Progress: bar.Set})
	bar.Clear()
	switch {
	case err != nil && a.ctx.Err() != nil:
		l.Why = "the simulation was interrupted"
		return err
	case err != nil:
		l.Why = oneLine(err.Error())
		return nil
	}
	l.Simulated(runs)
	return nil
}
