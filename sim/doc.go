// Package sim is how virtual time passes: it gives the actors of a scenario
// their turns, and runs replications side by side.
//
// # The loop
//
// A [Machine] has one entry in its agenda for each actor: when that actor wants
// its next turn. The loop takes the earliest, moves the time there, and lets
// the actor poll; the actor says when it wants to be asked again. That is all.
// There is no list of events to come, because nothing in a polling queue
// happens between polls but the end of a job, and its pool wants a turn for
// that. At one instant the actor with the lower rank goes first: arrivals, then
// the ends of jobs, then dispatchers, then workers.
//
// What an actor does in its turn is not decided here but in package solidqueue,
// and whether a job is over its limit in package gcra. So the simulation says
// what the real limiter does, not what a copy of it would do.
//
// # Same seed, same bytes
//
// What belongs to a job is drawn from the seed, the number of the replication
// and the job; what belongs to an actor from the seed, the replication and the
// actor's name. So a setting can be compared with another on the same draws,
// an added actor leaves the draws of the others alone, and how many
// replications run side by side changes nothing.
//
// # Short cuts
//
// Polls that find nothing are taken in one go, and the plainest scenarios run
// on a second engine that does a whole poll as a few sums. Neither may change
// an outcome: the tests run both ways, beside a plain queue of single rows, and
// want the same events.
package sim
