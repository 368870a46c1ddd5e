-- Moves what is due from a sorted set to the tail of the ready list.
-- KEYS: from, ready, notify. ARGV: the worker's whole second, the most to move
-- or -1.
local due
if tonumber(ARGV[2]) > 0 then
	due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
else
	due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
end
if #due > 0 then
	redis.call('ZREMRANGEBYRANK', KEYS[1], 0, #due - 1)
	for first = 1, #due, 100 do
		local last = math.min(first + 99, #due)
		redis.call('RPUSH', KEYS[2], unpack(due, first, last))
		for _ = first, last do
			redis.call('RPUSH', KEYS[3], 1)
		end
	end
end
return due
