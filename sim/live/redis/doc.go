// Package redis runs a Laravel scenario on a real Redis in real time. Workers
// are goroutines with a connection each; they send the commands that Laravel's
// Redis queue and its throttles send, with the same keys and the same effects,
// in Lua of our own. Redis decides: the order in which it serves commands and
// its clock are the real ones, the rules are those of package laravel, which
// simulates them.
//
// Two clocks are read, as there. A worker counts in whole seconds of its own
// clock when it releases a job or looks for due ones; what a script admits
// carries the instant of Redis' clock, so that windows are judged by the clock
// that decided.
//
// All keys of a run begin with ratesim: and the run's id, and are taken away
// one by one when it ends. Nothing is ever flushed, and nobody else's key is
// looked at.
package redis
