// Package laravel is the queue of the PHP framework Laravel (12 and 13): its
// worker, its queues in memory and the throttles that jobs meet before they
// run. Facts are those of the framework's source; the throttle with reserved
// slots is that of the package Laravel Job Throttle, after its README.
//
// A [Worker] pops a job, asks the job's throttles from the outermost inwards,
// and runs the job or releases it; only a pop that finds nothing is followed by
// a sleep. A command to Redis is one turn, at the instant at which it arrives
// there: Redis serves one at a time, so what it decides, it decides in that
// order. The time between two commands is what the worker's own work and the
// wire cost.
//
// Two clocks are read. A worker counts in whole seconds of its own when it
// releases a job or looks for due ones, so a release by one second is one to
// the next whole second; a throttle with reserved slots asks Redis.
//
// All of it is in a [Site]: what the workers share. Instants inside count from a
// whole second of the clock; [Site.Origin] is where the run's time 0 lies.
package laravel
