package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/model"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Completion for bash, zsh, fish or powershell",
		Long: `Prints a script that teaches a shell to complete ratesim's commands, flags and
values. Load it once per shell, or put it where the shell looks for such files.`,
		Example: `  ratesim completion bash > ratesim.bash
  ratesim completion zsh > _ratesim
  ratesim completion fish > ratesim.fish`,
		ValidArgs: shells,
		Args:      oneOf("SHELL", shells),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			}
			return root.GenPowerShellCompletionWithDesc(a.out)
		},
	}
}

// oneOf wants exactly one argument out of a list.
func oneOf(what string, list []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		want := strings.Join(list, ", ")
		switch {
		case len(args) == 0:
			return usagef("%s: missing, want one of %s", what, want)
		case len(args) > 1:
			return usagef("%s: one argument too many, want one of %s", args[1], want)
		}
		for _, l := range list {
			if args[0] == l {
				return nil
			}
		}
		if n := model.Nearest(args[0], list); n != "" {
			return usagef("%s: not known, did you mean %s?", args[0], n)
		}
		return usagef("%s: not known, want one of %s", args[0], want)
	}
}

// complete gives a flag fixed values to offer.
func complete(cmd *cobra.Command, flag string, values ...string) {
	// The only error is a flag that does not exist, which every test would see.
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}
