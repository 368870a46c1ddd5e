// Package measure turns the events of a run into numbers: a [Tally] watches
// one replication and gives its [Run], [Combine] makes the [Summary] of many
// with intervals and warnings, [Judge] holds an expectation against it. It
// knows package model only, so a simulation and a real queue are measured by
// the same code.
//
// Windows are half-open: a claim at a and one at a+per are not in the same
// window of length per. Sums run in a fixed order and no product is fused with
// a sum, so that a report has the same bytes on every processor.
package measure

import "math"

// Key is one number of a summary.
type Key int

// The keys, in the order in which they are printed.
const (
	Jobs Key = iota
	Claims
	Unfinished
	Lost
	MakespanS
	FinishedS
	DrainPerS
	AfterBurstPerS
	DeclaredPerS
	DrainRatio
	WindowMax
	AtOnce
	AtOncePeak
	ChecksPerJob
	Deferrals
	DeferralsPerJob
	ChecksMaxPerS
	WaitP50S
	WaitP95S
	WaitP99S
	WaitMaxS
	RunningMax
	RunningMean
	Overtaken
	ThreadBusyRatio
	DispatcherPolls
	WorkerPolls
	QueriesPerS
	PromotedMaxPerS
	Pops
	EmptyPops
	PopsPerJob
	PopsMax
	RoundTrips
	RoundTripsPerJob
	AttemptsMax
	InWorkerWaits
	TriesBurned
	FailedJobs
	Unlocked
	ProviderCalls
	ProviderRefused
	ProviderWasted
	ProviderWindowMax
	ProviderClosedMaxS
	NumKeys int = iota
)

// BoundByName is the one key that is a word and not a number; it belongs to
// the whole. See [BoundBy] for the words.
const BoundByName = "bound_by"

// Where a key has a meaning: [Info.Scope].
const (
	ScopeAny   = "any"   // the whole, every limit, every class
	ScopeLimit = "limit" // the jobs of a single limit
	ScopeWhole = "whole" // the whole only
)

// Info says what a key is.
type Info struct {
	Name  string
	Fact  bool   // not averaged: the value of the worst replication
	Least bool   // of a fact: the worst is the smallest
	Scope string // where it has a meaning: "any", "limit" (a single limit's jobs), "whole"
	About string // one line, with the unit
}

// Values are the keys of one scope in one replication; NaN: no meaning there.
type Values [NumKeys]float64

// Absent is the value of a key that has no meaning in a scope.
var Absent = math.NaN()

var infos = [NumKeys]Info{
	Jobs:            {"jobs", true, true, ScopeAny, "jobs that came"},
	Claims:          {"claims", true, true, ScopeAny, "jobs that were admitted"},
	Unfinished:      {"unfinished", true, false, ScopeAny, "jobs that came and had not ended when the run did, lost ones left out"},
	Lost:            {"lost", true, false, ScopeAny, "jobs that were refused and dropped"},
	MakespanS:       {"makespan_s", false, false, ScopeAny, "from time 0 to the last claim, seconds"},
	FinishedS:       {"finished_s", false, false, ScopeAny, "from time 0 to the last job's end, seconds"},
	DrainPerS:       {"drain_per_s", false, false, ScopeAny, "slope between the claim at 10 % and the claim at 90 % of all, jobs a second"},
	AfterBurstPerS:  {"after_burst_per_s", false, false, ScopeLimit, "(claims - burst) / (last claim - first claim), jobs a second"},
	DeclaredPerS:    {"declared_per_s", true, true, ScopeLimit, "the drain the limit allows, jobs a second"},
	DrainRatio:      {"drain_ratio", false, false, ScopeLimit, "drain_per_s / declared_per_s"},
	WindowMax:       {"window_max", true, false, ScopeLimit, "most claims in any half-open window of the limit's per"},
	AtOnce:          {"at_once", true, false, ScopeLimit, "what a quiet budget is promised at once, jobs"},
	AtOncePeak:      {"at_once_peak", true, false, ScopeAny, "most claims on one reading of the clock"},
	ChecksPerJob:    {"checks_per_job", false, false, ScopeAny, "looks at a job (claims, deferrals and drops) for each claim"},
	Deferrals:       {"deferrals", false, false, ScopeAny, "refusals after which the job waited on"},
	DeferralsPerJob: {"deferrals_per_job", false, false, ScopeAny, "deferrals for each claim"},
	ChecksMaxPerS:   {"checks_max_per_s", true, false, ScopeAny, "most looks in any half-open second"},
	WaitP50S:        {"wait_p50_s", false, false, ScopeAny, "median wait from enqueued, or due, to claimed, seconds"},
	WaitP95S:        {"wait_p95_s", false, false, ScopeAny, "95th percentile of the wait, seconds"},
	WaitP99S:        {"wait_p99_s", false, false, ScopeAny, "99th percentile of the wait, seconds"},
	WaitMaxS:        {"wait_max_s", true, false, ScopeAny, "longest wait, seconds"},
	RunningMax:      {"running_max", true, false, ScopeAny, "most jobs running at a time"},
	RunningMean:     {"running_mean", false, false, ScopeAny, "jobs running on average"},
	Overtaken:       {"overtaken", false, false, ScopeAny, "claims made before an older waiting job of the same budget"},
	ThreadBusyRatio: {"thread_busy_ratio", false, false, ScopeWhole, "share of the threads' time that jobs held them"},
	DispatcherPolls: {"dispatcher_polls", false, false, ScopeWhole, "polls of all dispatchers"},
	WorkerPolls:     {"worker_polls", false, false, ScopeWhole, "polls of all workers"},
	QueriesPerS:     {"queries_per_s", false, false, ScopeWhole, "statements a second, BEGIN and COMMIT left out"},
	PromotedMaxPerS: {"promoted_max_per_s", true, false, ScopeAny, "most jobs made ready by dispatchers in any half-open second"},

	Pops:               {"pops", false, false, ScopeWhole, "pops that found a job"},
	EmptyPops:          {"empty_pops", false, false, ScopeWhole, "pops that found none"},
	PopsPerJob:         {"pops_per_job", false, false, ScopeWhole, "pops for each job that came"},
	PopsMax:            {"pops_max", true, false, ScopeWhole, "most pops of one job"},
	RoundTrips:         {"round_trips", false, false, ScopeWhole, "commands that workers sent to the store and the throttles, a script is one"},
	RoundTripsPerJob:   {"round_trips_per_job", false, false, ScopeWhole, "round trips for each job that came"},
	AttemptsMax:        {"attempts_max", true, false, ScopeWhole, "most tries that one job was charged"},
	InWorkerWaits:      {"in_worker_waits", false, false, ScopeWhole, "waits of a job inside its worker, after which it asks again"},
	TriesBurned:        {"tries_burned", false, false, ScopeWhole, "tries that jobs were charged for waiting"},
	FailedJobs:         {"failed", true, false, ScopeWhole, "jobs that failed for good: by tries, a deadline or the longest wait"},
	Unlocked:           {"unlocked", true, false, ScopeWhole, "unique jobs that outlived their lock, so that a second one could be dispatched"},
	ProviderCalls:      {"provider_calls", false, false, ScopeWhole, "calls that reached the provider"},
	ProviderRefused:    {"provider_refused", false, false, ScopeWhole, "calls that it refused"},
	ProviderWasted:     {"provider_wasted_ratio", false, false, ScopeWhole, "share of the calls that it refused"},
	ProviderWindowMax:  {"provider_window_max", true, false, ScopeWhole, "most calls in any half-open window of the provider, by its clock"},
	ProviderClosedMaxS: {"provider_closed_max_s", true, false, ScopeWhole, "longest time in a row in which the provider refused every call"},
}

// Info says what the key is.
func (k Key) Info() Info { return infos[k] }

// String is the key's name.
func (k Key) String() string { return infos[k].Name }

// Lookup finds a key by its name.
func Lookup(name string) (Key, bool) {
	for k := range infos {
		if infos[k].Name == name {
			return Key(k), true
		}
	}
	return 0, false
}

// Names are the names of the numeric keys, in the order of printing.
func Names() []string {
	names := make([]string, NumKeys)
	for k := range infos {
		names[k] = infos[k].Name
	}
	return names
}
