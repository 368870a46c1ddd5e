package report

import (
	"os"

	"golang.org/x/term"
)

// PlainWidth is how wide tables are where no terminal says otherwise.
const PlainWidth = 80

// Terminal is the width of the terminal that f is, and whether it is one. A
// value that has a TerminalWidth of its own counts as one too: that is how
// tests stand in for a screen.
func Terminal(f any) (width int, ok bool) {
	switch f := f.(type) {
	case interface{ TerminalWidth() int }:
		return f.TerminalWidth(), true
	case *os.File:
		if !term.IsTerminal(int(f.Fd())) {
			return PlainWidth, false
		}
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, true
		}
		return PlainWidth, true
	}
	return PlainWidth, false
}
