package scenarios

import (
	"time"

	"github.com/ratesim/ratesim/model"
)

// DefaultLaravelTiming is what `timing: default` means for Laravel: what fits
// the benchmark table that Laravel Job Throttle publishes, six rows with one
// set of costs, on a machine with ten cores and Redis beside the workers. A wait
// inside a job must have some chance in it: workers that all woke at one moment
// would ask in the same order every time, and the last of them would starve.
func DefaultLaravelTiming() model.LaravelTiming {
	return model.LaravelTiming{
		Wire:          dist("15us"),
		Redis:         dist("8us"),
		CommandCPU:    dist("30us"),
		JobCPU:        dist("90us"),
		Cores:         10,
		Overshoot:     dist("exp(8ms)"),
		WaitOvershoot: dist("2ms + exp(1ms)"),
		Boot:          dist("500ms"),
		BootSpread:    50 * time.Millisecond,
		RandomPhase:   true,
	}
}

// DefaultLaravel is a Laravel queue of which nothing is said.
func DefaultLaravel() *model.LaravelParts {
	return &model.LaravelParts{
		Connection: DefaultConnection(), Timing: DefaultLaravelTiming(),
		Ties: model.TiesUUID, Polls: model.PollsNone,
	}
}

// DefaultConnection is what the framework's own config/queue.php says.
func DefaultConnection() model.Connection {
	return model.Connection{Driver: model.DriverRedis, RetryAfter: 90 * time.Second, MigrationBatch: -1}
}

// DefaultLaravelWorker is queue:work without an option.
func DefaultLaravelWorker() model.Worker {
	return model.Worker{
		Queues: []string{"default"}, Threads: 1, Processes: 1, Interval: 3 * time.Second,
		Laravel: model.LaravelWorker{Tries: 1, Timeout: time.Minute},
	}
}

// DefaultThrottle is a throttle of a kind of which nothing is said.
func DefaultThrottle(name string, kind model.LimiterKind) model.Throttle {
	t := model.Throttle{Name: name, Kind: kind, Limit: -1, Every: time.Second}
	switch kind {
	case model.JobThrottle:
		t.MaxWait, t.ConcurrencyRetry, t.FailOpen, t.InWorker = time.Hour, 2*time.Second, true, model.InWorkerEach
	case model.RedisThrottle:
		t.Block, t.Sleep, t.Release = 3*time.Second, 750*time.Millisecond, time.Second
	case model.RedisFunnel:
		minute := time.Minute
		t.Block, t.Sleep, t.Release, t.ReleaseAfter = 3*time.Second, 250*time.Millisecond, time.Second, &minute
	case model.WithoutOverlapping:
		at := time.Duration(0)
		t.ReleaseAfter = &at
	case model.ThrottlesExceptions:
		t.Allow, t.Every = 10, 10*time.Minute
	}
	return t
}

// DefaultProvider counts over a sliding window and says nothing of when to
// come back.
func DefaultProvider() model.Provider { return model.Provider{Window: model.ProviderSliding} }
