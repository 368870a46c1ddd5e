package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/sweep"
	"github.com/ratesim/ratesim/plots"
)

// sweepFile is where results go too.
type sweepFile struct {
	*outFile
	kind  string   // ndjson, csv or a picture's; "": nowhere
	lines *os.File // the file under its own name, to which lines are added
}

// add keeps a cell as soon as it is done: when the machine dies, a file of
// lines holds all but the last. The file takes the place of an older one with
// the first cell that is done, and all that was taken from that one is in it.
// The last of the results is the new one.
func (f *sweepFile) add(h sweep.Header, results []sweep.Result) error {
	if f.kind != "ndjson" || f.lines == nil && f.to == "" {
		return nil // a device can't be taken back, and gets the whole
	}
	if f.lines != nil {
		return f.wrong(report.SweepLine(f.lines, results[len(results)-1]))
	}
	name := f.to
	err := f.put(func(w io.Writer) error { return report.SweepNDJSON(w, &sweep.File{Header: h, Results: results}) })
	if err != nil {
		return err
	}
	f.lines, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	return f.wrong(err)
}

func openSweep(name string) (*sweepFile, error) {
	if name == "" {
		return &sweepFile{}, nil
	}
	f := &sweepFile{kind: strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")}
	known := append([]string{"ndjson", "csv"}, plots.Formats...)
	for _, k := range known {
		if k == f.kind {
			var err error
			f.outFile, err = createFile("--out", name)
			return f, err
		}
	}
	return nil, usagef("--out: %s ends in none of .%s, want one of them", name, strings.Join(known, ", ."))
}

func (f *sweepFile) discard() {
	if f.lines != nil {
		_ = f.lines.Close() // its lines were written whole, or told as an error
	}
	if f.outFile != nil {
		f.outFile.discard()
	}
}

func (f *sweepFile) write(a *app, file *sweep.File) error {
	if f.outFile == nil {
		return nil
	}
	if f.lines != nil {
		// Once more and in order: what was gone on with may have had gaps.
		var err error
		if f.outFile, err = createFile(f.flag, f.name); err != nil {
			return err
		}
	}
	return f.put(func(w io.Writer) error {
		switch f.kind {
		case "ndjson":
			return report.SweepNDJSON(w, file)
		case "csv":
			return report.SweepCSV(w, file)
		}
		c, err := sweepChart(file)
		if err != nil {
			return err
		}
		return plots.Write(w, c, f.kind)
	})
}
