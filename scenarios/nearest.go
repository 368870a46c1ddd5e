package scenarios

import (
	"slices"
	"strings"
)

// nearest is the name a misspelt word was probably meant to be, "" if none is
// close: up to a third of its letters wrong, missing, added or swapped.
func nearest(word string, names []string) string {
	best, least := "", len(word)/3+1
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return name
		}
		if d := distance(strings.ToLower(word), strings.ToLower(name), least); d <= least && (best == "" || d < least) {
			best, least = name, d
		}
	}
	return best
}

// distance counts single letters to change, add, drop or swap with the next.
// Names are short; words that can't be within most are not looked at.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > 100 {
		return most + 1
	}
	row, last, before := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// orNearest is the end of a sentence about an unknown word: the nearest name
// if there is one, else all of them.
func orNearest(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return "did you mean " + near + "?"
	}
	names = slices.Clone(names)
	if n := len(names); n > 1 {
		names[n-2] += " or " + names[n-1]
		names = names[:n-1]
	}
	return "want " + strings.Join(names, ", ")
}
