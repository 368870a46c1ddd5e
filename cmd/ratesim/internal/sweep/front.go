package sweep

// Goals are what a grid is weighed by: a quick drain, few at once, few
// statements.
var goals = []struct {
	key  string
	sign float64 // 1: less is better
}{{"drain_per_s", -1}, {"at_once", 1}, {"queries_per_s", 1}}

// beats is true when a is as good as b in every goal and better in one.
func beats(a, b Result) bool {
	better := false
	for _, g := range goals {
		x, ok1 := a.Summary[g.key]
		y, ok2 := b.Summary[g.key]
		if !ok1 || !ok2 {
			continue
		}
		switch d := g.sign * (x - y); {
		case d > 0:
			return false
		case d < 0:
			better = true
		}
	}
	return better
}

// Front are the results that no other beats: each gives up something for
// something.
func Front(all []Result) map[int]bool {
	front := map[int]bool{}
	for _, a := range all {
		best := true
		for _, b := range all {
			if beats(b, a) {
				best = false
				break
			}
		}
		if best {
			front[a.Cell] = true
		}
	}
	return front
}

// Near is how much slower than the fastest a drain may be to count as quick.
const Near = 0.05

// Best are the corners of the front: the fastest drain, and of those within 5 %
// of it, the one with the fewest at once and the one with the fewest
// statements. ok is false where nothing drains.
func Best(all []Result) (fastest, calmest, cheapest Result, ok bool) {
	for _, r := range all {
		if d, has := r.Summary["drain_per_s"]; has && (!ok || d > fastest.Summary["drain_per_s"]) {
			fastest, ok = r, true
		}
	}
	calmest, cheapest = fastest, fastest
	for _, r := range all {
		if d, has := r.Summary["drain_per_s"]; !has || d < (1-Near)*fastest.Summary["drain_per_s"] {
			continue
		}
		if r.Summary["at_once"] < calmest.Summary["at_once"] {
			calmest = r
		}
		if r.Summary["queries_per_s"] < cheapest.Summary["queries_per_s"] {
			cheapest = r
		}
	}
	return fastest, calmest, cheapest, ok
}
