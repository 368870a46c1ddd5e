// Package tune finds the burst: a formula narrows the choice, simulation
// decides, fresh draws confirm.
//
// The drain of a backlog over the burst falls at both ends. With a small burst
// each dispatcher poll brings back jobs that meet a budget of at most burst,
// so polls hold the drain back; with a large one little of the limit is left
// to refill it. Between the two the drain first rises, then falls, and its
// share of what the burst declares only rises. So both the fastest burst and
// the smallest that keeps up are found by bracketing.
//
// Settings are compared on common random numbers: the same jobs, phases and
// periods, run by run. The draws that chose a burst favour it, so what is
// reported of it and of its neighbours comes from draws the search never saw.
package tune
