package starts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ratesim/ratesim/gcra"
)

// Dates read by hand are those the standard library reads, to the nanosecond.
func TestDatesAgreeWithTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(-2_000_000_000_000_000_000, 9_000_000_000_000_000_000).Draw(t, "ns")
		zone := time.FixedZone("", 60*rapid.IntRange(-12*60, 14*60).Draw(t, "minutes east"))
		want := time.Unix(0, ns).In(zone)
		layout := rapid.SampledFrom([]string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05,000000000 -0700"}).Draw(t, "layout")
		text := want.Format(layout)
		st, ok := parse(text)
		if !ok {
			t.Fatalf("%s is not read", text)
		}
		got, ok := st.instant(Guess)
		if ns >= 0 && (!ok || int64(got) != ns) {
			t.Fatalf("%s: %d, %v, want %d", text, got, ok, ns)
		}
	})
}

func TestStamps(t *testing.T) {
	for _, c := range []struct {
		text  string
		unit  Unit
		want  int64
		grain time.Duration
	}{
		{"2026-01-02T03:04:05Z", Guess, 1767323045e9, time.Second},
		{"2026-01-02 03:04:05.123456", Guess, 1767323045123456000, time.Microsecond},
		{"2026-01-02 03:04:05.1 UTC", Guess, 1767323045100000000, 100 * time.Millisecond},
		{`"2026-01-02T04:04:05+01:00"`, Guess, 1767323045e9, time.Second},
		{"2024-02-29T00:00:00Z", Guess, 1709164800e9, time.Second},
		{"1767323045.1234567891", Second, 1767323045123456789, 1},
		{"1767323045123", Milli, 1767323045123e6, time.Millisecond},
		{"51041", Micro, 51041e3, time.Microsecond},
		{"51041.5", Micro, 51041500, 100},
		{"1.767323045e9", Second, 1767323045e9, time.Second},
		{"0.3", Second, 3e8, 100 * time.Millisecond}, // no float in between: 300000000, not …0.0000001
	} {
		st, ok := parse(c.text)
		if !ok {
			t.Errorf("%s is not read", c.text)
			continue
		}
		got, ok := st.instant(c.unit)
		if !ok || int64(got) != c.want || st.grain(c.unit) != c.grain {
			t.Errorf("%s: %d %v in steps of %v, want %d in steps of %v", c.text, got, ok, st.grain(c.unit), c.want, c.grain)
		}
	}
	for _, text := range []string{"", "soon", "-1", "1.", "1.5x", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00Zulu", "0x10", "1e99", "99999999999999999999"} {
		if st, ok := parse(text); ok {
			t.Errorf("%q is read as %+v", text, st)
		}
	}
}

func TestTimesInLogLines(t *testing.T) {
	for line, want := range map[string]int64{
		"[2026-01-02 03:04:05,123] INFO job 7":             1767323045123e6,
		"I, [2026-01-02T03:04:05.123456 #42]  INFO -- : x": 1767323045123456e3,
		"1767323045.5 started":                             17673230455e8,
		"job=42 at=1767323045 ok":                          0, // a word of its own is what counts
		"ts=17 level=info time=2026-01-02T03:04:05Z":       1767323045e9,
		"12.5": 125e8,
	} {
		st, ok := find(line)
		if want == 0 {
			continue
		}
		if got, _ := st.instant(Guess); !ok || int64(got) != want {
			t.Errorf("%s: %d, %v, want %d", line, got, ok, want)
		}
	}
	if st, ok := find("job 42 of queue 7"); ok {
		t.Errorf("small numbers in a line are read as %+v", st)
	}
}

func TestUnitsBySize(t *testing.T) {
	for whole, want := range map[int64]Unit{12: Second, 1767323045: Second, 1767323045123: Milli, 1767323045123456: Micro, 1767323045123456789: Nano} {
		if got := guess(whole); got != want {
			t.Errorf("%d: %v, want %v", whole, got, want)
		}
	}
}

func read(t *testing.T, name, text string, o Options) *Starts {
	t.Helper()
	s, err := Read(context.Background(), strings.NewReader(text), name, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFormatIsFound(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Format
	}{
		{"x", `{"time": 1}`, NDJSON},
		{"x", "id,time\n1,2\n", CSV},
		{"x", "1,2026-01-02T03:04:05Z\n", CSV},
		{"x", "2026-01-02 03:04:05,123 INFO a, b\n", Lines},
		{"x", "time\n1\n", Lines},
		{"x.csv", "time\n1\n", CSV},
		{"x.jsonl", `{"time": 1}`, NDJSON},
		{"x.log", "1,2026-01-02T03:04:05Z\n", Lines},
	} {
		if got := read(t, c.name, c.text, Options{Column: map[bool]string{true: "2"}[strings.HasPrefix(c.text, "id")]}).Format; got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.text, got, c.want)
		}
	}
}

func TestStepsOfWholeColumns(t *testing.T) {
	text := "time\n"
	for i := range 12 {
		text += fmt.Sprintf("2026-01-02 03:04:%02d.000000\n", i)
	}
	if got := read(t, "x", text, Options{}).Grain; got != time.Second {
		t.Errorf("twelve whole seconds with six zeros: steps of %v, want 1s", got)
	}
	if got := read(t, "x", "time\n1.000\n2.000\n", Options{}).Grain; got != time.Millisecond {
		t.Errorf("two times with three decimals: steps of %v, want 1ms", got)
	}
}

func TestByteOrderMarkAndBlankLines(t *testing.T) {
	for name, text := range map[string]string{"x.csv": "\ufefftime\n\n1\n2\n", "x.log": "\ufefftime\n\n1\n2\n", "x.ndjson": "\ufeff{\"time\": 1}\n\n{\"time\": 2}\n"} {
		s := read(t, name, text, Options{})
		if len(s.Times) != 2 || s.Times[1] != gcra.Instant(2e9) {
			t.Errorf("%s: %v", name, s.Times)
		}
	}
}

// Skimming an object finds what the library finds, whatever else is in it.
func TestMemberAgreesWithTheLibrary(t *testing.T) {
	text := rapid.SampledFrom([]string{"", "time", `"time":`, `a"b`, `\`, "{", "}", "[,]", "é", "x: y"})
	value := rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return text.Draw(t, "text")
		case 1:
			return rapid.IntRange(-5, 5).Draw(t, "n")
		case 2:
			return []any{text.Draw(t, "in a list"), nil, 1}
		case 3:
			return map[string]any{"time": 7, text.Draw(t, "key within"): "x"}
		}
		return nil
	})
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOfN(text, value, 0, 6).Draw(t, "object")
		line, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		raw, ok := member(line, "time")
		if !ok {
			return // left to the library
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(line, &all); err != nil {
			t.Fatal(err)
		}
		if string(raw) != string(all["time"]) {
			t.Fatalf("%s: %s, the library finds %s", line, raw, all["time"])
		}
	})
	for _, bad := range []string{"", "{", `{"time": 1`, `{"time": 1}}`, `[1]`, `{"time": "1}`, `{"time": 1} x`} {
		if raw, ok := member([]byte(bad), "time"); ok {
			t.Errorf("%s passes for an object with %s", bad, raw)
		}
	}
}

func TestTooManyMistakesStop(t *testing.T) {
	_, err := Read(context.Background(), strings.NewReader("1\n"+strings.Repeat("x\n", 100)), "x", Options{Format: CSV})
	if err == nil || strings.Count(err.Error(), "\n") != mostMistakes {
		t.Errorf("%v", err)
	}
}

func TestReadingStopsWhenCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"x.csv", "x.log", "x.ndjson"} {
		line := "1\n"
		if name == "x.ndjson" {
			line = "{\"time\": 1}\n"
		}
		if _, err := Read(ctx, strings.NewReader(strings.Repeat(line, 10000)), name, Options{}); err == nil {
			t.Errorf("%s is read to its end", name)
		}
	}
}

func BenchmarkReadMillion(b *testing.B) {
	for name, line := range map[string]string{
		"x.csv":    "%d,2026-01-02T03:04:05.123456Z,default\n",
		"x.log":    "[%d] 2026-01-02 03:04:05.123456 INFO started\n",
		"x.ndjson": `{"job": %d, "time": "2026-01-02T03:04:05.123456Z", "queue": "default"}` + "\n",
	} {
		var text bytes.Buffer
		for i := range 1_000_000 {
			fmt.Fprintf(&text, line, i)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(context.Background(), bytes.NewReader(text.Bytes()), name, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A time of day counts from the midnight before the first; a step back by more
// than an hour is the next day, a smaller one a line out of order, and so is one
// from before a midnight.
func TestTimesOfDay(t *testing.T) {
	got, err := Read(context.Background(), strings.NewReader(
		"[23:59:58.25] started job 1\n23:59:59,5 INFO job 2\nworker 00:00:00: job 3\n23:59:59.75 late job 4\n09:00:00 job 5\n"), "day.log", Options{})
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	want := []time.Duration{day - 1750*time.Millisecond, day - 500*time.Millisecond, day - 250*time.Millisecond, day, day + 9*time.Hour}
	if !got.Clock || got.Dated {
		t.Errorf("clock %v, dated %v, want times of day without a date", got.Clock, got.Dated)
	}
	for i, at := range got.Times {
		if at != gcra.Instant(want[i]) {
			t.Errorf("line %d is at %v, want %v", got.Lines[i], time.Duration(at), want[i])
		}
	}
	for _, text := range []string{"24:00:00", "12:60:00", "12:00:61", "1:02:03", "12-00-00"} {
		if st, ok := parse(text); ok {
			t.Errorf("%s is read as %v", text, st)
		}
	}
	for _, mixed := range []string{"2026-01-02T03:04:05Z\n03:04:06\n", "03:04:06\n2026-01-02T03:04:05Z\n"} {
		if _, err := Read(context.Background(), strings.NewReader(mixed), "mixed.log", Options{}); err == nil || !strings.Contains(err.Error(), "mixed.log:2:") {
			t.Errorf("%q: %v, want a mistake in line 2", mixed, err)
		}
	}
}
