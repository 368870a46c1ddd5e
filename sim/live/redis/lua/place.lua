-- Takes the first free place of a funnel. KEYS: the places. ARGV: whose it
-- will be, seconds after which it is free by itself.
-- Returns its number or 0, and this server's clock in microseconds.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for i, held in ipairs(redis.call('MGET', unpack(KEYS))) do
	if not held then
		redis.call('SET', KEYS[i], ARGV[1], 'EX', ARGV[2])
		return {i, now}
	end
end
return {0, now}
