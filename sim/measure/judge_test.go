package measure

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
)

// runsWith are replications with one key of the whole set.
func runsWith(s *model.Scenario, k Key, values ...float64) []*Run {
	var runs []*Run
	for _, v := range values {
		r := &Run{BoundBy: ByLimit, Limits: make([]Values, len(s.Limits)), Classes: make([]Values, len(s.Classes))}
		for i := range r.Whole {
			r.Whole[i] = Absent
		}
		r.Whole[k] = v
		runs = append(runs, r)
	}
	return runs
}

// The mean of 9, 10, 11 is 10, from 7.516 to 12.484.
func TestJudge(t *testing.T) {
	s := scene(1, 0)
	for _, c := range []struct {
		want    string
		values  []float64
		outcome Outcome
		reason  string
	}{
		{">= 7.5", []float64{9, 10, 11}, Passed, ""},
		{">= 7.6", []float64{9, 10, 11}, Undecided, "about"},
		{">= 12.4", []float64{9, 10, 11}, Undecided, "about"},
		{">= 12.5", []float64{9, 10, 11}, Failed, "want >= 12.5"},
		{"< 12.5", []float64{9, 10, 11}, Passed, ""},
		{"< 12.4", []float64{9, 10, 11}, Undecided, "about"},
		{"< 7.5", []float64{9, 10, 11}, Failed, "want"},
		{"<= 10", []float64{9, 10, 11}, Undecided, "too near"},
		{"between 7.5 and 12.5", []float64{9, 10, 11}, Passed, ""},
		{"between 8 and 12.5", []float64{9, 10, 11}, Undecided, "about"},
		{"between 13 and 14", []float64{9, 10, 11}, Failed, "want"},
		{"within 25% of 10", []float64{9, 10, 11}, Passed, ""},
		{"within 20% of 10", []float64{9, 10, 11}, Undecided, "about"},
		{"within 5% of 20", []float64{9, 10, 11}, Failed, "want"},
		{"within 25% of -10", []float64{-9, -10, -11}, Passed, ""},
		{"== 10", []float64{9, 10, 11}, Undecided, "no interval is ever equal"},
		{"== 10", []float64{10, 10, 10}, Passed, ""},
		{"== 13", []float64{9, 10, 11}, Failed, "want"},
		{"< 10", []float64{10, 10}, Failed, "want < 10"},
		{"<= 10", []float64{10, 10}, Passed, ""},
		{"> 10", []float64{10, 10}, Failed, "want > 10"},
		{">= 10", []float64{10, 10}, Passed, ""},
		{">= 1", []float64{10}, Undecided, "one run has no interval"},
		{">= 1", []float64{Absent, Absent}, Failed, "no samples"},
		{">= 1", nil, Failed, "no samples"},
	} {
		e, err := ParseExpectation("drain_per_s", c.want)
		if err != nil {
			t.Fatal(err)
		}
		v := Judge(e, Combine(s, runsWith(s, DrainPerS, c.values...)))
		if v.Outcome != c.outcome || !strings.Contains(v.Reason, c.reason) || (v.Reason == "") != (v.Outcome == Passed) ||
			(v.MoreRuns > 0) != (strings.Contains(v.Reason, "about") || strings.Contains(v.Reason, "one run")) {
			t.Errorf("%v %s: %+v", c.values, c.want, v)
		}
	}
}

// Facts are compared as the worst replication had them, one run or many.
func TestJudgeFacts(t *testing.T) {
	s := scene(1, 0)
	for _, c := range []struct {
		key     Key
		want    string
		values  []float64
		outcome Outcome
	}{
		{WindowMax, "<= 10", []float64{9, 11, 9}, Failed},
		{WindowMax, "<= 10", []float64{9, 10, 9}, Passed},
		{WindowMax, "== 10", []float64{10}, Passed},
		{Claims, ">= 600", []float64{600, 599, 600}, Failed},
		{Claims, "== 600", []float64{600, 600}, Passed},
		{Lost, "== 0", []float64{0, 0, 1}, Failed},
	} {
		e, err := ParseExpectation(c.key.String(), c.want)
		if err != nil {
			t.Fatal(err)
		}
		if v := Judge(e, Combine(s, runsWith(s, c.key, c.values...))); v.Outcome != c.outcome {
			t.Errorf("%s of %v %s: %+v", c.key, c.values, c.want, v)
		}
	}
}

func TestJudgeBoundBy(t *testing.T) {
	s := scene(1, 0)
	e, err := ParseExpectation("bound_by", "== limit")
	if err != nil || WantedWord(e) != ByLimit {
		t.Fatal(err, WantedWord(e))
	}
	for _, c := range []struct {
		limit, burst int
		outcome      Outcome
		word         string
	}{{1, 0, Passed, ByLimit}, {9, 1, Passed, ByLimit}, {8, 2, Undecided, ByLimit}, {1, 9, Failed, ByBurst}, {0, 1, Failed, ByBurst}, {0, 0, Failed, ""}} {
		runs := runsWith(s, DrainPerS, make([]float64, c.limit+c.burst)...)
		for i := range c.burst {
			runs[i].BoundBy = ByBurst
		}
		if v := Judge(e, Combine(s, runs)); v.Outcome != c.outcome || v.Word != c.word {
			t.Errorf("%d limit, %d burst: %+v", c.limit, c.burst, v)
		}
	}
}

// The number of runs that would tell is about right: with so many of the same
// kind, most samples are decided, and with a quarter of them most are not.
func TestMoreRunsTell(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	s := scene(1, 0)
	e, _ := ParseExpectation("drain_per_s", ">= 9.5")
	draw := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = 10 + 2*r.NormFloat64()
		}
		return values
	}
	// Half an interval of 0.5 takes about (1.96 * 2 / 0.5)^2 = 62 runs.
	stat := Stat{10, 10 - StudentT(19)*2/math.Sqrt(20), 10 + StudentT(19)*2/math.Sqrt(20), 20}
	if more := moreRuns(stat, boundsOf(e)); more < 40 || more > 47 {
		t.Errorf("%d more runs, want about 44: 20 + 44 make t * 2 / sqrt(64) = 0.5", more)
	}
	between, _ := ParseExpectation("drain_per_s", "between 9.5 and 10.9")
	if one, two := moreRuns(stat, boundsOf(e)), moreRuns(stat, boundsOf(between)); one != two {
		t.Errorf("%d more runs clear the nearer bound, not %d", one, two)
	}
	decided := 0
	for range 100 {
		if Judge(e, Combine(s, runsWith(s, DrainPerS, draw(120)...))).Outcome == Passed {
			decided++
		}
	}
	if decided < 70 {
		t.Errorf("%d of 100 decided by twice the number of runs", decided)
	}
}

// On common random numbers the difference is seen where the means overlap.
func TestComparePairs(t *testing.T) {
	s := scene(1, 0)
	r := rand.New(rand.NewPCG(7, 8))
	var a, b []float64
	for range 20 {
		luck := 3 * r.NormFloat64()
		a, b = append(a, 10+luck), append(b, 10.2+luck+0.1*r.NormFloat64())
	}
	at := Place{Key: DrainPerS}
	d := Compare(runsWith(s, DrainPerS, a...), runsWith(s, DrainPerS, b...), at, at)
	if !d.Shown() || math.Abs(d.Delta.Value-0.2) > 0.1 || d.Delta.Value < 0 || d.A.High < d.B.Low {
		t.Errorf("%+v", d)
	}
	if d = Compare(runsWith(s, DrainPerS, a...), runsWith(s, DrainPerS, a...), at, at); d.Shown() || d.Delta.Value != 0 {
		t.Errorf("a beside itself: %+v", d)
	}
	d = Compare(runsWith(s, DrainPerS, 1, Absent, 3, 9), runsWith(s, DrainPerS, 2, 7, 5), at, at)
	if d.Delta.N != 2 || d.Delta.Value != 1.5 || d.A.Value != 2 || d.B.Value != 3.5 {
		t.Errorf("pairs with one value missing: %+v", d)
	}
}

func TestCombineWarns(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*model.Scenario, []*Run)
		want   string
	}{
		{"a broken promise", func(_ *model.Scenario, r []*Run) { r[1].Limits[0][WindowMax] = 11 },
			"webhooks: the limit was broken, 11 claims in a window of 1s that may hold 10"},
		{"a limiter that promises less", func(s *model.Scenario, r []*Run) {
			s.Limits[0].Kind = model.TokenBucket
			r[1].Limits[0][WindowMax] = 15
		},
			"webhooks: a token bucket limiter does not promise 10 in 1s, up to 15 may fall in one window; the most seen is 15"},
		{"unfinished", func(_ *model.Scenario, r []*Run) { r[1].Whole[Unfinished] = 3 }, "up to 3 jobs had not ended when a run did"},
		{"lost", func(_ *model.Scenario, r []*Run) { r[0].Whole[Lost] = 2 }, "up to 2 jobs of a run were refused and lost"},
		{"stalled", func(_ *model.Scenario, r []*Run) { r[0].Counts.Stalled = true }, "in 1 of 2 runs jobs wait that nothing will ever bring back"},
		{"growing", func(_ *model.Scenario, r []*Run) { r[0].Counts.Growing = true },
			"in 1 of 2 runs the backlog only grows: jobs come faster than they can be claimed"},
		{"wide", func(_ *model.Scenario, r []*Run) { r[0].Whole[DrainPerS] = 4.8 },
			"the 95 % interval of drain_per_s is ±25.9 % after 2 runs, more runs would narrow it"},
		{"no drain in some", func(_ *model.Scenario, r []*Run) { r[0].Whole[DrainPerS] = Absent },
			"drain_per_s has a value in only 1 of 2 runs: in the others all was claimed at one instant"},
		{"bounds differ", func(_ *model.Scenario, r []*Run) { r[0].BoundBy = ByBurst }, "runs differ in what held them back: limit in 1, burst in 1"},
	} {
		s := scene(1, 0)
		runs := runsWith(s, DrainPerS, 5, 5)
		c.change(s, runs)
		sum := Combine(s, runs)
		if len(sum.Warnings) != 1 || sum.Warnings[0] != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, sum.Warnings, c.want)
		}
		if sum.Broken != (c.name == "a broken promise") || sum.NeverDrains != (c.name == "stalled" || c.name == "growing") {
			t.Errorf("%s: broken %v, never drains %v", c.name, sum.Broken, sum.NeverDrains)
		}
	}
	s := scene(1, 0)
	full := runsWith(s, DrainPerS, 5, 5)
	full[0].Limits[0][WindowMax] = 10 // as many as there may be
	if sum := Combine(s, full); len(sum.Warnings) != 0 || sum.BoundBy != ByLimit {
		t.Errorf("nothing to warn of: %q", sum.Warnings)
	}
}

func TestPromise(t *testing.T) {
	for _, c := range []struct {
		kind           model.LimiterKind
		atOnce, window int
		rate           float64
	}{
		{model.GCRA, 6, 10, 5}, {model.TokenBucket, 6, 15, 10}, {model.FixedWindow, 10, 20, 10}, {model.OpenedWindow, 10, 19, 10},
		{model.SlidingLog, 10, 10, 10}, {model.SlidingCounter, 10, 19, 10}, {model.EvenSpacing, 1, 10, 10},
	} {
		l := scene(1).Limits[0]
		l.Kind = c.kind
		p := PromiseOf(l)
		if p != (Promise{c.atOnce, c.window, c.rate}) || p.Keeps(l) != (c.window == 10) {
			t.Errorf("%s: %+v", c.kind, p)
		}
	}
	if PromiseOf(model.Limit{Limit: scene(1).Limits[0].Limit}).PerSecond != 5 || time.Second != 1e9 {
		t.Error("a limit without a kind is the real one")
	}
}
