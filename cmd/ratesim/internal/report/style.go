// Package report writes what the commands found: text for people, JSON for
// programs. Its writers are functions of one result; they read no flag and
// compute nothing that the result does not hold.
package report

// Style puts colour on text, or leaves it alone: with Color false every method
// returns its argument, so a report is the same with its codes taken out.
type Style struct{ Color bool }

// Bold is for the answer.
func (s Style) Bold(t string) string { return s.code("1", t) }

// Dim is for what can be skipped.
func (s Style) Dim(t string) string { return s.code("2", t) }

// Good is for what holds.
func (s Style) Good(t string) string { return s.code("32", t) }

// Bad is for what is broken.
func (s Style) Bad(t string) string { return s.code("31", t) }

// Warn is for what deserves a second look.
func (s Style) Warn(t string) string { return s.code("33", t) }

func (s Style) code(code, t string) string {
	if !s.Color || t == "" {
		return t
	}
	return "\x1b[" + code + "m" + t + "\x1b[0m"
}
