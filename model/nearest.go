package model

import "strings"

// Nearest is the name a misspelt word was probably meant to be, "" if none is
// close: up to a third of its letters wrong, missing, added or swapped.
func Nearest(word string, names []string) string {
	best, least := "", len(word)/3+1
	if word == "" {
		return ""
	}
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return name
		}
		a, b := strings.ToLower(word), strings.ToLower(name)
		d := distance(a, b, least)
		if d > 1 && a[:1] != b[:min(1, len(b))] {
			continue // few get the first letter wrong and others too
		}
		if d <= least && (best == "" || d < least) {
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
