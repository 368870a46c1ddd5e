-- A window that the first start after the last one opens, on the second of its
-- client: what Laravel's DurationLimiter does. A refused try counts too. The
-- clock compares as text, so that a window ends when its last second begins
-- to have a fraction.
-- KEYS: the window's hash. ARGV: the client's clock, its whole second, the
-- window in seconds, how many may start in it.
-- Returns: 1 or 0, when the window ends, this server's clock in microseconds.
local key, clock = KEYS[1], ARGV[1]
local second, length, most = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local from, to = unpack(redis.call('HMGET', key, 'start', 'end'))
if from and clock >= from and clock <= to then
	local started = redis.call('HINCRBY', key, 'count', 1)
	return {started <= most and 1 or 0, tonumber(to), now}
end
to = string.format('%d', second + length)
redis.call('HSET', key, 'start', ARGV[2], 'end', to, 'count', 1)
redis.call('EXPIRE', key, 2 * length)
return {1, tonumber(to), now}
