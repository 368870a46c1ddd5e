// Package solidqueue is Rails' Solid Queue with a rate limit checked at the
// claim: its dispatcher, its worker and its tables, in memory.
//
// A job that a worker claims over its limit becomes a scheduled job, to be
// checked again at its slot. A [Dispatcher] polls for scheduled jobs that are
// due and makes them ready; a [Worker] polls for ready ones and claims as many
// as it has idle threads. So a deferred job is late by the wait for both polls,
// and by what their transactions take: that lateness is what a burst has to
// make up for.
//
// [Dispatcher] and [Worker] hold the rules of the loops and know their tables
// only as a [Queue]. [Tables] are one in virtual time; a [Session] is one
// actor's connection to them, and draws what its transactions cost.
package solidqueue
