package scenarios

import (
	"strings"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
)

const setBase = `name: base
limits:
  webhooks: {to: 10, per: 1s, burst: 6}
jobs:
  - {class: SendWebhookJob, limit: webhooks, backlog: 600}
  - {class: Other, backlog: 5}
dispatchers:
  - {polling_interval: 1s}
  - {polling_interval: 2s}
workers:
  - {}
expect:
  claims: ">= 4"
`

func document(t testing.TB, data string) *Document {
	t.Helper()
	docs, errs := Parse("f.yml", []byte(data), Options{Open: opener("testdata/good")})
	if errs != nil || len(docs) != 1 {
		t.Fatal(len(docs), errs)
	}
	return docs[0]
}

func sets(t testing.TB, lines ...string) []Set {
	t.Helper()
	var all []Set
	for _, line := range lines {
		s, err := ParseSet(line)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func TestSetChangesWhatItsPathLeadsTo(t *testing.T) {
	d := document(t, setBase)
	for _, c := range []struct {
		set string
		ok  func(s *model.Scenario) bool
	}{
		{"limits.webhooks.burst=7", func(s *model.Scenario) bool { return s.Limits[0].Burst == 7 }},
		{"limits.webhooks.limiter=token_bucket", func(s *model.Scenario) bool { return s.Limits[0].Kind == model.TokenBucket }},
		{"limits.webhooks={to: 5, per: 2s}", func(s *model.Scenario) bool { return s.Limits[0].Per == 2*time.Second && s.Limits[0].Burst == 1 }},
		{"jobs.SendWebhookJob.backlog=10", func(s *model.Scenario) bool { return s.Classes[0].Backlog == 10 && s.Classes[1].Backlog == 5 }},
		{"jobs[1].backlog=10", func(s *model.Scenario) bool { return s.Classes[0].Backlog == 600 && s.Classes[1].Backlog == 10 }},
		{"jobs.takes=exp(50ms)", func(s *model.Scenario) bool { return s.Classes[1].Takes.String() == "exp(50ms)" }},
		{"dispatchers.polling_interval=0.2s", func(s *model.Scenario) bool {
			return s.Dispatchers[0].Interval == s.Dispatchers[1].Interval && s.Dispatchers[0].Interval == 200*time.Millisecond
		}},
		{"dispatchers[1].polling_interval=0.2", func(s *model.Scenario) bool {
			return s.Dispatchers[0].Interval == time.Second && s.Dispatchers[1].Interval == 200*time.Millisecond
		}},
		{"timing=none", func(s *model.Scenario) bool { return !s.Timing.RandomPhase }},
		{"timing.claim=9ms", func(s *model.Scenario) bool {
			return s.Timing.Claim.String() == "9ms" && s.Timing.JobCPU.String() == "5.3ms"
		}},
		{"rules.wake=never", func(s *model.Scenario) bool {
			return s.Rules.Wake == model.WakeNever && s.Rules.ClaimsAgain == 5
		}},
		{"runs=3", func(s *model.Scenario) bool { return s.Runs == 3 }},
		{"expect.claims=>= 7", func(s *model.Scenario) bool { return s.Expect[0].A == 7 && len(s.Expect) == 1 }},
		{"expect.webhooks.window_max=<= 10", func(s *model.Scenario) bool { return s.Expect[1].Key == "webhooks.window_max" }},
		{`name="7"`, func(s *model.Scenario) bool { return s.Name == "7" }},
	} {
		s, err := d.With(sets(t, c.set)...)
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
		} else if !c.ok(s) {
			t.Errorf("%s: got %+v", c.set, s)
		}
	}
	if s, err := d.With(); err != nil || same(s, mustRead(t, setBase)) != nil {
		t.Errorf("the document itself changed: %+v, %v", s, err)
	}
}

func TestSetFillsInTheDefaultItLeadsInto(t *testing.T) {
	const job = "jobs:\n  - {class: A, backlog: 10}\n"
	for _, c := range []struct{ data, set, same string }{
		{job, "dispatchers.polling_interval=0.2s", job + "dispatchers:\n  - {polling_interval: 0.2s}\nworkers:\n  - {}\n"},
		{job, "workers[0].threads=9", job + "dispatchers:\n  - {}\nworkers:\n  - {threads: 9}\n"},
		{job + "timing: none\n", "timing.claim=3ms", "system: polls\n" + job + "timing: {claim: 3ms}\nrules: {wake: on_finish, dispatch_again: nonempty, poll: after_work, claims_again: 5, order: id}\n"},
		{job + "timing: default\n", "timing.claim=9ms", job + "timing: {claim: 9ms}\n"},
		{"system: polls\n" + job + "timing: default\n", "timing.claim=9ms", "system: polls\n" + job + "timing: {claim: 9ms, dispatch: 4.2ms + 0.25ms per job, empty_dispatch: 1.6ms, empty_claim: 1.1ms, overshoot: 0.55ms, job_cpu: 5.3ms, period_spread: 1ms, phase: random}\n"},
		{"system: polls\n" + job, "timing.claim=9ms", "system: polls\n" + job + "timing: {claim: 9ms}\n"},
	} {
		s, err := document(t, c.data).With(sets(t, c.set)...)
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
			continue
		}
		want := mustRead(t, c.same)
		want.System = s.System // one row writes a system's habits out
		if got, want := string(Write(s)), string(Write(want)); got != want {
			t.Errorf("%s: got\n%swant\n%s", c.set, got, want)
		}
	}
}

func TestSetErrorsNameTheFlag(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"limits.webhook.burst=6", "--set limits.webhook.burst: no such key, nearest limits.webhooks.burst"},
		{"limits.webhooks.brust=6", "--set limits.webhooks.brust: no such key, nearest limits.webhooks.burst"},
		{"limit.webhooks.burst=6", "--set limit.webhooks.burst: no such key, nearest limits.webhooks.burst"},
		{"jobs.SendWebhooksJob.backlog=6", "--set jobs.SendWebhooksJob.backlog: no such key, nearest jobs.SendWebhookJob.backlog"},
		{"dispatchers[2].batch_size=6", "--set dispatchers[2].batch_size: there is no dispatchers[2], the last is [1]"},
		{"dispatchers[x].batch_size=6", "--set dispatchers[x].batch_size: the place [x] in the path is wrong, want one such as dispatchers[0]"},
		{"timing.clam=1ms", "--set timing.clam: no such key, nearest timing.claim"},
		{"name.first=x", `--set name.first: name is a single value, "first" leads on from there`},
		{"limits..burst=x", "--set limits..burst: the path has an empty part, want one such as limits.webhooks.burst"},
		{"limits.webhooks.burst=x", `--set limits.webhooks.burst: "x" is no number in plain digits, want a whole number from 1 to 2147483647`},
		{"limits.webhooks.burst=", `--set limits.webhooks.burst: there is no value, want a whole number from 1 to 2147483647, or the key left out`},
		{"limits.webhooks.burst=11", "--set limits.webhooks.burst: burst is 11, want at most to, which is 10"},
		{"limits.webhooks={to: 5, pr: 1s}", "--set limits.webhooks: unknown key \"pr\", did you mean per?\n--set limits.webhooks: per is missing, want the length of the window"},
		{"limits.webhooks.to=4", "f.yml:3:38: limits.webhooks: burst is 6, want at most to, which is 4"},
		{"expect.clams=>= 7", `--set expect.clams: key "clams" is unknown, did you mean claims?`},
		{"runs={a", "--set runs: the { that opens on line 1 is not closed, want a comma or } before this"},
	} {
		_, err := document(t, setBase).With(sets(t, c.set)...)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got\n%v\nwant\n%s", c.set, err, c.want)
		}
	}
	if _, err := ParseSet("limits.webhooks.burst"); err == nil || !strings.HasPrefix(err.Error(), "--set limits.webhooks.burst: ") {
		t.Errorf("without =: %v", err)
	}
	vary := Set{Path: "runs", Value: "x", Flag: "--vary"}
	if _, err := document(t, setBase).With(vary); err == nil || !strings.HasPrefix(err.Error(), "--vary runs: ") {
		t.Errorf("--vary: %v", err)
	}
}

func BenchmarkWith(b *testing.B) {
	d := document(b, setBase)
	set := sets(b, "limits.webhooks.burst=7", "dispatchers.polling_interval=0.2s")
	for b.Loop() {
		if _, err := d.With(set...); err != nil {
			b.Fatal(err)
		}
	}
}

// The paths of a Laravel queue are its own words.
func TestSetInALaravelQueue(t *testing.T) {
	const base = "system: laravel\nlimits:\n  api: {allow: 8}\njobs:\n  - {class: A, backlog: 10, limit: api}\n"
	d := document(t, base)
	for _, c := range []struct {
		path, value string
		ok          func(s *model.Scenario) bool
	}{
		{"limits.api.allow", "9", func(s *model.Scenario) bool {
			return s.Limits[0].To == 9 && s.Laravel.Throttles[0].Allow == 9
		}},
		{"limits.api.limiter", "redis_throttle", func(s *model.Scenario) bool {
			return s.Laravel.Throttles[0].Kind == model.RedisThrottle && s.Limits[0].Kind == model.RedisThrottle
		}},
		{"workers.sleep", "1s", func(s *model.Scenario) bool { return s.Workers[0].Interval == time.Second }},
		{"workers[0].processes", "10", func(s *model.Scenario) bool { return s.Workers[0].Processes == 10 }},
		{"jobs.A.tries", "0", func(s *model.Scenario) bool { return *s.Classes[0].Laravel.Tries == 0 }},
		{"connection.retry_after", "60s", func(s *model.Scenario) bool { return s.Laravel.Connection.RetryAfter == time.Minute }},
		{"timing", "none", func(s *model.Scenario) bool { return s.Laravel.Timing.Cores == 0 }},
		{"timing.cores", "2", func(s *model.Scenario) bool {
			return s.Laravel.Timing.Cores == 2 && s.Laravel.Timing.Boot.Mean(0) == 500*time.Millisecond
		}},
		{"rules.ties", "fifo", func(s *model.Scenario) bool { return s.Laravel.Ties == model.TiesFIFO }},
		{"provider.limit", "8/s", func(s *model.Scenario) bool { return s.Provider.Limit == 8 }},
	} {
		s, err := d.With(Set{Path: c.path, Value: c.value})
		if err != nil || !c.ok(s) {
			t.Errorf("%s=%s: %v, got %+v", c.path, c.value, err, s)
		}
	}
	for path, want := range map[string]string{
		"limits.api.alow":       "--set limits.api.alow: no such key, nearest limits.api.allow",
		"workers.sleeep":        "--set workers.sleeep: no such key, nearest workers.sleep",
		"timing.claim":          `no such key "claim", want wire`,
		"dispatchers.phase":     "dispatchers",
		"connection.retryAfter": "--set connection.retryAfter: no such key, nearest connection.retry_after",
	} {
		if _, err := d.With(Set{Path: path, Value: "1"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	none := document(t, base+"timing: none\n")
	if s, err := none.With(Set{Path: "timing.cores", Value: "2"}); err != nil || s.Laravel.Timing.Cores != 2 || s.Laravel.Timing.RandomPhase {
		t.Errorf("timing: none and cores: %v", err)
	}
}
