package queueyml

import (
	"fmt"
	"strings"
)

// Mistake is what is wrong with a file, and where.
type Mistake struct {
	File      string
	Line, Col int
	Msg       string
}

func (m Mistake) Error() string { return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Col, m.Msg) }

// expand does what ERB does, for the Ruby that [evaluate] knows. What is left
// out leaves its line breaks behind, so that lines keep their numbers.
func expand(file, text string, h Host) (string, error) {
	var out strings.Builder
	var branches []branch
	at := 0
	wrong := func(format string, args ...any) error {
		line := 1 + strings.Count(text[:at], "\n")
		return Mistake{file, line, at - strings.LastIndexByte(text[:at], '\n'), fmt.Sprintf(format, args...)}
	}
	put := func(s string) {
		if on(branches) {
			out.WriteString(s)
		} else {
			out.WriteString(strings.Repeat("\n", strings.Count(s, "\n")))
		}
	}
	for {
		i := strings.Index(text[at:], "<%")
		if i < 0 {
			put(text[at:])
			break
		}
		put(text[at : at+i])
		at += i
		if strings.HasPrefix(text[at:], "<%%") {
			put("<%")
			at += 3
			continue
		}
		end := strings.Index(text[at+2:], "%>")
		if end < 0 {
			return "", wrong("<%% has no %%> after it")
		}
		tag := text[at+2 : at+2+end]
		code := strings.TrimSpace(strings.Trim(tag, "-"))
		switch {
		case strings.HasPrefix(tag, "#"):
		case strings.HasPrefix(tag, "="):
			code = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(tag, "="), "-"))
			if !on(branches) {
				break
			}
			v, err := evaluate(code, h)
			if err != nil {
				return "", wrong("<%%= %s %%>: %v", code, err)
			}
			if v != nil {
				put(fmt.Sprint(v))
			}
		default:
			var err error
			if branches, err = step(branches, code, h); err != nil {
				return "", wrong("<%% %s %%>: %v", code, err)
			}
		}
		out.WriteString(strings.Repeat("\n", strings.Count(tag, "\n")))
		at += end + 4
	}
	if len(branches) > 0 {
		at = len(text)
		return "", wrong("an if has no end")
	}
	return out.String(), nil
}

// branch is an if that is open.
type branch struct {
	live bool // the part that is read now counts
	done bool // a part of it counted
	open bool // what is around it counts
}

func on(all []branch) bool { return len(all) == 0 || all[len(all)-1].live }

// step is a statement: if, unless, elsif, else and end.
func step(all []branch, code string, h Host) ([]branch, error) {
	word, rest, _ := strings.Cut(code, " ")
	last := len(all) - 1
	if last < 0 && (word == "else" || word == "elsif" || word == "end") {
		return all, fmt.Errorf("there is no if before it")
	}
	asks := func(outer bool) (bool, error) {
		if !outer {
			return false, nil // it may be beyond what is read, and nobody asks
		}
		v, err := evaluate(rest, h)
		return truthy(v), err
	}
	switch word {
	case "if", "unless":
		outer := on(all)
		yes, err := asks(outer)
		yes = outer && yes == (word == "if")
		return append(all, branch{yes, yes, outer}), err
	case "elsif":
		b := &all[last]
		yes, err := asks(b.open && !b.done)
		b.live = yes
		b.done = b.done || yes
		return all, err
	case "else":
		b := &all[last]
		b.live = b.open && !b.done
		b.done = true
		return all, nil
	case "end":
		return all[:last], nil
	}
	return all, fmt.Errorf("only if, unless, elsif, else and end are read here")
}
