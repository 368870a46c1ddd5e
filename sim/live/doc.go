// Package live is how real time passes: each actor of a scenario is a
// goroutine that sleeps until its next turn, reads the clock once and polls,
// and each running job is a goroutine that sleeps as long as the job takes. The
// dispatchers and workers are those of the simulation; the queue is a real one,
// in package sqlite.
//
// What happened is read from the database when it is over: every claim and
// deferral stands there with the instant that decided it, so that windows are
// judged by the clock that decided, in however many processes.
package live
