package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
)

// readScenarios finds the scenarios that the arguments name. Mistakes of all of them are
// told at once, and what is wrong with a --set once, not once a scenario.
func readScenarios(a *app, args []string, sets []scenarios.Set) ([]*model.Scenario, error) {
	var all []*model.Scenario
	var mistakes scenarios.Errors
	seen := map[string]bool{}
	for _, arg := range args {
		read, unknown := scenarios.ReadPath, ""
		if _, err := os.Stat(arg); err != nil && !strings.ContainsAny(arg, `/\`) && filepath.Ext(arg) == "" {
			read, unknown = scenarios.Find, "there is no such file or folder, and "
		}
		found, err := read(arg, sets...)
		var own scenarios.Errors
		switch {
		case errors.As(err, &own):
		case err != nil:
			return nil, fileError(err)
		}
		for _, e := range own {
			if e.File == "" && unknown != "" {
				e.File, e.Msg = arg, unknown+e.Msg
			}
			if !seen[e.Error()] {
				mistakes = append(mistakes, e)
			}
			seen[e.Error()] = true
		}
		all = append(all, found...)
	}
	return all, a.mistakes(mistakes)
}

// shippedNames completes an argument that may name a shipped scenario.
func shippedNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, i := range scenarios.List() {
		names = append(names, i.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}
