package queueyml

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func host(env string, vars ...string) Host {
	return Host{Env: env, Processors: 2, Getenv: func(name string) (string, bool) {
		for _, v := range vars {
			if n, value, _ := strings.Cut(v, "="); n == name {
				return value, true
			}
		}
		return "", false
	}}
}

func TestEvaluate(t *testing.T) {
	h := host("production", "JOB_CONCURRENCY=4", "EMPTY=", "ROLE=worker")
	for text, want := range map[string]value{
		`ENV.fetch("JOB_CONCURRENCY", 1)`: "4", `ENV.fetch("NONE", 1)`: int64(1), `ENV.fetch('NONE') { 5 }`: int64(5),
		`ENV["JOB_CONCURRENCY"] || 3`: "4", `ENV["NONE"] || 3`: int64(3), `ENV["NONE"]`: nil, `ENV["NONE"].to_i`: int64(0),
		`(ENV.fetch("NONE") { 5 }).to_i - 2`: int64(3), `ENV["JOB_CONCURRENCY"].to_i * 2 + 1`: int64(9), `7 / 2`: int64(3), `-7 / 2`: int64(-4), `7 / 2.0`: 3.5,
		`ENV.fetch("JOB_CONCURRENCY", Rails.env.local? ? 1 : Concurrent.physical_processor_count)`: "4",
		`ENV.fetch("NONE", Rails.env.local? ? 1 : Concurrent.physical_processor_count)`:            int64(2),
		`Rails.env.production?`: true, `Rails.env == "production" ? 2 : 1`: int64(2), `Rails.env`: "production", `!Rails.env.test?`: true,
		`ENV["EMPTY"].presence || 6`: int64(6), `ENV["EMPTY"].present?`: false, `ENV.key?("ROLE") && ENV["ROLE"] == "worker"`: true,
		`"3 x".to_i`: int64(3), `"1.5".to_f`: 1.5, `1_000`: int64(1000), `3 >= 2`: true, `nil || false`: false,
	} {
		got, err := evaluate(text, h)
		if err != nil || got != want {
			t.Errorf("%s is %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`Seek::Config.solr_enabled`: "Seek is beyond", `ENV.fetch("NONE")`: "NONE is not set", `"a" + 1`: "no number", `1 / 0`: "division by zero", `ENV[NONE]`: "in place of a name",
		`[1,2].max`: "beyond", `foo`: "foo is beyond", `1 +`: "end in the middle", `"a#{b}"`: "not read here", `ENV.to_h`: "ENV.to_h", `3 .minutes`: ".minutes", `"open`: "no end",
	} {
		if v, err := evaluate(text, h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want a word of %s", text, v, err, want)
		}
	}
	h.Processors = 0
	if _, err := evaluate("Etc.nprocessors", h); err == nil || !strings.Contains(err.Error(), "--processors") {
		t.Errorf("an unknown number of processors is %v", err)
	}
}

// What the reference says the real class resolves each shape to.
func TestShapes(t *testing.T) {
	usual := fmt.Sprint([]Dispatcher{usualDispatcher}, []Worker{usualWorker})
	for text, want := range map[string]string{
		"": usual, "# nothing\n": usual, "production:\n": usual, "test:\n  workers: []\n": usual, "queues: a\nconcurrency: 3\n": usual,
		"production: {workers: [{threads: 5}]}":            fmt.Sprint([]Dispatcher(nil), []Worker{{[]string{"*"}, 5, 1, 100 * time.Millisecond}}),
		"workers: [{queues: [a, b], polling_interval: 2}]": fmt.Sprint([]Dispatcher(nil), []Worker{{[]string{"a", "b"}, 3, 1, 2 * time.Second}}),
		"dispatchers: [{}]":                                fmt.Sprint([]Dispatcher{usualDispatcher}, []Worker(nil)),
		"workers: [{processes: 0}, {processes: 2}]":        fmt.Sprint([]Dispatcher(nil), []Worker{{[]string{"*"}, 3, 2, 100 * time.Millisecond}}),
		"d: &d {dispatchers: [{batch_size: 7}], workers: [{threads: 9}]}\nproduction: {<<: *d, workers: [{threads: 4}]}":                      fmt.Sprint([]Dispatcher{{time.Second, 7, true, 600 * time.Second}}, []Worker{{[]string{"*"}, 4, 1, 100 * time.Millisecond}}),
		"d: &d {workers: [{threads: 9}]}\nproduction: *d":                                                                                     fmt.Sprint([]Dispatcher(nil), []Worker{{[]string{"*"}, 9, 1, 100 * time.Millisecond}}),
		"workers:\n<% if Rails.env.production? %>\n - threads: 1\n<% elsif Foo.bar %>\n - threads: 2\n<% else %>\n - threads: 3\n<% end %>\n": fmt.Sprint([]Dispatcher(nil), []Worker{{[]string{"*"}, 1, 1, 100 * time.Millisecond}}),
	} {
		c, err := Read("q.yml", []byte(text), host("production"))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := fmt.Sprint(c.Dispatchers, c.Workers); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"workers:\n":                                 `q.yml:1:9: workers: this is no list`,
		"workers: {threads: 3}":                      `q.yml:1:10: workers: this is no list`,
		"workers:\n  - threads: x\n":                 `q.yml:2:14: workers[0].threads: "x" is no number`,
		"workers:\n  - threads:\n":                   `workers[0].threads: "" is no number`,
		"workers: [{processes: 1.5}]":                `workers[0].processes: 1.5 is out of range, want a whole number from 0`,
		"workers: [{polling_interval: 0.1.seconds}]": `"0.1.seconds" is no number, want a number of seconds`,
		"workers: [3]":                               `workers[0]: this is no mapping`,
		"- a":                                        `q.yml:1:1: this is no mapping`,
		"a: 1\nb: <%= Foo.bar %>\n":                  `q.yml:2:4: <%= Foo.bar %>: Foo is beyond`,
		"<% if 1 == 1 %>\n":                          `an if has no end`,
		"a: <%= 1":                                   `<% has no %> after it`,
		"<% end %>":                                  `there is no if before it`,
		"<% foo.each do |x| %>":                      `only if, unless, elsif, else and end`,
		"a: [":                                       `q.yml`,
	} {
		_, err := Read("q.yml", []byte(text), host("production"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	c, err := Read("q.yml", []byte("workers: [{polling_intervall: 1, fibres: 2}]"), host("production"))
	if err != nil || !slices.Equal(c.Ignored, []string{"workers[0].polling_intervall, did you mean polling_interval?", "workers[0].fibres"}) {
		t.Errorf("%v, %v", c, err)
	}
}

func TestServes(t *testing.T) {
	for _, c := range []struct {
		queues []string
		queue  string
		want   bool
	}{{[]string{"*"}, "a", true}, {[]string{"mail*"}, "mailers", true}, {[]string{"mail"}, "mailers", false}, {[]string{"a,b"}, "a", false}, {[]string{"a", "b"}, "b", true}, {nil, "a", false}} {
		if got := (Worker{Queues: c.queues}).Serves(c.queue); got != c.want {
			t.Errorf("%v serves %s: %v, want %v", c.queues, c.queue, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"workers: [{threads: 3}]", "a: &a {b: *a}", "<%= ENV['X'] || 3 %>", "<% if true %>\nworkers: []\n<% else %><% end %>", "p: &p {<<: [{a: 1}, *p]}", "<<: 3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read("f.yml", data, host("production"))
		if (c == nil) == (err == nil) {
			t.Fatalf("%v, %v", c, err)
		}
	})
}

// Public files, and what the real class resolves each to: EXPECTED.json in the
// folder that RATESIM_QUEUE_YML names.
func TestPublicFiles(t *testing.T) {
	folder := os.Getenv("RATESIM_QUEUE_YML")
	if folder == "" {
		t.Skip("RATESIM_QUEUE_YML names no folder of files")
	}
	data, err := os.ReadFile(filepath.Join(folder, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	checked := 0
	for name, envs := range all {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		for env, raw := range envs {
			checked++
			env, vars, _ := strings.Cut(env, " ")
			c, err := Read(name, text, host(env, strings.Fields(vars)...))
			var want []map[string]any
			if json.Unmarshal(raw, &want) != nil { // the real class fails too
				if err == nil {
					t.Errorf("%s for %s %s is read as %+v, the real class says %s", name, env, vars, c, raw)
				}
				continue
			}
			for _, p := range want { // one name alone is a list of one
				if one, ok := p["queues"].(string); ok {
					p["queues"] = []string{one}
				}
			}
			if err != nil {
				t.Errorf("%s for %s %s: %v", name, env, vars, err)
				continue
			}
			if got, want := fmt.Sprint(asExpected(c)), fmt.Sprint(want); got != want {
				t.Errorf("%s for %s %s is\n%s, want\n%s", name, env, vars, got, want)
			}
		}
	}
	t.Logf("%d files, %d readings", len(all), checked)
}

// asExpected is a configuration as the real class tells it: each process apart.
func asExpected(c *Config) (out []map[string]any) {
	for _, d := range c.Dispatchers {
		out = append(out, map[string]any{"kind": "dispatcher", "polling_interval": d.Interval.Seconds(), "batch_size": d.Batch, "concurrency_maintenance": d.Maintenance, "concurrency_maintenance_interval": d.MaintenanceInterval.Seconds()})
	}
	for _, w := range c.Workers {
		for range w.Processes {
			out = append(out, map[string]any{"kind": "worker", "queues": w.Queues, "threads": w.Threads, "processes": w.Processes, "polling_interval": w.Interval.Seconds()})
		}
	}
	return out
}
