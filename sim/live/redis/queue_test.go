package redis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fake is a payload of the test, with its attempts.
func fake(name string, attempts int) string {
	return fmt.Sprintf(`{"uuid":%q,"attempts":%d,"data":{"attempts\":":7}}`, name, attempts)
}

// hands is a queue, a connection, and a worker's clock that the test sets.
type hands struct {
	t   *testing.T
	c   *client
	q   *queue
	now int64
}

func (h *hands) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hands) push(names ...string) {
	h.t.Helper()
	var all []string
	for _, n := range names {
		all = append(all, fake(n, 0))
	}
	h.must(h.c.push(h.t.Context(), h.q, all))
}

func (h *hands) pop(batch int) string {
	h.t.Helper()
	v, err := h.c.pop(h.t.Context(), h.q, func() int64 { return h.now }, 90, batch)
	h.must(err)
	return v
}

// pops takes all there is and returns the names in order.
func (h *hands) pops(batch int) (names []string) {
	for p := h.pop(batch); p != ""; p = h.pop(batch) {
		names = append(names, strings.Split(p, `"`)[3])
	}
	return names
}

func (h *hands) sizes(ready, delayed, reserved int64) {
	h.t.Helper()
	r, d, v, err := h.c.size(h.t.Context(), h.q)
	h.must(err)
	if r != ready || d != delayed || v != reserved {
		h.t.Errorf("%d ready, %d delayed, %d reserved, want %d, %d, %d", r, d, v, ready, delayed, reserved)
	}
}

func (h *hands) tokens(want int64) {
	h.t.Helper()
	v, err := h.c.do(h.t.Context(), "LLEN", h.q.notify)
	h.must(err)
	if number(v) != want {
		h.t.Errorf("%d tokens, want %d", number(v), want)
	}
}

func (h *hands) is(got, want []string) {
	h.t.Helper()
	if !slices.Equal(got, want) {
		h.t.Errorf("popped %v, want %v", got, want)
	}
}

// suite holds a Redis to what Laravel's queue needs of it.
func suite(t *testing.T, open func(*testing.T) *Server) {
	for name, test := range map[string]func(*hands){
		"jobs come out as they went in, each with a try and a token less": func(h *hands) {
			h.push("b", "a", "c")
			h.tokens(3)
			first := h.pop(-1)
			if want := fake("b", 1); first != want {
				h.t.Errorf("popped %s, want %s", first, want)
			}
			h.sizes(2, 0, 1)
			h.tokens(2)
			h.is(h.pops(-1), []string{"a", "c"})
			h.must(h.c.remove(h.t.Context(), h.q, first))
			h.sizes(0, 0, 2)
		},
		"due jobs go behind the ready ones, by second and then by payload": func(h *hands) {
			for i, n := range []string{"z", "m", "a"} {
				h.must(h.c.later(h.t.Context(), h.q, fake(n, 0), h.now+int64(i/2)))
			}
			h.push("ready")
			h.is(h.pops(-1), []string{"ready", "m", "z"})
			h.sizes(0, 1, 3)
			h.now++
			h.is(h.pops(-1), []string{"a"})
			h.tokens(0)
		},
		"a batch bounds what one pop moves": func(h *hands) {
			for i := range 5 {
				h.must(h.c.later(h.t.Context(), h.q, fake(fmt.Sprint(i), 0), h.now))
			}
			h.pop(2)
			h.sizes(1, 3, 1)
		},
		"more than a hundred due jobs move at once": func(h *hands) {
			for i := range 250 {
				h.must(h.c.later(h.t.Context(), h.q, fake(fmt.Sprint(i), 0), h.now))
			}
			h.pop(-1)
			h.sizes(249, 0, 1)
			h.tokens(249)
		},
		"a released job is due at its second, with its try": func(h *hands) {
			h.push("a")
			h.must(h.c.release(h.t.Context(), h.q, h.pop(-1), h.now+2))
			h.now++
			h.is(h.pops(-1), nil)
			h.now++
			if got := h.pop(-1); got != fake("a", 2) {
				h.t.Errorf("popped %s, want its second try", got)
			}
		},
		"a rewritten job has its try back, and is due when it was": func(h *hands) {
			h.push("a")
			p := h.pop(-1)
			h.must(h.c.release(h.t.Context(), h.q, p, h.now+1))
			ok, err := h.c.rewrite(h.t.Context(), h.q, p, fake("a", 0))
			h.must(err)
			h.is(h.pops(-1), nil)
			h.now++
			if got := h.pop(-1); !ok || got != fake("a", 1) {
				h.t.Errorf("rewritten %v, popped %s, want its first try", ok, got)
			}
		},
		"whoever pops before the rewrite keeps the try": func(h *hands) {
			h.push("a")
			p := h.pop(-1)
			h.must(h.c.release(h.t.Context(), h.q, p, h.now))
			again := h.pop(-1)
			ok, err := h.c.rewrite(h.t.Context(), h.q, p, fake("a", 0))
			h.must(err)
			if ok || again != fake("a", 2) {
				h.t.Errorf("rewritten %v, popped %s", ok, again)
			}
			h.sizes(0, 0, 1)
		},
		"a reserved job comes back after retry_after, and its old copy removes nothing": func(h *hands) {
			h.push("a")
			old := h.pop(-1)
			h.now += 89
			h.is(h.pops(-1), nil)
			h.now++
			again := h.pop(-1)
			if again != fake("a", 2) {
				h.t.Errorf("popped %q", again)
			}
			h.must(h.c.remove(h.t.Context(), h.q, old))
			h.sizes(0, 0, 1)
			h.must(h.c.remove(h.t.Context(), h.q, again))
			h.sizes(0, 0, 0)
		},
		"a token wakes who blocks": func(h *hands) {
			h.push("a")
			ok, err := h.c.block(h.t.Context(), h.q.notify, 1e9)
			h.must(err)
			if !ok {
				h.t.Error("no token came")
			}
			p, err := h.c.head(h.t.Context(), h.q, h.now+90)
			h.must(err)
			if p != fake("a", 1) {
				h.t.Errorf("popped %q", p)
			}
		},
		"every command is one round trip": func(h *hands) {
			h.push("a")
			before, evals := h.c.trips.Load(), h.c.evals.Load()
			h.pops(-1) // one found, one empty
			if trips := h.c.trips.Load() - before; trips != 6 || h.c.evals.Load()-evals != 6 {
				h.t.Errorf("%d trips for two pops, want 6", trips)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			c := s.connect()
			t.Cleanup(func() { _ = c.redis.Close() })
			test(&hands{t, c, s.queue("default"), 1_800_000_000})
		})
	}
}

func TestQueueInMemory(t *testing.T) {
	suite(t, func(t *testing.T) *Server { s, _ := onMini(t); return s })
}

// What a run made goes, and what others made stays.
func TestCleanTakesOnlyItsOwn(t *testing.T) {
	s, m := onMini(t)
	m.Set("theirs", "1")
	m.Set("ratesim:{000000000000}:queues:default", "another run's")
	h := &hands{t, s.connect(), s.queue("default"), 1_800_000_000}
	h.push("a", "b")
	h.must(h.c.release(t.Context(), h.q, h.pop(-1), h.now+9))
	h.must(s.Clean(t.Context()))
	if got := m.Keys(); !slices.Equal(got, []string{"ratesim:{000000000000}:queues:default", "theirs"}) {
		t.Errorf("%v are left", got)
	}
}
