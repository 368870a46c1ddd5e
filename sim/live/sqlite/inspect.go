package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Inspection is what a Solid Queue database shows at one instant.
type Inspection struct {
	Path      string
	At        time.Time
	Classes   []ClassSeen
	Processes []ProcessSeen
	Budgets   []BudgetSeen
	Missing   []string // tables of Solid Queue's that are not there
	// Exact is true when service times were measured from the claim, as
	// ratesim's own databases have it. Solid Queue does not keep when a job
	// started: then they are from due to finished, and hold the wait.
	Exact bool
}

// ClassSeen is the jobs of one class in one queue.
type ClassSeen struct {
	Class, Queue                                string
	Priority                                    int
	Ready, Scheduled, Claimed, Blocked, Failed  int
	Finished                                    int           // of the last ones that were looked at
	Oldest                                      time.Duration // of those that are ready or due, how long the first has waited
	Next                                        time.Duration // until the first scheduled one is due; 0: none is ahead
	PerSecond                                   float64       // arrivals, over the last jobs
	ServiceP50, ServiceP95, ServiceP10, Longest time.Duration
}

// ProcessSeen is a row of the processes table.
type ProcessSeen struct {
	Kind, Name, Host string
	Silent           time.Duration // since its last heartbeat
	Interval         time.Duration // its polling interval, 0 if it doesn't say
	Threads, Batch   int
}

// BudgetSeen is a budget of a rate limit.
type BudgetSeen struct {
	Key      string
	FullIn   time.Duration // until it is full again; 0: it is
	LastSlot time.Duration // until the last slot handed out; 0: past
}

// lookBack is how many of the last jobs tell about arrivals and service times.
const lookBack = 10_000

// Inspect looks at a database and changes nothing: it is opened for reading
// only, in one short transaction where somebody else may be writing, and as a
// file that can't change where nobody is.
func Inspect(ctx context.Context, path string, now time.Time) (*Inspection, error) {
	if err := isDatabase(path); err != nil {
		return nil, err
	}
	db, err := openToRead(path, alone(path))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, explain(path, err)
	}
	defer func() { _ = tx.Rollback() }() // it only read
	in := &inspector{ctx: ctx, tx: tx, out: &Inspection{Path: path, At: now}, classes: map[[2]string]*ClassSeen{}}
	if err := in.look(); err != nil {
		return nil, explain(path, err)
	}
	return in.out, nil
}

type inspector struct {
	ctx     context.Context
	tx      *sql.Tx
	out     *Inspection
	classes map[[2]string]*ClassSeen
	tables  map[string]bool
}

func (in *inspector) look() error {
	in.tables = map[string]bool{}
	var name string
	if err := in.each(`SELECT name FROM sqlite_schema WHERE type = 'table'`, nil, []any{&name}, func() error { in.tables[name] = true; return nil }); err != nil {
		return err
	}
	for _, want := range []string{"jobs", "ready_executions", "scheduled_executions", "claimed_executions", "blocked_executions", "failed_executions", "processes"} {
		if !in.tables["solid_queue_"+want] {
			in.out.Missing = append(in.out.Missing, "solid_queue_"+want)
		}
	}
	if !in.tables["solid_queue_jobs"] {
		return &Wrong{in.out.Path, "has no table solid_queue_jobs: it is no Solid Queue database"}
	}
	in.out.Exact = in.tables["ratesim_decisions"]
	for _, step := range []func() error{in.waiting, in.history, in.processes, in.budgets} {
		if err := step(); err != nil {
			return err
		}
	}
	slices.SortFunc(in.out.Classes, func(a, b ClassSeen) int {
		return strings.Compare(a.Class+"\x00"+a.Queue, b.Class+"\x00"+b.Queue)
	})
	return nil
}

func (in *inspector) each(query string, args, dest []any, f func() error) error {
	rows, err := in.tx.QueryContext(in.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (in *inspector) class(name, queue string) *ClassSeen {
	c := in.classes[[2]string{name, queue}]
	if c == nil {
		c = &ClassSeen{Class: name, Queue: queue}
		in.classes[[2]string{name, queue}] = c
	}
	return c
}

// waiting counts who waits where, and for how long.
func (in *inspector) waiting() error {
	var name, queue string
	var priority, n int
	var first sql.NullString
	for _, t := range []struct {
		table, time string
		into        func(c *ClassSeen) *int
	}{
		{"ready", "min(j.scheduled_at)", func(c *ClassSeen) *int { return &c.Ready }},
		{"scheduled", "min(e.scheduled_at)", func(c *ClassSeen) *int { return &c.Scheduled }},
		{"claimed", "min(e.created_at)", func(c *ClassSeen) *int { return &c.Claimed }},
		{"blocked", "min(e.created_at)", func(c *ClassSeen) *int { return &c.Blocked }},
		{"failed", "min(e.created_at)", func(c *ClassSeen) *int { return &c.Failed }},
	} {
		if !in.tables["solid_queue_"+t.table+"_executions"] {
			continue
		}
		err := in.each(`SELECT j.class_name, j.queue_name, min(j.priority), count(*), CAST(`+t.time+` AS text)
			FROM solid_queue_`+t.table+`_executions e JOIN solid_queue_jobs j ON j.id = e.job_id GROUP BY 1, 2`, nil,
			[]any{&name, &queue, &priority, &n, &first}, func() error {
				c := in.class(name, queue)
				c.Priority = priority
				*t.into(c) = n
				at, err := parseTime(first.String)
				if err != nil {
					return nil // a time that can't be read tells nothing
				}
				switch wait := in.out.At.Sub(at); {
				case t.table == "ready", t.table == "scheduled" && wait >= 0:
					c.Oldest = max(c.Oldest, wait)
				case t.table == "scheduled":
					c.Next = -wait
				}
				return nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// history reads the last jobs: how fast they came, and how long they took.
func (in *inspector) history() error {
	query := `SELECT j.class_name, j.queue_name, j.priority, CAST(j.created_at AS text), CAST(coalesce(j.scheduled_at, j.created_at) AS text), CAST(j.finished_at AS text), NULL FROM solid_queue_jobs j ORDER BY j.id DESC LIMIT ?`
	if in.out.Exact {
		query = `SELECT j.class_name, j.queue_name, j.priority, CAST(j.created_at AS text), CAST(coalesce(j.scheduled_at, j.created_at) AS text), CAST(j.finished_at AS text),
			(SELECT max(CAST(d.decided_at AS text)) FROM ratesim_decisions d WHERE d.job_id = j.id AND d.check_at IS NULL) FROM solid_queue_jobs j ORDER BY j.id DESC LIMIT ?`
	}
	type seen struct {
		came, took []time.Duration
	}
	all := map[*ClassSeen]*seen{}
	var name, queue, created, due string
	var priority int
	var finished, claimed sql.NullString
	err := in.each(query, []any{lookBack}, []any{&name, &queue, &priority, &created, &due, &finished, &claimed}, func() error {
		c := in.class(name, queue)
		c.Priority = priority
		s := all[c]
		if s == nil {
			s = &seen{}
			all[c] = s
		}
		if at, err := parseTime(created); err == nil {
			s.came = append(s.came, in.out.At.Sub(at))
		}
		begin := due
		if claimed.Valid {
			begin = claimed.String
		}
		from, err1 := parseTime(begin)
		to, err2 := parseTime(finished.String)
		if finished.Valid && err1 == nil && err2 == nil {
			c.Finished++
			s.took = append(s.took, max(to.Sub(from), 0))
		}
		return nil
	})
	for c, s := range all {
		if n := len(s.came); n > 1 {
			if span := (slices.Max(s.came) - slices.Min(s.came)).Seconds(); span > 0 {
				c.PerSecond = float64(n-1) / span
			}
		}
		if n := len(s.took); n > 0 {
			slices.Sort(s.took)
			c.ServiceP10, c.ServiceP50, c.ServiceP95, c.Longest = s.took[n/10], s.took[n/2], s.took[n*95/100], s.took[n-1]
		}
	}
	for _, c := range in.classes {
		in.out.Classes = append(in.out.Classes, *c)
	}
	return err
}

func (in *inspector) processes() error {
	if !in.tables["solid_queue_processes"] {
		return nil
	}
	var kind, name, beat string
	var host, meta sql.NullString
	return in.each(`SELECT kind, name, hostname, CAST(last_heartbeat_at AS text), metadata FROM solid_queue_processes ORDER BY id`, nil,
		[]any{&kind, &name, &host, &beat, &meta}, func() error {
			p := ProcessSeen{Kind: kind, Name: name, Host: host.String}
			if at, err := parseTime(beat); err == nil {
				p.Silent = in.out.At.Sub(at)
			}
			var m struct {
				Interval float64 `json:"polling_interval"`
				Threads  int     `json:"thread_pool_size"`
				Batch    int     `json:"batch_size"`
			}
			if json.Unmarshal([]byte(meta.String), &m) == nil && m.Interval >= 0 && m.Interval < 1e6 {
				p.Interval, p.Threads, p.Batch = time.Duration(m.Interval*float64(time.Second)), m.Threads, m.Batch
			}
			in.out.Processes = append(in.out.Processes, p)
			return nil
		})
}

// budgets reads what stands in the rate limits' table, if its columns are those
// that ratesim writes: other versions may call them otherwise.
func (in *inspector) budgets() error {
	if !in.tables["solid_queue_rate_limits"] {
		return nil
	}
	var column string
	known := 0
	if err := in.each(`SELECT name FROM pragma_table_info('solid_queue_rate_limits')`, nil, []any{&column}, func() error {
		if column == "theoretical_arrival_at" || column == "last_slot_at" {
			known++
		}
		return nil
	}); err != nil || known < 2 {
		return err
	}
	var key, tat, slot string
	return in.each(`SELECT key, CAST(theoretical_arrival_at AS text), CAST(last_slot_at AS text) FROM solid_queue_rate_limits ORDER BY key`, nil, []any{&key, &tat, &slot}, func() error {
		full, err1 := parseTime(tat)
		last, err2 := parseTime(slot)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("budget %s: %w", key, err)
		}
		in.out.Budgets = append(in.out.Budgets, BudgetSeen{key, max(full.Sub(in.out.At), 0), max(last.Sub(in.out.At), 0)})
		return nil
	})
}
