// Package gcra decides whether a job may pass a rate limit now, and when it
// may if not. It is all arithmetic: no clock, no lock, no I/O, no log, no
// random numbers. The caller loads what is remembered of a key, asks, and
// stores what comes back, so that a simulation, a test and a database
// transaction run the very same lines.
//
// # The promise
//
// A [Limit] says: never more than To admissions in any half-open window of
// length Per, wherever the window starts. That is what an API that counts
// calls over its last minute wants, and what a counter that is cleared every
// minute does not give: such a counter lets the end of one minute and the
// start of the next through together, twice the limit.
//
// # How it is kept
//
// GCRA, the generic cell rate algorithm, was made for cells in telephone
// networks. Think of it as a timetable: every admission books the next place,
// one interval on, and one instant is all that is remembered, the theoretical
// arrival time ([Budget].TAT) of the next admission if all came evenly spaced.
// A job may come earlier than its place by the tolerance, and no more.
//
// Burst is how many a quiet budget admits at once. It is the tolerance told as
// a number: each unit above 1 lets a job be one interval early. After the
// burst one job passes every interval, Per/(To-Burst+1), so that the burst and
// all that follow it within Per come to To. That is the whole price: a larger
// burst leaves less for afterwards, and a backlog drains more slowly. What the
// burst buys is slack. A waiting job comes back when a poll brings it back,
// late; with a burst of 1 that delay is lost, with a larger one the next job
// may be as much early.
//
// # Rounding
//
// Time is whole nanoseconds ([Instant]), never a float. What must be rounded
// is rounded later: an interval up to a whole microsecond, since databases
// store no less. Rounding down would let one job too many into some window.
// Additions stop at the ends of the range rather than wrap.
//
// # Waiting
//
// A refused job is told when to check again, by [Limit.Defer]. Each gets a slot
// of its own, one interval after the last, so that a thousand waiting jobs
// come back one by one. A slot reserves nothing.
//
// # The others
//
// Beside it stand the limiters people compare with, each a small type of the
// same shape ([Limiter]): [TokenBucket], [FixedWindow], [OpenedWindow],
// [SlidingLog], [SlidingCounter], [EvenSpacing]. Each says whether it keeps
// the promise, and how many a window can hold at worst.
//
// [Reserved] is of another kind: slots that are reserved, held against a sliding
// window, and pauses. [Places] counts jobs at a time; [SecondWindow] and [Hits]
// are the windows of Laravel's own throttles.
package gcra
