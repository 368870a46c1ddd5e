package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
)

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Which ratesim this is, and what it was built from",
		Example: "  ratesim version\n  ratesim version --json",
		Args:    atMost(0, ""),
		RunE: func(*cobra.Command, []string) error {
			v := versionOf()
			if asJSON {
				return report.WriteJSON(a.out, v)
			}
			line := "ratesim " + v.Version
			if v.Commit != "" {
				line += " (" + v.Commit
				if v.Modified {
					line += ", changed since"
				}
				line += ")"
			}
			fmt.Fprintf(a.out, "%s, %s %s/%s\n", line, v.Go, v.OS, v.Arch)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	return cmd
}

// versionOf is what the Go tool wrote into the binary; a build outside a
// checkout or of uncommitted work has less to say.
func versionOf() report.Version {
	v := report.Version{SchemaVersion: report.SchemaVersion, Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
