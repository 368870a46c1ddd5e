package redis

import (
	"errors"
	"fmt"

	"github.com/ratesim/ratesim/model"
)

// Check says why a scenario can't be run in real time, or nil. Its sentence
// begins with the key.
func Check(s *model.Scenario) error {
	l := s.Laravel
	switch {
	case s.System != model.Laravel || l == nil:
		return fmt.Errorf("system: %s is not run on Redis, want %s", s.System, model.Laravel)
	case l.Connection.Driver != model.DriverRedis:
		return fmt.Errorf("connection.driver: %s is not run live, want %s", l.Connection.Driver, model.DriverRedis)
	case l.Connection.Cluster:
		return errors.New("connection.cluster: a Redis Cluster is not run live")
	case l.Ties != model.TiesUUID:
		return fmt.Errorf("rules.ties: %s is not run live, want %s: Redis orders the jobs of one second by their payloads", l.Ties, model.TiesUUID)
	case len(s.Workers) == 0:
		return fmt.Errorf("workers: there are none, so no job would ever run, want one")
	}
	for _, t := range l.Throttles {
		if t.DownFor > 0 {
			return fmt.Errorf("limits.%s.down: a real Redis is not taken away, want a run without it", t.Name)
		}
	}
	return nil
}
