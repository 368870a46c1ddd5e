-- Sets a key that isn't there, as Laravel's cache adds one.
-- KEYS: the key. ARGV: its value, seconds.
return redis.call('EXISTS', KEYS[1]) == 0 and redis.call('SETEX', KEYS[1], ARGV[2], ARGV[1])
