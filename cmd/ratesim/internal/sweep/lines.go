package sweep

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ratesim/ratesim/sim/measure"
)

// Header is the first line of a file of results.
type Header struct {
	SchemaVersion int    `json:"schema_version"`
	Sweep         string `json:"sweep"`
	Plan          string `json:"plan"` // of the whole grid, not of the shard
	Cells         int    `json:"cells"`
	Shard         string `json:"shard"`
	Seed          uint64 `json:"seed"`
	Runs          int    `json:"runs"`
	Vary          []Axis `json:"vary"`
}

// Header is the first line of a shard's file.
func (p *Plan) Header(s Shard) Header {
	return Header{1, p.Name, p.Hash, len(p.Cells), Shard{max(s.I, 1), max(s.N, 1)}.String(), p.Seed, p.Runs, p.Axes}
}

// Result is a cell's line.
type Result struct {
	Cell    int                `json:"cell"`
	ID      string             `json:"id"`
	Values  []string           `json:"values"` // in the order of vary
	Runs    int                `json:"runs"`
	Passed  bool               `json:"passed"`
	Failed  []string           `json:"failed,omitempty"` // expectations, in words
	Summary map[string]float64 `json:"summary"`
	Low     map[string]float64 `json:"low,omitempty"` // ends of 95 % intervals
	High    map[string]float64 `json:"high,omitempty"`
	BoundBy string             `json:"bound_by,omitempty"`
}

// NewResult is the line of a cell that was run.
func NewResult(c Cell, sum *measure.Summary, failed []string) Result {
	r := Result{Cell: c.Index, ID: c.ID, Values: c.Values, Runs: sum.Runs, Passed: len(failed) == 0, Failed: failed,
		Summary: map[string]float64{}, Low: map[string]float64{}, High: map[string]float64{}, BoundBy: sum.BoundBy}
	for k := range measure.NumKeys {
		key, stat := measure.Key(k), sum.Whole[k]
		if stat.N == 0 || stat.Value != stat.Value {
			continue
		}
		r.Summary[key.String()] = six(stat.Value)
		if !key.Info().Fact && stat.Low == stat.Low {
			r.Low[key.String()], r.High[key.String()] = six(stat.Low), six(stat.High)
		}
	}
	return r
}

// six keeps six digits: more would be those in which processors differ.
func six(v float64) float64 {
	var out float64
	_, _ = fmt.Sscan(fmt.Sprintf("%.6g", v), &out) // what was just written can be read
	return out
}

// File is what was read of a file of results.
type File struct {
	Name string
	Header
	Results []Result
}

// ReadFile reads results. A last line without an end was cut off when its
// writer died, and is left out.
func ReadFile(name string, r io.Reader) (*File, error) {
	f := &File{Name: name}
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		whole := err == nil
		if err != nil && err != io.EOF {
			return nil, err
		}
		if !whole {
			if line == 1 {
				return nil, fmt.Errorf("%s: is empty or cut off in its first line, want results of ratesim sweep", name)
			}
			return f, nil
		}
		if line == 1 {
			if err := strict(text, &f.Header); err != nil || f.Plan == "" || f.SchemaVersion != 1 {
				return nil, fmt.Errorf("%s:1: no first line of ratesim sweep's results", name)
			}
			continue
		}
		var c Result
		if err := strict(text, &c); err != nil || c.ID == "" || len(c.Values) != len(f.Vary) || c.Cell < 0 || c.Cell >= f.Cells {
			return nil, fmt.Errorf("%s:%d: no result of a cell of this sweep", name, line)
		}
		f.Results = append(f.Results, c)
	}
}

func strict(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Merge puts the files of one sweep together: every cell must be there once.
func Merge(files []*File) (*File, error) {
	out := &File{Header: files[0].Header}
	out.Shard = "1/1"
	from := map[int]*File{}
	for _, f := range files {
		if f.Plan != out.Plan {
			return nil, fmt.Errorf("%s: belongs to another sweep than %s (plan %s, not %s)", f.Name, files[0].Name, f.Plan, out.Plan)
		}
		for _, r := range f.Results {
			switch by := from[r.Cell]; {
			case by == nil:
			case by == f:
				return nil, fmt.Errorf("%s: has cell %d twice", f.Name, r.Cell)
			case by.Name == f.Name:
				return nil, fmt.Errorf("%s: is given twice, want each part once", f.Name)
			case by.Shard == f.Shard:
				return nil, fmt.Errorf("%s: part %s is in %s too, want each part once", f.Name, f.Shard, by.Name)
			default:
				return nil, fmt.Errorf("%s: cell %d is in %s too", f.Name, r.Cell, by.Name)
			}
			from[r.Cell] = f
			out.Results = append(out.Results, r)
		}
	}
	slices.SortFunc(out.Results, func(a, b Result) int { return a.Cell - b.Cell })
	var missing []int
	for i := range out.Cells {
		if from[i] == nil {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%d of %d cells are missing: %s%s", len(missing), out.Cells, few(missing), parts(files, missing))
	}
	return out, nil
}

// few are the first of some cells.
func few(cells []int) string {
	var out []string
	for _, c := range cells {
		if len(out) == 10 {
			out = append(out, "…")
			break
		}
		out = append(out, fmt.Sprint(c))
	}
	return strings.Join(out, ", ")
}

// parts names where missing cells belong, when the files are parts of one
// division: to a part that is not among them, or to one that was cut off.
func parts(files []*File, missing []int) string {
	n := 0
	is := map[int]string{}
	for _, f := range files {
		s, err := ParseShard(f.Shard, nil)
		if err != nil || n > 0 && s.N != n {
			return ""
		}
		n = s.N
		is[s.I] = f.Name
	}
	var absent, short []string
	for i := 1; i <= n; i++ {
		s := Shard{i, n}
		if !slices.ContainsFunc(missing, s.Has) {
			continue
		}
		if is[i] == "" {
			absent = append(absent, s.String())
		} else {
			short = append(short, is[i])
		}
	}
	text := ""
	if len(absent) > 0 {
		text += "; no file is part " + strings.Join(absent, ", ")
	}
	if len(short) > 0 {
		text += "; not finished: " + strings.Join(short, ", ")
	}
	return text
}
