package sqlite

import (
	"fmt"
	"time"

	"github.com/ratesim/ratesim/gcra"
)

// layout is a datetime as Rails stores it in SQLite. Such texts sort by time.
const layout = "2006-01-02 15:04:05.000000"

// clock turns instants of a run into datetimes and back. The origin is whole
// microseconds.
type clock struct{ origin time.Time }

func newClock(origin time.Time) clock { return clock{origin.UTC().Truncate(time.Microsecond)} }

// stamp is an instant as a datetime, rounded up to the microsecond: what is to
// happen then must not happen before.
func (c clock) stamp(at gcra.Instant) string {
	us := int64(at) / 1000
	if int64(at) > us*1000 {
		us++
	}
	return c.origin.Add(time.Duration(us) * time.Microsecond).Format(layout)
}

// instant reads a datetime back.
func (c clock) instant(text string) (gcra.Instant, error) {
	t, err := parseTime(text)
	if err != nil {
		return 0, err
	}
	return gcra.Instant(t.Sub(c.origin)), nil
}

// parseTime reads a datetime with or without decimals. The driver gives
// columns that are declared datetime as RFC 3339 when it scans them into text.
func parseTime(text string) (time.Time, error) {
	for _, l := range []string{"2006-01-02 15:04:05.999999999", time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(l, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no datetime", text)
}

// down is a reading of the clock as it is stored: whole microseconds, rounded
// down.
func down(at gcra.Instant) gcra.Instant {
	if r := at % 1000; r > 0 {
		return at - r
	} else if r < 0 {
		return at - r - 1000
	}
	return at
}
