package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/cmd/ratesim/internal/report"
	"github.com/ratesim/ratesim/cmd/ratesim/internal/tui"
	"github.com/ratesim/ratesim/model"
)

// screenFlags say how a screen looks: those of tui and of live --tui.
type screenFlags struct {
	symbols, colors choice
	noMouse         bool
	fps             count
}

func newScreen() screenFlags {
	return screenFlags{symbols: choice{value: "auto", among: tui.Symbols}, colors: choice{value: "auto", among: tui.Colors}, fps: count{N: 10, Least: 1, Most: 60}}
}

func (f *screenFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.Var(&f.symbols, "symbols", "what lines are drawn with")
	s.Var(&f.colors, "colors", "how many colours the terminal has")
	s.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal, to mark text")
	s.Var(&f.fps, "fps", "how often a replay moves, a second")
	complete(cmd, "symbols", tui.Symbols...)
	complete(cmd, "colors", tui.Colors...)
}

// options are the screen's, on this terminal.
func (f *screenFlags) options(a *app) tui.Options {
	o := tui.Options{Symbols: f.symbols.value, Colors: f.colors.value, NoMouse: f.noMouse, FPS: f.fps.N, In: a.in, Out: a.out.w}
	if !a.style().Color && o.Colors == "auto" {
		o.Colors = "none"
	}
	return o
}

// onTerminal is true where a screen can be shown: both ends are terminals.
func (a *app) onTerminal() bool {
	_, out := report.Terminal(a.out.w)
	_, in := report.Terminal(a.in)
	return in && out && os.Getenv("TERM") != "dumb"
}

// tuiFlags are the flags of tui as they were read.
type tuiFlags struct {
	screen     screenFlags
	runs, jobs count
	seed       *uint64
	sets       []string
	plain      bool
}

func newTUI(a *app) *cobra.Command {
	f := tuiFlags{screen: newScreen(), runs: count{Least: 1, Most: 10_000}, jobs: count{Least: 1, Most: 1024}}
	var seed uint64
	cmd := &cobra.Command{
		Use:   "tui [SCENARIO]",
		Short: "Turn a setting and watch the backlog's curve bend",
		Long: `A screen with the settings of a scenario on one side and a chart on the other.
Arrow keys choose a setting and turn it; the scenario runs again at once, in the
background. Five charts: waiting jobs over time, claims per window, waits, drain
over the burst, and drain by burst and dispatcher poll.

  c  holds a setting beside the current one, and shows how they differ
  s  takes the suggested burst     e  writes chart and setting to files
  r  replays the run in time       /  opens another scenario    ?  all keys

SCENARIO is a file or the name of a shipped one, webhooks if there is none. On
leaving, the report of the setting as it then is is printed, with the exit code
of ratesim run. Where there is no terminal that is all it does.`,
		Example: `  ratesim tui
  ratesim tui u02-burst-1
  ratesim tui webhooks --set dispatchers.polling_interval=0.5s
  ratesim tui webhooks --symbols ascii --no-color --no-mouse`,
		Args: atMost(1, "one SCENARIO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				f.seed = &seed
			}
			name := defaultScenario
			if len(args) > 0 {
				name = args[0]
			}
			return f.run(a, name)
		},
	}
	s := cmd.Flags()
	f.screen.add(cmd)
	s.Var(&f.runs, "runs", "replications (default: the file's, or as many as it takes)")
	s.Uint64Var(&seed, "seed", 0, "the same `N` draws the same (default: the file's, or 1)")
	s.VarP(&f.jobs, "jobs", "j", "how many replications run side by side (default: one a processor)")
	s.StringArrayVar(&f.sets, "set", nil, "change a value by its path: `KEY=VALUE`, such as limits.webhooks.burst=6")
	s.BoolVar(&f.plain, "no-tui", false, "print the report, as where there is no terminal")
	cmd.ValidArgsFunction = shippedNames
	return cmd
}

// defaultScenario is what people see who name none.
const defaultScenario = "webhooks"

func (f *tuiFlags) run(a *app, name string) error {
	sets, err := parseSets(f.sets)
	if err != nil {
		return err
	}
	s, err := readOne(a, name, sets)
	if err != nil {
		return err
	}
	if !f.plain && a.onTerminal() {
		l := newLab(f, name, sets)
		at, err := tui.Show(a.ctx, l, l.setting(name, s), f.screen.options(a))
		if errors.Is(err, tui.ErrLeft) {
			return interrupted{os.Interrupt}
		}
		if err != nil {
			return err
		}
		if s, err = l.scenario(at); err != nil {
			return usageError(err)
		}
	}
	return f.report(a, s)
}

// report prints what ratesim run prints of the scenario, and ends as it does.
func (f *tuiFlags) report(a *app, s *model.Scenario) error {
	r := runFlags{runs: f.runs, jobs: f.jobs, seed: f.seed}
	result, broken := r.all(a, []*model.Scenario{s}, nil)
	if len(result.Scenarios) > 0 || broken == nil {
		if err := result.Write(a.out, "text", report.Look{Width: a.width(), Style: a.style()}); err != nil {
			return err
		}
	}
	if broken == nil && !result.Passed() {
		return failed()
	}
	return broken
}
