package scenarios

import "github.com/ratesim/ratesim/model"

// ReadTiming reads a file that holds a timing: mapping and nothing else, as a
// live run writes it. What it does not name costs what the defaults say. Its
// errors are [Errors].
func ReadTiming(name string) (model.Timing, error) {
	docs, errs := parseFile(name)
	if len(errs) > 0 {
		return model.Timing{}, errs
	}
	if len(docs) != 1 {
		return model.Timing{}, Errors{{File: name, Msg: "holds several documents, want one, with a timing: mapping"}}
	}
	d := docs[0]
	r := &reader{file: d.file, src: d.src, open: d.open}
	s := model.Scenario{Timing: DefaultTiming()}
	if d.root.empty() {
		r.fail(d.root, "", "the document is empty, want a timing: mapping, such as timing: {claim: 3ms}")
	} else {
		fill(r, d.root, "", []key[model.Scenario]{{"timing", (*reader).timing}}, &s)
	}
	return s.Timing, r.errs.sorted().orNil()
}
