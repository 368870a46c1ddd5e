package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/sim/measure"
)

// A limiter that breaks its promise fails a run that expects nothing, in every
// report.
func TestBrokenFailsWithoutAnExpectation(t *testing.T) {
	s := &model.Scenario{Name: "x", File: "x.yml"}
	r := &Ran{Scenario: s, Summary: &measure.Summary{Runs: 1, Broken: true}}
	if r.Passed() {
		t.Error("it passed")
	}
	result := RunResult{Scenarios: []*Ran{r}, Planned: 1}
	for kind, want := range map[string]string{
		"junit": `failures="1"`, "markdown": "**failed** a limit was broken", "github": "::error file=x.yml,title=x::a limit was broken",
		"json": `"passed": false`, "text": "failed a limit was broken",
	} {
		var b bytes.Buffer
		write := result.Report
		if kind == "text" {
			if err := result.Write(&b, kind, Look{Width: 80}); err != nil {
				t.Fatal(err)
			}
		} else if err := write(&b, kind); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: %q is missing in\n%s", kind, want, b.String())
		}
	}
}

func TestTold(t *testing.T) {
	no := measure.Absent
	for _, c := range []struct {
		v    measure.Verdict
		want string
	}{
		{measure.Verdict{Key: "lost", Want: "== 0", Got: 1234567, Low: 1234567, High: 1234567, Outcome: measure.Failed, Reason: "want == 0"}, "lost: want == 0, got 1234567"},
		{measure.Verdict{Key: "k", Want: ">= 5", Got: 4.98765, Low: 4.9, High: 5.1, Outcome: measure.Undecided, Reason: "…", MoreRuns: 1}, "k: want >= 5, got 4.988 [4.9, 5.1] (the interval straddles the bound, about 1 more run would tell)"},
		{measure.Verdict{Key: "k", Want: ">= 5", Got: 4.5, Low: no, High: no, Outcome: measure.Undecided, Reason: "one run has no interval", MoreRuns: 9}, "k: want >= 5, got 4.5 (one run has no interval, ask for 10)"},
		{measure.Verdict{Key: "k", Want: ">= 5", Got: 5, Low: 4, High: 6, Outcome: measure.Undecided, Reason: "too near"}, "k: want >= 5, got 5 [4, 6] (too near)"},
		{measure.Verdict{Key: "k", Want: ">= 5", Got: no, Low: no, High: no, Outcome: measure.Failed, Reason: "no samples"}, "k: want >= 5 (no samples)"},
		{measure.Verdict{Key: "bound_by", Want: "limit", Got: no, Low: no, High: no, Word: "burst", Outcome: measure.Failed, Reason: "want limit"}, "bound_by: want limit, got burst"},
	} {
		if got := told(c.v); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A count of jobs is written as it is, a mean with six digits.
func TestCountsAreNotRounded(t *testing.T) {
	for _, c := range []struct {
		v     float64
		exact bool
		want  string
	}{{1234567, true, "1234567"}, {50_000_000, true, "50000000"}, {1234567, false, "1.23457e+06"}, {9.97064123, true, "9.97064"}, {0, true, "0"}} {
		got, err := json.Marshal(newValue(c.v, c.exact))
		if err != nil {
			t.Fatal(err)
		}
		var a, b float64
		if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(c.want), &b) != nil || a != b {
			t.Errorf("%v is written %s, want %s", c.v, got, c.want)
		}
	}
	if newValue(measure.Absent, true) != nil {
		t.Error("what is absent has a value")
	}
}

func TestMarkdownAndAnnotationsEscape(t *testing.T) {
	if got := plain("a|b *c* <d> `e`\n& \\"); got != "a\\|b \\*c\\* &lt;d> \\`e\\` &amp; \\\\" {
		t.Errorf("%q", got)
	}
	if got := property("a:b,c%\n"); got != "a%3Ab%2Cc%25%0A" {
		t.Errorf("%q", got)
	}
}
