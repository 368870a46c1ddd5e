package model

// Rand is a stream of random numbers (splitmix64) that is fixed by its key
// alone: the same on every machine. It is a value of 8 bytes; a stream for
// every job costs nothing.
type Rand struct{ state uint64 }

// Uint64 is the next number of the stream.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9E3779B97F4A7C15
	return mix(r.state)
}

// Float64 is uniform in the open interval (0, 1): the middles of 2^52 equal
// parts. With one bit more the half would not fit into a float64, and the
// highest part would round to 1, whose normal quantile is infinite.
func (r *Rand) Float64() float64 {
	return (float64(r.Uint64()>>12) + 0.5) * 0x1p-52
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// JobRand is the stream of one job: what belongs to a job hangs on seed, run
// and job id, so that settings can be compared on the same jobs whatever the
// order in which they start.
func JobRand(seed uint64, run int, job int64) Rand {
	return Rand{mix(mix(seed^0x6A09E667F3BCC908) + mix(uint64(run)+0xBB67AE8584CAA73B)*3 + uint64(job)*0xD1342543DE82EF95)}
}

// ActorRand is the stream of one actor: it hangs on seed, run and the actor's
// name, so that adding an actor leaves the draws of the others alone.
func ActorRand(seed uint64, run int, name string) Rand {
	h := uint64(0xCBF29CE484222325) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001B3
	}
	return Rand{mix(mix(seed^0x3C6EF372FE94F82B) + mix(uint64(run)+0xA54FF53A5F1D36F1)*3 + h)}
}
