package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Progress is a bar on a terminal's standard error: how far, and how long yet.
// It shows itself only when the work takes over a second, and leaves no trace.
// Anywhere else than on a terminal it writes nothing. Its methods may be
// called from several goroutines, and on a nil bar.
type Progress struct {
	w     io.Writer
	width int
	label string
	now   func() time.Time

	mu    sync.Mutex
	begun time.Time
	drawn time.Time // the zero time: nothing is on the screen
}

const (
	progressAfter = time.Second            // quicker work needs no bar
	progressEvery = 200 * time.Millisecond // the eye needs no more
)

// NewProgress is a bar on w, or nil where w is no terminal.
func NewProgress(w io.Writer, label string) *Progress {
	width, ok := Terminal(w)
	if !ok {
		return nil
	}
	return &Progress{w: w, width: width, label: label, now: time.Now, begun: time.Now()}
}

// Set says that done of total is done.
func (p *Progress) Set(done, total int) {
	if p == nil || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.begun) < progressAfter || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn = now
	fmt.Fprint(p.w, "\r\x1b[K"+p.line(done, total, now.Sub(p.begun)))
}

// Clear takes the bar off the screen: call it before anything else is printed.
func (p *Progress) Clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drawn.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = time.Time{}
	}
}

func (p *Progress) line(done, total int, since time.Duration) string {
	done = min(max(done, 0), total)
	right := fmt.Sprintf(" %3d%%", done*100/total)
	if done > 0 && done < total {
		left := time.Duration(float64(since) * float64(total-done) / float64(done))
		right += fmt.Sprintf("  %s left", left.Round(time.Second))
	}
	bar := min(p.width-1-utf8.RuneCountInString(p.label)-1-len(right), 40)
	if bar < 5 {
		return strings.TrimSpace(right)
	}
	full := bar * done / total
	return p.label + " " + strings.Repeat("█", full) + strings.Repeat("░", bar-full) + right
}
