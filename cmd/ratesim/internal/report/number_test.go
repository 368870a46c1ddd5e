package report

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"
)

func TestLength(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 7: "7 ns", 1500: "1.5 µs", 659341 * time.Microsecond: "659.3 ms", 29400 * time.Millisecond: "29.4 s",
		26373640 * time.Microsecond: "26.37 s", 4485 * time.Second: "74.75 min", 3000 * time.Second: "50 min", 19*time.Hour + 12*time.Minute: "19.2 h",
		72 * time.Hour: "3 days", -time.Second: "-1 s", time.Minute: "60 s",
	} {
		if got := Length(d); got != want {
			t.Errorf("%d ns: %q, want %q", d, got, want)
		}
	}
}

func TestWindow(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "1s", 90 * time.Second: "90s", time.Minute: "1min", 24 * time.Hour: "24h", 100 * time.Millisecond: "100ms", 1500: "1.5µs",
	} {
		if got := Window(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		perSecond float64
		per       time.Duration
		want      string
	}{
		{5, time.Second, "5/s"}, {91.0 / 60, time.Minute, "91/min"}, {1.0 / 60, time.Minute, "1/min"}, {0.5, 2 * time.Second, "30/min"},
		{2, 5 * time.Second, "2/s"}, {5.0 / 86400, 24 * time.Hour, "5/day"}, {1e-6, time.Hour * 400, "0.0864/day"}, {0.99999, 3 * time.Second, "1/s"},
	} {
		if got := Rate(c.perSecond, c.per); got != c.want {
			t.Errorf("%v a second under %v: %q, want %q", c.perSecond, c.per, got, c.want)
		}
	}
}

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{{0, 3, "0"}, {1194.4, 3, "1194"}, {1.989, 3, "1.99"}, {0.00012345, 3, "0.000123"}, {100, 4, "100"}, {2e15, 4, "2e+15"}, {math.NaN(), 3, "~"}, {-2.50, 3, "-2.5"}} {
		if got := Digits(c.v, c.n); got != c.want {
			t.Errorf("%v to %d digits: %q, want %q", c.v, c.n, got, c.want)
		}
	}
	if Count(1, "job") != "1 job" || Count(0, "job") != "0 jobs" {
		t.Error("one job, no jobs")
	}
}

// The last bits of a float differ between processors; six digits do not. What
// is no number has no key, and zero has one.
func TestNumbersInJSON(t *testing.T) {
	var b bytes.Buffer
	third := 1.0 / 3
	err := WriteJSON(&b, struct {
		A Num `json:"a"`
		B Num `json:"b"`
		C Num `json:"c,omitzero"`
		D Num `json:"d,omitzero"`
		E Num `json:"e,omitzero"`
		F Num `json:"f"`
	}{Num(third), Num(math.Nextafter(third, 1)), Num(math.NaN()), 0, Num(math.Inf(1)), 31536000})
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"a\": 0.333333,\n  \"b\": 0.333333,\n  \"d\": 0,\n  \"f\": 31536000\n}\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
}

func TestObjectKeepsItsOrder(t *testing.T) {
	got, err := json.Marshal(Object{{"z_s", Num(1.5)}, {"gone", Num(math.NaN())}, {"a", "x"}, {"in", Object{}}})
	if err != nil || string(got) != `{"z_s":1.5,"a":"x","in":{}}` {
		t.Errorf("%s, %v", got, err)
	}
}
