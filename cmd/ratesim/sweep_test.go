package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const gridYML = `name: grid
limits: {api: {to: 110, per: 1s, burst: 6}}
jobs: [{class: A, backlog: 400, limit: api, takes: 10ms}]
`

// grid112 are the arguments of a sweep of 16 bursts and 7 polls.
func grid112(t *testing.T, more ...string) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "grid.yml")
	if err := os.WriteFile(name, []byte(gridYML), 0o644); err != nil {
		t.Fatal(err)
	}
	return append([]string{"sweep", name, "--vary", "limits.api.burst=1,2,3,4,5,6,8,10,12,16,20,26,34,48,70,110",
		"--vary", "dispatchers.polling_interval=0.05s,0.1s,0.2s,0.3s,0.5s,0.75s,1s", "--runs", "3"}, more...)
}

// ends runs the program, which must end with a code, and gives what it says on
// standard output and on standard error.
func ends(t *testing.T, want int, args ...string) (out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	if code := run(t.Context(), &o, &e, strings.NewReader(""), args); code != want {
		t.Fatalf("ratesim %s: ends with %d, want %d: %s", strings.Join(args, " "), code, want, e.String())
	}
	return o.String(), e.String()
}

// A sweep of 112 cells has the same bytes in one go and in seven parts, in
// whatever order they are put together; what is left out, there twice or of
// another sweep is refused by its name.
func TestSweepInOnePartAndInSeven(t *testing.T) {
	args := grid112(t)
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.ndjson")
	ends(t, 0, append(args, "-o", whole)...)
	want := fileText(t, whole)
	if n := strings.Count(want, "\n"); n != 1+112 {
		t.Fatalf("%d lines, want one and 112", n)
	}
	var parts []string
	for i := range 7 {
		name := filepath.Join(dir, fmt.Sprintf("part-%d.ndjson", 7-i))
		ends(t, 0, append(args, "--shard", fmt.Sprintf("%d/7", 7-i), "-o", name, "-j", fmt.Sprint(1+i%2))...)
		parts = append(parts, name)
	}
	merged := filepath.Join(dir, "merged.ndjson")
	ends(t, 0, append([]string{"merge", "-o", merged}, parts...)...)
	if fileText(t, merged) != want {
		t.Error("seven parts put together have other bytes than the whole")
	}
	other := filepath.Join(dir, "other.ndjson")
	ends(t, 0, append(args, "--seed", "2", "--shard", "3/7", "-o", other)...)
	copied := filepath.Join(dir, "copied.ndjson")
	if err := os.WriteFile(copied, []byte(fileText(t, parts[0])), 0o644); err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(dir, "torn.ndjson")
	if err := os.WriteFile(torn, []byte(fileText(t, parts[0])[:3000]), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{parts[1:], "16 of 112 cells are missing: 6, 13, 20, 27, 34, 41, 48, 55, 62, 69, …; no file is part 7/7"},
		{slices.Concat(parts[1:], []string{torn}), "; not finished: " + torn},
		{slices.Concat(parts, parts[3:4]), parts[3] + ": is given twice, want each part once"},
		{slices.Concat(parts, []string{copied}), copied + ": part 7/7 is in " + parts[0] + " too, want each part once"},
		{append(parts[:4:4], whole), whole + ": cell "},
		{append(parts[:4:4], other, parts[5], parts[6]), other + ": belongs to another sweep than " + parts[0]},
	} {
		out, errOut := ends(t, 2, append([]string{"merge"}, c.files...)...)
		if out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("says %q, want a line with %q", errOut, c.want)
		}
	}
}

// A process that is killed leaves the cells that are done; gone on with, the
// file has the bytes it would have had.
func TestSweepKilledAndGoneOnWith(t *testing.T) {
	// More runs than it would take: there must be time to kill it.
	args := append(grid112(t), "--runs", "20", "-j", "1")
	dir := t.TempDir()
	whole, part := filepath.Join(dir, "whole.ndjson"), filepath.Join(dir, "part.ndjson")
	ends(t, 0, append(args, "-o", whole)...)
	want := fileText(t, whole)

	args = append(args, "--resume", part, "-o", part)
	cmd := exec.Command("ratesim", args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for begin := time.Now(); lines < 20; {
		if text, err := os.ReadFile(part); err == nil {
			lines = bytes.Count(text, []byte("\n"))
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("no 20 lines within a minute")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was done before it was killed")
	}
	left := fileText(t, part)
	if !strings.HasPrefix(want, left) || len(left) == len(want) {
		t.Fatalf("%d bytes are left, want a beginning of the %d", len(left), len(want))
	}
	// A machine that dies may tear the last line too.
	if err := os.WriteFile(part, []byte(left[:len(left)-100]), 0o644); err != nil {
		t.Fatal(err)
	}
	ends(t, 0, args...)
	if fileText(t, part) != want {
		t.Error("the file that was gone on with has other bytes")
	}
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(names) > 0 {
		t.Errorf("%v are left behind, %v", names, err)
	}
}

// A sweep that fails before its first cell is done leaves an older file alone.
func TestSweepLeavesAnOlderFileAlone(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old.ndjson")
	if err := os.WriteFile(old, []byte("something\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ends(t, 2, grid112(t, "--resume", old, "-o", old)...)
	if got := fileText(t, old); got != "something\n" {
		t.Errorf("%q", got)
	}
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
