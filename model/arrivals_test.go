package model

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

func mustArrivals(t testing.TB, s string, file string) Arrivals {
	t.Helper()
	a, err := ParseArrivals(s, files(file))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

type comes struct {
	at time.Duration
	n  int
}

// first are the first arrivals of a stream, at most n.
func first(s *Stream, n int) (got []comes) {
	for range n {
		at, k, ok := s.Next()
		if !ok {
			break
		}
		got = append(got, comes{time.Duration(at), k})
	}
	return got
}

func TestArrivalsComeWhenTheySay(t *testing.T) {
	s, m := time.Second, time.Minute
	for _, c := range []struct {
		text, file string
		want       []comes // the first five
	}{
		{"none", "", nil},
		{"every 200ms", "", []comes{{s / 5, 1}, {2 * s / 5, 1}, {3 * s / 5, 1}, {4 * s / 5, 1}, {s, 1}}},
		{"every 1s x 3", "", []comes{{s, 3}, {2 * s, 3}, {3 * s, 3}, {4 * s, 3}, {5 * s, 3}}},
		{"1000 at 60s", "", []comes{{m, 1000}}},
		{"cron 15,0,45,30 x 2000", "", []comes{{0, 2000}, {15 * m, 2000}, {30 * m, 2000}, {45 * m, 2000}, {60 * m, 2000}}},
		{"cron 59", "", []comes{{59 * m, 1}, {119 * m, 1}, {179 * m, 1}, {239 * m, 1}, {299 * m, 1}}},
		{"2 at 1s + every 500ms + 3 at 1s", "", []comes{{s / 2, 1}, {s, 2}, {s, 1}, {s, 3}, {3 * s / 2, 1}}},
		{"every 100000 days", "", []comes{{100000 * 24 * time.Hour, 1}}},
		{"trace a.csv", "0.5\n2\n1\n1\n", []comes{{s / 2, 1}, {s, 2}, {2 * s, 1}}},
		{"trace a.csv", "at_ms,count\n500,7\n1000,0\n2000,1\n", []comes{{s / 2, 7}, {2 * s, 1}}},
		{"trace a.csv", "at,worker\n500ms,7\n2s,1\n", []comes{{s / 2, 1}, {2 * s, 1}}},
		{"trace a.csv", "2026-01-31T12:00:01.5Z\n2026-01-31T13:00:00+01:00\n", []comes{{0, 1}, {3 * s / 2, 1}}},
		{"trace a.csv", "2026-01-31 12:00:00.25\n2026-01-31 12:00:00\n", []comes{{0, 1}, {s / 4, 1}}},
		{"trace a.csv", "redis_us,host_us\n1796073260591002,1\n1796073260593765,1\n", []comes{{0, 1}, {2763 * time.Microsecond, 1}}},
	} {
		got := first(mustArrivals(t, c.text, c.file).Start(Rand{}), 5)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s, %q:\n\tgot  %v\n\twant %v", c.text, c.file, got, c.want)
		}
	}
}

func TestArrivalsKnowTheirTotals(t *testing.T) {
	for _, c := range []struct {
		text      string
		none      bool
		total     int
		finite    bool
		last      time.Duration
		hasLast   bool
		perSecond float64
	}{
		{"none", true, 0, true, 0, false, 0},
		{"1000 at 60s", false, 1000, true, time.Minute, true, 0},
		{"1000 at 60s + 5 at 1s", false, 1005, true, time.Minute, true, 0},
		{"trace a.csv", false, 12, true, 9 * time.Second, true, 0},
		{"trace a.csv + 1 at 10s", false, 13, true, 10 * time.Second, true, 0},
		{"poisson 100/min", false, 0, false, 0, false, 100.0 / 60},
		{"every 200ms x 2 + 7 at 3s", false, 0, false, 0, false, 10},
		{"cron 0,15,30,45 x 2000", false, 0, false, 0, false, 8000.0 / 3600},
	} {
		a := mustArrivals(t, c.text, "1,2\n9,10\n")
		total, finite := a.Total()
		last, hasLast := a.Last()
		if a.None() != c.none || total != c.total || finite != c.finite || last != gcra.Instant(c.last) || hasLast != c.hasLast ||
			math.Abs(a.PerSecond()-c.perSecond) > 1e-12 {
			t.Errorf("%s: none %v, total %v %v, last %v %v, %v a second", c.text, a.None(), total, finite, last, hasLast, a.PerSecond())
		}
	}
	var zero Arrivals
	if _, _, ok := zero.Start(Rand{}).Next(); ok || !zero.None() || zero.String() != "none" {
		t.Error("the zero value is not none")
	}
}

// The gaps of a Poisson stream are exponential, and the count in a length of
// time has its mean.
func TestPoissonFollowsTheory(t *testing.T) {
	const n = 100_000
	for _, c := range []struct {
		text string
		rate float64
	}{{"poisson 2/s", 2}, {"poisson 300/h", 300.0 / 3600}, {"poisson 1000000000/s", 1e9}} {
		s := mustArrivals(t, c.text, "").Start(JobRand(1, 0, 0))
		gaps, last := make([]float64, n), gcra.Instant(0)
		for i := range gaps {
			at, k, ok := s.Next()
			if !ok || k != 1 || at < last {
				t.Fatalf("%s: %d at %v, %v", c.text, k, at, ok)
			}
			gaps[i] = at.Sub(last).Seconds()
			last = at
		}
		mean := time.Duration(last).Seconds() / n
		if e := 5 / (c.rate * math.Sqrt(n)); math.Abs(mean-1/c.rate) > e {
			t.Errorf("%s: mean gap %v, want %v ± %v", c.text, mean, 1/c.rate, e)
		}
		if c.rate > 1e6 {
			continue // gaps of a nanosecond are not continuous
		}
		if d := ksDistance(gaps, func(x float64) float64 { return 1 - math.Exp(-c.rate*x) }); d > ksLimit(n) {
			t.Errorf("%s: KS distance of the gaps %v, want below %v", c.text, d, ksLimit(n))
		}
	}
}

func TestOneMorePartLeavesTheOthersAlone(t *testing.T) {
	alone := first(mustArrivals(t, "poisson 2/s", "").Start(Rand{3}), 50)
	var among []comes
	s := mustArrivals(t, "poisson 2/s + every 1s x 7 + 9 at 3s", "").Start(Rand{3})
	for len(among) < len(alone) {
		at, n, _ := s.Next()
		if n == 1 {
			among = append(among, comes{time.Duration(at), n})
		}
	}
	if fmt.Sprint(alone) != fmt.Sprint(among) {
		t.Errorf("alone %v\namong others %v", alone, among)
	}
	two := first(mustArrivals(t, "poisson 2/s + poisson 2/s", "").Start(Rand{3}), 10)
	for i := 1; i < len(two); i++ {
		if two[i].at == two[i-1].at {
			t.Fatalf("two parts draw the same times: %v", two)
		}
	}
}

func TestParseArrivalsSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, file, want string }{
		{"", "", `"": arrivals are missing, want poisson 2/s, every 200ms, 1000 at 60s, cron 0,30 x 2000 or trace FILE.csv`},
		{"poison 2/s", "", "poison 2/s: unknown arrivals poison, want poisson"},
		{"poisson 2", "", "2 is no rate, want one such as 5/s, 100/min or 2000/day"},
		{"every 200", "", "every: 200 has no unit, want a length such as 200s"},
		{"every 0s", "", "every 0s: the step is 0, want a length above 0"},
		{"1000", "", "1000 is no time at which jobs come, want one such as 1000 at 60s"},
		{"1000 at 60", "", "1000 at 60: 60 has no unit, want a length such as 60s"},
		{"0 at 60s", "", "0 at 60s: 0 is no number of jobs, want a whole number of 1 to a billion"},
		{"1.5 at 60s", "", "1.5 at 60s: 1.5 is no number of jobs, want a whole number of 1 to a billion"},
		{"cron 60", "", "cron 60: 60 is no minute, want a list of 0 to 59 such as 0,15,30,45"},
		{"cron 0 x many", "", "cron 0 x many: many is no number of jobs, want a whole number of 1 to a billion"},
		{"none + every 1s", "", "none: none goes alone"},
		{"trace", "", "trace: the file's name is missing, want one such as delays.csv"},
		{"trace a.csv", "", "a.csv: no arrivals in it, want one time a line"},
		{"trace a.csv", "at_s,count\n", "a.csv: no arrivals in it, want one time a line"},
		{"trace a\nb", "", `"a\nb": no arrivals in it, want one time a line`},
		{"trace a.csv", "1\n2\nthree\n", "a.csv:3: three is no length, want one such as 10s"},
		{"trace a.csv", "1\n-2\n", "a.csv:2: -2 is negative, want a length of 0 or more"},
		{"trace a.csv", "1,2\n2,x\n", "a.csv:2: x is no number of jobs, want a whole number up to a billion, or a first line that names the columns"},
		{"trace a.csv", "2026-01-31T12:00:00Z\n5s\n", "a.csv:2: 5s: dates and times since the start are mixed, want one kind"},
		{"trace a.csv", "2026-13-31T12:00:00Z\n", "a.csv:1: 2026-13-31T12:00:00Z is no date, want one such as 2026-01-31T12:00:00Z"},
	} {
		_, err := ParseArrivals(c.text, files(c.file))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q, %q: %v; want the error\n\t%s", c.text, c.file, err, c.want)
		}
	}
	if _, err := ParseArrivals("trace x.csv", nil); err == nil || err.Error() != "x.csv: files can't be read here" {
		t.Errorf("without open: %v", err)
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	s := mustArrivals(t, "poisson 2/s + every 1s + cron 0,30 + trace a.csv + 5 at 9s", longTrace(5000)).Start(Rand{})
	if n := testing.AllocsPerRun(4000, func() { s.Next() }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func longTrace(lines int) string {
	var b bytes.Buffer
	b.WriteString("at_s,count\n")
	for i := range lines {
		fmt.Fprintf(&b, "%d.%03d,1\n", (i*7919)%lines, i%1000)
	}
	return b.String()
}

func FuzzArrivals(f *testing.F) {
	for _, s := range []string{"none", "poisson 2/s", "every 200ms x 5", "1000 at 60s", "cron 0,15,30,45 x 2000", "trace a.csv", `trace "a+b.csv" + 5 at 1s`, "every 1ns + every 200000h", "+"} {
		f.Add(s, "0\n2026\n", int64(1))
	}
	f.Add("trace t", "2026-01-31T12:00:00Z,5\n", int64(1))
	f.Add("trace t", "at_ms,count\n1e3,5\n", int64(1))
	f.Fuzz(func(t *testing.T, s, file string, seed int64) {
		a, err := ParseArrivals(s, files(file))
		if err != nil {
			wantOneLine(t, err)
			return
		}
		b, err := ParseArrivals(a.String(), files(file))
		if err != nil || b.String() != a.String() {
			t.Fatalf("%q prints as %q, read as %q, %v", s, a, b, err)
		}
		one, two := a.Start(JobRand(uint64(seed), 0, 0)), b.Start(JobRand(uint64(seed), 0, 0))
		total, finite := a.Total()
		last, sum := gcra.Instant(0), 0
		for range 100 {
			at, n, ok := one.Next()
			at2, n2, ok2 := two.Next()
			if at != at2 || n != n2 || ok != ok2 {
				t.Fatalf("%q: %d at %v, %v; read again: %d at %v, %v", s, n, at, ok, n2, at2, ok2)
			}
			if !ok {
				end, has := a.Last()
				if finite && (sum != total || has && end != last || has == a.None()) {
					t.Fatalf("%q: %d of %d came, the last at %v, want %v", s, sum, total, last, end)
				}
				return
			}
			if n < 1 || at < last || at == gcra.Never {
				t.Fatalf("%q: %d at %v after %v", s, n, at, last)
			}
			last, sum = at, sum+n
		}
	})
}

func BenchmarkReadTrace(b *testing.B) {
	text := []byte(longTrace(500_000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readTrace("a.csv", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	for _, text := range []string{"every 1ms", "poisson 1000/s", "poisson 2/s + every 1s + cron 0,30"} {
		b.Run(text, func(b *testing.B) {
			s := mustArrivals(b, text, "").Start(Rand{})
			b.ReportAllocs()
			for b.Loop() {
				s.Next()
			}
		})
	}
}
