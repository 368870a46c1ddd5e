package gcra_test

import (
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// Ten a second, six of them at once: load the budget, ask, store what comes
// back.
func ExampleLimit_Check() {
	limit := gcra.Limit{To: 10, Per: time.Second, Burst: 6}
	var budget gcra.Budget // quiet
	now := gcra.Instant(0)

	passed := 0
	for range 8 {
		var ok bool
		if budget, ok = limit.Check(budget, now); ok {
			passed++
		}
	}
	fmt.Println(passed, "of 8 pass, the next in", limit.Earliest(budget).Sub(now))
	// Output: 6 of 8 pass, the next in 200ms
}

// Refused jobs are told to check again one interval apart, so that they do not
// come back together.
func ExampleLimit_Defer() {
	limit := gcra.Limit{To: 10, Per: time.Second, Burst: 6}
	budget, _ := limit.Pace().CheckN(gcra.Budget{}, 0, 6) // the burst is spent

	for range 3 {
		var at gcra.Instant
		budget, at, _ = limit.Defer(budget, 0)
		fmt.Println(time.Duration(at))
	}
	// Output:
	// 200ms
	// 400ms
	// 600ms
}

func ExampleLimit_Validate() {
	fmt.Println(gcra.Limit{To: 10, Per: time.Second, Burst: 11}.Validate())
	// Output: burst is 11, want at most to, which is 10
}

// The same numbers, and how many a window of a second can hold at worst.
func ExampleNewGate() {
	limit := gcra.Limit{To: 10, Per: time.Second, Burst: 6}
	for _, kind := range []string{"gcra", "token_bucket", "fixed_window"} {
		gate, err := gcra.NewGate(kind, limit)
		if err != nil {
			panic(err)
		}
		fmt.Println(kind, gate.MostInWindow(), gate.Promises())
	}
	// Output:
	// gcra 10 true
	// token_bucket 15 false
	// fixed_window 20 false
}
