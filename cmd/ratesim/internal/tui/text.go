package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cells is how wide a text is on the screen, codes of colour left out.
func cells(s string) int { return ansi.StringWidth(s) }

// short cuts a text to a width, and shows that it did.
func short(s string, width int) string { return ansi.Truncate(s, max(width, 0), "…") }

// fit is a text of exactly a width.
func fit(s string, width int) string { return pad(short(s, width), width) }

// pad fills a line up to a width, or cuts it there.
func pad(s string, width int) string {
	if n := cells(s); n < width {
		return s + strings.Repeat(" ", width-n)
	} else if n > width {
		return ansi.Truncate(s, width, "")
	}
	return s
}

// wrapAt fills exactly so many lines with parts, none of them broken.
func wrapAt(parts []string, between string, width, lines int) []string {
	out := make([]string, 0, lines)
	line := ""
	for _, p := range parts {
		switch {
		case line == "":
			line = p
		case cells(line)+cells(between)+cells(p) <= width:
			line += between + p
		default:
			out = append(out, line)
			line = p
		}
	}
	out = append(out, line)
	for len(out) < lines {
		out = append(out, "")
	}
	out = out[:lines]
	for i := range out {
		out[i] = fit(out[i], width)
	}
	return out
}
