package measure

import (
	"math"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Run is one replication in numbers.
type Run struct {
	Whole   Values
	Limits  []Values // by index into Scenario.Limits
	Classes []Values // by index into Scenario.Classes
	BoundBy string   // what held the drain back; see [BoundBy]
	Counts  model.Counts

	// HeldRatio is the share of the time, from the first job's coming to the
	// last claim, in which jobs waited that had been looked for in vain, or
	// for which there was no room: 0 to 1.
	HeldRatio float64
	// KeptUp is the share of all jobs that were claimed by the time the last
	// one came: near 1 when the queue was as quick as its arrivals.
	KeptUp float64
}

// Finish works out the replication that was observed. The run is the caller's
// to keep; the tally may be reset.
func (t *Tally) Finish(counts model.Counts) *Run {
	s := t.scenario
	r := &Run{
		Limits:  make([]Values, len(s.Limits)),
		Classes: make([]Values, len(s.Classes)),
		Counts:  counts,
	}
	for _, x := range t.series {
		v := t.measure(x, counts)
		for l, o := range t.ofLimit {
			if o == x {
				r.Limits[l] = v
			}
		}
		for c, o := range t.ofClass {
			if o == x {
				r.Classes[c] = v
			}
		}
		if x == t.whole {
			r.Whole = v
		}
	}
	for k := range infos {
		if infos[k].Scope != ScopeLimit {
			continue
		}
		// What a limit promises has one meaning for the whole if there is but
		// one, whether or not other jobs run free of it.
		r.Whole[k] = Absent
		if len(s.Limits) == 1 {
			r.Whole[k] = r.Limits[0][k]
		}
	}
	t.wholeOnly(r, counts)
	t.hold(r, counts)
	r.BoundBy = BoundBy(s, r, counts)
	return r
}

// sums adds up the classes of a series. The histogram is the tally's: read it
// before the next call.
func (t *Tally) sums(x *series) (sum classTally, wait *Histogram) {
	if len(x.classes) == 1 {
		return t.classes[x.classes[0]], &t.classes[x.classes[0]].wait
	}
	wait = &t.merged
	wait.Reset()
	for _, i := range x.classes {
		c := &t.classes[i]
		wait.Merge(&c.wait)
		sum.jobs += c.jobs
		sum.claims += c.claims
		sum.deferrals += c.deferrals
		sum.drops += c.drops
		sum.ends += c.ends
		sum.retries += c.retries
		sum.overtaken += c.overtaken
		sum.claimSum += c.claimSum
		sum.endSum += c.endSum
		sum.lastEnd = max(sum.lastEnd, c.lastEnd)
	}
	return sum, wait
}

// measure works out the keys of one scope.
func (t *Tally) measure(x *series, counts model.Counts) Values {
	x.looks.sort()
	x.ends.sort()
	x.ups.sort()
	sum, wait := t.sums(x)

	var v Values
	for k := range v {
		v[k] = Absent
	}
	v[Jobs] = float64(sum.jobs)
	v[Claims] = float64(sum.claims)
	v[Lost] = float64(sum.drops)
	v[Unfinished] = float64(sum.jobs - (sum.ends - sum.retries) - sum.drops)
	v[Deferrals] = float64(sum.deferrals)
	v[Overtaken] = float64(sum.overtaken)
	if sum.claims > 0 {
		v[ChecksPerJob] = float64(sum.claims+sum.deferrals+sum.drops) / float64(sum.claims)
		v[DeferralsPerJob] = float64(sum.deferrals) / float64(sum.claims)
		v[WaitP50S] = seconds(wait.Percentile(50))
		v[WaitP95S] = seconds(wait.Percentile(95))
		v[WaitP99S] = seconds(wait.Percentile(99))
		v[WaitMaxS] = seconds(wait.Max())
	}
	if sum.ends > 0 {
		v[FinishedS] = seconds(int64(sum.lastEnd))
	}

	var per time.Duration
	if x.limit >= 0 {
		per = t.scenario.Limits[x.limit].Per
	}
	looks := x.looks.read(sum.claims, per)
	x.last = looks.last
	if sum.claims > 0 {
		v[MakespanS] = seconds(int64(looks.last))
	}
	if slope, ok := looks.slope(); ok {
		v[DrainPerS] = slope
	}
	v[AtOncePeak] = float64(looks.peak)
	v[ChecksMaxPerS] = float64(looks.checks)
	v[PromotedMaxPerS] = float64(x.ups.most(time.Second))
	v[RunningMax] = float64(mostRunning(&x.looks, &x.ends))
	if span := t.span(sum, counts); span > 0 {
		v[RunningMean] = float64(ranFor(x, sum, span)) / float64(span)
	}

	if x.limit >= 0 {
		promise := x.promise
		v[DeclaredPerS] = promise.PerSecond
		v[DrainRatio] = v[DrainPerS] / promise.PerSecond
		v[WindowMax] = float64(looks.window)
		v[AtOnce] = float64(promise.AtOnce)
		if n := sum.claims - int64(promise.AtOnce); n > 0 && looks.last > looks.first {
			v[AfterBurstPerS] = float64(n) / looks.last.Sub(looks.first).Seconds()
		}
	}
	return v
}

// span is the time that means and rates are taken over: to the last job's end
// when the run is one of draining, else to the end of the run, for then the
// time in which nothing came is part of what was asked for.
func (t *Tally) span(sum classTally, counts model.Counts) gcra.Instant {
	if t.scenario.Until == 0 && sum.ends > 0 {
		return sum.lastEnd
	}
	return max(sum.lastEnd, counts.End)
}

// ranFor is the time all jobs ran in [0, span], added up, nanoseconds. Jobs
// that did not end ran to the end of it; claims past it don't count.
func ranFor(x *series, sum classTally, span gcra.Instant) int64 {
	total := sum.endSum - sum.claimSum
	open := sum.claims - sum.ends
	for i := len(x.looks.ticks) - 1; i >= 0 && x.looks.ticks[i].at > span; i-- {
		late := x.looks.ticks[i]
		total += uint64(late.n) * uint64(late.at)
		open -= int64(late.n)
	}
	return int64(total + uint64(open)*uint64(span))
}

// wholeOnly fills in the keys that come from what the actors did.
func (t *Tally) wholeOnly(r *Run, counts model.Counts) {
	r.Whole[DispatcherPolls] = float64(counts.DispatcherPolls)
	r.Whole[WorkerPolls] = float64(counts.WorkerPolls)
	t.laravel(r, counts)
	sum, _ := t.ofAll()
	span := t.span(sum, counts)
	if span <= 0 {
		return
	}
	r.Whole[QueriesPerS] = float64(counts.Queries) / seconds(int64(span))
	if counts.Threads > 0 {
		r.Whole[ThreadBusyRatio] = float64(counts.Busy) / float64(float64(counts.Threads)*float64(span))
	}
}

// ofAll is what the whole adds up to, waits left out.
func (t *Tally) ofAll() (sum classTally, claims int64) {
	for i := range t.classes {
		c := &t.classes[i]
		sum.ends += c.ends
		sum.jobs += c.jobs
		claims += c.claims
		sum.lastEnd = max(sum.lastEnd, c.lastEnd)
	}
	return sum, claims
}

// hold works out how much of the time jobs were held back.
func (t *Tally) hold(r *Run, counts model.Counts) {
	sum, claims := t.ofAll()
	if sum.jobs == 0 {
		return
	}
	to := t.whole.last
	held := t.held
	if t.behind {
		to = max(to, counts.End, t.since)
		held += to.Sub(t.since)
	}
	if length := to.Sub(t.first); length > 0 {
		r.HeldRatio = min(1, float64(held)/float64(length))
	}
	if claims > 0 {
		r.KeptUp = float64(t.whole.looks.until(t.lastCame)) / float64(sum.jobs)
	}
}

// seconds is a number of nanoseconds in seconds.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// present is true of a value that is not absent.
func present(v float64) bool { return !math.IsNaN(v) }
