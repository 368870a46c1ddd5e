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
	NumKeys int = iota
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
