package sqlite

import (
	"database/sql"
	"errors"
	"net/url"
	"strconv"
	"time"

	driver "modernc.org/sqlite"
)

// This file alone knows the driver. Another one of database/sql is a change of
// these few functions.

// noWait makes a connection tell at once that it would have to wait: a session
// waits for the write lock by itself (see Session.begin).
const noWait = "PRAGMA busy_timeout = 0"

// open opens a file for writing, or creates it. Each connection has the
// pragmas that Rails sets but for the memory map: a file that somebody cuts
// short must be an error and not the end of the process.
func open(path string) (*sql.DB, error) {
	return sql.Open("sqlite", name(path, url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(" + strconv.Itoa(int(busyTimeout/time.Millisecond)) + ")", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)",
		"journal_size_limit(" + strconv.Itoa(64<<20) + ")", "cache_size(2000)",
	}}))
}

// openToRead opens a file in such a way that nothing of it is written. A file
// that no other process has open can't change while it is read, so it is taken
// for immutable: then not even a lock file appears beside it.
func openToRead(path string, alone bool) (*sql.DB, error) {
	v := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(" + strconv.Itoa(int(busyTimeout/time.Millisecond)) + ")", "query_only(1)"}}
	if alone {
		v.Set("immutable", "1")
	}
	return sql.Open("sqlite", name(path, v))
}

func name(path string, v url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: v.Encode()}).String()
}

// The results of SQLite that are told apart, without their details.
const (
	busyCode     = 5
	lockedCode   = 6
	readOnlyCode = 8
	ioErrCode    = 10
	corruptCode  = 11
	fullCode     = 13
	cantOpenCode = 14
	notADBCode   = 26
)

// code is SQLite's result, 0 if the error is not SQLite's.
func code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code() & 0xFF
	}
	return 0
}
