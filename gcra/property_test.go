package gcra

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyLimit draws limits that pass Validate: small ones, where edges are near,
// and wide ones.
func anyLimit(t *rapid.T) Limit {
	to := rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(1, 200)).Draw(t, "to")
	burst := rapid.OneOf(rapid.Just(1), rapid.Just(to), rapid.IntRange(1, to)).Draw(t, "burst")
	least := int64(to-burst+1) * int64(MinInterval)
	per := rapid.OneOf(
		rapid.Int64Range(least, least+3*int64(time.Second)),
		rapid.SampledFrom([]int64{int64(time.Second), int64(time.Minute), int64(24 * time.Hour)}),
	).Draw(t, "per")
	l := Limit{To: to, Per: time.Duration(max(per, least)), Burst: burst}
	if err := l.Validate(); err != nil {
		t.Fatalf("%+v: %v", l, err)
	}
	return l
}

// anyGap draws the time to the next try: the tight places of the limit, to the
// nanosecond, and anything between.
func anyGap(t *rapid.T, l Limit) time.Duration {
	T := l.Interval()
	return max(0, rapid.OneOf(
		rapid.SampledFrom([]time.Duration{0, 0, 0, 1, T - 1, T, T + 1, l.Per - T, l.Per - 1, l.Per, l.Per + 1, l.Tolerance(), 3 * l.Per}),
		rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Range(0, int64(l.Per)).Draw(t, "ns")) }),
	).Draw(t, "gap"))
}

// mostIn is the most of these times, in order, that a half-open window holds.
func mostIn(times []Instant, per time.Duration) int {
	most, from := 0, 0
	for i, at := range times {
		for at.Sub(times[from]) >= per {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

// THE PROMISE. Never more than To in any half-open window of Per: any limit,
// any start, any arrivals, as long as the clock does not step back.
func TestNeverMoreThanToInAnyWindow(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				l := anyLimit(t)
				g, err := NewGate(kind, l)
				if err != nil {
					t.Fatal(err)
				}
				now := Instant(rapid.Int64Range(0, int64(3*l.Per)).Draw(t, "start"))
				var passed []Instant
				for range rapid.IntRange(1, 60).Draw(t, "tries") {
					if rapid.Bool().Draw(t, "as soon as it may") {
						now = g.Earliest(now)
					} else {
						now = now.Add(anyGap(t, l))
					}
					for n := rapid.IntRange(1, 2*l.To).Draw(t, "at once"); n > 0 && g.Check(now); n-- {
						passed = append(passed, now)
					}
				}
				most := mostIn(passed, l.Per)
				if g.Promises() && most > l.To {
					t.Fatalf("%d passed in %v, want at most %d", most, l.Per, l.To)
				}
				if most > g.MostInWindow() {
					t.Fatalf("%d passed in %v, MostInWindow says %d", most, l.Per, g.MostInWindow())
				}
			})
		})
	}
}

// A job is refused until exactly Earliest, and admitted then.
func TestRefusedUntilExactlyEarliest(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				l := anyLimit(t)
				g, err := NewGate(kind, l)
				if err != nil {
					t.Fatal(err)
				}
				now := Instant(rapid.Int64Range(0, int64(3*l.Per)).Draw(t, "start"))
				for range rapid.IntRange(1, 40).Draw(t, "tries") {
					now = now.Add(anyGap(t, l))
					for range rapid.IntRange(0, l.To).Draw(t, "at once") {
						g.Check(now)
					}
					at := g.Earliest(now)
					if at < now {
						t.Fatalf("at %d the earliest is %d, which is past", now, at)
					}
					if at > now {
						for _, early := range []Instant{now, at - 1, Instant(rapid.Int64Range(int64(now), int64(at)-1).Draw(t, "early"))} {
							if g.Check(early) {
								t.Fatalf("admitted at %d, before the earliest %d", early, at)
							}
						}
					}
					if now = at; !g.Check(now) {
						t.Fatalf("refused at the earliest, %d", at)
					}
				}
			})
		})
	}
}

// A clock that steps back changes no state: what the gate answers afterwards
// is as if the early questions had never been asked, or had been admitted
// within what it had room for.
func TestSteppingBackForgetsNothing(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				l := anyLimit(t)
				stepped, _ := NewGate(kind, l)
				now := Instant(rapid.Int64Range(0, int64(3*l.Per)).Draw(t, "start"))
				room := 0
				for stepped.Check(now) {
					room++
				}
				again := stepped.Earliest(now)
				back := now - Instant(rapid.Int64Range(0, int64(now)).Draw(t, "back"))
				if stepped.Check(back) {
					t.Fatalf("%d passed at %d, and one more with the clock at %d", room, now, back)
				}
				if got := stepped.Earliest(now); got != again {
					t.Fatalf("stepping back moved the earliest from %d to %d", again, got)
				}
			})
		})
	}
}

// CheckN and DeferN are n single calls.
func TestManyAtOnceAreSingleCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLimit(t)
		p := l.Pace()
		var many, single Budget
		now := Instant(rapid.OneOf(
			rapid.Int64Range(-int64(l.Per), int64(l.Per)),
			rapid.Int64Range(math.MaxInt64-3*int64(l.Per), math.MaxInt64-int64(l.Per)),
			rapid.Just[int64](math.MinInt64),
		).Draw(t, "start"))
		many.TAT, many.Slot = now, now
		single = many
		for range rapid.IntRange(1, 20).Draw(t, "tries") {
			n := rapid.IntRange(-1, 2*l.To).Draw(t, "n")
			got, want := 0, 0
			many, got = p.CheckN(many, now, n)
			for range max(n, 0) {
				var ok bool
				if single, ok = l.Check(single, now); ok {
					want++
				}
			}
			if got != want || many != single {
				t.Fatalf("CheckN(%d) at %d: %d and %+v, singly %d and %+v", n, now, got, many, want, single)
			}
			horizon := time.Duration(rapid.SampledFrom([]int64{int64(Horizon), int64(l.Interval()), int64(l.Per), 0, math.MaxInt64}).Draw(t, "horizon"))
			before := many
			var first Instant
			many, first, got = p.DeferN(many, now, n, horizon)
			want = 0
			for i := range max(n, 0) {
				b, at, taken := p.DeferN(single, now, 1, horizon)
				if taken == 0 {
					break
				}
				if wanted := first.Add(time.Duration(i) * l.Interval()); at != wanted {
					t.Fatalf("slot %d of %+v at %d is %d, want %d", i, before, now, at, wanted)
				}
				single = b
				want++
			}
			if got != want || many != single {
				t.Fatalf("DeferN(%d) at %d: %d and %+v, singly %d and %+v", n, now, got, many, want, single)
			}
			now = now.Add(anyGap(t, l))
		}
	})
}

// Slots strictly increase and lie at least an interval apart, none before now
// or before the budget admits, none past the horizon.
func TestSlotsAreStaggered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLimit(t)
		var b Budget
		now, last := Instant(0), Instant(math.MinInt64)
		for range rapid.IntRange(1, 60).Draw(t, "tries") {
			now = now.Add(anyGap(t, l))
			var ok bool
			if b, ok = l.Check(b, now); ok {
				continue
			}
			before := b
			var at Instant
			b, at, ok = l.Defer(b, now)
			if !ok {
				if b != before || at != now.Add(Horizon) {
					t.Fatalf("beyond the horizon: %+v became %+v, check at %d", before, b, at)
				}
				continue
			}
			if at < last.Add(l.Interval()) || at < now || at < l.Earliest(b) || at > now.Add(Horizon) || b.Slot != at || b.TAT != before.TAT {
				t.Fatalf("at %d after slot %d: slot %d of %+v", now, last, at, b)
			}
			last = at
		}
	})
}

// R88: a budget at rest may be forgotten at any moment; no decision and no
// slot changes.
func TestForgettingABudgetAtRestChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLimit(t)
		var kept, cleared Budget
		now := Instant(0)
		for range rapid.IntRange(1, 60).Draw(t, "tries") {
			now = now.Add(anyGap(t, l))
			if l.AtRest(cleared, now) {
				cleared = Budget{}
			}
			var a, b bool
			kept, a = l.Check(kept, now)
			cleared, b = l.Check(cleared, now)
			if a != b {
				t.Fatalf("at %d: kept admits %v, cleared %v", now, a, b)
			}
			if a {
				continue
			}
			var s, c Instant
			kept, s, a = l.Defer(kept, now)
			cleared, c, b = l.Defer(cleared, now)
			if a != b || s != c {
				t.Fatalf("at %d: kept gives slot %d %v, cleared %d %v", now, s, a, c, b)
			}
		}
	})
}

// Cap never binds unless the limit was changed, and after a change the next
// admission is at most one interval away.
func TestCapBindsOnlyAfterAChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, looser := anyLimit(t), anyLimit(t)
		var b Budget
		now := Instant(0)
		for range rapid.IntRange(1, 30).Draw(t, "tries") {
			now = now.Add(anyGap(t, l))
			for range rapid.IntRange(0, l.To).Draw(t, "at once") {
				b, _ = l.Check(b, now)
			}
			if capped := l.Cap(b, now); capped != b {
				t.Fatalf("at %d the cap made %+v of %+v", now, capped, b)
			}
		}
		c := looser.Cap(b, now)
		if wait := looser.Earliest(c).Sub(now); wait > looser.Interval() {
			t.Fatalf("after the change the next passes in %v, want at most %v", wait, looser.Interval())
		}
		if c.Slot != b.Slot || c.TAT > b.TAT {
			t.Fatalf("the cap made %+v of %+v", c, b)
		}
	})
}

// GCRA against another way to the same rule, in exact fractions: a bucket of
// Burst that leaks one every interval, which an admission must not overflow.
func TestAgreesWithALeakyBucketInFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLimit(t)
		T := new(big.Rat).SetInt64(int64(l.Interval()))
		level, burst, one := new(big.Rat), new(big.Rat).SetInt64(int64(l.Burst)), big.NewRat(1, 1)
		var b Budget
		now := Instant(0)
		for range rapid.IntRange(1, 80).Draw(t, "tries") {
			gap := anyGap(t, l)
			now = now.Add(gap)
			level.Sub(level, new(big.Rat).Quo(new(big.Rat).SetInt64(int64(gap)), T))
			if level.Sign() < 0 {
				level.SetInt64(0)
			}
			after := new(big.Rat).Add(level, one)
			want := after.Cmp(burst) <= 0
			if want {
				level = after
			}
			var got bool
			if b, got = l.Check(b, now); got != want {
				t.Fatalf("at %d: admitted %v, the bucket says %v", now, got, want)
			}
		}
	})
}

// Over the whole range of instants, to both ends, the sums are those of
// integers without an end.
func TestSumsHoldAtTheEndsOfTime(t *testing.T) {
	anyInstant := rapid.OneOf(rapid.Int64(), rapid.Int64Range(math.MaxInt64-1e10, math.MaxInt64), rapid.Int64Range(math.MinInt64, math.MinInt64+1e10), rapid.Int64Range(-1e10, 1e10))
	end := big.NewInt(math.MaxInt64)
	rapid.Check(t, func(t *rapid.T) {
		T := rapid.OneOf(rapid.Int64Range(1, 1e9), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "interval")
		burst := rapid.Int64Range(1, min(1000, math.MaxInt64/T)).Draw(t, "burst")
		p := Pace{Interval: time.Duration(T), Tolerance: time.Duration((burst - 1) * T)}
		b := Budget{Instant(anyInstant.Draw(t, "tat")), Instant(anyInstant.Draw(t, "slot"))}
		now := Instant(anyInstant.Draw(t, "now"))
		n := rapid.IntRange(0, 2000).Draw(t, "n")

		tat, at := big.NewInt(int64(b.TAT)), big.NewInt(int64(now))
		want := 0
		for want < n {
			lead := new(big.Int).Sub(tat, at)
			from := tat
			if lead.Sign() < 0 {
				from = at
			}
			next := new(big.Int).Add(from, big.NewInt(T))
			if lead.Cmp(big.NewInt(int64(p.Tolerance))) > 0 || next.Cmp(end) > 0 {
				break
			}
			tat = next
			want++
		}
		after, got := p.CheckN(b, now, n)
		if got != want || int64(after.TAT) != tat.Int64() || after.Slot != b.Slot {
			t.Fatalf("%+v: %d of %d pass and leave %+v, want %d and %v", p, got, n, after, want, tat)
		}

		after, first, taken := p.DeferN(b, now, n, Horizon)
		if taken < 0 || taken > n || first < now || taken > 0 && (first > now.Add(Horizon) || after.Slot < first || after.Slot > now.Add(Horizon) || after.Slot == Never) {
			t.Fatalf("%+v: %d of %d slots from %d, leaving %+v", p, taken, n, first, after)
		}
	})
}
