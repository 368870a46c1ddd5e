package main

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/ratesim/ratesim/sim/live"
)

// fitFiles are the timing that --fit writes, and beside it a file of values for
// each delay that has some. They appear when all of them are whole.
type fitFiles struct {
	name string // "": none
	main *outFile
}

func openFit(name string) (*fitFiles, error) {
	f := &fitFiles{name: name}
	if name == "" {
		return f, nil
	}
	if e := strings.ToLower(filepath.Ext(name)); e != ".yml" && e != ".yaml" {
		return nil, usagef("--fit: %s ends in neither .yml nor .yaml, want one of them", name)
	}
	var err error
	f.main, err = createFile("--fit", name)
	return f, err
}

func (f *fitFiles) discard() {
	if f.main != nil {
		f.main.discard()
	}
}

// values is the file of a cost's values, by its key, beside the timing.
func (f *fitFiles) values(key string) string {
	return strings.TrimSuffix(f.name, filepath.Ext(f.name)) + "-" + key + ".csv"
}

func (f *fitFiles) write(a *app, fitted *live.Fitted) error {
	if f.main == nil {
		return nil
	}
	for _, c := range fitted.Costs {
		if len(c.Values) < 2 {
			continue
		}
		out, err := createFile("--fit", f.values(c.Key))
		if err != nil {
			return err
		}
		err = out.put(func(w io.Writer) error { _, err := w.Write(c.CSV()); return err })
		out.discard()
		if err != nil {
			return err
		}
	}
	text := fitted.YAML(func(c live.Cost) string { return filepath.Base(f.values(c.Key)) })
	if err := f.main.put(func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	a.note("%s and, beside it, the values of each delay", f.name)
	return nil
}
