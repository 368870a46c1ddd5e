package report

import (
	"fmt"
	"io"
	"sync"
)

// Lines is one line on a terminal's standard error that is written anew as
// things change. Anywhere else it is nil and writes nothing.
type Lines struct {
	w     io.Writer
	width int
	mu    sync.Mutex
	drawn bool
}

// NewLines is a line on w, or nil where w is no terminal.
func NewLines(w io.Writer) *Lines {
	width, ok := Terminal(w)
	if !ok {
		return nil
	}
	return &Lines{w: w, width: width}
}

// Show replaces the line.
func (l *Lines) Show(text string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drawn = true
	fmt.Fprint(l.w, "\r\x1b[K"+clip(text, l.width-1))
}

// Clear takes the line off the screen.
func (l *Lines) Clear() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drawn {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.drawn = false
	}
}
