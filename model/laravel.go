package model

import "time"

// Laravel is the queue of the PHP framework: workers that pop a job, ask the
// job's throttles, and run or release it.
const Laravel System = "laravel"

// LaravelParts is what only a Laravel queue has. Its limits are throttles; one
// that has a rate stands in Scenario.Limits too, so that it is measured like
// any other limit.
type LaravelParts struct {
	Connection Connection
	Throttles  []Throttle
	Timing     LaravelTiming
	Ties       Ties
	Polls      InterruptionPolls
}

// Driver is what keeps the jobs.
type Driver string

const (
	DriverRedis    Driver = "redis"
	DriverDatabase Driver = "database"
	DriverSQS      Driver = "sqs"
)

// Connection is a queue connection, in the words of config/queue.php.
type Connection struct {
	Driver         Driver
	RetryAfter     time.Duration // a job reserved longer than this runs again; whole seconds
	BlockFor       time.Duration // how long an empty pop waits for a job; 0: it does not
	MigrationBatch int           // the most due jobs one pop moves; -1: all
	Cluster        bool          // a Redis Cluster: a wait's try can't be given back there
}

// LaravelWorker is what a worker of this system has besides its queues, its
// processes and its sleep (Worker.Interval).
type LaravelWorker struct {
	Rest    time.Duration   // after every job, also a released one
	Tries   int             // 0: any number
	Timeout time.Duration   // whole seconds; 0: none
	Backoff []time.Duration // after an exception, by the attempt; the last repeats
}

// LaravelClass is what a job class of this system has. A nil says that the
// worker's option holds.
type LaravelClass struct {
	Throttles     []int // into LaravelParts.Throttles, outermost first
	Tries         *int
	Backoff       []time.Duration
	MaxExceptions int           // exceptions, not releases, after which it fails; 0: any number
	RetryUntil    time.Duration // after it was dispatched, instead of tries; 0: none
	UniqueFor     time.Duration // how long its unique lock holds from its dispatch on; 0: it takes none, or one without end
	Timeout       *time.Duration
	FailOnTimeout bool
	Fails         float64 // the part of all attempts that throw, at their end
	Killed        float64 // the part of all attempts whose worker dies half-way
}

// The throttles. Each is the kind of a limit of this system.
const (
	JobThrottle         LimiterKind = "job_throttle"         // reserved slots and a sliding window (Laravel Job Throttle)
	RedisThrottle       LimiterKind = "redis_throttle"       // Redis::throttle: a window aligned to whole seconds
	RateLimited         LimiterKind = "rate_limited"         // the middleware over a cache
	RateLimitedRedis    LimiterKind = "rate_limited_redis"   // the middleware RateLimitedWithRedis
	RedisFunnel         LimiterKind = "redis_funnel"         // Redis::funnel: so many at a time
	WithoutOverlapping  LimiterKind = "without_overlapping"  // a lock: one at a time
	ThrottlesExceptions LimiterKind = "throttles_exceptions" // waits after so many exceptions
)

// RateLimitedPad is what Laravel's rate limiting middlewares add to the time
// until their window ends when they release a job.
const RateLimitedPad = 3 * time.Second

// Throttle is one throttle by its key: all jobs with it share it, whatever
// their worker. Which fields mean something hangs on Kind.
type Throttle struct {
	Name  string
	Kind  LimiterKind
	Limit int // into Scenario.Limits, -1: it limits no starts in a window

	Allow int           // starts, or of throttles_exceptions exceptions, in Every; 0: no rate
	Every time.Duration // whole seconds

	// Of job_throttle.
	MaxWait          time.Duration // the longest a job waits in all, then it fails
	Concurrency      int           // jobs at a time; 0: any number
	ConcurrencyRetry time.Duration // when all are taken, ask again after this
	LockFor          time.Duration // a dead worker's place is free again after this; 0: the longer of 660 s and timeout + 60 s
	FailOpen         bool          // without its Redis, jobs run; else they throw
	// DownAt and DownFor are a time in which the throttle's Redis, which need not
	// be the queue's, does not answer; DownFor 0: none.
	DownAt, DownFor time.Duration
	InWorker        InWorker

	// Of redis_throttle and redis_funnel: how long the worker tries, how often,
	// and for how long the job is released after that.
	Block, Sleep, Release time.Duration
	Places                int // of redis_funnel: jobs at a time

	// ReleaseAfter is of rate_limited(_redis): the delay in place of "when the
	// window ends, and 3 s"; of without_overlapping: the delay; of
	// redis_funnel: when a place whose worker died is free again.
	ReleaseAfter *time.Duration
	ExpireAfter  time.Duration // of without_overlapping: when the lock ends by itself; 0: never
	DontRelease  bool          // a refused job is dropped
	Backoff      time.Duration // of throttles_exceptions: after an exception below the threshold; whole minutes
}

// InWorker says how a job that comes back to a job_throttle waits for room.
type InWorker string

const (
	InWorkerEach  InWorker = "each"  // each wait inside the worker is at most 1 s
	InWorkerVisit InWorker = "visit" // all waits of one visit together are
	InWorkerNone  InWorker = "none"  // it is always released
)

// Ties says which of the jobs that come due in the same second goes first.
type Ties string

const (
	TiesUUID   Ties = "uuid"   // the lower uuid: a random order, the same every time
	TiesFIFO   Ties = "fifo"   // the one that was released first
	TiesRandom Ties = "random" // drawn anew at every release
)

// InterruptionPolls says what a worker asks its cache between jobs, if that is
// Redis: whether to restart, and whether its queues are paused.
type InterruptionPolls string

const (
	PollsNone       InterruptionPolls = "none"
	PollsRestart    InterruptionPolls = "restart"     // 1 round trip a turn
	PollsPerQueue   InterruptionPolls = "pause_each"  // and 1 for each queue looked at (12.40 to 13.9)
	PollsPauseOnce  InterruptionPolls = "pause_once"  // and 1 a turn (13.10 to 13.24)
	PollsPauseTwice InterruptionPolls = "pause_twice" // and 2 a turn (13.25 and later)
)

// LaravelTiming is what things cost. The zero value is no cost at all.
type LaravelTiming struct {
	Wire          Dist          // one way between a worker and Redis
	Redis         Dist          // that one command keeps Redis busy
	CommandCPU    Dist          // what a command costs its client
	JobCPU        Dist          // what a popped job costs its worker, run or released
	Cores         int           // that all workers share; 0: one each
	Overshoot     Dist          // by how much each sleep is too long
	WaitOvershoot Dist          // by how much each wait inside a job is
	Boot          Dist          // from time 0 to the first pop
	BootSpread    time.Duration // within which each worker's first pop is drawn besides
	RandomPhase   bool          // time 0 lies anywhere in a second of the clock, not at its start
}

// Provider is what the jobs call: it counts calls over a window of its own and
// refuses those over its limit.
type Provider struct {
	Limit        int // calls in Per
	Per          time.Duration
	Window       ProviderWindow
	RetryAfter   time.Duration // what it answers with a refusal; 0: nothing, and callers take 60 s
	Latency      Dist          // from the start of a job to its call's arrival
	ClosesLonger time.Duration // by how much each refused call keeps it closed longer
	// ClosedAt and ClosedFor are a time in which it refuses every call, whatever
	// its limit; ClosedFor 0: none.
	ClosedAt, ClosedFor time.Duration
}

// ProviderWindow is how a provider counts.
type ProviderWindow string

const (
	ProviderSliding ProviderWindow = "sliding" // calls in the Per that ends now
	ProviderFixed   ProviderWindow = "fixed"   // calls since the last whole Per of its clock
	ProviderBucket  ProviderWindow = "bucket"  // a bucket of Limit tokens, refilled evenly
)
