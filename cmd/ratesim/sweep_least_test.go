package main

import (
	"slices"
	"testing"

	"github.com/ratesim/ratesim/sim/tune"
)

func TestParseCost(t *testing.T) {
	for text, want := range map[string][]tune.Term{
		"wait_p95_s":                        {{Price: 1, Key: "wait_p95_s"}},
		"wait_p95_s + 0.0005 queries_per_s": {{Price: 1, Key: "wait_p95_s"}, {Price: 0.0005, Key: "queries_per_s"}},
		"2*wait_p95_s+3 * api.drain_per_s":  {{Price: 2, Key: "wait_p95_s"}, {Price: 3, Key: "api.drain_per_s"}},
		"wait_p50_s - 0.5 drain_per_s":      {{Price: 1, Key: "wait_p50_s"}, {Price: -0.5, Key: "drain_per_s"}},
		"1e-3 queries_per_s":                {{Price: 0.001, Key: "queries_per_s"}},
	} {
		got, err := parseCost(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "3", "wait_p95_s +", "wait_p95_s queries_per_s", "2 3 wait_p95_s", "wait_p95_s + 3", "+"} {
		if got, err := parseCost(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
