package tune_test

import (
	"context"
	"testing"
	"time"

	"github.com/ratesim/ratesim/sim/tune"
)

// BenchmarkSuggest is the whole answer to the README's question.
func BenchmarkSuggest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tune.Suggest(context.Background(), ask(10, time.Second, time.Second, 100*time.Millisecond)); err != nil {
			b.Fatal(err)
		}
	}
}
