package redis

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Server is the Redis of a run.
type Server struct {
	Where    string // its URL, the password left out, or what is embedded
	URL      string // "": it is embedded
	Version  string // "" of the embedded one
	Prefix   string // of all keys of the run
	options  goredis.Options
	embedded *miniredis.Miniredis
	keys     sync.Map // that commands named: what is to be taken away
	admin    *client  // for what no worker does
}

// Embedded is the name of the server that is part of this program.
const Embedded = "the embedded Redis (miniredis)"

// The oldest version that will do.
const oldestMajor, oldestMinor = 6, 2

// Open connects to the Redis at a URL, or starts the embedded one if there is
// none, and looks whether it will do.
func Open(ctx context.Context, url string) (*Server, error) {
	s := &Server{Where: Embedded, URL: url}
	if url == "" {
		s.embedded = miniredis.NewMiniRedis()
		s.embedded.ClockTTL(true) // keys expire as time passes
		s.options.Dialer = func(context.Context, string, string) (net.Conn, error) { return s.embedded.Dial() }
	} else {
		o, where, err := parse(url)
		if err != nil {
			return nil, err
		}
		s.options, s.Where = *o, where
	}
	return s, s.open(ctx)
}

func (s *Server) open(ctx context.Context) error {
	id := make([]byte, 6)
	_, _ = rand.Read(id) // it never fails
	s.Prefix = "ratesim:{" + hex.EncodeToString(id) + "}:"
	o := &s.options
	// A connection is one worker's: nothing is tried twice behind its back, and
	// nothing is sent but its commands.
	o.PoolSize, o.MaxRetries, o.DialerRetries = 1, -1, 1
	o.Protocol, o.DisableIdentity = 2, true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	o.PipelinePoolSize = -1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = 2*time.Second, 5*time.Second, 5*time.Second
	s.admin = s.connect()
	err := s.check(ctx)
	if err != nil {
		s.Close()
	}
	return err
}

// connect makes a connection of its own; it is opened by its first command.
func (s *Server) connect() *client {
	o := s.options
	return &client{server: s, redis: goredis.NewClient(&o)}
}

// Close ends what was opened. It takes no key away; see [Server.Clean].
func (s *Server) Close() {
	_ = s.admin.redis.Close()
	if s.embedded != nil {
		s.embedded.Close()
	}
}

// check refuses a server that would not do.
func (s *Server) check(ctx context.Context) error {
	if s.embedded != nil {
		return nil
	}
	text, err := s.admin.redis.Info(ctx).Result()
	if err != nil {
		return s.sorted(err)
	}
	info := fields(text)
	s.Version = info["redis_version"]
	switch {
	case info["role"] == "slave":
		return &Wrong{s.Where, "it is a replica, which takes no writes, want the primary"}
	case info["cluster_enabled"] == "1":
		return &Wrong{s.Where, "it is part of a cluster, want a single Redis"}
	case info["redis_mode"] == "sentinel":
		return &Wrong{s.Where, "it is a sentinel, which keeps no data, want the primary"}
	case info["loading"] == "1":
		return &Failure{s.Where, "Redis is still loading its data", nil}
	case s.Version != "" && tooOld(s.Version):
		return &Wrong{s.Where, fmt.Sprintf("Redis is %s, want %d.%d or later", s.Version, oldestMajor, oldestMinor)}
	}
	// Whether scripts and writes are allowed is seen before the run, not in it.
	key := s.key("probe")
	_, err = s.admin.eval(ctx, addScript, []string{key}, 1, 10)
	return s.sorted(err)
}

// fields are the lines of an INFO.
func fields(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			out[k] = v
		}
	}
	return out
}

func tooOld(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err == nil && err2 == nil && (major < oldestMajor || major == oldestMajor && minor < oldestMinor)
}

// key is a key of this run.
func (s *Server) key(parts ...string) string { return s.Prefix + strings.Join(parts, ":") }

// used notes keys that a command may have made.
func (s *Server) used(keys []string) {
	for _, k := range keys {
		if _, known := s.keys.Load(k); !known {
			s.keys.Store(k, nil)
		}
	}
}

// Clean takes the run's keys away, and no other.
func (s *Server) Clean(ctx context.Context) error {
	var keys []string
	var err error
	flush := func() {
		if len(keys) > 0 && err == nil {
			err = s.admin.redis.Unlink(ctx, keys...).Err()
		}
		keys = keys[:0]
	}
	s.keys.Range(func(k, _ any) bool {
		if keys = append(keys, k.(string)); len(keys) == 500 {
			flush()
		}
		return err == nil
	})
	flush()
	return s.sorted(err)
}
