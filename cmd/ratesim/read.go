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

// parseSets reads the values of a flag such as --set.
func parseSets(texts []string) (sets []scenarios.Set, err error) {
	for _, text := range texts {
		set, err := scenarios.ParseSet(text)
		if err != nil {
			return nil, usageError(err)
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// isShipped is true for an argument that can only be a shipped scenario's name.
func isShipped(arg string) bool {
	_, err := os.Stat(arg)
	return err != nil && !strings.ContainsAny(arg, `/\`) && filepath.Ext(arg) == ""
}

// notThere begins the mistake of a name that is no shipped scenario's either.
const notThere = "there is no such file or folder, and "

// readOne is the one scenario that an argument names.
func readOne(a *app, name string, sets []scenarios.Set) (*model.Scenario, error) {
	all, err := readScenarios(a, []string{name}, sets)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, usagef("%s: holds %d scenarios, want one", name, len(all))
	}
	return all[0], nil
}

// readScenarios finds the scenarios that the arguments name. Mistakes of all of
// them are told at once, and what is wrong with a --set once, not once a
// scenario.
func readScenarios(a *app, args []string, sets []scenarios.Set) ([]*model.Scenario, error) {
	var all []*model.Scenario
	var mistakes scenarios.Errors
	seen := map[string]bool{}
	for _, arg := range args {
		read, unknown := scenarios.ReadPath, ""
		if isShipped(arg) {
			read, unknown = scenarios.Find, notThere
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
