package scenarios_test

import (
	"context"
	"testing"

	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim"
	"github.com/ratesim/ratesim/sim/measure"
)

func judged(t *testing.T, s *model.Scenario) (all []measure.Verdict, sum *measure.Summary) {
	t.Helper()
	seed := s.Seed
	if seed == 0 {
		seed = 1
	}
	runs, err := sim.Replicate(context.Background(), s, sim.Options{Seed: seed, Runs: s.Runs, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	sum = measure.Combine(s, runs)
	for _, e := range s.Expect {
		all = append(all, measure.Judge(e, sum))
	}
	return all, sum
}

// Every scenario that is shipped holds.
func TestShippedScenariosHold(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred scenarios take a minute under the race detector")
	}
	for _, info := range scenarios.List() {
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			all, err := scenarios.Find(info.Name)
			if err != nil || len(all) != 1 {
				t.Fatalf("%d scenarios, %v", len(all), err)
			}
			if len(all[0].Expect) == 0 {
				t.Error("it expects nothing")
			}
			if info.About == "" {
				t.Error("it does not say what it is about")
			}
			verdicts, sum := judged(t, all[0])
			for _, v := range verdicts {
				if v.Outcome != measure.Passed {
					t.Errorf("%s: want %s, got %v%s [%v, %v]: %s %s", v.Key, v.Want, v.Got, v.Word, v.Low, v.High, v.Outcome, v.Reason)
				}
			}
			if sum.Broken || sum.NeverDrains {
				t.Errorf("broken %v, never drains %v: %v", sum.Broken, sum.NeverDrains, sum.Warnings)
			}
		})
	}
}

// A test that can't fail is none: with a burst off by one the real queue's
// drains are missed.
func TestABurstOffByOneIsSeen(t *testing.T) {
	for _, name := range []string{"real-b-to-10-burst-2-dispatcher-1s-threads-3", "real-b-to-10-burst-3-dispatcher-1s-threads-3"} {
		all, err := scenarios.Find(name, scenarios.Set{Path: "limits.api.burst", Value: "4"})
		if err != nil {
			t.Fatal(err)
		}
		verdicts, _ := judged(t, all[0])
		if verdicts[0].Outcome != measure.Failed {
			t.Errorf("%s with burst 4: %s is %s", name, verdicts[0].Key, verdicts[0].Outcome)
		}
	}
}
