package measure

import "github.com/ratesim/ratesim/model"

// laravel fills in the keys that only a Laravel queue has, and those of what
// the jobs call.
func (t *Tally) laravel(r *Run, counts model.Counts) {
	v, l := &r.Whole, &counts.Laravel
	if t.scenario.Laravel != nil {
		v[Pops], v[EmptyPops] = float64(l.Pops), float64(l.EmptyPops)
		v[RoundTrips] = float64(l.RoundTrips)
		v[AttemptsMax], v[PopsMax] = float64(l.AttemptsMax), float64(l.PopsMax)
		v[FailedJobs], v[TriesBurned] = float64(l.Failed), float64(l.TriesBurned)
		v[InWorkerWaits] = float64(l.Holds)
		for i := range t.classes {
			if l := &t.classes[i].locks; l.holds > 0 {
				if !present(v[Unlocked]) {
					v[Unlocked] = 0
				}
				v[Unlocked] += float64(l.unlocked(counts.End))
			}
		}
		if v[Jobs] > 0 {
			v[PopsPerJob] = v[Pops] / v[Jobs]
			v[RoundTripsPerJob] = v[RoundTrips] / v[Jobs]
		}
		v[DispatcherPolls] = Absent
		for _, parts := range [][]Values{r.Limits, r.Classes} {
			for i := range parts {
				parts[i][PromotedMaxPerS] = Absent
			}
		}
		v[PromotedMaxPerS] = Absent
	}
	if t.scenario.Provider != nil {
		p := &counts.Provider
		v[ProviderCalls], v[ProviderRefused] = float64(p.Calls), float64(p.Refused)
		v[ProviderWindowMax], v[ProviderClosedMaxS] = float64(p.WindowMax), p.ClosedMax.Seconds()
		if p.Calls > 0 {
			v[ProviderWasted] = float64(p.Refused) / float64(p.Calls)
		}
	}
}
