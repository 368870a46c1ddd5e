package measure

import (
	"math/bits"
	"slices"
)

// waiting is the set of the jobs of one budget that came and were neither
// claimed nor dropped: a bit for each id, so that a run of jobs is a few words.
type waiting struct {
	words  []uint64
	base   int64 // the id of the first bit, a multiple of 64
	oldest int   // no word before this one has a bit set
}

// add puts n jobs of consecutive ids into the set.
func (w *waiting) add(job int64, n int) {
	if n <= 0 {
		return
	}
	if len(w.words) == 0 {
		w.base, w.oldest = job&^63, 0
	}
	if job < w.base {
		// Ids rise, so this happens only when two writers' events cross.
		more := (w.base - job + 63) / 64
		w.words = slices.Insert(w.words, 0, make([]uint64, more)...)
		w.base -= more * 64
		w.oldest = 0
	}
	from := int(job - w.base)
	if need := (from+n-1)>>6 + 1 - len(w.words); need > 0 {
		w.words = append(w.words, make([]uint64, need)...)
	}
	w.oldest = min(w.oldest, from>>6)
	i, last := from>>6, (from+n-1)>>6
	mask := ^uint64(0) << (from & 63)
	for ; i < last; i++ {
		w.words[i] |= mask
		mask = ^uint64(0)
	}
	w.words[i] |= mask & (^uint64(0) >> (63 - (from+n-1)&63))
}

// remove takes n jobs of consecutive ids out, first to last, and says whether
// an older job than these was waiting.
func (w *waiting) remove(job int64, n int) (older bool) {
	for w.oldest < len(w.words) && w.words[w.oldest] == 0 {
		w.oldest++
	}
	if w.oldest == len(w.words) {
		return false
	}
	from, to := job-w.base, job-w.base+int64(n) // to: the first that stays
	older = int64(w.oldest)<<6+int64(bits.TrailingZeros64(w.words[w.oldest])) < from
	from, to = max(from, 0), min(to, int64(len(w.words))<<6)
	if from >= to {
		return older
	}
	i, last := from>>6, (to-1)>>6
	mask, end := ^uint64(0)<<(from&63), ^uint64(0)>>(63-(to-1)&63)
	if last-i <= 1 {
		// A word or two, with no branch on which: it would be guessed wrong often.
		w.words[last] &^= end & (mask | -uint64(last-i))
		w.words[i] &^= mask & (end | -uint64(last-i))
		return older
	}
	for ; i < last; i++ {
		w.words[i] &^= mask
		mask = ^uint64(0)
	}
	w.words[i] &^= end
	return older
}

func (w *waiting) reset() { w.words, w.oldest = w.words[:0], 0 }
