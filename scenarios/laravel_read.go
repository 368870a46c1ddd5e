package scenarios

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
)

// connection reads where the jobs of a Laravel queue are kept.
func (r *reader) connection(n *node, path string, s *model.Scenario) {
	if s.Laravel == nil {
		r.fail(n, path, "system %s has no connection to choose, want system: laravel or the key left out", s.System)
		return
	}
	fill(r, n, path, connectionKeys, &s.Laravel.Connection)
}

// provider reads what the jobs call.
func (r *reader) provider(n *node, path string, s *model.Scenario) {
	p := DefaultProvider()
	fill(r, n, path, providerKeys, &p)
	if n.shape == mapping && r.required(n, path, "limit", "how many calls it takes, such as 8/s") {
		s.Provider = &p
	}
}

// throttles reads the limits of a Laravel queue.
func (r *reader) throttles(n *node, path string, s *model.Scenario) {
	if !r.is(n, path, mapping, "a mapping of names to throttles, such as api: {allow: 8, every: 1s}") {
		r.jobsOK = false
		return
	}
	r.limitAt = map[string]int{}
	for i, k := range n.keys {
		v, at := n.items[i], join(path, k.text)
		_, ok := r.name(k, path, "the name of a limit")
		t, read := r.throttle(v, at, k.text)
		if t.Limit = -1; t.Allow > 0 && t.Kind != model.ThrottlesExceptions {
			t.Limit = len(s.Limits)
			l := model.Limit{Name: t.Name, Kind: t.Kind}
			l.To, l.Per, l.Burst = t.Allow, t.Every, burstOf(&t)
			s.Limits = append(s.Limits, l)
		}
		r.jobsOK = r.jobsOK && ok && read
		r.limitAt[k.text] = len(s.Laravel.Throttles)
		s.Laravel.Throttles = append(s.Laravel.Throttles, t)
	}
}

// burstOf is what a quiet key admits at once: one, or a whole window.
func burstOf(t *model.Throttle) int {
	if t.Kind == model.JobThrottle {
		return 1
	}
	return t.Allow
}

// throttle reads one limit: first its kind, for that says what the rest means.
func (r *reader) throttle(n *node, path, name string) (model.Throttle, bool) {
	kind := model.JobThrottle
	if k := n.get("limiter"); k != nil {
		var quiet reader
		word(&quiet, k, "", &kind, throttleKinds...)
	}
	t := DefaultThrottle(name, kind)
	ok := fill(r, n, path, throttleKeys, &t)
	if n.shape != mapping || !ok {
		return t, false
	}
	known := keysOfKind[t.Kind]
	for _, k := range n.keys {
		if k.text != "limiter" && !contains(known, k.text) {
			r.fail(k, path, "a %s has no key %s, want one of its own: %s", t.Kind, quote(k.text), strings.Join(known, ", "))
			ok = false
		}
	}
	if !ok {
		return t, false
	}
	switch t.Kind {
	case model.RedisFunnel:
		ok = r.required(n, path, "limit", "how many jobs may run at a time")
	case model.RedisThrottle, model.RateLimited, model.RateLimitedRedis:
		ok = r.required(n, path, "allow", "how many jobs may start in every window")
	}
	switch {
	case t.Kind == model.JobThrottle && t.Allow == 0 && n.get("every") != nil:
		ok = r.required(n, path, "allow", "how many jobs may start in every")
	case t.Allow > 0 && int64(t.Allow) > int64(t.Every/time.Millisecond):
		r.fail(n.get("allow"), path+".allow", "%d in %s is more than one a millisecond, want less", t.Allow, model.FormatDuration(t.Every))
		ok = false
	}
	return t, ok
}

// throttlesOf reads the limits of a job: one, or a list, outermost first.
func (r *reader) throttlesOf(n *node, path string, c *model.Class) {
	names := []*node{n}
	if n.shape == list {
		names = n.items
	}
	for _, item := range names {
		t := -1
		found := model.Class{Limit: -1}
		r.limitOf(item, path, &found)
		if t = found.Limit; t < 0 {
			continue
		}
		for _, before := range c.Laravel.Throttles {
			if before == t {
				r.fail(item, path, "%s is listed twice, want each limit once", quote(item.text))
			}
		}
		c.Laravel.Throttles = append(c.Laravel.Throttles, t)
	}
}

// innermost gives every class of a Laravel queue the limit it is measured by:
// the innermost one with a rate, which is the last to let a job start.
func (r *reader) innermost(s *model.Scenario) {
	for i := range s.Classes {
		s.Classes[i].Limit = -1
		if all := s.LimitsOf(i); len(all) > 0 {
			s.Classes[i].Limit = all[len(all)-1]
		}
	}
}

// queueNames reads the queues of a worker in the order in which it looks at
// them: a list, or names with commas as --queue takes them.
func (r *reader) queueNames(n *node, path string, w *model.Worker) {
	var all []string
	names := []*node{n}
	if n.shape == list {
		names = n.items
	}
	for _, name := range names {
		text, ok := r.text(name, path, "the name of a queue")
		if !ok {
			return
		}
		for one := range strings.SplitSeq(text, ",") {
			one = strings.TrimSpace(one)
			if one == "" || contains(all, one) {
				r.fail(name, path, "%s names a queue twice, or none, want each once, such as high,default", quote(text))
				return
			}
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		r.fail(n, path, "the list is empty, want a queue such as default")
		return
	}
	w.Queues = all
}

// seconds reads a length that Laravel counts in whole seconds, of at least so
// many.
func (r *reader) seconds(n *node, path string, least int, into *time.Duration) bool {
	d, ok := r.duration(n, path, 0)
	switch {
	case !ok:
		return false
	case d%time.Second != 0:
		r.fail(n, path, "%s is no whole number of seconds, which is what Laravel counts in", n.text)
		return false
	case d < time.Duration(least)*time.Second:
		r.fail(n, path, "%s is too short, want at least %ds", n.text, least)
		return false
	case d > maxSeconds:
		r.fail(n, path, "%s is over 146 years, want less", n.text)
		return false
	}
	*into = d
	return true
}

// maxSeconds leaves room to add a length to any instant that is reached.
const maxSeconds = time.Duration(math.MaxInt64 / 2)

// sleepOf reads a worker's sleep: a fraction of a second, or whole seconds.
func (r *reader) sleepOf(n *node, path string, least time.Duration, into *time.Duration) {
	d, ok := r.duration(n, path, least)
	if ok && d > time.Second && d%time.Second != 0 {
		r.fail(n, path, "%s acts as %s in a Laravel worker, want whole seconds, or less than one", n.text, model.FormatDuration(d.Truncate(time.Second)))
		return
	}
	if ok {
		*into = d
	}
}

// backoff reads a length or a list of them.
func (r *reader) backoff(n *node, path string, into *[]time.Duration) {
	items := []*node{n}
	if n.shape == list {
		items = n.items
	}
	all := make([]time.Duration, 0, len(items))
	for i, item := range items {
		at := path
		if n.shape == list {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		var d time.Duration
		if !r.seconds(item, at, 0, &d) {
			return
		}
		all = append(all, d)
	}
	if len(all) == 0 {
		r.fail(n, path, "the list is empty, want a length such as 10s, or the key left out")
		return
	}
	*into = all
}

// part reads a share of all: 5% or 0.05.
func (r *reader) part(n *node, path string, into *float64) {
	s, ok := r.phrase(n, path, "a part such as 1%")
	if !ok {
		return
	}
	f, err := parsePart(s)
	if err != nil {
		r.fail(n, path, "%s is no part, want one from 0%% to 100%%, such as 1%%", quote(s))
		return
	}
	*into = f
}

// yesNo reads true or false.
func (r *reader) yesNo(n *node, path string, into *bool) { either(r, n, path, into, "false", "true") }

// providerLimit reads how many calls a provider takes: 8/s, 100/min.
func (r *reader) providerLimit(n *node, path string, p *model.Provider) {
	s, ok := r.phrase(n, path, "a rate such as 8/s")
	if !ok {
		return
	}
	calls, per, err := model.ParseRate(s)
	switch {
	case err != nil:
		r.fail(n, path, "%v", err)
	case calls != math.Trunc(calls) || calls > 1e9:
		r.fail(n, path, "%s is no whole number of calls, want one such as 8/s or 1/2s", s)
	default:
		p.Limit, p.Per = int(calls), per
	}
}

// closesLonger reads by how much a hit keeps a provider closed: 1s per hit.
func (r *reader) closesLonger(n *node, path string, p *model.Provider) {
	s, ok := r.phrase(n, path, "a length such as 1s per hit")
	if !ok {
		return
	}
	text, _ := strings.CutSuffix(strings.TrimSpace(s), " per hit")
	d, err := model.ParseDuration(text)
	if err != nil {
		r.fail(n, path, "%v", err)
		return
	}
	p.ClosesLonger = d
}

// closed reads when a provider refuses everything: 30s at 10s.
func (r *reader) closed(n *node, path string, p *model.Provider) {
	r.timeFrom(n, path, "closed", &p.ClosedFor, &p.ClosedAt)
}

// timeFrom reads a time of some length that begins at an instant: 30s at 10s.
func (r *reader) timeFrom(n *node, path, what string, length, at *time.Duration) {
	s, ok := r.phrase(n, path, "a time such as 30s at 10s")
	if !ok {
		return
	}
	long, from, found := strings.Cut(s, " at ")
	if !found {
		r.fail(n, path, "%s is no time, want one such as 30s at 10s: for how long it is %s, and from when", quote(s), what)
		return
	}
	for _, part := range []struct {
		text string
		into *time.Duration
	}{{long, length}, {from, at}} {
		d, err := model.ParseDuration(strings.TrimSpace(part.text))
		if err == nil && d > 1<<61 {
			err = fmt.Errorf("%s is beyond the end of time, want less", quote(s))
		}
		if err != nil {
			r.fail(n, path, "%v", err)
			return
		}
		*part.into = d
	}
}
