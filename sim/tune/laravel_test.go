package tune_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/analytic"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
	"github.com/ratesim/ratesim/sim/tune"
)

// blast asks of jobs of 150 ms at allow a second.
func blast(t *testing.T, allow, workers, jobs int, sleep time.Duration) *tune.LaravelQuestion {
	return &tune.LaravelQuestion{
		Given: tune.LaravelSetup{Workers: workers, Sleep: sleep}, Allow: allow, Every: time.Second, Takes: 150 * time.Millisecond, Blast: jobs, KeepUp: 0.95, Seed: 1, Runs: 10,
		Scenario: func(u tune.LaravelSetup) (*model.Scenario, error) {
			wait := u.MaxWait
			if wait == 0 {
				wait = 1000 * time.Hour
			}
			limit := fmt.Sprintf("limiter: %s, allow: %d, every: 1s, max_wait: %s", u.Throttle, allow, wait)
			if u.Throttle == model.RedisThrottle {
				limit = fmt.Sprintf("limiter: %s, allow: %d, every: 1s, block: 0s, release: 1s", u.Throttle, allow)
			}
			text := fmt.Sprintf("system: laravel\nlimits: {key: {%s}}\njobs: [{class: J, limit: key, backlog: %d, takes: 150ms, timeout: 1m}]\nworkers: [{processes: %d, sleep: %s, tries: %d}]\n",
				limit, jobs, u.Workers, u.Sleep, u.Tries)
			all, errs := scenarios.Read("test", []byte(text), scenarios.Options{})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			return all[0], nil
		},
	}
}

// What is said to lose no job loses none with draws that the search never saw,
// and a little less loses some.
func TestLeastTriesAndWait(t *testing.T) {
	q := blast(t, 8, 10, 200, time.Second)
	a, err := tune.SuggestLaravel(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	lost := func(u tune.LaravelSetup) (n float64) {
		s, _ := q.Scenario(u)
		runs, err := sim.Replicate(t.Context(), s, sim.Options{Seed: 1, Runs: 10, First: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			n += r.Whole[measure.FailedJobs]
		}
		return n
	}
	for i, f := range a.Throttles {
		u := f.LaravelSetup
		u.Tries = a.Tries[i]
		if n := lost(u); n > 0 {
			t.Errorf("%s: %g jobs are lost with %d tries", u.Throttle, n, u.Tries)
		}
		if u.Tries -= 5; u.Tries > 0 && lost(u) == 0 {
			t.Errorf("%s: none is lost with %d tries either", u.Throttle, u.Tries)
		}
	}
	u := a.Throttles[0].LaravelSetup
	u.MaxWait = a.MaxWait
	if n := lost(u); n > 0 {
		t.Errorf("%g jobs are lost with a longest wait of %v", n, u.MaxWait)
	}
	if u.MaxWait -= 4 * time.Second; lost(u) == 0 {
		t.Errorf("none is lost with a longest wait of %v either", u.MaxWait)
	}
	// 200 jobs at 8 a second take 24.875 s, so nobody waits less than that.
	if a.MaxWait < 24*time.Second || a.MaxWait > 32*time.Second {
		t.Errorf("the longest wait is %v, want a little more than 24.875 s", a.MaxWait)
	}
	// Redis::throttle: about one try a second that a job waits.
	if a.Tries[1] < 20 || a.Tries[1] > 30 {
		t.Errorf("%d tries, want about 25, one a second", a.Tries[1])
	}
}

func TestWorkersAndSleepsThatKeepUp(t *testing.T) {
	q := blast(t, 30, 8, 300, time.Second)
	// 30 a second of 150 ms keep 4.5 workers busy.
	if n := q.FewestWorkers(); n != 5 {
		t.Errorf("at least %d workers, want 5", n)
	}
	a, err := tune.SuggestLaravel(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.FewestWorkers < 5 || a.FewestWorkers > 12 {
		t.Errorf("%d workers keep up, want 5 and a few for waits inside them", a.FewestWorkers)
	}
	for _, f := range a.Workers {
		if f.KeepsUp != (f.Workers >= a.FewestWorkers) && f.Workers < a.FewestWorkers {
			t.Errorf("%d workers keep up, the fewest are said to be %d", f.Workers, a.FewestWorkers)
		}
	}
	for _, f := range a.Sleeps {
		keeps := f.Stats[measure.MakespanS].Value <= 299/30.0/0.95+2
		if keeps != f.KeepsUp {
			t.Errorf("--sleep %v: keeps up %v, the last start is at %g s", f.Sleep, f.KeepsUp, f.Stats[measure.MakespanS].Value)
		}
	}
	q.Given.Workers = 4
	if err := q.Check(); err == nil {
		t.Error("4 workers are not refused")
	}
}

// The rate that was searched for is the one that trying all of them finds, and
// what is certain is never refused and never above its bound.
func TestSafeRate(t *testing.T) {
	delay, err := model.ParseDist("uniform(0ms, 700ms)", nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := func(n int) (*model.Scenario, error) {
		s := ask(n, time.Second, time.Second, 100*time.Millisecond).Setting
		s.Limits[0].Burst, s.Classes[0].Backlog = (n+1)/2, 400
		p := scenarios.DefaultProvider()
		p.Limit, p.Per, p.Latency = 12, time.Second, delay
		s.Provider = &p
		return s, nil
	}
	q := &tune.ProviderQuestion{Limit: 12, Seed: 1, Runs: 10, Scenario: scenario, MostIn: func(n int) int {
		return analytic.MostIn(gcra.Limit{To: n, Per: time.Second, Burst: (n + 1) / 2}, 1700*time.Millisecond)
	}}
	a, err := tune.SafeRate(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for n := 1; n <= 12; n++ {
		s, _ := scenario(n)
		runs, err := sim.Replicate(t.Context(), s, sim.Options{Seed: 1, Runs: 10})
		if err != nil {
			t.Fatal(err)
		}
		refused := 0.0
		for _, r := range runs {
			refused += r.Whole[measure.ProviderRefused]
			if most := int(r.Whole[measure.ProviderWindowMax]); most > q.MostIn(n) {
				t.Errorf("limit %d: %d calls in a window, the bound is %d", n, most, q.MostIn(n))
			}
			if r.Whole[measure.ProviderCalls] != 400 {
				t.Errorf("limit %d: %g calls, want one a job", n, r.Whole[measure.ProviderCalls])
			}
		}
		if refused == 0 {
			best = n
		}
	}
	if a.Unrefused == nil || a.Unrefused.N != best {
		t.Errorf("found %v, trying all finds %d", a.Unrefused, best)
	}
	if a.Certain == nil || a.Certain.N > best || a.Certain.Refused > 0 || a.Certain.Bound > 12 {
		t.Errorf("certain is %+v, with a limit of %d unrefused", a.Certain, best)
	}
}
