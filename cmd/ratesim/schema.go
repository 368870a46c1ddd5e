package main

import (
	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/scenarios"
)

// schemas are the published schemas by name.
var schemas = map[string][]byte{
	"scenario": scenarios.Schema,
	"output":   report.Schema,
}

func newSchema(a *app) *cobra.Command {
	names := []string{"scenario", "output"}
	return &cobra.Command{
		Use:   "schema scenario|output",
		Short: "The JSON Schema of scenario files, or of what --json prints",
		Example: `  ratesim schema scenario > schema.json
  ratesim schema output`,
		ValidArgs: names,
		Args:      oneOf("schema", names),
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := a.out.Write(schemas[args[0]])
			return err
		},
	}
}
