package measure

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

func TestParseExpectation(t *testing.T) {
	for _, c := range []struct {
		key, want string
		op        model.Op
		a, b      float64
	}{
		{"drain_per_s", ">= 4.75", model.AtLeast, 4.75, 0},
		{"drain_per_s", ">4.75", model.More, 4.75, 0},
		{"webhooks.window_max", "<= 10", model.AtMost, 10, 0},
		{"A.B.wait_p99_s", " < 130 ", model.Less, 130, 0},
		{"lost", "== 0", model.Equal, 0, 0},
		{"drain_ratio", "between 0.95 and 1.05", model.Between, 0.95, 1.05},
		{"drain_per_s", "within 5% of 10", model.Within, 10, 0.05},
		{"drain_per_s", "within 2.5 % of 1e1", model.Within, 10, 0.025},
		{"bound_by", "== limit", model.Equal, 0, 0},
	} {
		e, err := ParseExpectation(c.key, c.want)
		if err != nil || e.Op != c.op || e.A != c.a || math.Abs(e.B-c.b) > 1e-15 || e.Key != c.key || e.Want != strings.TrimSpace(c.want) {
			t.Errorf("%s %s: %+v, %v", c.key, c.want, e, err)
		}
	}
}

// An error is a sentence that names what is wrong and what was wanted.
func TestParseExpectationErrors(t *testing.T) {
	for _, c := range []struct{ key, want, err string }{
		{"drain_pers", ">= 4", `key "drain_pers" is unknown, did you mean drain_per_s?`},
		{"webhooks.windowmax", ">= 4", `key "webhooks.windowmax" is unknown, did you mean webhooks.window_max?`},
		{"boundby", "== limit", `key "boundby" is unknown, did you mean bound_by?`},
		{"zzzzzzzzzzzzzzz", ">= 4", `key "zzzzzzzzzzzzzzz" is unknown, want one such as drain_per_s, window_max or wait_p99_s`},
		{"", ">= 4", `the key is empty, want a name such as drain_per_s`},
		{"drain_per_s", "4", `drain_per_s: "4" does not compare, want <, <=, >, >= or == and a number, between A and B, or within N% of X`},
		{"drain_per_s", ">= fast", `drain_per_s: "fast" is no number, want one such as 4.75 (a rate a second, without its unit)`},
		{"wait_p99_s", "< 130s", `wait_p99_s: "130s" is no number, want one such as 4.75 (of seconds, without the unit)`},
		{"lost", "<= NaN", `lost: "NaN" is no number, want one such as 4.75`},
		{"lost", "<=", `lost: "" is no number, want one such as 4.75`},
		{"lost", "between 5", `lost: "between 5" lacks its second bound, want between A and B`},
		{"lost", "between 5 and 4", `lost: the bounds of "between 5 and 4" are the wrong way round, want the smaller one first`},
		{"lost", "within 5 of 4", `lost: "within 5 of 4" is not clear, want within N% of X, such as within 5% of 10`},
		{"lost", "within -5% of 4", `lost: "within -5% of 4" has a percentage below 0`},
		{"bound_by", "limit", `bound_by: "limit" does not compare, want == and one of arrivals, burst, concurrency, dispatcher, limit, provider, threads, worker`},
		{"bound_by", "== limits", `bound_by: "limits" is unknown, did you mean limit?`},
		{"webhooks.bound_by", "== limit", `key "webhooks.bound_by" has a meaning for the whole only: write bound_by`},
	} {
		if _, err := ParseExpectation(c.key, c.want); err == nil || err.Error() != c.err {
			t.Errorf("%s %s:\ngot  %v\nwant %s", c.key, c.want, err, c.err)
		}
	}
}

func scene(limits int, classLimits ...int) *model.Scenario {
	s := &model.Scenario{}
	for i := range limits {
		s.Limits = append(s.Limits, model.Limit{
			Name: []string{"webhooks", "mails"}[i], Kind: model.GCRA,
			Limit: gcra.Limit{To: 10, Per: time.Second, Burst: 6},
		})
	}
	for i, l := range classLimits {
		s.Classes = append(s.Classes, model.Class{Name: []string{"SendJob", "MailJob", "FreeJob"}[i], Limit: l})
	}
	return s
}

func TestMeaningful(t *testing.T) {
	one, two, free := scene(1, 0, 0), scene(2, 0, 1, -1), scene(0, -1)
	for _, c := range []struct {
		s        *model.Scenario
		key, err string
	}{
		{one, "window_max", ""},
		{one, "webhooks.window_max", ""},
		{one, "SendJob.wait_p99_s", ""},
		{one, "bound_by", ""},
		{two, "SendJob.window_max", ""},
		{one, "SendJob.window_max", `key "SendJob.window_max" has no meaning: class SendJob shares its limit with MailJob, so write webhooks.window_max`},
		{two, "window_max", `key "window_max" has no meaning for the whole, which has 2 limits: write one's name before it, such as webhooks.window_max`},
		{two, "FreeJob.drain_ratio", `key "FreeJob.drain_ratio" has no meaning: class FreeJob has no limit`},
		{free, "drain_ratio", `key "drain_ratio" has no meaning here: the scenario has no limit`},
		{one, "webhooks.worker_polls", `key "webhooks.worker_polls" has a meaning for the whole only: write worker_polls`},
		{one, "webhooks.bound_by", `key "webhooks.bound_by" has a meaning for the whole only: write bound_by`},
		{one, "webhook.drain_per_s", `no limit or class is named "webhook", did you mean "webhooks"?`},
		{one, "Other.drain_per_s", `no limit or class is named "Other"`},
		{one, "drian_per_s", `key "drian_per_s" is unknown, did you mean drain_per_s?`},
	} {
		err := Meaningful(c.s, c.key)
		if got := ""; err != nil {
			if got = err.Error(); got != c.err {
				t.Errorf("%s:\ngot  %s\nwant %s", c.key, got, c.err)
			}
		} else if c.err != "" {
			t.Errorf("%s: no error, want %s", c.key, c.err)
		}
	}
}

// A key that means something in a scenario has a value there and the others
// have none.
func TestMeaningfulAgreesWithRuns(t *testing.T) {
	php := func(s *model.Scenario) *model.Scenario {
		s.System, s.Laravel = model.Laravel, &model.LaravelParts{Throttles: []model.Throttle{{Kind: model.JobThrottle}}}
		s.Classes[0].Laravel.Throttles = []int{0}
		return s
	}
	notUnique, unique := php(scene(1, 0)), php(scene(1, 0, -1))
	unique.Classes[1].Laravel.UniqueFor = time.Second
	for _, s := range []*model.Scenario{unique, notUnique, scene(0, -1), scene(1, 0), scene(1, 0, 0), scene(1, 0, -1), scene(2, 0, 1), scene(2, 0, 0, 1), scene(2, 0), scene(1, -1)} {
		tally := NewTally(s)
		for c := range s.Classes {
			for i := range 20 {
				job := int64(c*20 + i)
				at := gcra.Instant(i) * 100 * milli
				tally.Observe(&model.Event{Kind: model.Enqueued, Class: c, Job: job, N: 1})
				tally.Observe(&model.Event{Kind: model.Claimed, Class: c, Job: job, N: 1, At: at})
				tally.Observe(&model.Event{Kind: model.Finished, Class: c, Job: job, N: 1, At: at + milli})
			}
		}
		run := tally.Finish(model.Counts{Threads: 1})
		check := func(prefix string, v *Values) {
			for k := range v {
				key := prefix + Key(k).String()
				err := Meaningful(s, key)
				if (err == nil) != present(v[k]) && !unusedLimit(s, prefix, Key(k)) {
					t.Errorf("%d limits, %d classes: %s is %v, but %v", len(s.Limits), len(s.Classes), key, v[k], err)
				}
			}
		}
		check("", &run.Whole)
		for i := range run.Limits {
			check(s.Limits[i].Name+".", &run.Limits[i])
		}
		for i := range run.Classes {
			check(s.Classes[i].Name+".", &run.Classes[i])
		}
	}
}

// unusedLimit is true of a limit without jobs, which has a meaning, but no
// value.
func unusedLimit(s *model.Scenario, prefix string, k Key) bool {
	for l, limit := range s.Limits {
		used := false
		for _, c := range s.Classes {
			used = used || c.Limit == l
		}
		if !used && (prefix == limit.Name+"." || prefix == "" && k.Info().Scope == ScopeLimit) {
			return true
		}
	}
	return false
}

func TestKeys(t *testing.T) {
	if len(Names()) != NumKeys {
		t.Fatalf("%d names, want %d", len(Names()), NumKeys)
	}
	for i, name := range Names() {
		k, ok := Lookup(name)
		info := k.Info()
		if !ok || int(k) != i || info.About == "" || info.Name != strings.ToLower(name) || info.Least && !info.Fact {
			t.Errorf("key %d, %q: %+v", i, name, info)
		}
		if info.Scope != ScopeAny && info.Scope != ScopeLimit && info.Scope != ScopeWhole {
			t.Errorf("%s: scope %q", name, info.Scope)
		}
	}
	if _, ok := Lookup(BoundByName); ok {
		t.Error("bound_by is no number")
	}
}
