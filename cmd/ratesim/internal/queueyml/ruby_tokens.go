package queueyml

import (
	"fmt"
	"strings"
	"text/scanner"
)

// split cuts Ruby into tokens; strings keep a quote at their front.
func split(text string) (out []string, err error) {
	var s scanner.Scanner
	s.Init(strings.NewReader(text))
	s.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats
	s.Error = func(_ *scanner.Scanner, msg string) { err = fmt.Errorf("%s", msg) }
	for t := s.Scan(); t != scanner.EOF; t = s.Scan() {
		word := s.TokenText()
		switch {
		case t == '"' || t == '\'':
			var b strings.Builder
			for c := s.Next(); c != t; c = s.Next() {
				if c == scanner.EOF {
					return nil, fmt.Errorf("a string has no end")
				}
				if c == '#' && t == '"' && s.Peek() == '{' || c == '\\' {
					return nil, fmt.Errorf("a string with %c in it is not read here", c)
				}
				b.WriteRune(c)
			}
			word = `"` + b.String()
		case strings.ContainsRune("|&=!<>:", t) && (s.Peek() == t || s.Peek() == '=' && t != ':') && t != ':':
			word += string(s.Next())
		case t == ':' && s.Peek() == ':':
			word += string(s.Next())
		case t == scanner.Ident && (s.Peek() == '?' || s.Peek() == '!'):
			if s.Peek() == '?' { // env.production? but not a ? b : c
				word += string(s.Next())
			}
		}
		out = append(out, word)
	}
	return out, err
}
