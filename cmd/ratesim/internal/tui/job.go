package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/ratesim/ratesim/plots"
)

// jobs are what runs in the background for the current setting. A new setting
// cancels all of them.
type jobs struct {
	cancel context.CancelFunc
	ctx    context.Context
	all    *sync.WaitGroup
}

// job is one of them. What it tells comes to Update one message at a time.
type job struct {
	ctx  context.Context
	news chan tea.Msg
}

// jobMsg is a message of a job, and the job, to be asked for the next one.
type jobMsg struct {
	job  *job
	news tea.Msg
}

// What jobs tell, beside a *Result.
type (
	tradeMsg struct {
		view  View
		chart *plots.Chart
	}
	tradeErrMsg struct {
		view View
		err  string
	}
	progressMsg struct {
		view        View
		done, total int
	}
	suggestMsg struct {
		at  Setting
		say string
	}
	errMsg  string
	sayMsg  string
	overMsg struct{}
)

// suggesting stands for a view in the progress of a suggestion.
const suggesting = numViews

// start cancels what runs and begins with work.
func (j *jobs) start(work func(*job) error) tea.Cmd {
	if j.cancel != nil {
		j.cancel()
	}
	if j.all == nil {
		j.all = &sync.WaitGroup{}
	}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	return j.add(work)
}

// add begins work beside what runs.
func (j *jobs) add(work func(*job) error) tea.Cmd {
	w := &job{ctx: j.ctx, news: make(chan tea.Msg)}
	j.all.Go(func() {
		defer close(w.news)
		if err := work(w); err != nil && !errors.Is(err, context.Canceled) {
			w.tell(errMsg(err.Error()))
		}
	})
	return w.next()
}

// stop cancels what runs and waits for its end.
func (j *jobs) stop() {
	if j.cancel != nil {
		j.cancel()
		j.all.Wait()
	}
}

// tell hands a message over, unless nobody wants it any more.
func (j *job) tell(m tea.Msg) {
	select {
	case j.news <- m:
	case <-j.ctx.Done():
	}
}

// progress tells how far a view is, if the screen is ready to hear it.
func (j *job) progress(v View, done, total int) {
	select {
	case j.news <- progressMsg{v, done, total}:
	default:
	}
}

// failed tells why a view has no chart.
func (j *job) failed(v View, err error) error {
	if !errors.Is(err, context.Canceled) {
		j.tell(tradeErrMsg{v, err.Error()})
	}
	return nil
}

// next waits for the job's next message.
func (j *job) next() tea.Cmd {
	return func() tea.Msg {
		select {
		case m, more := <-j.news:
			if !more {
				m = overMsg{}
			}
			return jobMsg{j, m}
		case <-j.ctx.Done():
			return jobMsg{j, overMsg{}}
		}
	}
}

// gone is true for a job of a setting that is no longer the current one.
func (j *job) gone() bool { return j.ctx.Err() != nil }

// share is how far something is.
func share(done, total int) string {
	if total <= 0 {
		return "…"
	}
	return fmt.Sprintf("%d %%", 100*done/total)
}
