package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each view has the same bytes as when it was last looked at. After a change
// that is meant: UPDATE_PLOTS=1 go test ./cmd/ratesim -run PlotsAsLookedAt, and
// open every picture that changed.
func TestPlotsAsLookedAt(t *testing.T) {
	version := regexp.MustCompile(`ratesim [^<]*<`)
	for name, args := range map[string][]string{
		"drain":    {"webhooks"},
		"compared": {"u02-burst-1", "u02-burst-3", "u02-burst-6"},
		"windows":  {"webhooks", "--view", "windows", "--set", "jobs[0].backlog=60"},
		"waits":    {"webhooks", "--view", "waits"},
		"burst":    {"webhooks", "--view", "burst"},
		"heat":     {"webhooks", "--view", "heat", "--set", "jobs[0].backlog=200"},
	} {
		got := filepath.Join(t.TempDir(), name+".svg")
		var out, errOut bytes.Buffer
		if code := run(t.Context(), &out, &errOut, nil, append([]string{"plot", "-o", got, "--runs", "3"}, args...)); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", name, code, errOut.String())
		}
		have, err := os.ReadFile(got)
		if err != nil {
			t.Fatal(err)
		}
		have = version.ReplaceAll(have, []byte("ratesim VERSION<"))
		golden := filepath.Join("testdata", "plots", name+".svg")
		if os.Getenv("UPDATE_PLOTS") != "" {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, have, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, want) {
			t.Errorf("%s: %d bytes differ from the %d of %s; to look at it: ratesim plot %v", name, len(have), len(want), golden, args)
		}
	}
}
