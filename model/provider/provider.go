// Package provider is what jobs call: an API that counts the calls of a window
// of its own and refuses those over its limit, as HTTP does with 429. It sees
// calls when they arrive, which is later than the limiter let their jobs start.
package provider

import (
	"time"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// Provider counts calls in the order of their arrival.
type Provider struct {
	spec   *model.Provider
	gate   gcra.Gate
	closed gcra.Instant // until when it refuses everything
	since  gcra.Instant // when that began, if it has
	origin gcra.Instant // of the run
	recent []gcra.Instant
	head   int
	counts model.ProviderCounts
}

// New makes a provider of the kind.
func New(spec *model.Provider) *Provider {
	p := &Provider{spec: spec}
	p.Reset(0)
	return p
}

// Reset begins a new run, whose time 0 is the instant origin.
func (p *Provider) Reset(origin gcra.Instant) {
	kind := "sliding_log"
	switch p.spec.Window {
	case model.ProviderFixed:
		kind = "fixed_window"
	case model.ProviderBucket:
		kind = "token_bucket"
	}
	gate, err := gcra.NewGate(kind, gcra.Limit{To: p.spec.Limit, Per: p.spec.Per, Burst: p.spec.Limit})
	if err != nil {
		panic(err) // the reader checked it
	}
	p.gate, p.closed, p.since, p.origin, p.counts = gate, 0, 0, origin, model.ProviderCounts{}
	p.recent, p.head = p.recent[:0], 0
}

// Check says in one sentence what is wrong with a provider, or nothing.
func Check(spec *model.Provider) error {
	_, err := gcra.NewGate("sliding_log", gcra.Limit{To: spec.Limit, Per: spec.Per, Burst: spec.Limit})
	return err
}

// Call is a call that arrives: is it served?
func (p *Provider) Call(now gcra.Instant) bool {
	p.counts.Calls++
	p.note(now)
	if from := p.origin.Add(p.spec.ClosedAt); p.spec.ClosedFor > 0 && now >= from && now < from.Add(p.spec.ClosedFor) {
		p.close(from, from.Add(p.spec.ClosedFor))
	}
	if now >= p.closed && p.gate.Check(now) {
		return true
	}
	p.counts.Refused++
	if p.spec.ClosesLonger > 0 {
		p.close(now, max(p.closed, now).Add(p.spec.ClosesLonger))
	}
	return false
}

// close keeps it closed from an instant, if it is not closed already, until
// another.
func (p *Provider) close(from, until gcra.Instant) {
	if from > p.closed || p.closed == 0 {
		p.since = from
	}
	p.closed = max(p.closed, until)
	p.counts.ClosedMax = max(p.counts.ClosedMax, p.closed.Sub(p.since))
}

// note counts the calls of the window that ends now.
func (p *Provider) note(now gcra.Instant) {
	if p.head > 1024 && p.head > len(p.recent)/2 {
		p.recent, p.head = p.recent[:copy(p.recent, p.recent[p.head:])], 0
	}
	p.recent = append(p.recent, now)
	for now.Sub(p.recent[p.head]) >= p.spec.Per {
		p.head++
	}
	p.counts.WindowMax = max(p.counts.WindowMax, int64(len(p.recent)-p.head))
}

// RetryAfter is what a refusal says of when to come back; 0: nothing.
func (p *Provider) RetryAfter() time.Duration { return p.spec.RetryAfter }

// Counts is what came so far.
func (p *Provider) Counts() model.ProviderCounts { return p.counts }
