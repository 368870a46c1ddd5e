package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// zooming is which part of a chart is looked at, and where its cursor is.
type zooming struct {
	from, to float64 // both 0: all
	top      float64 // how far the chart reached up so far: it only grows
	at       float64
	cursor   bool
	front    int
}

// whole is the whole of the current chart along X.
func (a *app) whole() [2]float64 {
	c, _ := a.chart()
	if c == nil {
		return [2]float64{}
	}
	if c.Heat != nil {
		return [2]float64{0, float64(len(c.X.Steps) - 1)}
	}
	end := 0.0
	for i := range c.Series {
		if n := len(c.Series[i].X); n > 0 {
			end = max(end, c.Series[i].X[n-1])
		}
	}
	return [2]float64{0, end}
}

// column is how much of X a column of the chart stands for.
func column(f frame) float64 { return (f.To - f.From) / float64(max(f.Right-f.Left, 1)) }

// move moves the cursor by columns; at the edge the chart pans along.
func (z *zooming) move(f frame, columns int) {
	if f.To <= f.From {
		return
	}
	if !z.cursor {
		z.cursor, z.at = true, (f.From+f.To)/2
		return
	}
	z.at = max(z.at+float64(columns)*column(f), 0)
	if z.from == 0 && z.to == 0 {
		z.at = min(max(z.at, f.From), f.To)
		return
	}
	if over := z.at - f.To; over > 0 {
		z.from, z.to = f.From+over, f.To+over
	} else if under := f.From - z.at; under > 0 {
		z.from, z.to = f.From-under, f.To-under
	}
}

// scale shows more or less, around the cursor or the middle.
func (z *zooming) scale(f frame, whole [2]float64, by float64) {
	if f.To <= f.From {
		return
	}
	middle := (f.From + f.To) / 2
	if z.cursor && z.at >= f.From && z.at <= f.To {
		middle = z.at
	}
	z.between(middle-(middle-f.From)*by, middle+(f.To-middle)*by, whole)
}

// pan moves along by a part of what is shown.
func (z *zooming) pan(f frame, whole [2]float64, part float64) {
	if z.from == 0 && z.to == 0 {
		return // all of it is there
	}
	by := (f.To - f.From) * part
	z.between(f.From+by, f.To+by, whole)
}

// between shows a part, kept within the whole and no thinner than a hair.
func (z *zooming) between(from, to float64, whole [2]float64) {
	length := max(to-from, (whole[1]-whole[0])/1e6)
	if length >= whole[1]-whole[0] {
		z.from, z.to = 0, 0
		return
	}
	from = min(max(from, whole[0]), whole[1]-length)
	z.from, z.to = from, from+length
}

// mouse moves the cursor, zooms with the wheel and pans by dragging.
func (a *app) mouse(m tea.MouseMsg) tea.Cmd {
	z := &a.zoom[a.view]
	if a.help > 0 || a.pick != nil || a.edit != nil {
		return nil
	}
	x := m.X - a.chartX
	inside := x >= a.frame.Left && x <= a.frame.Right && m.Y >= a.chartY && m.Y < a.chartY+len(a.frame.Lines)
	here := a.frame.From + float64(x-a.frame.Left)*column(a.frame)
	switch {
	case m.Button == tea.MouseButtonWheelUp && inside, m.Button == tea.MouseButtonWheelDown && inside:
		z.cursor, z.at = true, here
		by := 0.8
		if m.Button == tea.MouseButtonWheelDown {
			by = 1 / by
		}
		z.scale(a.frame, a.whole(), by)
	case m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft:
		if v, ok := a.tabAt(m.X, m.Y); ok {
			return a.show(v)
		}
		if i, ok := a.fieldAt(m.X, m.Y); ok && !a.live {
			a.field = i
			return nil
		}
		if inside {
			z.cursor, z.at, a.drag = true, here, m.X
		}
	case m.Action == tea.MouseActionMotion && a.drag >= 0 && inside:
		if z.from != 0 || z.to != 0 {
			by := float64(a.drag-m.X) * column(a.frame)
			z.between(a.frame.From+by, a.frame.To+by, a.whole())
		} else {
			z.at = here
		}
		a.drag = m.X
	case m.Action == tea.MouseActionRelease:
		a.drag = -1
	}
	return nil
}

// replaying is a run shown as it went.
type replaying struct {
	at, end float64 // in the chart's own unit
	speed   float64 // of X a second
	paused  bool
	frame   time.Duration
	ticks   int // a tick of before a pause is not one of after it
}

type tickMsg int

// replayTime is how long a whole run takes to replay, at first.
const replayTime = 12 // seconds

// startReplay begins with time 0, or ends a replay.
func (a *app) startReplay() tea.Cmd {
	if a.replay != nil {
		a.replay = nil
		return nil
	}
	if a.view > Windows {
		a.view = Drain
	}
	end := a.whole()[1]
	if end <= 0 {
		a.say = "there is no run to replay yet"
		return nil
	}
	a.replay = &replaying{end: end, speed: end / replayTime, frame: a.look.frameTime()}
	return a.next()
}

// step moves on by frames.
func (r *replaying) step(frames int) {
	r.at = min(r.at+float64(frames)*r.speed*r.frame.Seconds(), r.end)
	if r.at >= r.end {
		r.paused = true
	}
}

// tick moves the replay on.
func (a *app) tick(m tickMsg) tea.Cmd {
	if a.replay == nil || a.replay.paused || int(m) != a.replay.ticks {
		return nil
	}
	a.replay.step(1)
	return a.next()
}

func (a *app) next() tea.Cmd {
	if a.replay.paused {
		return nil
	}
	a.replay.ticks++
	n := tickMsg(a.replay.ticks)
	return tea.Tick(a.replay.frame, func(time.Time) tea.Msg { return n })
}

// pause stops a replay or goes on, from the start if it was at the end.
func (a *app) pause() tea.Cmd {
	r := a.replay
	r.paused = !r.paused
	if !r.paused && r.at >= r.end {
		r.at = 0
	}
	return a.next()
}
