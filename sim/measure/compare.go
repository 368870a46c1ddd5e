package measure

// Difference is one key of two settings, replication by replication.
type Difference struct {
	A, B  Stat
	Delta Stat // of B - A, with the interval of the paired differences
}

// Shown is true when the data tell the two apart: the whole interval of the
// difference lies on one side of 0. It takes two pairs at least.
func (d Difference) Shown() bool {
	return d.Delta.N > 1 && (d.Delta.Low > 0 || d.Delta.High < 0)
}

// Compare pairs replication i of a with replication i of b, for a key that
// stands at p in the one scenario and at q in the other. On common random
// numbers, the same seeds, what chance did to both cancels out, so that the
// interval of the difference is far narrower than those of the two means. Pairs
// of which one has no value are left out, as is what one list has more than
// the other. Facts are compared by their means too: a worst case has no pair.
func Compare(a, b []*Run, p, q Place) Difference {
	n := min(len(a), len(b))
	left, right := Column(a[:n], p), Column(b[:n], q)
	deltas := make([]float64, n)
	for i := range deltas {
		deltas[i] = right[i] - left[i]
		if !present(deltas[i]) {
			left[i], right[i] = Absent, Absent
		}
	}
	return Difference{Mean(left), Mean(right), Mean(deltas)}
}
