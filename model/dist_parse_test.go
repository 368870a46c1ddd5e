package model

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseDistSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `"": a term is missing, want a delay such as 50ms or exp(50ms)`},
		{"5ms +", "5ms +: a term is missing, want a delay such as 50ms or exp(50ms)"},
		{"50", "50 has no unit, want a length such as 50s"},
		{"exp(50)", "exp(50): 50 has no unit, want a length such as 50s"},
		{"exp(-5ms)", "exp(-5ms): -5ms is negative, want a length of 0 or more"},
		{"exp", "exp: no arguments, want exp(MEAN), such as exp(50ms)"},
		{"exp(1ms, 2ms)", "exp(1ms, 2ms): 2 arguments, want exp(MEAN), such as exp(50ms)"},
		{"uniform(1ms)", "uniform(1ms): 1 argument, want uniform(LEAST, MOST), such as uniform(0ms, 20ms)"},
		{"uniform(2ms, 1ms)", "uniform(2ms, 1ms): 2ms is more than 1ms, want the smaller one first"},
		{"unifrom(0ms, 20ms)", "unifrom(0ms, 20ms): unknown distribution unifrom, want uniform(LEAST, MOST), such as uniform(0ms, 20ms)"},
		{"gamma(1ms)", "gamma(1ms): unknown distribution gamma, want exp, uniform, normal, lognormal or empirical"},
		{"lognormal(1ms, 50ms)", "lognormal(1ms, 50ms): sigma 50ms is no plain number, want one such as 5 or 0.5"},
		{"lognormal(1ms, 11)", "lognormal(1ms, 11): sigma is 11, want at most 10"},
		{"exp(50ms", "exp(50ms: the brackets don't match, want a delay such as exp(50ms)"},
		{"fast", "fast is no delay, want one such as 50ms, exp(50ms) or uniform(0ms, 20ms)"},
		{"empirical(x.csv)", "x.csv: no such file"},
		{"empirical()", "empirical: the file's name is missing, want one such as delays.csv"},
		{"empirical(x.csv, fast)", "empirical(x.csv): the factor is fast, want a number of 0 or more"},
	} {
		_, err := ParseDist(c.text, noFile)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; want the error\n\t%s", c.text, err, c.want)
		}
	}
	if _, err := ParseDist("empirical(x.csv)", nil); err == nil || err.Error() != "x.csv: files can't be read here" {
		t.Errorf("without open: %v", err)
	}
}

func TestReadEmpirical(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		text string
		want []time.Duration
		err  string
	}{
		{"5ms\n2ms\n", []time.Duration{2 * ms, 5 * ms}, ""},
		{"takes_ms\n5\n2.5\n", []time.Duration{2500 * time.Microsecond, 5 * ms}, ""},
		{"takes_s\r\n0.1\r\n1.2e-02\r\n", []time.Duration{12 * ms, 100 * ms}, ""},
		{"\ufefftakes_us,job\n100,7\n\n# more\n200,8", []time.Duration{100_000, 200_000}, ""},
		{`"takes_ms";"job"` + "\n" + `"3";"x"`, []time.Duration{3 * ms}, ""},
		{"takes\n5ms\n", []time.Duration{5 * ms}, ""},
		{"takes_ms\n1s\n", []time.Duration{1000 * ms}, ""},
		{"", nil, "d.csv: no values in it, want one length a line"},
		{"takes_ms\n", nil, "d.csv: no values in it, want one length a line"},
		{"5ms\n7\n", nil, "d.csv:2: 7 has no unit, want a length such as 7s, or a first line that names the unit, such as takes_ms"},
		{"takes_ms\n5\n\n-7\n", nil, "d.csv:4: -7 is negative, want a length of 0 or more"},
		{"takes_ms\n5\nabc\n", nil, "d.csv:3: abc is no length, want one such as 10s"},
		{"takes_s\n1e30\n", nil, "d.csv:2: 1e30 is over 292 years, want less"},
	} {
		got, err := readEmpirical("d.csv", []byte(c.text))
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%q: %v; want the error\n\t%s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func FuzzDist(f *testing.F) {
	for _, s := range []string{"50ms", "4.2ms + 0.25ms per job", "exp(50ms) per job", "uniform(0ms, 20ms)", "normal(50ms, 10ms)", "lognormal(50ms, 0.3)",
		"empirical(a.csv)", `empirical("a, (b).csv", 2e-3)`, "exp(50", "((", "1.5.hours + exp(1 week)"} {
		f.Add(s, int64(1), 1.5)
	}
	f.Fuzz(func(t *testing.T, s string, seed int64, factor float64) {
		d, err := ParseDist(s, files("x_ms\n1\n2\n"))
		if err != nil {
			wantOneLine(t, err)
			return
		}
		for _, d := range []Dist{d, d.Scale(factor)} {
			text := d.String()
			if strings.ContainsAny(text, "\n\r") {
				t.Fatalf("%q prints as %q", s, text)
			}
			again, err := ParseDist(text, files("x_ms\n1\n2\n"))
			if err != nil || again.String() != text {
				t.Fatalf("%q prints as %q, read as %q, %v", s, text, again, err)
			}
			a, b := JobRand(uint64(seed), 0, 0), JobRand(uint64(seed), 0, 0)
			for n := range 3 {
				x, y := d.Draw(&a, n), again.Draw(&b, n)
				if x < 0 || x != y {
					t.Fatalf("%q draws %v, and %v when read from %q", s, x, y, text)
				}
			}
		}
	})
}
