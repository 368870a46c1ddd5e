package scenarios

import (
	"slices"
	"strings"

	"github.com/ratesim/ratesim/model"
)

// orNearest is the end of a sentence about an unknown word: the nearest name
// if there is one, else all of them.
func orNearest(word string, names []string) string {
	if near := model.Nearest(word, names); near != "" {
		return "did you mean " + near + "?"
	}
	names = slices.Clone(names)
	if n := len(names); n > 1 {
		names[n-2] += " or " + names[n-1]
		names = names[:n-1]
	}
	return "want " + strings.Join(names, ", ")
}
