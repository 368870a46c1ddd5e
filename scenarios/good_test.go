package scenarios

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/ratesim/ratesim/model"
)

func mustRead(t testing.TB, data string) *model.Scenario {
	t.Helper()
	s, errs := Read("f.yml", []byte(data), Options{Open: opener("testdata/good")})
	if errs != nil || len(s) != 1 {
		t.Fatalf("%d scenarios, %v\n%s", len(s), errs, data)
	}
	return s[0]
}

// same compares scenarios but for where they were written.
func same(a, b *model.Scenario) error {
	x, y := *a, *b
	x.File, y.File = "", ""
	x.Expect, y.Expect = placeless(x.Expect), placeless(y.Expect)
	if !reflect.DeepEqual(x, y) {
		return fmt.Errorf("\n%+v\nis not\n%+v", x, y)
	}
	return nil
}

func placeless(es []model.Expectation) []model.Expectation {
	var out []model.Expectation
	for _, e := range es {
		e.Line, e.Col = 0, 0
		out = append(out, e)
	}
	return out
}

// What is written reads as what it was written from, and writes the same.
func roundTrip(t testing.TB, s *model.Scenario, open func(string) ([]byte, error)) {
	t.Helper()
	text := Write(s)
	back, errs := Read(s.File, text, Options{Open: open})
	if errs != nil || len(back) != 1 {
		t.Fatalf("written, it does not read: %v\n%s", errs, text)
	}
	if err := same(s, back[0]); err != nil {
		t.Fatalf("written and read, %v\n%s", err, text)
	}
	if again := Write(back[0]); string(again) != string(text) {
		t.Fatalf("written again\n%s\nis not\n%s", again, text)
	}
}

func TestGoodFilesReadAndRoundTrip(t *testing.T) {
	for name, data := range testFiles(t, "good") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			all, errs := Read(name, data, Options{Open: opener("testdata/good")})
			if errs != nil {
				t.Fatal(errs)
			}
			for _, s := range all {
				roundTrip(t, s, opener("testdata/good"))
			}
		})
	}
}

func TestShippedScenariosReadAndRoundTrip(t *testing.T) {
	infos := List()
	if len(infos) == 0 {
		t.Fatal("none shipped")
	}
	for _, info := range infos {
		all, err := Find(info.Name)
		if err != nil || info.About == "" {
			t.Errorf("%s: %v, about %q", info.Name, err, info.About)
		}
		for _, s := range all {
			roundTrip(t, s, opener("."))
		}
	}
}

func TestDefaults(t *testing.T) {
	got := mustRead(t, "jobs:\n  - {class: A, backlog: 10}\n")
	want := &model.Scenario{
		Name: "f", File: "f.yml", System: model.SolidQueue,
		Classes:     []model.Class{{Name: "A", Limit: -1, Backlog: 10, Queue: "default", Takes: dist("10ms")}},
		Dispatchers: []model.Dispatcher{{Interval: time.Second, Batch: 500}},
		Workers:     []model.Worker{{Queues: []string{"*"}, Threads: 3, Processes: 1, Interval: 100 * time.Millisecond}},
		Timing:      DefaultTiming(),
		Rules: model.Rules{Wake: model.WakeOnFinish, DispatchAgain: model.AgainNonempty, ClaimsAgain: 5,
			Wait: model.Wait{Kind: model.WaitSlots}},
	}
	if err := same(got, want); err != nil {
		t.Error(err)
	}
}

func TestDefaultsHangOnWhatIsThere(t *testing.T) {
	const job = "jobs:\n  - {class: A, backlog: 10}\n"
	for _, c := range []struct {
		name, data string
		ok         func(s *model.Scenario) bool
	}{
		{"workers alone: no dispatcher", job + "workers:\n  - {}\n", func(s *model.Scenario) bool {
			return len(s.Dispatchers) == 0 && len(s.Workers) == 1
		}},
		{"dispatchers alone: no worker", job + "dispatchers:\n  - {}\nuntil: 60s\n", func(s *model.Scenario) bool {
			return len(s.Dispatchers) == 1 && len(s.Workers) == 0
		}},
		{"a bare number polls in seconds", job + "workers:\n  - {polling_interval: 0.1}\n", func(s *model.Scenario) bool {
			return s.Workers[0].Interval == 100*time.Millisecond
		}},
		{"a bare whole number too", job + "dispatchers:\n  - {polling_interval: 2}\nworkers:\n  - {}\n", func(s *model.Scenario) bool {
			return s.Dispatchers[0].Interval == 2*time.Second
		}},
		{"polls has no costs and no habits", "system: polls\n" + job, func(s *model.Scenario) bool {
			return reflect.DeepEqual(s.Timing, NoTiming()) && s.Rules.Grid && s.Rules.Wake == model.WakeNever &&
				s.Rules.DispatchAgain == model.AgainNever && s.Rules.ClaimsAgain == 0
		}},
		{"wherever system stands", job + "rules: {cap: always}\nsystem: polls\n", func(s *model.Scenario) bool {
			return s.Rules.Grid && s.Rules.CapAlways
		}},
		{"the gaps of timing are the default", job + "timing: {phase: same}\n", func(s *model.Scenario) bool {
			return !s.Timing.RandomPhase && s.Timing.JobCPU.String() == "5.3ms"
		}},
		{"of polls, nothing", "system: polls\n" + job + "timing: {phase: random}\n", func(s *model.Scenario) bool {
			return s.Timing.RandomPhase && reflect.DeepEqual(s.Timing.JobCPU, model.Dist{})
		}},
		{"burst is 1 and the limiter the real one", "limits:\n  w: {to: 5, per: 1s}\n" + job, func(s *model.Scenario) bool {
			return s.Limits[0].Burst == 1 && s.Limits[0].Kind == model.GCRA
		}},
		{"no time at all is a time", "jobs:\n  - {class: A, backlog: 10, takes: 0ms}\n", func(s *model.Scenario) bool {
			return s.Classes[0].Takes.Mean(1) == 0
		}},
		{"expectations know their place", job + "expect:\n  claims: \"== 10\"\n", func(s *model.Scenario) bool {
			return s.Expect[0].Line == 4 && s.Expect[0].Col == 11
		}},
	} {
		if s := mustRead(t, c.data); !c.ok(s) {
			t.Errorf("%s: got %+v", c.name, s)
		}
	}
}

func TestWaitPolicies(t *testing.T) {
	for text, want := range map[string]model.Wait{
		"slots":                {Kind: model.WaitSlots},
		"slots  unlimited":     {Kind: model.WaitUnlimited},
		"tail":                 {Kind: model.WaitTail},
		"hold":                 {Kind: model.WaitHold},
		"drop":                 {Kind: model.WaitDrop},
		"fixed 1s":             {Kind: model.WaitDelay, Delay: dist("1s")},
		"uniform(1s, 10s)":     {Kind: model.WaitDelay, Delay: dist("uniform(1s, 10s)")},
		"backoff k":            {Kind: model.WaitBackoff, Base: time.Second, Power: 1},
		"backoff k^4 + 2s":     {Kind: model.WaitBackoff, Base: time.Second, Power: 4, Plus: 2 * time.Second},
		"backoff 10s * k^0":    {Kind: model.WaitBackoff, Base: 10 * time.Second},
		"backoff k jitter 0.3": {Kind: model.WaitBackoff, Base: time.Second, Power: 1, Jitter: 0.3},
		"backoff 2s*k^4+2s jitter 15%": {Kind: model.WaitBackoff, Base: 2 * time.Second, Power: 4,
			Plus: 2 * time.Second, Jitter: 0.15},
	} {
		got, err := ParseWait(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
		if back, err := ParseWait(FormatWait(got)); err != nil || !reflect.DeepEqual(back, want) {
			t.Errorf("%s: written as %s, reads as %+v, %v", text, FormatWait(got), back, err)
		}
	}
}
