-- Takes the first ready job: a copy with one more attempt is reserved.
-- KEYS: ready, reserved, notify. ARGV: when the reservation ends.
local job = redis.call('LPOP', KEYS[1])
if not job then
	return false
end
local before, attempts, after = string.match(job, '^(.-"attempts":)(%d+)(.*)$')
local copy = before .. string.format('%d', attempts + 1) .. after
redis.call('ZADD', KEYS[2], ARGV[1], copy)
redis.call('LPOP', KEYS[3])
return copy
