package report

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"
)

// SchemaVersion is the version of everything --json prints. It changes when a
// key is dropped or changes its meaning, not when one is added.
const SchemaVersion = 1

// WriteJSON writes v as one indented document.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Num is a number for JSON. It is rounded to six significant digits, so that
// the last bits, which may differ between processors, never show. NaN and the
// infinities mean "there is no such number"; with omitzero their key is left
// out, while 0 stays.
type Num float64

// IsZero is true for what is no number; encoding/json asks it for omitzero.
func (n Num) IsZero() bool { return math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) }

// MarshalJSON is the rounded number.
func (n Num) MarshalJSON() ([]byte, error) {
	if n.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(round6(float64(n)))
}

// Seconds is a length for JSON, under a key that ends in _s.
func Seconds(d time.Duration) Num { return Num(d.Seconds()) }

func round6(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Field is one key of an [Object].
type Field struct {
	Key   string
	Value any
}

// Object is a JSON object whose keys are made at run time and keep their
// order. A Num that is no number leaves its key out.
type Object []Field

// MarshalJSON is the object.
func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, f := range o {
		if n, ok := f.Value.(Num); ok && n.IsZero() {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		k, err := json.Marshal(f.Key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(f.Value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, k...), ':'), v...)
	}
	return append(b, '}'), nil
}

// Version is the result of "ratesim version".
type Version struct {
	SchemaVersion int    `json:"schema_version"`
	Version       string `json:"version"`
	Commit        string `json:"commit,omitempty"`
	Time          string `json:"commit_time,omitempty"`
	Modified      bool   `json:"modified"`
	Go            string `json:"go"`
	OS            string `json:"os"`
	Arch          string `json:"arch"`
}
