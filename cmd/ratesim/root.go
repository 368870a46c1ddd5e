package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/model"
)

// newRoot is the command line. Each command is in the file of its name.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "ratesim",
		Short: "Which burst lets a rate-limited backlog drain, and what it costs",
		Long: `ratesim tunes rate-limited job queues. A limit of "to jobs per time" with a
burst promises two things: never more than "to" in any window, and a pace at
which a backlog drains. ratesim says what a setting promises, whether a record
of starts kept it, and which setting to take.`,
		Example: `  ratesim suggest --to 10 --per 1s --poll 1s,0.1s
  ratesim run webhooks
  ratesim plot webhooks --out drain.svg
  ratesim explain --to 10 --per 1s --burst 6
  ratesim audit --to 100 --per 1min starts.csv`,
		Version:       versionOf().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Nothing was asked: an empty variable in a script must not pass.
			cmd.SetOut(a.errOut)
			if err := cmd.Help(); err != nil {
				return err
			}
			return &exitError{code: codeUsage}
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetOut(a.out)
	root.SetErr(a.errOut)
	root.SetVersionTemplate("ratesim {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// A flag of a misspelt command is none of the root's: the word is wrong.
		if word := firstWord(a.args); !cmd.HasParent() && word != "" && child(cmd, word) == nil {
			return unknownCommand(cmd, word)
		}
		if word := firstWord(a.args); !cmd.HasParent() && word == "" && !errors.Is(err, pflag.ErrHelp) {
			return usagef("%s: no command before it, want for example ratesim suggest --to 10 --per 1s", a.args[0])
		}
		return flagError(cmd, err)
	})
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", report.PlainWidth)))
	root.PersistentFlags().BoolVar(&a.noColor, "no-color", false, "no colour, as with NO_COLOR set")
	root.AddCommand(newSuggest(a), newRun(a), newLive(a), newLiveWorker(a), newImport(a), newCompare(a), newPlot(a), newTUI(a), newSweep(a), newMerge(a), newExplain(a), newAudit(a), newSchema(a), newVersion(a), newCompletion(a), newMan(a))
	root.SetHelpCommand(newHelp(root))
	return root
}

// newHelp is cobra's help command, except that a topic it does not know is an
// error.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help for a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd := root
			for _, name := range args {
				next := child(cmd, name)
				if next == nil {
					return unknownCommand(cmd, name)
				}
				cmd = next
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// firstWord is the first argument if it is no flag.
func firstWord(args []string) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return ""
	}
	return args[0]
}

func child(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

func unknownCommand(cmd *cobra.Command, name string) error {
	names := commandNames(cmd)
	if n := model.Nearest(name, names); n != "" {
		return usagef("%s: no such command, did you mean %s?", name, n)
	}
	return usagef("%s: no such command, want one of %s", name, strings.Join(names, ", "))
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError says in one line, beginning with the flag, what pflag found wrong.
func flagError(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &missing):
		if short := missing.GetSpecifiedShortnames(); short != "" {
			return usagef("-%s: no such flag, see %s --help", missing.GetSpecifiedName(), cmd.CommandPath())
		}
		name := missing.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if n := model.Nearest(name, names); n != "" {
			return usagef("--%s: no such flag, did you mean --%s?", name, n)
		}
		return usagef("--%s: no such flag, see %s --help", name, cmd.CommandPath())
	case errors.As(err, &bare):
		want := article(bare.GetFlag().Value.Type())
		if name, _ := pflag.UnquoteUsage(bare.GetFlag()); want == "a value" && name != "" {
			want = name
		}
		return usagef("--%s: no value, want %s", bare.GetFlag().Name, want)
	case errors.As(err, &bad):
		msg := errors.Unwrap(bad).Error()
		switch bad.GetFlag().Value.Type() {
		case "bool":
			msg = fmt.Sprintf("%q is neither true nor false", bad.GetValue())
		case "uint64":
			msg = fmt.Sprintf("%q is no whole number of 0 or more", bad.GetValue())
		case "float64":
			msg = fmt.Sprintf("%q is no number", bad.GetValue())
		}
		return usagef("--%s: %s", bad.GetFlag().Name, msg)
	case errors.As(err, &syntax):
		return usagef("%s: not a flag, want --name or --name=value", syntax.GetSpecifiedFlag())
	}
	return usagef("%s", oneLine(err.Error()))
}

// require insists on flags that have no default. The example says what one
// looks like.
func require(cmd *cobra.Command, nameAndExample ...string) error {
	for i := 0; i < len(nameAndExample); i += 2 {
		name, example := nameAndExample[i], nameAndExample[i+1]
		if !cmd.Flags().Changed(name) {
			return usagef("--%s: missing, want for example --%s %s", name, name, example)
		}
	}
	return nil
}

// atMost refuses arguments beyond n; what says what they would have been.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		if n == 0 {
			return usagef("%s: %s takes no arguments, only flags", args[0], cmd.Name())
		}
		return usagef("%s: one argument too many, want %s", args[n], what)
	}
}
