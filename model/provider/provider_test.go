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
		{"closed longer by refusals", model.Provider{Window: model.ProviderSliding, ClosesLonger: true},
			[]gcra.Instant{900 * ms, 1100 * ms, 1900 * ms, 2900 * ms}, []int{2, 0, 0, 2}, 6},
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
		if p.Reset(); p.Counts() != (model.ProviderCounts{}) || !p.Call(0) {
			t.Errorf("%s: a new run remembers the old one", c.name)
		}
	}
}
