// Command ratesim says which burst lets a backlog drain at the rate a limit
// declares, and what that costs: by formula, by simulation, and on a real queue.
package main

import "os"

func main() {
	ctx, stop := onSignal()
	defer stop()
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Stdin, os.Args[1:]))
}
