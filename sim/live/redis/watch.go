package redis

import (
	"context"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// How often the end of a run is looked for, and whether the jobs are still
// there.
const (
	looking = 50 * time.Millisecond
	asking  = 500 * time.Millisecond
)

// Status is how a run stands.
type Status struct {
	At      gcra.Instant
	Left    int64 // jobs that came and are not gone
	Running int   // in the hands of workers
	Claims  int64
	Rate    float64 // claims a second over the last few seconds
	// Worst is the most starts that any window held so far, of the limit that
	// came nearest to its own; To is how many it allows.
	Worst, To int
	Away      time.Duration // for how long Redis has been gone
}

// watch waits for the end of the run, and tells how it stands meanwhile.
func (r *runner) watch(ctx context.Context, came <-chan struct{}) error {
	every := time.NewTicker(looking)
	defer every.Stop()
	w := &watcher{r: r, windows: make([]recent, len(r.s.Limits)), seen: -1}
	asked, told, arrived := time.Now(), gcra.Instant(0), false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-every.C:
		}
		select {
		case <-came:
			arrived = true
		default:
		}
		now := r.clock.now()
		if r.o.For > 0 && now >= gcra.Instant(r.o.For) {
			return nil
		}
		left, _ := r.book.stands()
		if r.s.Until == 0 && arrived && left == 0 {
			return nil
		}
		if time.Since(asked) >= asking {
			asked = time.Now()
			if err := w.there(ctx); err != nil {
				return err
			}
		}
		if r.o.Watch != nil && now.Sub(told) >= r.o.Every {
			told = now
			r.o.Watch(w.look(now))
		}
	}
}

// stands is how many jobs came and are not gone, and how many are in hand.
func (b *book) stands() (left int64, inHand int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left, b.inHand
}

// watcher looks after the jobs.
type watcher struct {
	r       *runner
	gone    time.Time // since when Redis has been; zero: it is there
	seen    int64     // pops, when all queues were empty last; -1: they were not
	read    int       // events
	claims  []gcra.Instant
	total   int64
	windows []recent
}

// there asks whether the jobs are still in Redis. The run's own key tells that
// its data is; jobs that nobody has in hand, and that no queue holds, are lost.
func (w *watcher) there(ctx context.Context) error {
	r := w.r
	mark, err := r.feed.do(ctx, "GET", r.server.key("run"))
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		if w.gone.IsZero() {
			w.gone = time.Now()
		}
		if away := time.Since(w.gone); away > r.o.Patience {
			left, _ := r.book.stands()
			return &Lost{r.server.Where, "Redis has been away for " + away.Round(time.Second).String(), left}
		}
		return nil
	}
	w.gone = time.Time{}
	r.book.mu.Lock()
	trouble, since := r.book.trouble, r.book.since
	r.book.mu.Unlock()
	if !since.IsZero() && time.Since(since) > r.o.Patience {
		return &Failure{r.server.Where, "no job can be popped any more: " + trouble.Error(), trouble}
	}
	left, inHand := r.book.stands()
	if mark == nil {
		return &Lost{r.server.Where, "Redis came back without its data", left}
	}
	if left == 0 || inHand > 0 {
		w.seen = -1
		return nil
	}
	held := int64(0)
	for _, q := range r.queues {
		ready, delayed, reserved, err := r.feed.size(ctx, q)
		if err != nil {
			return nil // the next look tells
		}
		held += ready + delayed + reserved
	}
	r.book.mu.Lock()
	left, coming, now := r.book.left, r.book.coming, r.book.popped+int64(len(r.book.jobs))
	r.book.mu.Unlock()
	switch {
	case held > 0 || left == 0 || coming > 0:
		w.seen = -1
	case w.seen == now:
		return &Lost{r.server.Where, "its queues are empty", left}
	default:
		w.seen = now
	}
	return nil
}

// recent is the starts of one limit within its last window, and the most so
// far.
type recent struct {
	at    []gcra.Instant
	worst int
}

// averaged is for how long the rate now is.
const averaged = 5 * time.Second

func (w *watcher) look(now gcra.Instant) Status {
	b, s := w.r.book, w.r.s
	b.mu.Lock()
	st := Status{At: now, Left: b.left, Running: b.inHand}
	events := b.events[w.read:]
	w.read = len(b.events)
	b.mu.Unlock()
	for _, e := range events {
		if e.Kind != model.Claimed {
			continue
		}
		w.total++
		w.claims = append(w.claims, e.At)
		for _, l := range s.LimitsOf(e.Class) {
			w.windows[l].add(e.At, s.Limits[l].Per)
		}
	}
	for i, l := range s.Limits {
		if worst := w.windows[i].worst; st.To == 0 || worst*st.To > st.Worst*l.To {
			st.Worst, st.To = worst, l.To
		}
	}
	for len(w.claims) > 0 && w.claims[0] < now.Add(-averaged) {
		w.claims = w.claims[1:]
	}
	st.Claims = w.total
	st.Rate = float64(len(w.claims)) / min(averaged, max(now.Sub(0), time.Millisecond)).Seconds()
	if !w.gone.IsZero() {
		st.Away = time.Since(w.gone)
	}
	return st
}

// add counts a start in the half-open windows that end with it.
func (w *recent) add(at gcra.Instant, per time.Duration) {
	w.at = append(w.at, at)
	first := 0
	for w.at[first] <= at.Add(-per) {
		first++
	}
	w.at = w.at[first:]
	w.worst = max(w.worst, len(w.at))
}
