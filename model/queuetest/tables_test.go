package queuetest_test

import (
	"testing"

	"github.com/ratesim/ratesim/gcra"
	"github.com/ratesim/ratesim/model"
	"github.com/ratesim/ratesim/model/queuetest"
	"github.com/ratesim/ratesim/model/solidqueue"
)

func TestTables(t *testing.T) {
	queuetest.Run(t, func(t *testing.T, s *model.Scenario) queuetest.Opened {
		tables := solidqueue.NewTables(s)
		if err := tables.Reset(1, 0, nil); err != nil {
			t.Fatal(err)
		}
		return queuetest.Opened{
			Queue: tables.Session("test"),
			Enqueue: func(class, n int, now gcra.Instant) error {
				tables.Enqueue(class, n, now)
				return nil
			},
		}
	})
}
