package sim

import (
	"testing"

	"github.com/ratesim/ratesim/gcra"
	"pgregory.net/rapid"
)

// The quick agenda names the same actor as the plain one, ties included.
func TestTournamentAgreesWithTheAgenda(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "actors")
		plain, quick := make(agenda, n), newTournament(n)
		for i := range plain {
			plain[i] = gcra.Never
		}
		for range rapid.IntRange(1, 200).Draw(t, "turns") {
			i, at := rapid.IntRange(0, n-1).Draw(t, "actor"), gcra.Instant(rapid.IntRange(0, 9).Draw(t, "at"))
			if at == 9 {
				at = gcra.Never
			}
			plain[i] = at
			quick.set(i, at)
			a, atA := plain.first()
			b, atB := quick.first()
			if atA != atB || a != b && atA != gcra.Never {
				t.Fatalf("%v: the agenda says %d at %v, the tournament %d at %v", plain, a, atA, b, atB)
			}
		}
	})
}
