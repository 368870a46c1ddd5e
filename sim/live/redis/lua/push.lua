-- Appends a job to the ready list, and a token for whoever blocks on it.
-- KEYS: ready, notify. ARGV: payload.
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('RPUSH', KEYS[2], 1)
return redis.call('LLEN', KEYS[1])
