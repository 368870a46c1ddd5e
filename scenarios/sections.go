package scenarios

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// draft is a scenario in the making and where its parts were written, so that
// what is wrong with several parts together can be told in the right place.
type draft struct {
	root    *node
	system  model.System
	untilOK bool
	jobsOK  bool // every job and limit could be read
	listsOK bool // dispatchers and workers are lists, or left out
	waitOK  bool
	limitAt map[string]int // index of a limit by its name
	limitN  []*node        // the mapping of each limit; nil if something in it is wrong
	classN  []*node        // the mapping of each job
	expectN []*node        // the value of each expectation
}

// decode reads one document. The scenario is right if there are no errors.
func decode(file, src string, root *node, name string, open func(string) ([]byte, error)) (*model.Scenario, Errors) {
	r := &reader{file: file, src: src}
	s := &model.Scenario{Name: name, File: file, System: model.SolidQueue}
	if open != nil {
		r.open = func(data string) ([]byte, error) {
			s.Data = append(s.Data, beside(file, data))
			return open(data)
		}
	}
	r.root, r.untilOK, r.jobsOK, r.listsOK, r.waitOK = root, true, true, true, true
	if root.empty() && !root.told {
		r.fail(root, "", "the document is empty, want a scenario: a mapping that begins with name:")
		return nil, r.errs
	}
	if root.shape != mapping {
		r.is(root, "", mapping, "a scenario: a mapping that begins with name:")
		return nil, r.errs
	}
	// The system decides what the others default to, so it is read first.
	if n := root.get("system"); n != nil {
		var quiet reader
		word(&quiet, n, "", &s.System, systems...)
	}
	if r.system = s.System; s.System == model.Laravel {
		s.Laravel = DefaultLaravel()
	} else {
		s.Timing, s.Rules = timingOf(s.System), DefaultRules(s.System)
	}
	fill(r, root, "", scenarioKeys, s)
	if s.Laravel != nil {
		r.innermost(s)
	}
	r.processes(s)
	if root.get("jobs") == nil {
		r.fail(root, "jobs", "there are none, want at least one job class, such as - {class: MyJob, backlog: 100}")
		r.jobsOK = false
	}
	r.check(s)
	return s, r.errs
}

// processes gives a file that names neither dispatchers nor workers one of
// each. A file that names one of the two has none of the other, as Solid Queue
// itself starts only what its configuration names.
func (r *reader) processes(s *model.Scenario) {
	if s.Laravel != nil {
		if r.root.get("workers") == nil {
			s.Workers = []model.Worker{DefaultLaravelWorker()}
		}
		return
	}
	if r.root.get("dispatchers") == nil && r.root.get("workers") == nil {
		s.Dispatchers = []model.Dispatcher{DefaultDispatcher()}
		s.Workers = []model.Worker{DefaultWorker()}
	}
}

// name is a name that expectations and --set can speak of.
func (r *reader) name(n *node, path, want string) (string, bool) {
	s, ok := r.text(n, path, want)
	if !ok {
		return "", false
	}
	if strings.ContainsFunc(s, func(c rune) bool { return c == '.' || c == '=' || c == '[' || c == ']' || unicode.IsSpace(c) }) {
		r.fail(n, path, "%s has a dot, a blank, = or a bracket in it, want %s without", quote(s), want)
		return "", false
	}
	return s, true
}

func (r *reader) limits(n *node, path string, s *model.Scenario) {
	if s.Laravel != nil {
		r.throttles(n, path, s)
		return
	}
	if !r.is(n, path, mapping, "a mapping of names to limits, such as webhooks: {to: 10, per: 1s}") {
		r.jobsOK = false
		return
	}
	r.limitAt = map[string]int{}
	for i, k := range n.keys {
		v := n.items[i]
		if _, ok := r.name(k, path, "the name of a limit"); !ok {
			r.jobsOK = false
		}
		l, at := defaultLimit(k.text), join(path, k.text)
		ok := fill(r, v, at, limitKeys, &l)
		if v.shape == mapping {
			ok = r.required(v, at, "to", "how many jobs may start in any window") && ok
			ok = r.required(v, at, "per", "the length of the window") && ok
		}
		if !ok {
			r.jobsOK, v = false, nil
		}
		r.limitAt[k.text] = len(s.Limits)
		s.Limits = append(s.Limits, l)
		r.limitN = append(r.limitN, v)
	}
}

// required tells that a key is missing; what says what it is.
func (r *reader) required(n *node, path, name, what string) bool {
	if n.get(name) != nil {
		return true
	}
	r.fail(n, path, "%s is missing, want %s", name, what)
	return false
}

func (r *reader) jobs(n *node, path string, s *model.Scenario) {
	if !r.is(n, path, list, "a list of job classes, such as - {class: MyJob, backlog: 100}") {
		r.jobsOK = false
		return
	}
	if len(n.items) == 0 {
		r.fail(n, path, "the list is empty, want at least one job class, such as - {class: MyJob, backlog: 100}")
		r.jobsOK = false
	}
	taken := map[string]bool{}
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		c := defaultClass()
		keys := jobKeys
		if s.Laravel != nil {
			keys = laravelJobKeys
		}
		ok := fill(r, item, at, keys, &c)
		if item.shape == mapping {
			ok = r.required(item, at, "class", "the name of the job class") && ok
		}
		if c.Name != "" {
			if _, limit := r.limitAt[c.Name]; limit {
				r.fail(item.get("class"), at+".class", "%s is the name of a limit too, want another, so that %s.drain_per_s can mean one thing", quote(c.Name), c.Name)
				ok = false
			}
			if taken[c.Name] {
				r.fail(item.get("class"), at+".class", "%s is listed twice, want each class once", quote(c.Name))
				ok = false
			}
			taken[c.Name] = true
		}
		r.jobsOK = r.jobsOK && ok
		s.Classes = append(s.Classes, c)
		r.classN = append(r.classN, item)
	}
}

func (r *reader) limitOf(n *node, path string, c *model.Class) {
	name, ok := r.text(n, path, "the name of a limit")
	if !ok {
		return
	}
	i, ok := r.limitAt[name]
	if ok {
		c.Limit = i
		return
	}
	var known []string
	if limits := r.root.get("limits"); limits != nil && limits.shape == mapping {
		for _, k := range limits.keys {
			known = append(known, k.text)
		}
	}
	if len(known) == 0 {
		r.fail(n, path, "%s is no limit, want one that stands under limits, which has none", quote(name))
		return
	}
	r.fail(n, path, "%s is no limit, %s", quote(name), orNearest(name, known))
}

func (r *reader) arrivals(n *node, path string, c *model.Class) {
	s, ok := r.phrase(n, path, "arrivals such as none, poisson 2/s or every 200ms")
	if !ok {
		return
	}
	a, err := model.ParseArrivals(s, r.open)
	if err != nil {
		r.fail(n, path, "%v", err)
		return
	}
	c.Arrivals = a
}

func (r *reader) dispatchers(n *node, path string, s *model.Scenario) {
	if s.Laravel != nil {
		r.fail(n, path, "a Laravel queue has none, its workers bring due jobs back as they pop; want the key left out")
		return
	}
	if !r.is(n, path, list, "a list of dispatchers, such as - {polling_interval: 1s}, or [] for none") {
		r.listsOK = false
		return
	}
	for i, item := range n.items {
		d := DefaultDispatcher()
		fill(r, item, fmt.Sprintf("%s[%d]", path, i), dispatcherKeys, &d)
		s.Dispatchers = append(s.Dispatchers, d)
	}
}

func (r *reader) workers(n *node, path string, s *model.Scenario) {
	if !r.is(n, path, list, "a list of workers, such as - {threads: 3, polling_interval: 0.1s}, or [] for none") {
		r.listsOK = false
		return
	}
	for i, item := range n.items {
		w, keys := DefaultWorker(), workerKeys
		if s.Laravel != nil {
			w, keys = DefaultLaravelWorker(), laravelWorkerKeys
		}
		fill(r, item, fmt.Sprintf("%s[%d]", path, i), keys, &w)
		s.Workers = append(s.Workers, w)
	}
}

// queues takes "*" alone, or in a list: a worker that serves some queues only
// is not simulated, and to ignore the list would answer another question.
func (r *reader) queues(n *node, path string, w *model.Worker) {
	names := []*node{n}
	if n.shape == list {
		names = n.items
	}
	if len(names) == 0 {
		r.fail(n, path, `the list is empty, want "*"`)
	}
	for _, name := range names {
		s, ok := r.text(name, path, `"*"`)
		if ok && (s != "*" || len(names) > 1) {
			r.fail(name, path, `%s: queue lists are not simulated yet, want "*"`, quote(s))
			return
		}
	}
}

func (r *reader) timing(n *node, path string, s *model.Scenario) {
	named := n.shape == scalar && !n.empty()
	switch {
	case s.Laravel != nil && named && n.text == "default":
		s.Laravel.Timing = DefaultLaravelTiming()
	case s.Laravel != nil && named && n.text == "none":
		s.Laravel.Timing = model.LaravelTiming{}
	case s.Laravel != nil && named:
		r.fail(n, path, "%s is not known, want default, none or a mapping of costs, such as {job_cpu: 90us}", quote(n.text))
	case s.Laravel != nil:
		fill(r, n, path, laravelTimingKeys, &s.Laravel.Timing)
	case n.shape == scalar && n.text == "default":
		s.Timing = DefaultTiming()
	case n.shape == scalar && n.text == "none":
		s.Timing = NoTiming()
	case named:
		r.fail(n, path, "%s is not known, want default, none or a mapping of costs, such as {claim: 3ms}", quote(n.text))
	default:
		fill(r, n, path, timingKeys, &s.Timing)
	}
}

func (r *reader) rules(n *node, path string, s *model.Scenario) {
	if s.Laravel != nil {
		fill(r, n, path, laravelRuleKeys, s.Laravel)
		return
	}
	fill(r, n, path, ruleKeys, &s.Rules)
}

func (r *reader) expect(n *node, path string, s *model.Scenario) {
	if !r.is(n, path, mapping, `a mapping of summary keys to what is wanted, such as drain_per_s: ">= 4.75"`) {
		return
	}
	for i, k := range n.keys {
		v, at := n.items[i], join(path, k.text)
		if !r.is(v, at, scalar, `a comparison such as ">= 4.75"`) {
			continue
		}
		if v.plain && numeric(v.text) {
			r.fail(v, at, `%s is a bare number, want a comparison such as ">= %s" or "within 5%% of %s"`, v.text, v.text, v.text)
			continue
		}
		e, err := measure.ParseExpectation(k.text, v.text)
		if err != nil {
			// Its sentence names the key already; an unknown key is at fault
			// itself, not its value.
			if strings.HasPrefix(err.Error(), "key ") {
				r.fail(k, path, "%v", err)
			} else {
				r.fail(v, "", "%s", join(path, err.Error()))
			}
			continue
		}
		e.Line, e.Col = v.line, v.col
		s.Expect = append(s.Expect, e)
		r.expectN = append(r.expectN, k)
	}
}

// baseName is the name of a scenario that has none: its file's.
func baseName(file string) string {
	base := path.Base(strings.ReplaceAll(file, "\\", "/"))
	if base == "." || base == "/" {
		return "scenario"
	}
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
}
