package measure

import "math/bits"

// subBits is the base-2 logarithm of the number of buckets an octave: with 256
// of them a bucket is at most 1/256 of its values wide, so its midpoint is at
// most 1/512 = 0.195 % off any of them.
const subBits = 8

// Histogram counts lengths of time in log-linear buckets. Its percentiles are
// at most 0.2 % off the exact ones; below 512 ns they are exact, and so is
// [Histogram.Max]. Think of it as a sorted list of a million waits in a few
// kilobytes, where adding one takes a nanosecond. The zero value is empty.
type Histogram struct {
	counts  []int64
	low     int // the lowest bucket in use; low > high: none
	high    int
	n       int64
	longest int64
}

// bucket is where a value lies: itself below 2^(subBits+1), so that buckets
// there hold one value each; above, 2^subBits to an octave.
func bucket(ns int64) int {
	shift := bits.Len64(uint64(ns)|1<<subBits) - subBits - 1
	return shift<<subBits + int(ns>>shift)
}

// middle is the middle of a bucket, rounded down: its one value, if it has one.
func middle(bucket int) int64 {
	shift := max(bucket>>subBits-1, 0)
	from := int64(bucket-shift<<subBits) << shift
	return from + (int64(1)<<shift-1)>>1
}

// Add counts n waits of ns nanoseconds. A negative length, which two clocks
// that disagree can give, counts as none.
func (h *Histogram) Add(ns, n int64) {
	if n <= 0 {
		return
	}
	ns = max(ns, 0)
	b := bucket(ns)
	if b >= len(h.counts) {
		h.grow(b)
	}
	if h.n == 0 {
		h.low, h.high = b, b
	}
	h.low, h.high = min(h.low, b), max(h.high, b)
	h.counts[b] += n
	h.n += n
	h.longest = max(h.longest, ns)
}

// grow makes room for bucket b, by whole octaves so that it happens seldom.
func (h *Histogram) grow(b int) {
	more := (b>>subBits+1)<<subBits - len(h.counts)
	h.counts = append(h.counts, make([]int64, more)...)
}

// Merge adds all that o counted. Buckets are fixed, so nothing is lost.
func (h *Histogram) Merge(o *Histogram) {
	if o.n == 0 {
		return
	}
	if o.high >= len(h.counts) {
		h.grow(o.high)
	}
	if h.n == 0 {
		h.low, h.high = o.low, o.high
	}
	h.low, h.high = min(h.low, o.low), max(h.high, o.high)
	for b := o.low; b <= o.high; b++ {
		h.counts[b] += o.counts[b]
	}
	h.n += o.n
	h.longest = max(h.longest, o.longest)
}

// N is how many waits were counted.
func (h *Histogram) N() int64 { return h.n }

// Max is the longest wait in nanoseconds, exact.
func (h *Histogram) Max() int64 { return h.longest }

// Percentile is the wait in nanoseconds that p percent of the waits, rounded
// up to a whole wait, do not exceed (the nearest rank), at most 0.2 % off; p
// is 1 to 100. Of nothing it is 0.
func (h *Histogram) Percentile(p int) int64 {
	rank := (h.n/100)*int64(p) + (h.n%100*int64(p)+99)/100
	if h.n == 0 || rank >= h.n {
		return h.longest
	}
	for b := h.low; b <= h.high; b++ {
		if rank -= h.counts[b]; rank <= 0 {
			return min(middle(b), h.longest)
		}
	}
	return h.longest
}

// Reset empties the histogram and keeps its memory.
func (h *Histogram) Reset() {
	if h.n > 0 {
		clear(h.counts[h.low : h.high+1])
	}
	h.n, h.longest = 0, 0
}
