package scenarios

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// opener reads the data files of a folder of testdata.
func opener(dir string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
}

// testFiles are the scenario files of a folder of testdata, by name.
func testFiles(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", dir, "*.yml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("testdata/%s: %d files, %v", dir, len(names), err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

var wantLine = regexp.MustCompile(`(?m)^# want: (.*)$`)

// Every file in testdata/bad has mistakes, and at its end the lines that must
// tell them: no fewer, no more, in this order.
func TestBadFilesAreToldLineByLine(t *testing.T) {
	for name, data := range testFiles(t, "bad") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			_, errs := Read("FILE", data, Options{Open: opener("testdata/bad")})
			var got, want []string
			for _, e := range errs {
				got = append(got, strings.TrimPrefix(e.Error(), "FILE:"))
				if e.Excerpt() == "" {
					t.Errorf("%v: no excerpt", e)
				}
			}
			for _, m := range wantLine.FindAllStringSubmatch(string(data), -1) {
				want = append(want, m[1])
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) == 0 {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestWhatIsNotTextIsToldAtItsByte(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"name: a\nabout: \xff\n", `f:2:8: the byte 0xff is not UTF-8, want text in UTF-8`},
		{"\xff\xfen\x00", `f:1:1: the byte 0xff is not UTF-8, want text in UTF-8`},
		{"name: é\x00", `f:1:8: there is a control character, U+0000, want text in UTF-8`},
		{"name: a\r\nabout: \x1b[31m\n", `f:2:8: there is a control character, U+001B, want text in UTF-8`},
		{"a: 1\nb: \ufeff\n", `f:2:4: there is a byte order mark inside the file, want text in UTF-8`},
	} {
		if _, errs := Read("f", []byte(c.data), Options{}); errs.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.data, errs, c.want)
		}
	}
	if _, errs := Read("f", []byte("\ufeffjobs:\r\n  - {class: A, backlog: 1}\r\n"), Options{}); errs != nil {
		t.Errorf("a byte order mark at the start and DOS lines: %v", errs)
	}
}

// Small files that unfold into gigabytes, or that are built to take long, end
// at once with a sentence.
func TestBombsEndAtOnce(t *testing.T) {
	bomb := "x-a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		p := "*" + string(c-1)
		bomb += "x-" + string(c) + ": &" + string(c) + " [" + strings.Repeat(p+", ", 9) + p + "]\n"
	}
	merges := "x-a: &a {" + strings.Repeat("k1: 1, ", 1)
	for i := range 2000 {
		merges += "k" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strings.Repeat("y", i/50) + ": 1, "
	}
	merges += "}\nx-b: {<<: [" + strings.Repeat("*a, ", 200_000) + "*a]}\n"
	jobs := "jobs: &j [" + strings.Repeat("{class: A, nonsense: 1}, ", 30_000) + "]\n"
	for name, data := range map[string]string{
		"aliases of aliases":         bomb,
		"merged keys":                merges,
		"nested brackets":            strings.Repeat("[", 1<<19),
		"nested mappings":            strings.Repeat("{a: ", 1<<17),
		"nested questions":           strings.Repeat("? ", 1<<19),
		"nested dashes":              strings.Repeat("- ", 1<<19),
		"too large":                  strings.Repeat("# comment\n", 1<<17),
		"comments":                   strings.Repeat("#\n", 1<<18),
		"documents that end in dots": strings.Repeat("a\n...\n", 1<<17),
		"documents on old Mac lines": strings.Repeat("---\r", 1<<17),
		"documents":                  strings.Repeat("---\n", 1<<18),
		"broken documents":           strings.Repeat("---\n[}\n", 1<<17),
		"mistakes":                   jobs,
		"duplicate keys":             "{" + strings.Repeat("a, ", 1<<18) + "}",
		"long key":                   strings.Repeat("k", 1<<19) + ": 1\n",
		"long value":                 "name: " + strings.Repeat("k ", 1<<18) + ": 1\n",
		"long unclosed quote":        "name: \"" + strings.Repeat("k\n", 1<<18),
		"long delay":                 "jobs:\n  - {class: A, backlog: 1, takes: " + strings.Repeat("1ms + ", 1<<16) + "1ms}\n",
		"unknown distribution":       "jobs:\n  - {class: A, backlog: 1, takes: " + strings.Repeat("exp(", 1<<16) + "}\n",
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, errs := Read("f", []byte(data), Options{})
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if len(errs) == 0 && name != "long delay" {
				t.Error("no error")
			}
			if len(errs) > maxErrors+1 {
				t.Errorf("%d errors, want at most %d", len(errs), maxErrors+1)
			}
			for _, e := range errs {
				if len(e.Msg) > 1000 {
					t.Errorf("a message of %d bytes", len(e.Msg))
				}
				if len(e.Excerpt()) > 1000 {
					t.Errorf("an excerpt of %d bytes", len(e.Excerpt()))
				}
			}
		})
	}
}

func TestExcerptPutsTheCaretUnderThePlace(t *testing.T) {
	for _, c := range []struct {
		name, data string
		line, col  int
		want       string
	}{
		{"plain", "a: 1\nb: 22\n", 2, 4, "2 | b: 22\n  |    ^\n"},
		{"tabs take four", "\ta:\tx\n", 1, 5, "1 |     a:    x\n  |           ^\n"},
		{"wide runes take two", "日本: x\n", 1, 5, "1 | 日本: x\n  |       ^\n"},
		{"accents on top take none", "e\u0301: x\n", 1, 5, "1 | e\u0301: x\n  |    ^\n"},
		{"escape sequences are not passed on", "a: \x1b[31mx\n", 1, 4, "1 | a: ?[31mx\n  |    ^\n"},
		{"DOS lines", "a: 1\r\nb: 2\r\n", 2, 4, "2 | b: 2\n  |    ^\n"},
		{"past the end", "a: [", 2, 1, "2 | \n  | ^\n"},
		{"a long line is cut on both sides", strings.Repeat("x", 100) + "Y" + strings.Repeat("z", 100), 1, 101,
			"1 | …" + strings.Repeat("x", 48) + "Y" + strings.Repeat("z", 21) + "…\n  | " + strings.Repeat(" ", 49) + "^\n"},
		{"no line", "a: 1\n", 0, 0, ""},
		{"far past the end", "a: 1\n", 9, 1, ""},
	} {
		if got := Excerpt([]byte(c.data), Error{Line: c.line, Col: c.col}); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}
