package model

import (
	"errors"
	"time"
)

// ParseDuration reads a length as Go writes it ("1m30s") or as Rails does ("2
// minutes", "1.minute"). A bare number is an error that shows the unit to add.
func ParseDuration(s string) (time.Duration, error) { return 0, errors.New("not written") }

// ParseRate reads a rate such as "5/s", "100/min", "300/h" or "2000/day" as a
// number of jobs in a length of time.
func ParseRate(s string) (n float64, per time.Duration, err error) {
	return 0, 0, errors.New("not written")
}
