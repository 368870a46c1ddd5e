package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// traceFile writes every claim and deferral, job by job. It is a probe. The
// file appears under its name only when it is whole.
type traceFile struct {
	name     string
	file     *os.File
	w        *bufio.Writer
	csv      bool
	scenario *model.Scenario
	err      error
}

func createTrace(name string) (*traceFile, error) {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.part")
	if err != nil {
		return nil, fileError(err)
	}
	t := &traceFile{name: name, file: file, w: bufio.NewWriterSize(file, 1<<16), csv: strings.EqualFold(filepath.Ext(name), ".csv")}
	if t.csv {
		t.line("scenario,at_s,event,limit,class,job,next_s\n")
	}
	return t, nil
}

func (t *traceFile) line(text string) {
	if _, err := t.w.WriteString(text); err != nil && t.err == nil {
		t.err = err
	}
}

// Observe writes what happened to a run of jobs.
func (t *traceFile) Observe(e *model.Event) {
	word, next := "", ""
	switch e.Kind {
	case model.Claimed:
		word = "claimed"
	case model.Deferred:
		word = "deferred"
	case model.Dropped:
		word = "dropped"
	default:
		return
	}
	limit := ""
	if e.Limit >= 0 {
		limit = t.scenario.Limits[e.Limit].Name
	}
	class := t.scenario.Classes[e.Class].Name
	e.Each(func(e model.Event) {
		if next = ""; e.Kind == model.Deferred && e.Next != gcra.Never {
			next = exactSeconds(e.Next)
		}
		if t.csv {
			t.line(fmt.Sprintf("%s,%s,%s,%s,%s,%d,%s\n", csvCell(t.scenario.Name), exactSeconds(e.At), word, csvCell(limit), csvCell(class), e.Job, next))
			return
		}
		text := `{"scenario":` + quoted(t.scenario.Name) + `,"at_s":` + exactSeconds(e.At) + `,"event":"` + word + `"`
		if limit != "" {
			text += `,"limit":` + quoted(limit)
		}
		text += `,"class":` + quoted(class) + `,"job":` + strconv.FormatInt(e.Job, 10)
		if next != "" {
			text += `,"next_s":` + next
		}
		t.line(text + "}\n")
	})
}

// keep gives the file its name.
func (t *traceFile) keep() error {
	err := t.err
	if err == nil {
		err = t.w.Flush()
	}
	if close := t.file.Close(); err == nil {
		err = close
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	return fileError(os.Rename(t.file.Name(), t.name))
}

// discard removes what was not kept.
func (t *traceFile) discard() {
	t.file.Close()
	os.Remove(t.file.Name())
}

// exactSeconds writes an instant to the nanosecond.
func exactSeconds(t gcra.Instant) string {
	whole, rest := t/1e9, t%1e9
	text := fmt.Sprintf("%d.%09d", whole, rest)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

func csvCell(s string) string {
	if strings.ContainsAny(s, ",\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
