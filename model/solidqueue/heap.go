package solidqueue

// before orders two elements of a heap.
type before[T any] interface {
	*T
	before(*T) bool
}

// push puts x into a binary heap.
func push[T any, P before[T]](h []T, x T) []T {
	h = append(h, x)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !P(&h[i]).before(&h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	return h
}

// pop takes the first element off a binary heap that is not empty.
func pop[T any, P before[T]](h []T) ([]T, T) {
	top, n := h[0], len(h)-1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && P(&h[c+1]).before(&h[c]) {
			c++
		}
		if !P(&h[c]).before(&h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	return h, top
}
