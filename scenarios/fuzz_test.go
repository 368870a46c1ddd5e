package scenarios

import (
	"testing"
	"time"
)

// Whatever the bytes: no panic, no long wait, errors with a place in the file,
// and what reads also writes and reads again as the same.
func FuzzScenario(f *testing.F) {
	for _, dir := range []string{"good", "bad"} {
		for _, data := range testFiles(f, dir) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		began := time.Now()
		all, errs := Read("f.yml", data, Options{})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		lines := len(splitLines(string(data)))
		for _, e := range errs {
			if e.Line < 1 && len(data) <= MaxFileBytes || e.Line > lines+1 || e.Msg == "" {
				t.Errorf("%+q has a place outside its %d lines", e.Error(), lines)
			}
			e.Excerpt()
		}
		// A scenario beside mistakes is nobody's: Read's callers refuse the file.
		for _, s := range all {
			if errs == nil {
				roundTrip(t, s, nil)
			}
		}
		if len(all) == 0 && len(errs) == 0 {
			t.Error("neither a scenario nor a mistake")
		}
	})
}

// Whatever is set: no panic, and the document stays as it was.
func FuzzSet(f *testing.F) {
	f.Add("limits.webhooks.burst", "6")
	f.Add("dispatchers[0].polling_interval", "0.2s")
	f.Add("jobs", "[{class: A}]")
	f.Add("timing.claim", "{a: *b}")
	f.Fuzz(func(t *testing.T, path, value string) {
		d := document(t, setBase)
		s, err := d.With(Set{Path: path, Value: value})
		if err == nil {
			roundTrip(t, s, nil)
		}
		if s, err := d.With(); err != nil || same(s, mustRead(t, setBase)) != nil {
			t.Errorf("the document changed: %v", err)
		}
	})
}
