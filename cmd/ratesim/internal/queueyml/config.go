// Package queueyml reads config/queue.yml as Solid Queue does: its Ruby, its
// section for an environment, its defaults. What it can't work out it refuses.
package queueyml

import (
	"fmt"
	"math"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v4"

	"github.com/ratesim/ratesim/model"
)

// Config is what Solid Queue starts.
type Config struct {
	Dispatchers []Dispatcher
	Workers     []Worker
	Ignored     []string // keys that Solid Queue passes over, with their places
}

// Dispatcher is one dispatcher.
type Dispatcher struct {
	Interval            time.Duration
	Batch               int
	Maintenance         bool
	MaintenanceInterval time.Duration
}

// Worker is Processes worker processes.
type Worker struct {
	Queues    []string
	Threads   int
	Processes int
	Interval  time.Duration
}

// Serves is true if the worker claims jobs of a queue: it has * or the queue's
// name, or a beginning of it and *. A name with a comma in it is one name.
func (w Worker) Serves(queue string) bool {
	for _, q := range w.Queues {
		if begins, star := strings.CutSuffix(q, "*"); q == queue || star && strings.HasPrefix(queue, begins) {
			return true
		}
	}
	return false
}

// What Solid Queue starts where nothing is said.
var (
	usualDispatcher = Dispatcher{time.Second, 500, true, 600 * time.Second}
	usualWorker     = Worker{[]string{"*"}, 3, 1, 100 * time.Millisecond}
)

// Read reads a file for the host's environment.
func Read(file string, data []byte, h Host) (*Config, error) {
	text, err := expand(file, string(data), h)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r := &reader{file: file}
	c := &Config{}
	if len(root.Content) == 0 {
		return &Config{Dispatchers: []Dispatcher{usualDispatcher}, Workers: []Worker{usualWorker}}, nil
	}
	r.config(follow(root.Content[0]), h.Env, c)
	if r.err != nil {
		return nil, r.err
	}
	return c, nil
}

// reader keeps the first mistake.
type reader struct {
	file string
	err  error
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = Mistake{r.file, n.Line, n.Column, fmt.Sprintf(format, args...)}
	}
}

// follow is what an alias stands for.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// pair is a key of a mapping and its value.
type pair struct {
	key   string
	value *yaml.Node
}

// pairs are a mapping's, those merged into it too: its own come first in force,
// and a merge is shallow.
func pairs(n *yaml.Node) []pair { return merged(n, 0) }

// mostMerges is how deep merges may lie in each other: one can name itself.
const mostMerges = 20

func merged(n *yaml.Node, depth int) (out []pair) {
	if depth > mostMerges {
		return nil
	}
	seen := map[string]bool{}
	var from []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Value == "<<" {
			from = append(from, follow(v))
			continue
		}
		if !seen[k.Value] {
			seen[k.Value] = true
			out = append(out, pair{k.Value, follow(v)})
		}
	}
	for _, m := range from {
		all := []*yaml.Node{m}
		if m.Kind == yaml.SequenceNode {
			all = m.Content
		}
		for _, one := range all {
			if one = follow(one); one.Kind != yaml.MappingNode {
				continue
			}
			for _, p := range merged(one, depth+1) {
				if !seen[p.key] {
					seen[p.key] = true
					out = append(out, p)
				}
			}
		}
	}
	return out
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func (r *reader) config(n *yaml.Node, env string, c *Config) {
	if n.Kind == yaml.MappingNode {
		for _, p := range pairs(n) {
			if p.key == env && !null(p.value) {
				n = p.value
				break
			}
		}
	} else if !null(n) {
		r.fail(n, "this is no mapping, want sections such as production:, or workers: and dispatchers:")
		return
	}
	found := false
	if n.Kind == yaml.MappingNode {
		for _, p := range pairs(n) {
			switch p.key {
			case "dispatchers", "workers":
				found = true
				r.list(p, c)
			case "scheduler":
				found = true
			}
		}
	}
	if !found {
		c.Dispatchers, c.Workers = []Dispatcher{usualDispatcher}, []Worker{usualWorker}
	}
}

// list reads the processes of one kind.
func (r *reader) list(p pair, c *Config) {
	if p.value.Kind != yaml.SequenceNode {
		r.fail(p.value, "%s: this is no list, want one such as - {polling_interval: 1}", p.key)
		return
	}
	for i, item := range p.value.Content {
		item = follow(item)
		at := fmt.Sprintf("%s[%d]", p.key, i)
		if item.Kind != yaml.MappingNode {
			r.fail(item, "%s: this is no mapping, want one such as {polling_interval: 1}", at)
			return
		}
		if p.key == "dispatchers" {
			c.Dispatchers = append(c.Dispatchers, r.dispatcher(item, at, c))
		} else if w := r.worker(item, at, c); w.Processes > 0 {
			c.Workers = append(c.Workers, w)
		}
	}
}

func (r *reader) dispatcher(n *yaml.Node, at string, c *Config) Dispatcher {
	d := usualDispatcher
	for _, p := range pairs(n) {
		switch p.key {
		case "polling_interval":
			d.Interval = r.seconds(p, at)
		case "batch_size":
			d.Batch = r.count(p, at, 1)
		case "concurrency_maintenance":
			d.Maintenance = p.value.Value != "false" && !null(p.value)
		case "concurrency_maintenance_interval":
			d.MaintenanceInterval = r.seconds(p, at)
		default:
			c.ignore(p, at, []string{"polling_interval", "batch_size", "concurrency_maintenance", "concurrency_maintenance_interval"})
		}
	}
	return d
}

func (r *reader) worker(n *yaml.Node, at string, c *Config) Worker {
	w := usualWorker
	for _, p := range pairs(n) {
		switch p.key {
		case "queues":
			w.Queues = r.queues(p, at)
		case "threads":
			w.Threads = r.count(p, at, 1)
		case "processes":
			w.Processes = r.count(p, at, 0)
		case "polling_interval":
			w.Interval = r.seconds(p, at)
		default:
			c.ignore(p, at, []string{"queues", "threads", "processes", "polling_interval"})
		}
	}
	return w
}

// ignore notes a key that Solid Queue knows nothing of.
func (c *Config) ignore(p pair, at string, known []string) {
	text := fmt.Sprintf("%s.%s", at, p.key)
	if near := model.Nearest(p.key, known); near != "" {
		text += ", did you mean " + near + "?"
	}
	c.Ignored = append(c.Ignored, text)
}

func (r *reader) queues(p pair, at string) []string {
	switch n := p.value; {
	case n.Kind == yaml.ScalarNode && !null(n):
		return []string{n.Value}
	case n.Kind == yaml.SequenceNode:
		var all []string
		for _, item := range n.Content {
			all = append(all, follow(item).Value)
		}
		return all
	}
	r.fail(p.value, "%s.queues: want a name such as default, or a list of them", at)
	return nil
}

// seconds reads a number of them: text such as "0.1.seconds" stays text in
// Ruby, and fails there at the first sleep.
func (r *reader) seconds(p pair, at string) time.Duration {
	v, ok := r.number(p, at, "a number of seconds such as 0.1")
	if ok && (v < 0 || v > 1e9) {
		r.fail(p.value, "%s.%s: %s is out of range, want a number of seconds such as 0.1", at, p.key, p.value.Value)
		return 0
	}
	return time.Duration(math.Round(v * 1e9))
}

func (r *reader) count(p pair, at string, least int) int {
	v, ok := r.number(p, at, "a whole number")
	if ok && (v != math.Trunc(v) || v < float64(least) || v > 1e6) {
		r.fail(p.value, "%s.%s: %s is out of range, want a whole number from %d", at, p.key, p.value.Value, least)
		return least
	}
	return int(v)
}

func (r *reader) number(p pair, at, want string) (float64, bool) {
	var v float64
	if n := p.value; n.Kind != yaml.ScalarNode || n.Tag != "!!int" && n.Tag != "!!float" || n.Decode(&v) != nil || math.IsNaN(v) {
		r.fail(n, "%s.%s: %q is no number, want %s", at, p.key, p.value.Value, want)
		return 0, false
	}
	return v, true
}
