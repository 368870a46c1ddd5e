package main

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
)

// traceFile writes every claim, deferral and drop, job by job. It is a probe.
type traceFile struct {
	*outFile
	w    *bufio.Writer
	csv  bool
	line []byte // reused
	err  error

	scenario *model.Scenario
}

// traceEndings are the endings of a trace's name, and whether it is CSV then.
var traceEndings = map[string]bool{".csv": true, ".ndjson": false, ".jsonl": false, "": false}

func createTrace(name string) (*traceFile, error) {
	csv, known := traceEndings[strings.ToLower(filepath.Ext(name))]
	if !known {
		return nil, usagef("--trace: %s ends in neither .ndjson nor .csv, want one of them", name)
	}
	file, err := createFile("--trace", name)
	if err != nil {
		return nil, err
	}
	t := &traceFile{outFile: file, w: bufio.NewWriterSize(file, 1<<16), csv: csv}
	if csv {
		t.emit([]byte("scenario,at_s,event,limit,class,job,next_s\n"))
	}
	return t, nil
}

func (t *traceFile) emit(line []byte) {
	if _, err := t.w.Write(line); err != nil && t.err == nil {
		t.err = err
	}
}

var traced = map[model.Kind]string{model.Claimed: "claimed", model.Deferred: "deferred", model.Dropped: "dropped"}

// Observe writes what happened to a run of jobs.
func (t *traceFile) Observe(e *model.Event) {
	word := traced[e.Kind]
	if word == "" {
		return
	}
	limit := ""
	if e.Limit >= 0 {
		limit = t.scenario.Limits[e.Limit].Name
	}
	class := t.scenario.Classes[e.Class].Name
	e.Each(func(e model.Event) {
		later := e.Kind == model.Deferred && e.Next != gcra.Never
		if t.csv {
			t.row(&e, word, limit, class, later)
		} else {
			t.object(&e, word, limit, class, later)
		}
		t.emit(t.line)
	})
}

func (t *traceFile) row(e *model.Event, word, limit, class string, later bool) {
	b := append(t.line[:0], csvCell(t.scenario.Name)...)
	b = appendSeconds(append(b, ','), e.At)
	b = append(append(append(b, ','), word...), ',')
	b = append(append(append(b, csvCell(limit)...), ','), csvCell(class)...)
	b = append(strconv.AppendInt(append(b, ','), e.Job, 10), ',')
	if later {
		b = appendSeconds(b, e.Next)
	}
	t.line = append(b, '\n')
}

func (t *traceFile) object(e *model.Event, word, limit, class string, later bool) {
	b := append(append(t.line[:0], `{"scenario":`...), quoted(t.scenario.Name)...)
	b = appendSeconds(append(b, `,"at_s":`...), e.At)
	b = append(append(append(b, `,"event":"`...), word...), '"')
	if limit != "" {
		b = append(append(b, `,"limit":`...), quoted(limit)...)
	}
	b = append(append(b, `,"class":`...), quoted(class)...)
	b = strconv.AppendInt(append(b, `,"job":`...), e.Job, 10)
	if later {
		b = appendSeconds(append(b, `,"next_s":`...), e.Next)
	}
	t.line = append(b, '}', '\n')
}

// keep gives the file its name, if all of it could be written.
func (t *traceFile) keep() error {
	if t.err == nil {
		t.err = t.w.Flush()
	}
	if t.err != nil {
		return t.wrong(t.err)
	}
	return t.outFile.keep()
}

// appendSeconds writes an instant in seconds, exact to the nanosecond, without
// zeros at the end.
func appendSeconds(b []byte, at gcra.Instant) []byte {
	whole, rest := int64(at)/1e9, int64(at)%1e9
	if at < 0 {
		b, whole, rest = append(b, '-'), -whole, -rest
	}
	b = strconv.AppendInt(b, whole, 10)
	if rest == 0 {
		return b
	}
	digits := strconv.FormatInt(1e9+rest, 10)[1:]
	return append(append(b, '.'), strings.TrimRight(digits, "0")...)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string always can be
	}
	return string(b)
}

func csvCell(s string) string {
	if strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
