package report

import (
	"fmt"
	"strings"
	"time"
)

// LiveRedis is what a run on Redis has besides.
type LiveRedis struct {
	Server   string // its URL, or what is embedded
	Version  string
	Embedded bool
	Prefix   string        // of the keys that were kept; "": none were
	Ahead    time.Duration // by how much its clock is ahead of ours

	Pops, EmptyPops, RoundTrips, Scripts int64
	Checks, Holds, Releases, Rewrites    int64
	TriesBurned, AttemptsMax, PopsMax    int64
	Killed, Troubles, Unthrottled, Again int64
	Dropped, Lost                        int64
	Windows                              []LiveWindow
}

// LiveWindow is the most starts that any window of a limit held: when they were
// let in, by the clock that decided, and when they began, by the workers'.
type LiveWindow struct {
	Limit           string
	To              int
	Per             time.Duration
	Admitted, Began int64
}

// text says what Redis saw.
func (r *LiveRedis) text(l *Live, say func(string), s Style) {
	where := r.Server
	if r.Version != "" {
		where += ", Redis " + r.Version
	}
	say("The queue: " + where + ".")
	per := ""
	if l.Jobs.Finished > 0 {
		per = fmt.Sprintf(", %s a job", Digits(float64(r.RoundTrips)/float64(l.Jobs.Finished), 3))
	}
	say(fmt.Sprintf("Workers: %d pops and %d empty ones, %s (%d scripts)%s; %d releases, %d of them at no try; %d waits inside a worker. At most %s and %s for one job.",
		r.Pops, r.EmptyPops, Count(int(r.RoundTrips), "round trip"), r.Scripts, per, r.Releases, r.Rewrites, r.Holds, Count(int(r.PopsMax), "pop"), countTries(r.AttemptsMax)))
	for _, w := range r.Windows {
		say(fmt.Sprintf("%s: at most %d let in within %s, of %d, by the clock that decided; %d began, by the workers' clock.", w.Limit, w.Admitted, Window(w.Per), w.To, w.Began))
	}
	j := l.Jobs
	jobs := []string{fmt.Sprintf("%d finished", j.Finished), fmt.Sprintf("%d failed", j.Failed)}
	for _, p := range []struct {
		n    int64
		word string
	}{{r.Dropped, "dropped"}, {j.Ready, "ready"}, {j.Scheduled, "delayed"}, {j.Claimed, "reserved"}, {r.Lost, "lost"}} {
		if p.n > 0 {
			jobs = append(jobs, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	say("Jobs: " + strings.Join(jobs, ", ") + ".")
	for _, p := range []struct {
		n    int64
		text string
	}{
		{r.Killed, "workers died with a job in hand"}, {r.Troubles, "commands found no Redis"},
		{r.Unthrottled, "jobs ran unthrottled, since their throttle had no Redis and fails open"},
		{r.Again, "jobs ran to their end twice, since Redis did not hear of the first"},
	} {
		if p.n > 0 {
			say(s.Warn(fmt.Sprintf("%d %s.", p.n, p.text)))
		}
	}
	if r.Ahead != 0 {
		say(fmt.Sprintf("The clock of Redis is %s ahead of the workers'.", Length(r.Ahead)))
	}
	if r.Prefix != "" {
		say("The keys are kept; they begin with " + r.Prefix)
	}
}

func countTries(n int64) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}

type liveRedisJSON struct {
	Server      string           `json:"server"`
	Version     string           `json:"version,omitempty"`
	Embedded    bool             `json:"embedded"`
	Prefix      string           `json:"kept_prefix,omitempty"`
	AheadS      Num              `json:"clock_ahead_s"`
	Pops        int64            `json:"pops"`
	EmptyPops   int64            `json:"empty_pops"`
	RoundTrips  int64            `json:"round_trips"`
	Scripts     int64            `json:"scripts"`
	Checks      int64            `json:"checks"`
	Holds       int64            `json:"holds"`
	Releases    int64            `json:"releases"`
	Rewrites    int64            `json:"rewrites"`
	TriesBurned int64            `json:"tries_burned"`
	AttemptsMax int64            `json:"attempts_max"`
	PopsMax     int64            `json:"pops_max"`
	Killed      int64            `json:"workers_killed"`
	Troubles    int64            `json:"commands_without_redis"`
	Unthrottled int64            `json:"jobs_unthrottled"`
	Again       int64            `json:"jobs_run_again"`
	Dropped     int64            `json:"jobs_dropped"`
	Lost        int64            `json:"jobs_lost"`
	Windows     []liveWindowJSON `json:"windows"`
}

type liveWindowJSON struct {
	Limit    string `json:"limit"`
	To       int    `json:"to"`
	PerS     Num    `json:"per_s"`
	Admitted int64  `json:"admitted_max"`
	Began    int64  `json:"began_max"`
}

func (r *LiveRedis) json() *liveRedisJSON {
	out := &liveRedisJSON{
		Server: r.Server, Version: r.Version, Embedded: r.Embedded, Prefix: r.Prefix, AheadS: Seconds(r.Ahead),
		Pops: r.Pops, EmptyPops: r.EmptyPops, RoundTrips: r.RoundTrips, Scripts: r.Scripts, Checks: r.Checks, Holds: r.Holds,
		Releases: r.Releases, Rewrites: r.Rewrites, TriesBurned: r.TriesBurned, AttemptsMax: r.AttemptsMax, PopsMax: r.PopsMax,
		Killed: r.Killed, Troubles: r.Troubles, Unthrottled: r.Unthrottled, Again: r.Again, Dropped: r.Dropped, Lost: r.Lost,
		Windows: []liveWindowJSON{},
	}
	for _, w := range r.Windows {
		out.Windows = append(out.Windows, liveWindowJSON{w.Limit, w.To, Seconds(w.Per), w.Admitted, w.Began})
	}
	return out
}
