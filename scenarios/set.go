package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/model"
)

// Set is one value that replaces what a scenario says, or adds to it. Path
// leads to it in the words of the file:
//
//	limits.webhooks.burst             by the name of the limit
//	jobs.SendWebhookJob.backlog       by the job's class
//	dispatchers[0].polling_interval   one of a list, from 0
//	dispatchers.polling_interval      all of a list
//
// Where the file leaves a part out, its default is what is changed.
type Set struct {
	Path  string
	Value string // as it would stand in the file; quotes may be left out
	Flag  string // the flag it came from, for errors; "" is --set
}

// ParseSet reads KEY=VALUE.
func ParseSet(s string) (Set, error) {
	path, value, ok := strings.Cut(s, "=")
	if path = strings.TrimSpace(path); !ok || path == "" {
		return Set{}, fmt.Errorf("--set %s: there is no KEY=VALUE in it, want one such as limits.webhooks.burst=6", s)
	}
	return Set{Path: path, Value: strings.TrimSpace(value)}, nil
}

func (s Set) flag() string {
	flag := s.Flag
	if flag == "" {
		flag = "--set"
	}
	return flag + " " + s.Path
}

// step is one word of a path: a key, or a place in a list.
type step struct {
	name  string
	index int // -1: by name
}

func splitPath(path string) ([]step, error) {
	var steps []step
	for part := range strings.SplitSeq(path, ".") {
		name, index, indexed := strings.Cut(part, "[")
		if name == "" {
			return nil, fmt.Errorf("the path has an empty part, want one such as limits.webhooks.burst")
		}
		steps = append(steps, step{name, -1})
		if !indexed {
			continue
		}
		i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if err != nil || i < 0 || !strings.HasSuffix(index, "]") {
			return nil, fmt.Errorf("the place [%s in the path is wrong, want one such as dispatchers[0]", index)
		}
		steps = append(steps, step{"", i})
	}
	return steps, nil
}

// apply is root with the value in it. Nodes on the way are copied, the rest is
// shared, so root stays as it is.
func (s Set) apply(root *node) (*node, error) {
	steps, err := splitPath(s.Path)
	if err != nil {
		return nil, err
	}
	value, err := s.node()
	if err != nil {
		return nil, err
	}
	// A key of an expectation has a dot in it: what follows expect is one.
	if steps[0].name == "expect" && len(steps) > 1 {
		steps = []step{steps[0], {strings.TrimPrefix(s.Path, "expect."), -1}}
	}
	if root.shape != mapping {
		return root, nil // told by the reader
	}
	a := assignment{value, systemOf(root)}
	return a.put(a.filledIn(root, steps), "", steps)
}

// node is the value as the file would have it. What looks like a flow mapping,
// a list or a quoted text is read as YAML; all else is taken literally, for
// what a shell hands over, such as >= 4.75, has lost its quotes.
func (s Set) node() (*node, error) {
	if s.Value == "" || !strings.ContainsAny(s.Value[:1], "{[\"'") {
		return &node{text: s.Value, plain: true, line: 1, col: 1, flag: s.flag()}, nil
	}
	docs, errs := parseNodes("", []byte(s.Value))
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s", errs[0].Msg)
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("%s is not one value, want one", quote(s.Value))
	}
	return flagged(docs[0], s.flag()), nil
}

// flagged marks a value and all in it as set by a flag.
func flagged(n *node, flag string) *node {
	n = n.copy()
	n.flag = flag
	for i := range n.keys {
		n.keys[i] = flagged(n.keys[i], flag)
	}
	for i := range n.items {
		n.items[i] = flagged(n.items[i], flag)
	}
	return n
}

func (n *node) copy() *node {
	c := *n
	c.keys = append([]*node(nil), n.keys...)
	c.items = append([]*node(nil), n.items...)
	return &c
}

// with is a mapping with a key's value replaced or added.
func (n *node) with(key string, value *node) *node {
	n = n.copy()
	for i, k := range n.keys {
		if k.text == key {
			n.items[i] = value
			return n
		}
	}
	k := *value
	k.shape, k.text, k.keys, k.items = scalar, key, nil, nil
	n.keys, n.items = append(n.keys, &k), append(n.items, value)
	return n
}

type assignment struct {
	value  *node
	system model.System
}

// systemOf is the system a document names.
func systemOf(root *node) model.System {
	if s := root.get("system"); s != nil {
		return model.System(s.text)
	}
	return model.SolidQueue
}

// filledIn writes out the defaults that a path leads into.
func (a assignment) filledIn(root *node, steps []step) *node {
	top := steps[0].name
	inside := len(steps) > 1
	n := root.get(top)
	empty := &node{shape: mapping, line: root.line, col: root.col}
	one := &node{shape: list, line: root.line, col: root.col, items: []*node{empty}}
	switch {
	case a.system == model.Laravel && top == "workers" && n == nil:
		root = root.with(top, one)
	case a.system == model.Laravel && top == "timing" && inside && (n == nil || n.text == "default"):
		root = root.with(top, empty)
	case a.system == model.Laravel && top == "timing" && inside && n.text == "none":
		root = root.with(top, pairsNode(laravelTimingPairs(model.LaravelTiming{}), empty))
	case a.system == model.Laravel && top != "rules" && top != "expect" && top != "connection" && top != "provider":
	case top == "dispatchers" || top == "workers":
		if root.get("dispatchers") == nil && root.get("workers") == nil {
			root = root.with("dispatchers", one).with("workers", one)
		}
	case !inside:
	case (top == "rules" || top == "expect" || top == "connection" || top == "provider") && n == nil:
		root = root.with(top, empty)
	case top == "timing" && (n == nil || n.shape == scalar):
		// What a mapping leaves out is the system's default, so the other
		// word has to be written out.
		is := map[model.System]string{model.Polls: "none"}[a.system]
		word := is
		if n != nil {
			word = n.text
		}
		switch {
		case word == is || n != nil && word == "default" && is == "":
			root = root.with(top, empty)
		case word == "none":
			root = root.with(top, timingNode(NoTiming(), empty))
		case word == "default":
			root = root.with(top, timingNode(DefaultTiming(), empty))
		}
	}
	return root
}

// put is n with the value at the end of steps; path is where n stands.
func (a assignment) put(n *node, path string, steps []step) (*node, error) {
	if len(steps) == 0 {
		return a.value, nil
	}
	s := steps[0]
	switch n.shape {
	case mapping:
		return a.putKey(n, path, s, steps[1:])
	case list:
		return a.putItem(n, path, steps)
	}
	return nil, fmt.Errorf("%s is a single value, %s leads on from there", path, quote(s.name))
}

func (a assignment) putKey(n *node, path string, s step, rest []step) (*node, error) {
	at := join(path, s.name)
	old := n.get(s.name)
	if s.index >= 0 {
		return nil, fmt.Errorf("%s is no list, want a key in place of [%d]", path, s.index)
	}
	known := knownKeys(path, a.system)
	if path == "limits" || old == nil && !contains(known, s.name) && path != "expect" {
		if path == "limits" {
			known = nil
		}
		for _, k := range n.keys {
			if !contains(known, k.text) {
				known = append(known, k.text)
			}
		}
		if !contains(known, s.name) {
			return nil, noSuchKey(path, s.name, rest, known)
		}
	}
	if len(rest) == 0 {
		return n.with(s.name, a.value), nil
	}
	if old == nil {
		return nil, fmt.Errorf("the scenario has no %s to set %s in", at, quote(rest[0].name))
	}
	v, err := a.put(old, at, rest)
	if err != nil {
		return nil, err
	}
	return n.with(s.name, v), nil
}

// putItem goes on in one item of a list, in the job of that class, or in all.
func (a assignment) putItem(n *node, path string, steps []step) (*node, error) {
	s, rest := steps[0], steps[1:]
	from, to := 0, len(n.items)
	switch {
	case len(n.items) == 0:
		return nil, fmt.Errorf("the scenario has no %s to set", path)
	case s.index >= len(n.items):
		return nil, fmt.Errorf("there is no %s[%d], the last is [%d]", path, s.index, len(n.items)-1)
	case s.index >= 0:
		from, to = s.index, s.index+1
	default:
		var classes []string
		rest = steps
		for i, item := range n.items {
			class := item.get("class")
			if path != "jobs" || class == nil {
				continue
			}
			classes = append(classes, class.text)
			if class.text == s.name {
				from, to, rest = i, i+1, steps[1:]
			}
		}
		known := append(knownKeys(path+"[0]", a.system), classes...)
		if !contains(known, s.name) {
			return nil, noSuchKey(path, s.name, steps[1:], known)
		}
	}
	n = n.copy()
	for i := from; i < to; i++ {
		v, err := a.put(n.items[i], fmt.Sprintf("%s[%d]", path, i), rest)
		if err != nil {
			return nil, err
		}
		n.items[i] = v
	}
	return n, nil
}

// noSuchKey names the whole path that was probably meant.
func noSuchKey(path, name string, rest []step, known []string) error {
	near := model.Nearest(name, known)
	if near == "" {
		return fmt.Errorf("no such key %s, %s", quote(name), orNearest(name, known))
	}
	near = join(path, near)
	for _, s := range rest {
		if s.index >= 0 {
			near += fmt.Sprintf("[%d]", s.index)
		} else {
			near = join(near, s.name)
		}
	}
	return fmt.Errorf("no such key, nearest %s", near)
}

// knownKeys are the keys a mapping at a path of a system may have.
func knownKeys(path string, system model.System) []string {
	if path == "" {
		return names(scenarioKeys)
	}
	return keysInside(path, system)
}

// keysInside is knownKeys below the top. It is apart because the readers of
// the top's keys look here for the other system's words.
func keysInside(path string, system model.System) []string {
	top, _, _ := strings.Cut(path, ".")
	top, _, indexed := strings.Cut(top, "[")
	inLimit := top == "limits" && path != "limits"
	if path == "provider" {
		return names(providerKeys)
	}
	if system == model.Laravel {
		switch {
		case path == "timing":
			return names(laravelTimingKeys)
		case path == "rules":
			return names(laravelRuleKeys)
		case path == "connection":
			return names(connectionKeys)
		case inLimit:
			return names(throttleKeys)
		case top == "jobs" && indexed:
			return names(laravelJobKeys)
		case top == "workers" && indexed:
			return names(laravelWorkerKeys)
		}
		return nil
	}
	switch {
	case path == "timing":
		return names(timingKeys)
	case path == "rules":
		return names(ruleKeys)
	case inLimit:
		return names(limitKeys)
	case top == "jobs" && indexed:
		return names(jobKeys)
	case top == "dispatchers" && indexed:
		return names(dispatcherKeys)
	case top == "workers" && indexed:
		return names(workerKeys)
	}
	return nil
}

// elsewhere is another system in which a mapping at a path has a key, "" if
// there is none.
func elsewhere(path, name string, system model.System) model.System {
	other := model.Laravel
	if system == model.Laravel {
		other = model.SolidQueue
	}
	if path != "" && contains(keysInside(path, other), name) {
		return other
	}
	return ""
}
