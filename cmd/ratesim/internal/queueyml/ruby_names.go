package queueyml

import (
	"fmt"
	"strings"
)

// env is ENV["X"], ENV.fetch("X", default), ENV.fetch("X") { default } or
// ENV.key?("X").
func (e *expression) env() value {
	name := func() string {
		t := e.peek()
		if t == "" || t[0] != '"' {
			e.refuse("ENV with %q in place of a name", t)
		}
		e.at++
		return t[1:]
	}
	get := func(n string) value {
		if v, ok := e.host.Getenv(n); ok {
			return v
		}
		return nil
	}
	if e.take("[") {
		n := name()
		e.want("]")
		return get(n)
	}
	e.want(".")
	method := e.peek()
	e.at++
	if method != "fetch" && method != "key?" {
		e.refuse("ENV.%s", method)
	}
	e.want("(")
	n := name()
	var usual value
	given := e.take(",")
	if given {
		usual = e.ternary()
	}
	e.want(")")
	if e.take("{") {
		usual, given = e.ternary(), true
		e.want("}")
	}
	v := get(n)
	switch {
	case method == "key?":
		return v != nil
	case v != nil:
		return v
	case !given:
		panic(refusal(fmt.Sprintf("ENV.fetch(%q) has no default, and %s is not set; want it in the environment", n, n)))
	}
	return usual
}

// rails is Rails.env, or a question about it.
func (e *expression) rails() value {
	if e.peek() != "." || e.at+1 >= len(e.tokens) || !strings.HasSuffix(e.tokens[e.at+1], "?") || e.tokens[e.at+1] == "present?" {
		return e.host.Env
	}
	asked := strings.TrimSuffix(e.tokens[e.at+1], "?")
	e.at += 2
	if asked == "local" {
		return e.host.Env == "development" || e.host.Env == "test"
	}
	return e.host.Env == asked
}

func (e *expression) processors(of string) value {
	e.want(".")
	name := e.peek()
	e.at++
	known := of == "Etc" && name == "nprocessors" || of == "Concurrent" && (name == "processor_count" || name == "physical_processor_count" || name == "available_processor_count")
	if !known {
		e.refuse("%s.%s", of, name)
	}
	if e.host.Processors == 0 {
		panic(refusal(fmt.Sprintf("%s.%s asks how many processors that machine has, want --processors", of, name)))
	}
	return int64(e.host.Processors)
}
