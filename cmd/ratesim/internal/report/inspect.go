package report

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// Inspected is what a queue's database shows.
type Inspected struct {
	Path      string             `json:"path"`
	Exact     bool               `json:"service_times_exact"`
	Missing   []string           `json:"missing_tables,omitempty"`
	Classes   []InspectedClass   `json:"classes"`
	Processes []InspectedProcess `json:"processes"`
	Budgets   []InspectedBudget  `json:"budgets"`
}

// InspectedClass is the jobs of one class in one queue. Times are seconds.
type InspectedClass struct {
	Class      string `json:"class"`
	Queue      string `json:"queue"`
	Priority   int    `json:"priority"`
	Ready      int    `json:"ready"`
	Scheduled  int    `json:"scheduled"`
	Claimed    int    `json:"claimed"`
	Blocked    int    `json:"blocked"`
	Failed     int    `json:"failed"`
	Finished   int    `json:"finished_seen"`
	Oldest     Num    `json:"oldest_waiting_s"`
	Next       Num    `json:"next_due_in_s"`
	PerSecond  Num    `json:"arrivals_per_s"`
	ServiceP50 Num    `json:"service_p50_s"`
	ServiceP95 Num    `json:"service_p95_s"`
}

// InspectedProcess is a row of the processes table.
type InspectedProcess struct {
	Kind     string        `json:"kind"`
	Name     string        `json:"name"`
	Host     string        `json:"host,omitempty"`
	Silent   Num           `json:"last_heartbeat_s_ago"`
	Interval Num           `json:"polling_interval_s,omitzero"`
	Threads  int           `json:"threads,omitempty"`
	Batch    int           `json:"batch_size,omitempty"`
	Ago      time.Duration `json:"-"`
}

// InspectedBudget is a budget of a rate limit.
type InspectedBudget struct {
	Key      string `json:"key"`
	FullIn   Num    `json:"full_in_s"`
	LastSlot Num    `json:"last_slot_in_s"`
}

// InspectText writes it for people.
func InspectText(w io.Writer, in *Inspected, width int, s Style) {
	prose := min(width, PlainWidth)
	waiting, oldest := 0, 0.0
	for _, c := range in.Classes {
		waiting += c.Ready + c.Scheduled
		oldest = max(oldest, float64(c.Oldest))
	}
	text := fmt.Sprintf("%s wait", Count(waiting, "job"))
	if waiting == 1 {
		text = "1 job waits"
	}
	if oldest > 0 {
		text += "; of those that are due the oldest has waited " + Length(seconds(oldest))
	}
	fmt.Fprintln(w, s.Bold(Fill(oneLine(in.Path)+": "+text+".", prose, 0)))
	for _, m := range in.Missing {
		fmt.Fprintln(w, Fill(s.Warn("warning:")+" there is no table "+m, prose, 0))
	}
	if len(in.Classes) > 0 {
		fmt.Fprintln(w)
		t := &Table{Indent: 2, Columns: []Column{{Head: "class"}, {Head: "queue", Drop: 4}, {Head: "ready", Right: true}, {Head: "scheduled", Right: true}, {Head: "claimed", Right: true, Drop: 2},
			{Head: "blocked", Right: true, Drop: 6}, {Head: "failed", Right: true, Drop: 5}, {Head: "arrive/s", Right: true, Drop: 1}, {Head: "took p50", Right: true}, {Head: "p95", Right: true, Drop: 3}}}
		for _, c := range in.Classes {
			p50, p95 := "", ""
			if c.Finished > 0 {
				p50, p95 = Length(seconds(float64(c.ServiceP50))), Length(seconds(float64(c.ServiceP95)))
			}
			t.Add(oneLine(c.Class), oneLine(c.Queue), strconv.Itoa(c.Ready), strconv.Itoa(c.Scheduled), strconv.Itoa(c.Claimed), strconv.Itoa(c.Blocked), strconv.Itoa(c.Failed),
				Digits(float64(c.PerSecond), 3), p50, p95)
		}
		t.Write(w, width, s)
		how := "took: from due to finished, the wait included, for Solid Queue does not keep when a job started"
		if in.Exact {
			how = "took: from claim to finished"
		}
		fmt.Fprintln(w, s.Dim("  "+Fill(how, prose-2, 2)))
	}
	if len(in.Processes) > 0 {
		fmt.Fprintf(w, "\n%s\n", s.Bold("Processes"))
		t := &Table{Indent: 2, Columns: []Column{{Head: "kind"}, {Head: "polls every", Right: true}, {Head: "threads", Right: true}, {Head: "batch", Right: true}, {Head: "last heartbeat", Right: true}, {Head: "host", Drop: 1}}}
		for _, p := range in.Processes {
			every, threads, batch := "", "", ""
			if p.Interval > 0 {
				every = Window(seconds(float64(p.Interval)))
			}
			if p.Threads > 0 {
				threads = strconv.Itoa(p.Threads)
			}
			if p.Batch > 0 {
				batch = strconv.Itoa(p.Batch)
			}
			t.Add(oneLine(p.Kind), every, threads, batch, Length(p.Ago.Round(time.Millisecond))+" ago", oneLine(p.Host))
		}
		t.Write(w, width, s)
	}
	if len(in.Budgets) > 0 {
		fmt.Fprintf(w, "\n%s\n", s.Bold("Budgets of rate limits"))
		t := &Table{Indent: 2, Columns: []Column{{Head: "key"}, {Head: "full again", Right: true}, {Head: "last slot", Right: true}}}
		later := func(v Num, zero string) string {
			if v <= 0 {
				return zero
			}
			return "in " + Length(seconds(float64(v)))
		}
		for _, b := range in.Budgets {
			t.Add(oneLine(b.Key), later(b.FullIn, "now"), later(b.LastSlot, "past"))
		}
		t.Write(w, width, s)
	}
}
