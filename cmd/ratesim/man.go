package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "The manual page",
		Long: `Prints the manual page, all commands on one page, in the form that man reads.
Put it where man looks, or read it at once.`,
		Example: "  ratesim man > ratesim.1",
		Args:    atMost(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeMan(a.out, cmd.Root())
		},
	}
}

// writeMan writes roff by hand: cobra's own writer brings a Markdown parser
// and a YAML library into the binary for what is forty lines.
func writeMan(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`.TH RATESIM 1 "" "ratesim %s" "User Commands"`, roff(versionOf().Version))
	line(".SH NAME\nratesim \\- %s", roff(lowerFirst(root.Short)))
	line(".SH SYNOPSIS\n.B ratesim\n.I command\n[flags]")
	line(".SH DESCRIPTION\n%s", roff(root.Long))
	line(".SH COMMANDS")
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		line(".SS ratesim %s\n%s", roff(c.Use), roff(first(c.Long, c.Short)))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Hidden {
				return
			}
			value := ""
			if f.Value.Type() != "bool" {
				value = ` \fI` + roff(f.Value.Type()) + `\fR`
			}
			line(".TP\n\\fB\\-\\-%s\\fR%s\n%s", roff(f.Name), value, roff(f.Usage))
		})
		if c.Example != "" {
			line(".PP\n.nf\n%s\n.fi", roff(c.Example))
		}
	}
	line(".SH EXIT STATUS")
	for _, e := range [][2]string{
		{"0", "Done, and all that was expected holds."},
		{"1", "An expectation fails, or a limit was broken."},
		{"2", "The command, a file or a value is wrong."},
		{"3", "The machine failed: a full disk, a lost database."},
		{"130, 143", "Interrupted, after printing what was finished."},
	} {
		line(".TP\n%s\n%s", e[0], roff(e[1]))
	}
	line(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set, nothing is coloured.")
	_, err := io.WriteString(w, b.String())
	return err
}

// roff escapes what roff would take for its own.
func roff(s string) string {
	s = strings.ReplaceAll(s, `\`, `\e`)
	s = strings.ReplaceAll(s, "-", `\-`)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		switch {
		case l == "":
			lines[i] = ".PP"
		case l[0] == '.' || l[0] == '\'':
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
