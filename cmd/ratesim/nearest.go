package main

// nearest is the candidate closest to a misspelt name, or "" when none is
// close enough to be worth a guess: two slips, or one in a short name.
func nearest(name string, candidates []string) string {
	best, least := "", 3
	if len(name) <= 4 {
		least = 2
	}
	for _, c := range candidates {
		if d := slips(name, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// slips counts the letters inserted, left out, mistaken or swapped with their
// neighbour between two words.
func slips(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(prev[j]+cost, prev[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
