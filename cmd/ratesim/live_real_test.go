//go:build live

// These tests take real time: go test -tags live -run Real ./cmd/ratesim
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// build makes the program, since worker processes are ones of it.
func build(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ratesim")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// Four processes that are killed now and then: every job is exactly once
// finished, failed with its process, or still waiting; the file is whole; and
// no window of all processes' claims held more than the limit.
func TestRealProcessesAreKilled(t *testing.T) {
	db := filepath.Join(t.TempDir(), "queue.sqlite3")
	cmd := exec.Command(build(t), "live", "--to", "240", "--per", "1s", "--burst", "40", "--poll", "0.1s", "--threads", "5",
		"--backlog", "2000", "--takes", "30ms", "--processes", "4", "--kill-every", "1s", "--db", db, "--json")
	var errs strings.Builder
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var doc struct {
		Live struct {
			Summary struct {
				WindowMax float64 `json:"window_max"`
			} `json:"summary"`
		} `json:"live"`
		Jobs struct {
			Finished, Failed, Ready, Scheduled, Claimed int64
		} `json:"jobs"`
		Processes struct {
			Killed int `json:"killed"`
		} `json:"processes"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	j := doc.Jobs
	t.Logf("%+v, %d killed, worst window %v", j, doc.Processes.Killed, doc.Live.Summary.WindowMax)
	if j.Finished+j.Failed+j.Ready+j.Scheduled+j.Claimed != 2000 || j.Claimed != 0 {
		t.Errorf("%+v do not add up to 2000", j)
	}
	if doc.Processes.Killed < 3 || doc.Live.Summary.WindowMax > 240 {
		t.Errorf("%d processes killed, %v claims in a second of 240", doc.Processes.Killed, doc.Live.Summary.WindowMax)
	}

	// The same by the rows themselves: each job is in one place.
	ctx := context.Background()
	meta, err := sqlite.ReadMeta(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	s, errors := scenarios.Read(db, meta.Scenario, scenarios.Options{})
	if len(errors) > 0 {
		t.Fatal(errors)
	}
	q, err := sqlite.Open(db, s[0], meta)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Check(ctx); err != nil {
		t.Error(err)
	}
	claims := map[int64]int{}
	if _, err := q.Decisions(ctx, 0, func(d sqlite.Decision) error {
		if d.Claimed {
			claims[d.Job]++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	finished := int64(0)
	if err := q.Jobs(ctx, func(job sqlite.Job) error {
		if job.Finished < 1<<62 {
			finished++
		}
		if n := claims[job.Job]; n != 1 {
			t.Errorf("job %d was claimed %d times, want once: a crash fails it", job.Job, n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if w, err := q.Where(ctx); err != nil || w.Finished != finished || w.Finished+w.Failed+w.Waiting() != 2000 || w.Failed != j.Failed {
		t.Errorf("%+v, %v, %d finished", w, err, finished)
	}
}

// Ctrl-C in the middle: what happened is told, the database is whole, and what
// was claimed has ended or gone back to ready.
func TestRealInterrupt(t *testing.T) {
	db := filepath.Join(t.TempDir(), "queue.sqlite3")
	for _, processes := range [][]string{nil, {"--processes", "2"}} {
		_ = os.Remove(db)
		cmd := exec.Command(build(t), append([]string{"live", "--to", "10", "--per", "1s", "--burst", "6", "--backlog", "300", "--db", db}, processes...)...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != codeInterrupted || !strings.Contains(out.String(), "interrupted") {
			t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
		}
		meta, err := sqlite.ReadMeta(context.Background(), db)
		if err != nil {
			t.Fatal(err)
		}
		s, _ := scenarios.Read(db, meta.Scenario, scenarios.Options{})
		q, err := sqlite.Open(db, s[0], meta)
		if err != nil {
			t.Fatal(err)
		}
		w, err := q.Where(context.Background())
		if err != nil || w.Claimed != 0 || w.Claims < 5 || w.Finished+w.Waiting() != 300 {
			t.Errorf("%+v, %v", w, err)
		}
		if err := q.Check(context.Background()); err != nil {
			t.Error(err)
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRealScripts(t *testing.T) { scripts(t, "testdata/live") }

// The examples of live, which take real time.
func TestRealExamples(t *testing.T) {
	program, dir := build(t), t.TempDir()
	eachCommand(newRoot(&app{out: &output{w: io.Discard}, errOut: io.Discard}), func(c *cobra.Command) {
		if c.Name() != "live" {
			return
		}
		for line := range strings.Lines(c.Example) {
			args := strings.Fields(line)[1:]
			if strings.Contains(line, "--attach") {
				args = []string{"live", "--attach", "q.sqlite3", "--inspect"}
			}
			cmd := exec.Command(program, args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil && !strings.Contains(line, "--for") {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	})
}
