-- Gives a reserved job back, to be ready later.
-- KEYS: delayed, reserved. ARGV: the reserved copy, when it is due.
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
