package provider

import (
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

const ms = gcra.Instant(time.Millisecond)

// Each kind of window by a script: so many of three calls at each time pass.
func TestProvidersByScript(t *testing.T) {
	for _, c := range []struct {
		name   string
		spec   model.Provider
		times  []gcra.Instant
		want   []int
		window int64
	}{
		{"sliding", model.Provider{Window: model.ProviderSliding}, []gcra.Instant{900 * ms, 1100 * ms, 1900 * ms}, []int{2, 0, 2}, 6},
		{"fixed", model.Provider{Window: model.ProviderFixed}, []gcra.Instant{900 * ms, 1100 * ms, 1900 * ms}, []int{2, 2, 0}, 6},
		{"bucket", model.Provider{Window: model.ProviderBucket}, []gcra.Instant{900 * ms, 1400 * ms, 1900 * ms}, []int{2, 1, 1}, 6},
		{"closed longer by refusals", model.Provider{Window: model.ProviderSliding, ClosesLonger: 300 * time.Millisecond},
			[]gcra.Instant{900 * ms, 1100 * ms, 1900 * ms, 3400 * ms}, []int{2, 0, 0, 2}, 6},
		{"closed for a time", model.Provider{Window: model.ProviderSliding, ClosedAt: time.Second, ClosedFor: 500 * time.Millisecond},
			[]gcra.Instant{0, 1000 * ms, 1499 * ms, 1500 * ms}, []int{2, 0, 0, 2}, 9},
	} {
		c.spec.Limit, c.spec.Per = 2, time.Second
		p := New(&c.spec)
		for i, at := range c.times {
			n := 0
			for range 3 {
				if p.Call(at) {
					n++
				}
			}
			if n != c.want[i] {
				t.Errorf("%s: %d of 3 pass at %v, want %d", c.name, n, at, c.want[i])
			}
		}
		if got := p.Counts(); got.Calls != int64(3*len(c.times)) || got.WindowMax != c.window {
			t.Errorf("%s: %+v, want a window of %d", c.name, got, c.window)
		}
		if p.Reset(0); p.Counts() != (model.ProviderCounts{}) || !p.Call(0) {
			t.Errorf("%s: a new run remembers the old one", c.name)
		}
	}
}

// Each call while it is closed adds to the time: a crowd that goes on calling
// keeps itself out. One that stops for as long as it was told is served.
func TestHitsKeepItClosed(t *testing.T) {
	p := New(&model.Provider{Limit: 1, Per: time.Second, Window: model.ProviderSliding, ClosesLonger: time.Second, ClosedAt: 10 * time.Second, ClosedFor: 30 * time.Second})
	for i := range 20 {
		if p.Call(gcra.Instant(10+i) * gcra.Instant(time.Second)) {
			t.Fatalf("served at %d s", 10+i)
		}
	}
	// 30 s, and one for each of 20 hits: open again at 60 s.
	if p.Call(gcra.Instant(59999*time.Millisecond)) || p.Counts().ClosedMax != 51*time.Second {
		t.Errorf("closed for %v with the 21st hit, want 51 s", p.Counts().ClosedMax)
	}
	if !p.Call(gcra.Instant(61 * time.Second)) {
		t.Error("still closed at 61 s")
	}
}
