package measure

import (
	"math/rand/v2"
	"testing"
)

// TestWaitingRemovesRunsOfAnyLength compares the set with a plain one: runs
// within a word, across two and across many.
func TestWaitingRemovesRunsOfAnyLength(t *testing.T) {
	const jobs = 1000
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var w waiting
		w.add(1, jobs)
		waits := map[int64]bool{}
		for job := range int64(jobs) {
			waits[job+1] = true
		}
		for range 60 {
			n := 1 + r.IntN([]int{12, 64, 200}[r.IntN(3)])
			job := int64(1 + r.IntN(jobs-n+1))
			oldest := int64(1)
			for oldest <= jobs && !waits[oldest] {
				oldest++
			}
			if got, want := w.remove(job, n), oldest < job && oldest <= jobs; got != want {
				t.Fatalf("%d jobs from %d on, the oldest is %d: an older one waits %v", n, job, oldest, got)
			}
			for i := range int64(n) {
				delete(waits, job+i)
			}
			for id := range int64(jobs) {
				bit := w.words[(id+1-w.base)>>6]>>((id+1-w.base)&63)&1 == 1
				if bit != waits[id+1] {
					t.Fatalf("after %d jobs from %d on were removed, job %d waits: %v", n, job, id+1, bit)
				}
			}
		}
	}
}
