// Package scenarios reads scenario files, strictly, and holds the shipped ones.
//
// A file is YAML with one scenario a document. It is right, or every mistake
// in it is told, each with its line and column, the value that is wrong and
// what is wanted: see [Read], [ReadPath] and, for the shipped ones, [Find].
// What is read is checked and has every default filled in. A [Document] is a
// parsed file that can be read again with other values, which is what --set
// and sweeps do. [Write] is the way back, and [Schema] says the same as the
// reader to editors.
package scenarios

import (
	_ "embed"

	"github.com/ratesim/ratesim/model"
)

// Schema is the JSON Schema (draft 2020-12) of a scenario file. It knows keys,
// types and ranges; what hangs on several values together only [Read] checks.
//
//go:embed schema.json
var Schema []byte

// Options say what a reader may do.
type Options struct {
	// Open reads a file that a scenario names, such as a trace, by its name as
	// written: relative names are relative to the scenario's file. nil refuses
	// such files.
	Open func(name string) ([]byte, error)
	// Sets are values that replace those of every document.
	Sets []Set
}

// Read reads the scenarios of a file; name it as errors and [model.Scenario]
// should. The scenarios of documents without a mistake come back even if
// others have some.
func Read(file string, data []byte, o Options) ([]*model.Scenario, Errors) {
	docs, errs := Parse(file, data, o)
	return decodeAll(docs, errs, o.Sets)
}

func decodeAll(docs []*Document, errs Errors, sets []Set) ([]*model.Scenario, Errors) {
	var all []*model.Scenario
	for _, d := range docs {
		s, more := d.with(sets)
		if len(more) > 0 {
			errs = append(errs, more...)
			continue
		}
		all = append(all, s)
	}
	return all, errs.sorted()
}

// Document is one scenario of a file, parsed but not decoded, to be read any
// number of times with different values. It is never changed, so goroutines
// may share it.
type Document struct {
	file, src, name string
	root            *node
	open            func(string) ([]byte, error)
}

// Parse reads the documents of a file as far as the YAML goes. Its errors are
// those of the syntax and of the limits on size alone; [Document.With] tells
// the others.
func Parse(file string, data []byte, o Options) ([]*Document, Errors) {
	roots, errs := parseNodes(file, data)
	if len(roots) == 0 && len(errs) == 0 {
		return nil, Errors{{File: file, Line: 1, Col: 1, src: string(data), Msg: "the file has no scenario in it, want one that begins with name:"}}
	}
	var docs []*Document
	src := string(data)
	first := map[string]*node{}
	for i, root := range roots {
		d := &Document{file: file, src: src, root: root, open: o.Open, name: baseName(file)}
		if len(roots) > 1 {
			d.name = numbered(d.name, i+1)
		}
		if n := root.get("name"); n != nil && n.shape == scalar && n.text != "" {
			d.name = n.text
			if was := first[n.text]; was != nil {
				r := reader{file: file, src: d.src}
				r.fail(n, "name", "%s is the name of the scenario on line %d too, want another", quote(n.text), was.line)
				errs = append(errs, r.errs...)
			} else {
				first[n.text] = n
			}
		}
		docs = append(docs, d)
	}
	return docs, errs.sorted()
}

// Name is what the scenario is called: its name, else that of its file.
func (d *Document) Name() string { return d.name }

// File is where the document stands, as it was given.
func (d *Document) File() string { return d.file }

// With decodes the document with some values replaced. Its errors are [Errors]:
// those of the sets name their flag, the others their line.
func (d *Document) With(sets ...Set) (*model.Scenario, error) {
	s, errs := d.with(sets)
	if err := errs.orNil(); err != nil {
		return nil, err
	}
	return s, nil
}

func (d *Document) with(sets []Set) (*model.Scenario, Errors) {
	root, errs := d.root, Errors(nil)
	for _, set := range sets {
		next, err := set.apply(root)
		if err != nil {
			errs = append(errs, Error{File: set.flag(), Msg: err.Error()})
			continue
		}
		root = next
	}
	s, more := decode(d.file, d.src, root, d.name, d.open)
	return s, append(errs, more...).sorted()
}
