-- Lets no job of a throttle start for a while. Of two pauses the later end
-- counts. Returns that end. KEYS: the throttle's hash. ARGV: microseconds.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ends = math.max(now + tonumber(ARGV[1]), tonumber(redis.call('HGET', KEYS[1], 'pause') or '') or 0)
redis.call('HSET', KEYS[1], 'pause', string.format('%.0f', ends))
local left = math.ceil((ends - now) / 1000) + 60000
if redis.call('PTTL', KEYS[1]) < left then
	redis.call('PEXPIRE', KEYS[1], string.format('%.0f', left))
end
return ends
