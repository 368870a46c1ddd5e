package model

import "time"

// Spread is how far apart two delays of one thing can be at most. It is false
// where there is no most: a delay that may be any length.
func (d Dist) Spread() (spread time.Duration, bounded bool) {
	if d.terms == nil {
		return 0, true
	}
	for _, t := range *d.terms {
		if p, ok := t.(perJobTerm); ok {
			t = p.term
		}
		switch t := t.(type) {
		case uniform:
			spread = addUpTo(spread, t.high-t.low)
		case *empirical:
			spread = addUpTo(spread, t.at(1)-t.at(0))
		default:
			return 0, false
		}
	}
	return spread, true
}
