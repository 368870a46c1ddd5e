package plots

import "slices"

// columns is about how many places a picture has side by side: more points than
// a few for each can't be told apart, and make files of many megabytes.
const columns = 1200

// reduced is a series with a few points for each column of a picture: the
// first, the least, the greatest and the last, so that no spike is lost. A band
// keeps its least and its most.
func (s *Series) reduced() *Series {
	n := len(s.X)
	if n <= 4*columns {
		return s
	}
	low, high := s.X[0], s.X[n-1]
	if !(high > low) {
		return s
	}
	out := &Series{Name: s.Name, Step: s.Step, Points: s.Points, Thin: s.Thin}
	place := func(i int) int { return int((s.X[i] - low) / (high - low) * (columns - 1)) }
	for i := 0; i < n; {
		j := i + 1
		for j < n && place(j) == place(i) {
			j++
		}
		least, most := i, i
		for k := i; k < j; k++ {
			if s.Y[k] < s.Y[least] {
				least = k
			}
			if s.Y[k] > s.Y[most] {
				most = k
			}
		}
		keep := []int{i, least, most, j - 1}
		slices.Sort(keep)
		for _, k := range slices.Compact(keep) {
			out.X, out.Y = append(out.X, s.X[k]), append(out.Y, s.Y[k])
			if s.Low != nil {
				out.Low, out.High = append(out.Low, slices.Min(s.Low[i:j])), append(out.High, slices.Max(s.High[i:j]))
			}
		}
		i = j
	}
	return out
}
