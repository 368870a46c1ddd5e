package solidqueue

import "github.com/ratesim/ratesim/gcra"

// Queue is what a dispatcher or a worker asks of the tables: one connection's
// view of them. Tables in memory and the SQLite queue both give one; a suite
// (package queuetest) holds them to the same behaviour.
//
// Each call is one transaction. In a simulation it may find the database's
// one write lock taken: it then changes nothing and says when to call again.
type Queue interface {
	// Dispatch makes up to batch scheduled jobs ready whose time is due or
	// past, in the order (time, priority, id). due was read before the
	// transaction began.
	Dispatch(due, now gcra.Instant, batch int) (Moved, error)
	// Claim looks at up to limit ready jobs in the order (priority, id), takes
	// those that are under their limit and defers the others.
	Claim(now gcra.Instant, limit int) (Batch, error)
}

// Moved is the outcome of a dispatch.
type Moved struct {
	Jobs int
	Done gcra.Instant // the commit: the rows are visible from here on
	Busy bool         // the write lock is taken; try again at Done
}

// Batch is the outcome of a claim.
type Batch struct {
	Claimed  []Run // to be started at Done; valid until the next call
	Jobs     int   // how many that are
	Deferred int   // sent away by their limit
	Dropped  int   // lost to it
	Done     gcra.Instant
	Busy     bool
}

// Run is n jobs of one class with consecutive ids.
type Run struct {
	Class int
	Job   int64
	N     int
	Start gcra.Instant // when a thread that holds them may start them; 0: at once
}
