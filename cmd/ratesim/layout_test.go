package main

import (
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
	"gcra":                        {},
	"model":                       {"gcra"},
	"model/analytic":              {"gcra", "model"},
	"model/solidqueue":            {"gcra", "model"},
	"model/queuetest":             {"gcra", "model", "model/solidqueue"},
	"sim":                         {"gcra", "model", "model/solidqueue", "sim/measure"},
	"sim/measure":                 {"gcra", "model"},
	"sim/tune":                    {"gcra", "model", "model/analytic", "sim", "sim/measure"},
	"scenarios":                   {"gcra", "model", "sim/measure"},
	"cmd/ratesim/internal/report": {"gcra", "model", "model/analytic", "sim/measure", "sim/tune", "cmd/ratesim/internal/starts"},
	"cmd/ratesim/internal/starts": {"gcra", "model"},
	"cmd/ratesim":                 {"gcra", "model", "model/analytic", "scenarios", "sim", "sim/measure", "sim/tune", "cmd/ratesim/internal/report", "cmd/ratesim/internal/starts"},
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
	live := filepath.Join("../..", "sim", "live") // where real time passes
	for _, top := range []string{"gcra", "model", "plots", "scenarios", "sim"} {
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
				if code, _, _ := strings.Cut(line, "//"); clock.MatchString(code) {
					t.Errorf("%s:%d reads a clock or draws without a seed: %s", name, i+1, strings.TrimSpace(line))
				}
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
