package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// The dumb side of the tests: random streams of events, and every key worked
// out again from single jobs with nothing but loops over all of them.

const milli = gcra.Instant(time.Millisecond)

// randomScenario has one to four classes under none to two limits.
func randomScenario(r *rand.Rand) *model.Scenario {
	s := &model.Scenario{}
	kinds := []model.LimiterKind{model.GCRA, model.GCRA, model.TokenBucket, model.FixedWindow, model.EvenSpacing}
	for i := range r.IntN(3) {
		to := 2 + r.IntN(6)
		s.Limits = append(s.Limits, model.Limit{
			Name:  string(rune('a' + i)),
			Limit: gcra.Limit{To: to, Per: time.Second, Burst: 1 + r.IntN(to)},
			Kind:  kinds[r.IntN(len(kinds))],
		})
	}
	for i := range 1 + r.IntN(4) {
		s.Classes = append(s.Classes, model.Class{Name: string(rune('A' + i)), Limit: r.IntN(len(s.Limits)+1) - 1})
	}
	if r.IntN(2) == 0 {
		s.Until = time.Minute
	}
	return s
}

// randomEvents is a stream of runs that a queue could give. Times lie on a
// coarse grid, so that instants coincide and windows end on claims. mixed puts
// each budget's clock off by a few milliseconds, as parallel databases do.
func randomEvents(r *rand.Rand, s *model.Scenario, mixed bool) (events []model.Event, end gcra.Instant) {
	type job struct {
		id    int64
		since gcra.Instant
		class int
		at    gcra.Instant // of its claim
	}
	var waiting, running []job
	next := int64(1 + r.IntN(200))
	now := gcra.Instant(0)
	skew := make([]gcra.Instant, len(s.Classes))
	if mixed {
		byLimit := []gcra.Instant{0, 0, 0}
		for i := range byLimit {
			byLimit[i] = gcra.Instant(r.IntN(5)) * 70 * milli
		}
		for c := range skew {
			skew[c] = gcra.Instant(c) * 30 * milli
			if l := s.Classes[c].Limit; l >= 0 {
				skew[c] = byLimit[l]
			}
		}
	}
	add := func(k model.Kind, c int, j int64, n int, since gcra.Instant) model.Event {
		e := model.Event{Kind: k, At: now + skew[c], Class: c, Limit: s.Classes[c].Limit, Job: j, N: n, Since: since}
		events = append(events, e)
		return e
	}
	for range 20 + r.IntN(120) {
		if r.IntN(3) > 0 {
			now += gcra.Instant(r.IntN(4)) * 250 * milli
		}
		switch action := r.IntN(10); {
		case action < 2:
			c, n := r.IntN(len(s.Classes)), 1+r.IntN(1+r.IntN(150))
			e := add(model.Enqueued, c, next, n, 0)
			for i := range n {
				waiting = append(waiting, job{next + int64(i), e.At, c, 0})
			}
			next += int64(n) + int64(r.IntN(2)*r.IntN(100))
		case action < 8 && len(waiting) > 0:
			from := 0
			if r.IntN(3) == 0 {
				from = r.IntN(len(waiting))
			}
			first, n, most := waiting[from], 1, 1+r.IntN(1+r.IntN(80))
			for from+n < len(waiting) && n < most && waiting[from+n].id == first.id+int64(n) &&
				waiting[from+n].class == first.class && waiting[from+n].since == first.since {
				n++
			}
			switch {
			case action < 5:
				e := add(model.Claimed, first.class, first.id, n, first.since)
				for _, j := range waiting[from : from+n] {
					j.at = e.At
					running = append(running, j)
				}
				waiting = slices.Delete(waiting, from, from+n)
			case action < 7:
				add(model.Deferred, first.class, first.id, n, 0)
			case r.IntN(4) == 0:
				add(model.Dropped, first.class, first.id, n, 0)
				waiting = slices.Delete(waiting, from, from+n)
			default:
				add(model.Promoted, first.class, first.id, n, 0)
			}
		case len(running) > 0:
			for range 1 + r.IntN(min(40, len(running))) {
				i := r.IntN(len(running))
				add(model.Finished, running[i].class, running[i].id, 1, 0)
				running = slices.Delete(running, i, i+1)
				if len(running) == 0 {
					break
				}
			}
		}
	}
	return events, now + 500*milli
}

// unroll makes single jobs of the runs.
func unroll(events []model.Event) []model.Event {
	var single []model.Event
	for _, e := range events {
		e.Each(func(one model.Event) { single = append(single, one) })
	}
	return single
}

// dumb works out the keys of some classes. limit is the one whose jobs they
// all are, nil if there is no such.
func dumb(events []model.Event, in func(class int) bool, s *model.Scenario, limit *model.Limit, end gcra.Instant) Values {
	var v Values
	for k := range v {
		v[k] = Absent
	}
	var claims, checks, ups []gcra.Instant
	var waits []float64
	var came, ended, lost, deferred, overtaken float64
	type life struct{ from, to gcra.Instant }
	lives := map[int64]*life{}
	queue := map[int64]int{} // waiting job: its class
	finished := gcra.Instant(-1)
	sameBudget := func(a, b int) bool {
		if s.Classes[a].Limit < 0 || s.Classes[b].Limit < 0 {
			return a == b
		}
		return s.Classes[a].Limit == s.Classes[b].Limit
	}
	for _, e := range unroll(events) {
		switch e.Kind {
		case model.Enqueued:
			queue[e.Job] = e.Class
		case model.Claimed, model.Dropped:
			delete(queue, e.Job)
		}
		if !in(e.Class) {
			continue
		}
		switch e.Kind {
		case model.Enqueued:
			came++
		case model.Claimed:
			claims, checks = append(claims, e.At), append(checks, e.At)
			waits = append(waits, e.At.Sub(e.Since).Seconds())
			lives[e.Job] = &life{e.At, gcra.Never}
			for id, class := range queue {
				if id < e.Job && sameBudget(class, e.Class) {
					overtaken++
					break
				}
			}
		case model.Deferred:
			deferred++
			checks = append(checks, e.At)
		case model.Dropped:
			lost++
			checks = append(checks, e.At)
		case model.Promoted:
			ups = append(ups, e.At)
		case model.Finished:
			ended++
			lives[e.Job].to = e.At
			finished = max(finished, e.At)
		}
	}
	n := len(claims)
	v[Jobs], v[Claims], v[Lost], v[Unfinished] = came, float64(n), lost, came-ended-lost
	v[Deferrals], v[Overtaken] = deferred, overtaken
	if finished >= 0 {
		v[FinishedS] = float64(finished) / 1e9
	}
	v[AtOncePeak], v[ChecksMaxPerS], v[PromotedMaxPerS] = mostWithin(claims, 1), mostWithin(checks, time.Second), mostWithin(ups, time.Second)
	v[RunningMax] = 0
	for _, at := range claims {
		running := 0.0
		for _, l := range lives {
			if l.from <= at && at < l.to {
				running++
			}
		}
		v[RunningMax] = max(v[RunningMax], running)
	}
	span := finished
	if s.Until != 0 || finished < 0 {
		span = max(finished, end)
	}
	ran := 0.0
	for _, l := range lives {
		ran += max(0, (min(l.to, span) - l.from).Sub(0).Seconds())
	}
	v[RunningMean] = ran / (float64(span) / 1e9)
	if span <= 0 {
		v[RunningMean] = Absent
	}
	if limit != nil {
		p := PromiseOf(*limit)
		v[WindowMax], v[AtOnce], v[DeclaredPerS] = mostWithin(claims, limit.Per), float64(p.AtOnce), p.PerSecond
	}
	if n == 0 {
		return v
	}
	slices.Sort(claims)
	slices.Sort(waits)
	rank := func(p float64) float64 { return waits[int(math.Ceil(float64(n)*p/100))-1] }
	v[MakespanS] = float64(claims[n-1]) / 1e9
	v[ChecksPerJob], v[DeferralsPerJob] = float64(len(checks))/float64(n), deferred/float64(n)
	v[WaitP50S], v[WaitP95S], v[WaitP99S], v[WaitMaxS] = rank(50), rank(95), rank(99), waits[n-1]
	k10, k90 := int(math.Ceil(float64(n)/10)), int(math.Ceil(float64(9*n)/10))
	if t10, t90 := claims[k10-1], claims[k90-1]; t90 > t10 {
		v[DrainPerS] = float64(k90-k10) / t90.Sub(t10).Seconds()
	}
	if limit != nil {
		v[DrainRatio] = v[DrainPerS] / v[DeclaredPerS]
		after := float64(n) - v[AtOnce]
		if length := claims[n-1].Sub(claims[0]).Seconds(); after > 0 && length > 0 {
			v[AfterBurstPerS] = after / length
		}
	}
	return v
}

// mostWithin tries the half-open window that starts at each instant.
func mostWithin(at []gcra.Instant, width time.Duration) float64 {
	most := 0.0
	for _, from := range at {
		n := 0.0
		for _, t := range at {
			if from <= t && t < from.Add(width) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
