package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const aJob = "jobs:\n  - {class: A, backlog: 10}\n"

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFoldersAreWalkedInOrder(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"b.yml": aJob, "a.yaml": aJob, "deep/er/c.yml": aJob, "notes.txt": "no", ".git/d.yml": "[",
		"deep/trace.yml": "jobs:\n  - {class: A, arrivals: trace when.csv}\n", "deep/when.csv": "1\n2\n",
	})
	all, err := ReadPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		got = append(got, s.Name)
	}
	if want := "a b c trace"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if n, _ := all[3].Classes[0].Arrivals.Total(); n != 2 {
		t.Errorf("the trace beside its file: %d arrivals, want 2", n)
	}
	one, err := ReadPath(filepath.Join(dir, "b.yml"), Set{Path: "runs", Value: "7"})
	if err != nil || len(one) != 1 || one[0].Runs != 7 || one[0].File != filepath.Join(dir, "b.yml") {
		t.Errorf("one file: %+v, %v", one, err)
	}
}

func TestPathsThatLeadNowhereAreMistakes(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"none/notes.txt": "", "bad/b.yml": "runs: 0\n" + aJob, "bad/a.yml": "jobs: [\n",
		"trace.yml": "jobs:\n  - {class: A, arrivals: trace gone.csv}\n",
	})
	for _, c := range []struct{ path, want string }{
		{"gone.yml", "DIR/gone.yml: there is no such file or folder, want a scenario file or a folder of them"},
		{"none", "DIR/none: the folder holds no *.yml or *.yaml file, want at least one scenario"},
		{"bad", "DIR/bad/a.yml:2:1: a value is missing here, or a bracket before it is not closed\nDIR/bad/b.yml:1:7: runs: 0 is out of range, want a whole number from 1 to 10000"},
		{"trace.yml", "DIR/trace.yml:2:26: jobs[0].arrivals: gone.csv: DIR/gone.csv: there is no such file or folder"},
	} {
		_, err := ReadPath(filepath.Join(dir, c.path))
		if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != c.want {
			t.Errorf("%s: got %v, want %s", c.path, err, c.want)
		}
	}
}

func TestFindNamesTheNearest(t *testing.T) {
	_, err := Find("webhoks")
	if want := `no shipped scenario is called "webhoks", did you mean webhooks?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
