package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// workerName is the hidden command that a worker process runs.
const workerName = "live-worker"

// workerCommand is how this program starts a worker of itself; the worker's
// number follows.
func workerCommand(path string, s *model.Scenario, f *liveFlags) []string {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return []string{
		self, workerName, "--db", path, "--seed", strconv.FormatUint(f.seed, 10), "--heartbeat", time.Duration(f.heartbeat).String(),
		"--data", filepath.Dir(s.File), "--number",
	}
}

// newLiveWorker is one worker in a process of its own. Its parent closes its
// standard input to end it, so that it ends with a parent that dies, too.
func newLiveWorker(a *app) *cobra.Command {
	var (
		db, data  string
		number    int
		seed      uint64
		heartbeat time.Duration
	)
	cmd := &cobra.Command{
		Use:    workerName,
		Short:  "One worker of ratesim live --processes",
		Hidden: true,
		Args:   atMost(0, ""),
		RunE: func(*cobra.Command, []string) error {
			// Ctrl-C reaches all processes of a terminal; the parent decides.
			signal.Ignore(os.Interrupt)
			meta, err := sqlite.ReadMeta(a.ctx, db)
			if err != nil {
				return liveError(err)
			}
			all, errs := scenarios.Read(db, meta.Scenario, scenarios.Options{Open: func(name string) ([]byte, error) {
				if !filepath.IsAbs(name) {
					name = filepath.Join(data, name)
				}
				return scenarios.ReadData(name)
			}})
			if len(errs) > 0 {
				return usageError(errs)
			}
			q, err := sqlite.Open(db, all[0], meta)
			if err != nil {
				return liveError(err)
			}
			ctx, stop := context.WithCancel(a.ctx)
			defer stop()
			go func() {
				_, _ = io.Copy(io.Discard, a.in) // its end is all that counts
				stop()
			}()
			delays, err := live.Work(ctx, q, all[0], number, live.Options{Seed: seed, Heartbeat: heartbeat, Shutdown: live.Shutdown})
			if closed := q.Close(); err == nil {
				err = closed
			}
			if err != nil {
				return liveError(err)
			}
			text, err := delays.JSON()
			if err == nil {
				_, err = a.out.Write(text)
			}
			return err
		},
	}
	s := cmd.Flags()
	s.StringVar(&db, "db", "", "the database")
	s.StringVar(&data, "data", "", "the folder of the scenario's data files")
	s.IntVar(&number, "number", 0, "which worker, from 0")
	s.Uint64Var(&seed, "seed", 1, "the run's")
	s.DurationVar(&heartbeat, "heartbeat", live.Heartbeat, "the time between two heartbeats")
	return cmd
}
