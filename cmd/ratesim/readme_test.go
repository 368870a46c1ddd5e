package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
)

// consoleBlock is a command of the README and what it prints.
var consoleBlock = regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/ratesim ([^\n]*)\n(.*?)```\n")

// TestReadmeShowsWhatIsPrinted runs the README's commands. With UPDATE_README=1
// it writes what they print into the README.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	const name = "../../README.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	blocks := consoleBlock.FindAllStringSubmatch(string(data), -1)
	if len(blocks) == 0 {
		t.Fatal("the README shows no run")
	}
	text := string(data)
	for _, b := range blocks {
		var out, errOut bytes.Buffer
		if code := run(context.Background(), &out, &errOut, strings.NewReader(""), strings.Fields(b[1])); code != 0 {
			t.Fatalf("%s: exit code %d, %s", b[1], code, errOut.String())
		}
		if out.String() == b[2] {
			continue
		}
		if os.Getenv("UPDATE_README") == "" {
			t.Errorf("%s prints\n%s\nthe README shows\n%s", b[1], out.String(), b[2])
		}
		text = strings.Replace(text, b[0], "```console\n$ go run ./cmd/ratesim "+b[1]+"\n"+out.String()+"```\n", 1)
	}
	if os.Getenv("UPDATE_README") != "" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
