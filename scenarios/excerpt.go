package scenarios

import (
	"fmt"
	"strings"
	"unicode"
)

// excerptWidth is how many columns of a terminal a line of source may take.
const excerptWidth = 72

// Excerpt shows the line of data an error is on, with a caret under its place.
// Tabs are shown as four blanks, what can't be printed as a question mark, and
// a long line is cut around the caret. It is "" if the error has no line.
func Excerpt(data []byte, e Error) string {
	lines := splitLines(string(data))
	if e.Line < 1 || e.Line > len(lines)+1 {
		return ""
	}
	var line []rune
	if e.Line <= len(lines) { // else just past the end: an unclosed bracket
		line = []rune(lines[e.Line-1])
	}
	caret := min(max(e.Col-1, 0), len(line))
	before, after := show(line[:caret]), show(line[caret:])
	if w := width(before); w > excerptWidth*2/3 {
		before = append([]rune("…"), cutLeft(before, excerptWidth*2/3)...)
	}
	if room := excerptWidth - width(before); width(after) > room {
		after = append(cutRight(after, room-1), '…')
	}
	number := fmt.Sprint(e.Line)
	return fmt.Sprintf("%s | %s%s\n%*s | %*s^\n",
		number, string(before), string(after), len(number), "", width(before), "")
}

var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// splitLines cuts text where the YAML scanner counts a line, which is also at
// the line breaks of old Macs and of Unicode.
func splitLines(s string) []string {
	s = strings.TrimPrefix(s, "\ufeff")
	s = breaks.Replace(s)
	return strings.Split(s, "\n")
}

// skipLines is data without its first n lines.
func skipLines(data []byte, n int) []byte {
	if n == 0 {
		return data
	}
	lines := splitLines(string(data))
	return []byte(strings.Join(lines[min(n, len(lines)):], "\n"))
}

// show makes runes fit to be printed on a terminal, one line high.
func show(in []rune) []rune {
	var out []rune
	for _, r := range in {
		switch {
		case r == '\t':
			out = append(out, []rune("    ")...)
		case !unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r):
			out = append(out, '?')
		default:
			out = append(out, r)
		}
	}
	return out
}

// cutLeft keeps as many runes at the end as there is room for.
func cutLeft(rs []rune, room int) []rune {
	i := len(rs)
	for used := 0; i > 0; i-- {
		if used += width(rs[i-1 : i]); used > room {
			break
		}
	}
	return rs[i:]
}

// cutRight keeps as many runes at the start as there is room for.
func cutRight(rs []rune, room int) []rune {
	i := 0
	for used := 0; i < len(rs); i++ {
		if used += width(rs[i : i+1]); used > room {
			break
		}
	}
	return rs[:i:i]
}

// width is how many columns runes take on a terminal.
func width(rs []rune) int {
	n := 0
	for _, r := range rs {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide is true for what East Asian scripts and emoji take two columns for: the
// blocks, not the table of single characters, which changes every year.
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115F, // Hangul Jamo
		r >= 0x2E80 && r <= 0x303E, // CJK radicals and punctuation
		r >= 0x3041 && r <= 0xA4CF, // kana to Yi
		r >= 0xA960 && r <= 0xA97C,
		r >= 0xAC00 && r <= 0xD7A3, // Hangul
		r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F,
		r >= 0xFF00 && r <= 0xFF60, // full width forms
		r >= 0xFFE0 && r <= 0xFFE6,
		r >= 0x1F300 && r <= 0x1F64F, // emoji
		r >= 0x1F680 && r <= 0x1F6FF,
		r >= 0x1F900 && r <= 0x1F9FF,
		r >= 0x20000 && r <= 0x3FFFD:
		return true
	}
	return false
}
