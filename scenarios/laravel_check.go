package scenarios

import (
	"fmt"

	"github.com/ratesim/ratesim/model"
)

// checkLaravel finds what would wait for ever, or not do what it says.
func (r *reader) checkLaravel(s *model.Scenario) {
	p := s.Laravel
	if p.Connection.Driver != model.DriverRedis {
		connection := r.root.get("connection")
		for _, name := range []string{"block_for", "migration_batch_size", "cluster"} {
			if n := connection.get(name); n != nil {
				r.fail(n, "connection."+name, "only the redis driver has it, and this is %s", p.Connection.Driver)
			}
		}
	}
	if s.Until != 0 || !r.untilOK || !r.listsOK {
		return
	}
	if len(s.Workers) == 0 {
		r.fail(r.processNode("workers"), "workers", "there are none, so no job is ever popped, want a worker such as - {sleep: 1s}, or until: and a length")
		return
	}
	served := map[string]bool{}
	var names []string
	for _, w := range s.Workers {
		for _, q := range w.Queues {
			served[q] = true
			names = append(names, q)
		}
	}
	for i, c := range s.Classes {
		if served[c.Queue] {
			continue
		}
		at := r.classN[i]
		if q := at.get("queue"); q != nil {
			at = q
		}
		r.fail(at, fmt.Sprintf("jobs[%d].queue", i), "no worker serves %s, %s", quote(c.Queue), orNearest(c.Queue, names))
	}
}
