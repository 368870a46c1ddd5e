package sim

import "github.com/ratesim/ratesim/gcra"

// tournament is an agenda for many actors: a tree in which each pair sends its
// earlier one up, so that changing one turn asks as many questions as the tree
// is high. Ties go to the lower rank, as in an [agenda].
type tournament struct {
	at     []gcra.Instant // by rank; past the last actor Never
	winner []int32        // winner[1] of all, the pair below node n is 2n and 2n+1
	leaves int
}

func newTournament(actors int) *tournament {
	leaves := 2
	for leaves < actors {
		leaves *= 2
	}
	t := &tournament{at: make([]gcra.Instant, leaves), winner: make([]int32, leaves), leaves: leaves}
	t.reset()
	return t
}

// reset gives nobody a turn.
func (t *tournament) reset() {
	for i := range t.at {
		t.at[i] = gcra.Never
	}
	for n := t.leaves - 1; n > 0; n-- {
		t.winner[n] = t.under(2 * n)
	}
}

// under is the winner below a node, which is an actor if the node is a leaf.
func (t *tournament) under(node int) int32 {
	if node >= t.leaves {
		return int32(node - t.leaves)
	}
	return t.winner[node]
}

// set gives an actor its next turn.
func (t *tournament) set(actor int, at gcra.Instant) {
	t.at[actor] = at
	n := (actor + t.leaves) / 2
	left := actor &^ 1
	best := int32(left)
	if t.at[left+1] < t.at[left] {
		best++
	}
	t.winner[n] = best
	for n > 1 {
		other := t.winner[n^1]
		switch a, b := t.at[best], t.at[other]; {
		case b < a, b == a && other < best:
			best = other
		}
		n /= 2
		t.winner[n] = best
	}
}

// first is the actor whose turn it is, and when.
func (t *tournament) first() (actor int, at gcra.Instant) {
	i := t.winner[1]
	return int(i), t.at[i]
}
