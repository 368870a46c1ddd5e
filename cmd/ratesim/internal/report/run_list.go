package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
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
	// A name has to be typed, so it is never cut: what a scenario is about goes
	// on a line of its own after a long one.
	const column = 28
	for _, n := range all {
		about, _, _ := strings.Cut(strings.Join(strings.Fields(n.About), " "), ". ")
		about = strings.TrimSuffix(about, ".")
		name := s.Bold(n.Name) + strings.Repeat(" ", max(column-utf8.RuneCountInString(n.Name), 0))
		if about == "" {
			fmt.Fprintln(w, s.Bold(n.Name))
			continue
		}
		text := Fill(about, min(width, PlainWidth)-column, 0)
		if utf8.RuneCountInString(n.Name) > column-2 {
			fmt.Fprintln(w, s.Bold(n.Name))
			name = strings.Repeat(" ", column)
		}
		fmt.Fprintln(w, name+strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", column)))
	}
}

// ScenarioListJSON writes the same for programs, whole.
func ScenarioListJSON(w io.Writer, all []Named) error {
	return WriteJSON(w, struct {
		SchemaVersion int     `json:"schema_version"`
		Shipped       []Named `json:"shipped"`
	}{SchemaVersion, all})
}
