package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// Wrong is a Redis that can't or mustn't be used: the caller's mistake.
type Wrong struct{ Where, Msg string }

func (e *Wrong) Error() string { return e.Where + ": " + e.Msg }

// Failure is a Redis that failed us: not there, gone, out of memory.
type Failure struct {
	Where, Msg string
	err        error
}

func (e *Failure) Error() string { return e.Where + ": " + e.Msg }
func (e *Failure) Unwrap() error { return e.err }

// Lost is a run whose jobs, or some of them, are no longer in Redis, or are in
// one that does not come back.
type Lost struct {
	Where string
	Why   string // in words
	Jobs  int64  // that came and were not done
}

func (e *Lost) Error() string {
	jobs := fmt.Sprintf("%d jobs are", e.Jobs)
	if e.Jobs == 1 {
		jobs = "1 job is"
	}
	return fmt.Sprintf("%s: lost database: %s; %s lost", e.Where, e.Why, jobs)
}

// answered is true of an error that the server sent: it executed, or refused,
// the command. All others are those of the connection.
func answered(err error) bool {
	var reply goredis.Error
	return err == nil || errors.As(err, &reply)
}

// refusals are the answers that a run can do nothing about, and what is wrong.
var refusals = []struct{ begins, msg string }{
	{"WRONGPASS", "the user or the password is wrong"},
	{"NOAUTH", "it wants a password, want one in the URL, such as redis://:secret@localhost:6379"},
	{"ERR AUTH", "it has no password, and the URL gives one"},
	{"ERR DB index", "it has no database of that number"},
	{"NOPERM", "the user may not do what a queue needs"},
	{"READONLY", "it is a replica, which takes no writes, want the primary"},
	{"MOVED", "it is part of a cluster, want a single Redis"},
	{"CLUSTERDOWN", "it is part of a cluster, want a single Redis"},
	{"ERR unknown command", "it does not know a command that a queue needs"},
}

// sorted is an error of a command in the words of a user.
func (s *Server) sorted(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	text := err.Error()
	for _, r := range refusals {
		if strings.HasPrefix(text, r.begins) {
			return &Wrong{s.Where, r.msg}
		}
	}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return &Wrong{s.Where, fmt.Sprintf("there is no host %s", dns.Name)}
	case strings.HasPrefix(text, "redis: can't parse"), strings.HasPrefix(text, "redis: invalid reply"):
		return &Wrong{s.Where, "what answers there is no Redis"}
	case errors.As(err, &op):
		return &Failure{s.Where, "Redis can't be reached: " + op.Err.Error(), err}
	case !answered(err):
		return &Failure{s.Where, "Redis can't be reached: " + text, err}
	}
	return &Failure{s.Where, text, err}
}

// parse reads a URL. What is wrong is told without the password.
func parse(text string) (*goredis.Options, string, error) {
	const want = "want one such as redis://localhost:6379/0"
	u, err := url.Parse(text)
	if err != nil {
		return nil, "", &Wrong{"the address", "it is no URL, " + want}
	}
	if u.Scheme == "" || u.Host == "" && u.Scheme != "unix" {
		return nil, "", &Wrong{u.Redacted(), "it is no URL of a Redis, " + want}
	}
	o, err := goredis.ParseURL(text)
	if err != nil {
		return nil, "", &Wrong{u.Redacted(), strings.TrimPrefix(err.Error(), "redis: ") + ", " + want}
	}
	u.RawQuery = ""
	return o, u.Redacted(), nil
}
