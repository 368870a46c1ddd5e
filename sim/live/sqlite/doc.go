// Package sqlite is the queue on a real SQLite database, in Solid Queue's own
// tables: what package solidqueue's Tables are in memory, in transactions of
// one file that several processes share. The rules of the loops are not here;
// a [Session] is one actor's connection, and a solidqueue.Queue.
//
// Claim, check, deferral and the budget's row are one transaction, so that
// threads, processes and hosts keep a limit together. Datetimes are text to
// the microsecond, as Rails writes them: stored times round up, a clock that
// is read rounds down, so that rounding lets nothing pass early.
package sqlite
