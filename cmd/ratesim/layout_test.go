package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ratesim/ratesim/"

// mayImport is who may import whom of this module: arrows point down only.
var mayImport = map[string][]string{
	"gcra":                          {},
	"model":                         {"gcra"},
	"model/analytic":                {"gcra", "model"},
	"model/solidqueue":              {"gcra", "model"},
	"model/provider":                {"gcra", "model"},
	"model/laravel":                 {"gcra", "model", "model/provider"},
	"model/queuetest":               {"gcra", "model", "model/solidqueue"},
	"sim":                           {"gcra", "model", "model/laravel", "model/provider", "model/solidqueue", "sim/measure"},
	"sim/live":                      {"gcra", "model", "model/solidqueue", "sim/live/sqlite", "sim/measure"},
	"sim/live/redis":                {"gcra", "model", "model/provider", "model/solidqueue", "sim/measure"},
	"sim/live/sqlite":               {"gcra", "model", "model/solidqueue"},
	"sim/measure":                   {"gcra", "model"},
	"sim/tune":                      {"gcra", "model", "model/analytic", "sim", "sim/measure"},
	"scenarios":                     {"gcra", "model", "sim/measure"},
	"cmd/ratesim/internal/report":   {"gcra", "model", "model/analytic", "sim/measure", "sim/tune", "cmd/ratesim/internal/starts", "cmd/ratesim/internal/sweep", "plots"},
	"plots":                         {},
	"cmd/ratesim/internal/sweep":    {"model", "scenarios", "sim/measure"},
	"cmd/ratesim/internal/starts":   {"gcra", "model"},
	"cmd/ratesim/internal/queueyml": {"model"},
	"cmd/ratesim/internal/tui":      {"plots"},
	"cmd/ratesim":                   {"gcra", "model", "model/analytic", "scenarios", "sim", "sim/live", "sim/live/redis", "sim/live/sqlite", "sim/measure", "sim/tune", "plots", "cmd/ratesim/internal/queueyml", "cmd/ratesim/internal/report", "cmd/ratesim/internal/starts", "cmd/ratesim/internal/sweep", "cmd/ratesim/internal/tui"},
}

func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], module)
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s has no place in the house: say here whom it may import", name)
		}
		for _, i := range words[1:] {
			own, ours := strings.CutPrefix(i, module)
			if ours && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which lies above or beside it", name, own)
			}
			if strings.Contains(i, "charmbracelet") && name != "cmd/ratesim/internal/tui" {
				t.Errorf("%s imports %s, which is for the screen alone", name, i)
			}
			if !ours && strings.Contains(i, ".") && (name == "gcra" || name == "sim/measure" || strings.HasPrefix(name, "model")) {
				t.Errorf("%s imports %s, want the standard library alone", name, i)
			}
		}
	}
}

// clock is a reading of the clock, called or handed on, or a number drawn from
// nobody's seed.
var clock = regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)\b|\brand\.(Int|Uint|Float|Perm|Shuffle|N)`)

func TestOnlyTheRimReadsAClock(t *testing.T) {
	eachLine(t, []string{"gcra", "model", "plots", "scenarios", "sim"}, func(place, code string) {
		if clock.MatchString(code) {
			t.Errorf("%s reads a clock or draws without a seed: %s", place, code)
		}
	})
}

// database is a statement at the start of a string, or of a line of one, or the
// package that sends them.
var database = regexp.MustCompile("(?:^|[\"`])\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|BEGIN|CREATE|PRAGMA)\\b|\"database/sql\"")

func TestOnlyTheRimSpeaksSQL(t *testing.T) {
	eachLine(t, []string{"cmd", "gcra", "model", "plots", "scenarios", "sim"}, func(place, code string) {
		if database.MatchString(code) {
			t.Errorf("%s speaks to a database: %s", place, code)
		}
	})
}

// Commands to Redis, and what sends them, have one place: not even the rest of
// sim/live has them.
func TestOnlyOnePackageSpeaksToRedis(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	speaks := regexp.MustCompile(`github\.com/(redis/go-redis|alicebob/miniredis)/`)
	for line := range strings.Lines(string(out)) {
		name, imports, _ := strings.Cut(strings.TrimPrefix(line, module), " ")
		if name != "sim/live/redis" && speaks.MatchString(imports) {
			t.Errorf("%s imports %s: it speaks to Redis, want sim/live/redis alone to", name, speaks.FindString(imports))
		}
	}
	eachLine(t, []string{"cmd", "gcra", "model", "plots", "scenarios", "sim"}, func(place, code string) {
		if strings.Contains(code, "redis.call") {
			t.Errorf("%s has a script for Redis: %s", place, code)
		}
	})
}

// eachLine gives f the lines of the program below the folders, without their
// comments. It leaves out tests, and sim/live, where real time passes and the
// real queue is.
func eachLine(t *testing.T, tops []string, f func(place, code string)) {
	t.Helper()
	live := filepath.Join("../..", "sim", "live")
	for _, top := range tops {
		top = filepath.Join("../..", top)
		if _, err := os.Stat(top); os.IsNotExist(err) {
			continue
		}
		err := filepath.WalkDir(top, func(name string, e os.DirEntry, err error) error {
			if name == live {
				return filepath.SkipDir
			}
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(data), "\n") {
				code, _, _ := strings.Cut(line, "//")
				f(fmt.Sprintf("%s:%d", name, i+1), strings.TrimSpace(code))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestNothingElseAtTheTop(t *testing.T) {
	want := []string{"CHANGELOG.md", "LICENSE", "README.md", "cmd", "gcra", "go.mod", "go.sum", "model", "plots", "scenarios", "sim"}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		built := e.Name() == "ratesim" || e.Name() == "dist" || strings.HasSuffix(e.Name(), ".test") || strings.HasSuffix(e.Name(), ".prof")
		if !built && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(want, e.Name()) {
			t.Errorf("%s stands at the top level, want only %v", e.Name(), want)
		}
	}
}
