package model

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestParseDurationReadsGoAndRailsExactly(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"1s", time.Second},
		{"0.1s", 100_000_000},
		{"250ms", 250 * time.Millisecond},
		{"1m30s", 90 * time.Second},
		{"1.5h", 90 * time.Minute},
		{".5s", 500 * time.Millisecond},
		{"3us", 3000},
		{"3µs", 3000},
		{"3μs", 3000},
		{"7ns", 7},
		{"0", 0},
		{"0s", 0},
		{" 2s ", 2 * time.Second},
		{"1 second", time.Second},
		{"2 minutes", 2 * time.Minute},
		{"1.minute", time.Minute},
		{"0.5 seconds", 500 * time.Millisecond},
		{"1.5.hours", 90 * time.Minute},
		{"1 day", 24 * time.Hour},
		{"2.weeks", 14 * 24 * time.Hour},
		{"1 minute 30 seconds", 90 * time.Second},
		{"0.1 ns", 1}, // finer than a nanosecond: later
		{"0.3333333333s", 333_333_334},
		{"9223372036.854775807s", math.MaxInt64},
		{"9223372036854775807ns", math.MaxInt64},
		{"0.000000000000000001s", 1},
		{"1.50000000000000000000000000s", 1500 * time.Millisecond},
	} {
		got, err := ParseDuration(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q: %d ns, %v; want %d ns", c.text, got, err, c.want)
		}
	}
}

// No decimal of a unit may come out a nanosecond off, as 1.1 * 1e9 can.
func TestParseDurationHasNoFloatError(t *testing.T) {
	for _, text := range []string{"0.1", "0.29", "1.1", "2.3", "4.35", "1.001", "1234567.891", "8.95", "0.57"} {
		got, err := ParseDuration(text + "s")
		r, _ := new(big.Rat).SetString(text)
		r.Mul(r, big.NewRat(1e9, 1))
		if !r.IsInt() {
			t.Fatalf("%s is no whole number of nanoseconds", text)
		}
		if err != nil || int64(got) != r.Num().Int64() {
			t.Errorf("%ss: %d ns, %v; want %v", text, got, err, r)
		}
	}
}

func TestParseDurationSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"10", "10 has no unit, want a length such as 10s"},
		{"0.5", "0.5 has no unit, want a length such as 0.5s"},
		{"", `"" is no length, want one such as 10s`},
		{"soon", "soon is no length, want one such as 10s"},
		{"-1s", "-1s is negative, want a length of 0 or more"},
		{"5 secnds", "5 secnds: unknown unit secnds, want seconds"},
		{"5 parsecs", "5 parsecs: unknown unit parsecs, want ns, us, ms, s, m or min, h, days or weeks"},
		{"1m30", "1m30: 30 has no unit, want a length such as 1m30s"},
		{"1s 2x", "1s 2x: unknown unit x, want ns, us, ms, s, m or min, h, days or weeks"},
		{"300 years", "300 years: unknown unit years, want ns, us, ms, s, m or min, h, days or weeks"},
		{"9223372036.854775808s", "9223372036.854775808s is over 292 years, want less"},
		{"99999999999999999999999s", "99999999999999999999999s is over 292 years, want less"},
		{"200000 days", "200000 days is over 292 years, want less"},
		{"9223372036s 1s", "9223372036s 1s is over 292 years, want less"},
		{"0.1234567890123456789s", "0.1234567890123456789s: more than 18 decimals, want fewer"},
		{"1\n2", `"1\n2": 1 has no unit, want a length such as 1m30s`},
	} {
		d, err := ParseDuration(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, %v; want the error\n\t%s", c.text, d, err, c.want)
		}
	}
}

func TestParseRate(t *testing.T) {
	for _, c := range []struct {
		text string
		n    float64
		per  time.Duration
	}{
		{"5/s", 5, time.Second}, {"5/second", 5, time.Second}, {"100/min", 100, time.Minute}, {"100 / minute", 100, time.Minute},
		{"300/h", 300, time.Hour}, {"300/hour", 300, time.Hour}, {"2000/day", 2000, 24 * time.Hour}, {"0.5/s", 0.5, time.Second},
		{"50/10s", 50, 10 * time.Second}, {"4.75/s", 4.75, time.Second},
	} {
		n, per, err := ParseRate(c.text)
		if err != nil || n != c.n || per != c.per {
			t.Errorf("%q: %v in %v, %v; want %v in %v", c.text, n, per, err, c.n, c.per)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"5", "5 is no rate, want one such as 5/s, 100/min or 2000/day"},
		{"0/s", "0/s: nothing comes, want a number above 0"},
		{"-5/s", "-5/s: -5 is negative, want a number above 0"},
		{"NaN/s", "NaN/s: NaN is no plain number, want one such as 5 or 0.5"},
		{"Inf/s", "Inf/s: Inf is no plain number, want one such as 5 or 0.5"},
		{"0x10/s", "0x10/s: 0x10 is no plain number, want one such as 5 or 0.5"},
		{"/s", `/s: "" is no plain number, want one such as 5 or 0.5`},
		{"5/fortnight", "5/fortnight: unknown unit fortnight, want /s, /min, /h or /day"},
		{"5/minuet", "5/minuet: unknown unit minuet, want minute"},
		{"5/0s", "5/0s: per is 0, want a length above 0"},
		{"5/-1s", "5/-1s: -1s is negative, want a length of 0 or more"},
		{"2000000000/s", "2000000000/s is more than 1e9/s, want less: time is counted in nanoseconds"},
	} {
		_, _, err := ParseRate(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; want the error\n\t%s", c.text, err, c.want)
		}
	}
}

func TestFormatDurationDropsZeroParts(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Second: "1s", time.Minute: "1m", time.Hour: "1h", 90 * time.Minute: "1h30m", time.Hour + time.Second: "1h0m1s",
		10 * time.Minute: "10m", 1500 * time.Microsecond: "1.5ms", 20 * time.Second: "20s",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, s := range []string{"1s", "1m30s", "1.5.hours", "2 minutes", "10", "-1s", "9223372036.854775807s", "0.000000000000000001s", "1\ns", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDuration(s)
		if err != nil {
			wantOneLine(t, err)
			return
		}
		if d < 0 {
			t.Fatalf("%q is %v", s, d)
		}
		if again, err := ParseDuration(FormatDuration(d)); err != nil || again != d {
			t.Fatalf("%q is %v, printed as %q and read as %v, %v", s, d, FormatDuration(d), again, err)
		}
		// Go's reader rounds down what is finer than a nanosecond in each part.
		if g, err := time.ParseDuration(s); err == nil && (d < g || d-g > time.Duration(len(s))) {
			t.Fatalf("%q is %v, and %v to Go", s, d, g)
		}
	})
}

func FuzzRate(f *testing.F) {
	for _, s := range []string{"5/s", "100/min", "0.1/h", "50/10s", "inf/s", "1e9/s", "/", "5/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, per, err := ParseRate(s)
		if err != nil {
			wantOneLine(t, err)
			return
		}
		if !(n > 0) || math.IsInf(n, 0) || per <= 0 {
			t.Fatalf("%q is %v in %v", s, n, per)
		}
		m, p, err := ParseRate(FormatRate(n, per))
		if err != nil || m != n || p != per {
			t.Fatalf("%q is %v in %v, printed as %q and read as %v in %v, %v", s, n, per, FormatRate(n, per), m, p, err)
		}
	})
}

func wantOneLine(t *testing.T, err error) {
	t.Helper()
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("the error is not one line: %q", err)
	}
}
