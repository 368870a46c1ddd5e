package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"

	"github.com/ratesim/ratesim/plots"
	"github.com/ratesim/ratesim/sim/measure"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

type htmlPage struct {
	Count, Footer string
	Passed        bool
	Scenarios     []htmlScenario
}

type htmlScenario struct {
	Name, About, File, Verdict, Headline, Runs string
	Passed, Cut                                bool
	Notes                                      []htmlNote
	Heads                                      []string
	Rows                                       [][]string
	Keys                                       [][3]string // name, value, meaning
	Charts                                     []htmlChart
}

// htmlChart is a chart drawn twice: a wide one shrunk to a phone could not be
// read.
type htmlChart struct {
	Title        string
	Wide, Narrow template.HTML
}

type htmlNote struct{ Word, Text string }

// HTML writes one page that needs nothing from anywhere: the verdicts, the
// numbers and the charts of every scenario. charts gives those of one.
func (r *RunResult) HTML(w io.Writer, footer string, charts func(*Ran) ([]*plots.Chart, error)) error {
	p := htmlPage{Count: r.count(), Passed: r.Passed(), Footer: footer}
	for _, ran := range r.Scenarios {
		s := htmlScenario{
			Name: oneLine(ran.Scenario.Name), About: oneLine(ran.Scenario.About), File: oneLine(ran.Scenario.File),
			Passed: ran.Passed(), Cut: ran.Cut, Headline: ran.headline(), Runs: Count(ran.Summary.Runs, "run"),
		}
		for _, v := range ran.Verdicts {
			s.Notes = append(s.Notes, htmlNote{string(v.Outcome), told(v)})
		}
		for _, text := range ran.problems() {
			s.Notes = append(s.Notes, htmlNote{string(measure.Failed), text})
		}
		for _, text := range ran.warnings() {
			s.Notes = append(s.Notes, htmlNote{"warning", text})
		}
		t := ran.table()
		for _, c := range t.Columns {
			s.Heads = append(s.Heads, c.Head)
		}
		s.Rows = t.Rows
		for k := range measure.NumKeys {
			if stat := ran.Summary.Whole[k]; stat.N > 0 {
				key := measure.Key(k)
				s.Keys = append(s.Keys, [3]string{key.String(), number(stat.Value), key.Info().About})
			}
		}
		drawn, err := charts(ran)
		if err != nil {
			return err
		}
		for _, c := range drawn {
			own := htmlChart{Title: c.Title}
			if own.Wide, err = inlined(c); err != nil {
				return err
			}
			narrow := *c
			narrow.Narrow = true
			if own.Narrow, err = inlined(&narrow); err != nil {
				return err
			}
			s.Charts = append(s.Charts, own)
		}
		p.Scenarios = append(p.Scenarios, s)
	}
	return page.Execute(w, p)
}

// inlined is a chart as a part of a page.
func inlined(c *plots.Chart) (template.HTML, error) {
	var b bytes.Buffer
	if err := plots.Write(&b, c, "svg"); err != nil {
		return "", err
	}
	// What comes before the picture itself belongs to a file of its own.
	svg := b.Bytes()
	if i := bytes.Index(svg, []byte("<svg")); i >= 0 {
		svg = svg[i:]
	}
	return template.HTML(svg), nil // our own, its texts are escaped
}
