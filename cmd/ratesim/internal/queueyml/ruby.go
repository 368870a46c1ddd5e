package queueyml

import (
	"fmt"
	"strconv"
	"strings"
)

// Host is what a file's Ruby can ask of the machine it would run on.
type Host struct {
	Env        string                      // the Rails environment: production
	Getenv     func(string) (string, bool) // environment variables
	Processors int                         // 0: not known, and asking for them is refused
}

// value is nil, a bool, an int64, a float64 or a string.
type value any

// expression reads and works out the Ruby that people put into such files:
// ENV, Rails.env, numbers and strings, ||, &&, ?:, comparisons, arithmetic and
// a few conversions. Anything else is refused in words, never guessed.
type expression struct {
	tokens []string
	at     int
	host   Host
}

func evaluate(text string, h Host) (v value, err error) {
	tokens, err := split(text)
	if err != nil {
		return nil, err
	}
	if len(tokens) > mostTokens {
		return nil, fmt.Errorf("it is too long to be read here")
	}
	e := &expression{tokens: tokens, host: h}
	defer func() {
		if r := recover(); r != nil {
			bad, ours := r.(refusal)
			if !ours {
				panic(r)
			}
			v, err = nil, fmt.Errorf("%s", string(bad))
		}
	}()
	v = e.ternary()
	if e.at < len(e.tokens) {
		e.refuse("%s", e.tokens[e.at])
	}
	return v, nil
}

// mostTokens is how long an expression may be.
const mostTokens = 500

// refusal ends an evaluation.
type refusal string

func (e *expression) refuse(format string, args ...any) {
	panic(refusal(fmt.Sprintf(format, args...) + " is beyond what is read here: numbers, strings, ENV, Rails.env, ||, &&, ?:, comparisons, arithmetic and to_i"))
}

func (e *expression) peek() string {
	if e.at < len(e.tokens) {
		return e.tokens[e.at]
	}
	return ""
}

func (e *expression) take(want string) bool {
	if e.peek() == want && want != "" {
		e.at++
		return true
	}
	return false
}

func (e *expression) want(token string) {
	if !e.take(token) {
		e.refuse("%q where %s is expected", e.peek(), token)
	}
}

func truthy(v value) bool { return v != nil && v != false }

func (e *expression) ternary() value {
	v := e.either()
	if !e.take("?") {
		return v
	}
	a := e.ternary()
	e.want(":")
	b := e.ternary()
	if truthy(v) {
		return a
	}
	return b
}

func (e *expression) either() value {
	v := e.both()
	for e.take("||") {
		if w := e.both(); !truthy(v) {
			v = w
		}
	}
	return v
}

func (e *expression) both() value {
	v := e.comparison()
	for e.take("&&") {
		if w := e.comparison(); truthy(v) {
			v = w
		}
	}
	return v
}

func (e *expression) comparison() value {
	v := e.sum()
	switch op := e.peek(); op {
	case "==", "!=":
		e.at++
		w := e.sum()
		x, xNumber := number(v)
		y, yNumber := number(w)
		same := v == w || xNumber && yNumber && x == y
		return same == (op == "==")
	case "<", "<=", ">", ">=":
		e.at++
		x, y := e.number(v), e.number(e.sum())
		switch op {
		case "<":
			return x < y
		case "<=":
			return x <= y
		case ">":
			return x > y
		}
		return x >= y
	}
	return v
}

func (e *expression) sum() value {
	v := e.product()
	for e.peek() == "+" || e.peek() == "-" {
		op := e.peek()
		e.at++
		v = e.arithmetic(op, v, e.product())
	}
	return v
}

func (e *expression) product() value {
	v := e.unary()
	for e.peek() == "*" || e.peek() == "/" {
		op := e.peek()
		e.at++
		v = e.arithmetic(op, v, e.unary())
	}
	return v
}

// arithmetic is Ruby's: two whole numbers give a whole one, rounded down.
func (e *expression) arithmetic(op string, v, w value) value {
	a, b := e.number(v), e.number(w)
	_, x := v.(int64)
	_, y := w.(int64)
	if op == "/" && b == 0 {
		e.refuse("a division by zero")
	}
	var out float64
	switch op {
	case "+":
		out = a + b
	case "-":
		out = a - b
	case "*":
		out = a * b
	default:
		out = a / b
	}
	if !x || !y {
		return out
	}
	whole := int64(out)
	if float64(whole) > out {
		whole--
	}
	return whole
}

func number(v value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func (e *expression) number(v value) float64 {
	n, ok := number(v)
	if !ok {
		e.refuse("arithmetic with %v, which is no number (to_i makes one),", show(v))
	}
	return n
}

func show(v value) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

func (e *expression) unary() value {
	switch {
	case e.take("!"):
		return !truthy(e.unary())
	case e.take("-"):
		return e.arithmetic("-", int64(0), e.unary())
	}
	v := e.primary()
	for {
		switch {
		case e.take("."):
			v = e.method(v, e.peek())
			e.at++
			if e.take("(") {
				e.want(")")
			}
		case e.peek() == "&" && e.at+1 < len(e.tokens) && e.tokens[e.at+1] == ".":
			e.at++ // to_i of nil is 0 for either
		default:
			return v
		}
	}
}

func (e *expression) method(v value, name string) value {
	text := ""
	if v != nil && v != false {
		text = fmt.Sprint(v)
	}
	switch name {
	case "to_i":
		return int64(leading(text))
	case "to_f":
		return leading(text)
	case "to_s":
		return text
	case "present?":
		return strings.TrimSpace(text) != ""
	case "blank?":
		return strings.TrimSpace(text) == ""
	case "presence":
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return v
	}
	e.refuse(".%s", name)
	return nil
}

// leading is the number at the front of a text, as Ruby's to_i and to_f read
// it: 0 if there is none.
func leading(text string) float64 {
	text = strings.TrimSpace(text)
	end := 0
	for end < len(text) && strings.ContainsRune("0123456789.-+", rune(text[end])) {
		end++
	}
	for ; end > 0; end-- {
		if n, err := strconv.ParseFloat(text[:end], 64); err == nil {
			return n
		}
	}
	return 0
}

func (e *expression) primary() value {
	t := e.peek()
	if t == "" {
		e.refuse("an end in the middle")
	}
	e.at++
	switch {
	case t == "(":
		v := e.ternary()
		e.want(")")
		return v
	case t[0] == '"':
		return t[1:]
	case t == "true" || t == "false":
		return t == "true"
	case t == "nil":
		return nil
	case t == "ENV":
		return e.env()
	case t == "Rails":
		e.want(".")
		e.want("env")
		return e.rails()
	case t == "Concurrent" || t == "Etc":
		return e.processors(t)
	case t[0] >= '0' && t[0] <= '9':
		if n, err := strconv.ParseInt(strings.ReplaceAll(t, "_", ""), 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(strings.ReplaceAll(t, "_", ""), 64); err == nil {
			return f
		}
	}
	e.refuse("%s", t)
	return nil
}
