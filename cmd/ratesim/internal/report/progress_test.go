package report

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

type screen struct{ bytes.Buffer }

func (*screen) TerminalWidth() int { return 60 }

func TestProgress(t *testing.T) {
	s := &screen{}
	p := NewProgress(s, "simulating")
	now := p.begun
	p.now = func() time.Time { return now }

	now = now.Add(900 * time.Millisecond)
	p.Set(1, 10)
	p.Clear()
	if s.Len() > 0 {
		t.Fatalf("%q within the first second", s.String())
	}

	now = now.Add(1100 * time.Millisecond)
	p.Set(2, 10)
	if got := s.String(); !strings.Contains(got, "simulating ███") || !strings.Contains(got, " 20%  8s left") {
		t.Errorf("%q, want a fifth done and eight seconds left", got)
	}
	if n := utf8.RuneCountInString(strings.TrimPrefix(s.String(), "\r\x1b[K")); n >= 60 {
		t.Errorf("%d columns on a screen of 60", n)
	}
	s.Reset()
	now = now.Add(50 * time.Millisecond)
	p.Set(3, 10)
	if s.Len() > 0 {
		t.Errorf("%q, drawn again too soon", s.String())
	}
	p.Clear()
	p.Clear()
	if s.String() != "\r\x1b[K" {
		t.Errorf("%q, want the line cleared once", s.String())
	}
}

func TestNoProgressWhereThereIsNoScreen(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, "simulating")
	if p != nil {
		t.Fatal("a bar in a file")
	}
	p.Set(1, 2)
	p.Clear()
	if b.Len() > 0 {
		t.Errorf("%q", b.String())
	}
}
