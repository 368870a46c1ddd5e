package live

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// looking is how often the end of a run is looked for.
const looking = 50 * time.Millisecond

// Status is how a run stands.
type Status struct {
	At    gcra.Instant
	Where sqlite.Where
	Rate  float64 // claims a second over the last few seconds
	// Worst is the most claims that any window held so far, of the limit that
	// came nearest to its own; To is how many it allows.
	Worst, To int
	NextSlot  gcra.Instant // the earliest check time of a waiting job; Never: none waits for one
	Left      time.Duration
	New       []sqlite.Decision // the claims since the last status
}

// watch waits for the end of the run, and tells how it stands meanwhile.
func (r *runner) watch(ctx context.Context, arriving *source) error {
	every := time.NewTicker(looking)
	defer every.Stop()
	w := &watcher{r: r, windows: make([]window, len(r.s.Limits))}
	told := gcra.Instant(0)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-every.C:
		}
		now := r.clock.now()
		if r.o.For > 0 && now >= gcra.Instant(r.o.For) {
			return nil
		}
		if r.s.Until == 0 && arriving.over() {
			switch drained, err := r.q.Drained(ctx); {
			case ctx.Err() != nil:
				return nil
			case err != nil:
				return err
			case drained:
				return nil
			}
		}
		if r.o.Watch == nil || now.Sub(told) < r.o.Every {
			continue
		}
		told = now
		status, err := w.look(ctx, now)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		r.o.Watch(status)
	}
}

// watcher follows the decisions as they are committed.
type watcher struct {
	r       *runner
	last    int64
	windows []window
	claims  []gcra.Instant // of the last few seconds
}

// window is the claims of one limit within its last window, and the most so
// far.
type window struct {
	at    []gcra.Instant
	worst int
}

// over is for how long the rate now is averaged.
const over = 5 * time.Second

func (w *watcher) look(ctx context.Context, now gcra.Instant) (Status, error) {
	q, s := w.r.q, w.r.s
	st := Status{At: now, NextSlot: gcra.Never}
	var err error
	w.last, err = q.Decisions(ctx, w.last, func(d sqlite.Decision) error {
		if !d.Claimed {
			return nil
		}
		st.New = append(st.New, d)
		w.claims = append(w.claims, d.At)
		if d.Limit >= 0 {
			w.windows[d.Limit].add(d.At, s.Limits[d.Limit].Per)
		}
		return nil
	})
	if err != nil {
		return st, err
	}
	if st.Where, err = q.Where(ctx); err != nil {
		return st, err
	}
	if st.NextSlot, err = q.NextSlot(ctx); err != nil {
		return st, err
	}
	for i, l := range s.Limits {
		if worst := w.windows[i].worst; st.To == 0 || worst*st.To > st.Worst*l.To {
			st.Worst, st.To = worst, l.To
		}
	}
	for len(w.claims) > 0 && w.claims[0] < now.Add(-over) {
		w.claims = w.claims[1:]
	}
	st.Rate = float64(len(w.claims)) / min(over, max(now.Sub(0), time.Millisecond)).Seconds()
	if st.Rate > 0 {
		st.Left = time.Duration(float64(st.Where.Waiting()) / st.Rate * float64(time.Second))
	}
	if rest := gcra.Instant(w.r.o.For).Sub(now); w.r.o.For > 0 && (st.Left == 0 || rest < st.Left) {
		st.Left = rest
	}
	return st, nil
}

// add counts a claim in the half-open windows that end with it.
func (w *window) add(at gcra.Instant, per time.Duration) {
	w.at = append(w.at, at)
	first := 0
	for w.at[first] <= at.Add(-per) {
		first++
	}
	w.at = w.at[first:]
	w.worst = max(w.worst, len(w.at))
}
