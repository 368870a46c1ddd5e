package report

import (
	"io"
	"strings"
)

// Named is a shipped scenario: its name and what it is about.
type Named struct {
	Name  string `json:"name"`
	About string `json:"about"`
	File  string `json:"file"`
}

// ScenarioList writes the shipped scenarios, a line each: the first sentence
// says enough to choose one.
func ScenarioList(w io.Writer, all []Named, width int, s Style) {
	t := &Table{NoHead: true, Columns: []Column{{}, {}}}
	for _, n := range all {
		about, _, _ := strings.Cut(strings.Join(strings.Fields(n.About), " "), ". ")
		t.Add(n.Name, strings.TrimSuffix(about, "."))
	}
	t.Write(w, width, s)
}

// ScenarioListJSON writes the same for programs, whole.
func ScenarioListJSON(w io.Writer, all []Named) error {
	return WriteJSON(w, struct {
		SchemaVersion int     `json:"schema_version"`
		Shipped       []Named `json:"shipped"`
	}{SchemaVersion, all})
}
