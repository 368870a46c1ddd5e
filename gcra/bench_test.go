package gcra

import (
	"testing"
	"time"
)

var benchLimit = Limit{To: 100, Per: time.Minute, Burst: 10}

func BenchmarkCheck(b *testing.B) {
	b.ReportAllocs()
	var s Budget
	now := Instant(0)
	for b.Loop() {
		s, _ = benchLimit.Check(s, now)
		now += Instant(300 * time.Millisecond)
	}
}

func BenchmarkCheckN(b *testing.B) {
	b.ReportAllocs()
	p := benchLimit.Pace()
	var s Budget
	now := Instant(0)
	for b.Loop() {
		s, _ = p.CheckN(s, now, 500)
		now += Instant(time.Second)
	}
}

func BenchmarkDeferN(b *testing.B) {
	b.ReportAllocs()
	p := benchLimit.Pace()
	var s Budget
	now := Instant(0)
	for b.Loop() {
		s, _, _ = p.DeferN(s, now, 500, Horizon)
		now += Instant(time.Second)
	}
}

func BenchmarkGates(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind, func(b *testing.B) {
			b.ReportAllocs()
			g := mustGate(b, kind, benchLimit)
			now := Instant(0)
			for b.Loop() {
				g.Check(now)
				now += Instant(300 * time.Millisecond)
			}
		})
	}
}
