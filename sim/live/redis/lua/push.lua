-- Appends jobs to the ready list, each with a token for whoever blocks on it.
-- KEYS: ready, notify. ARGV: payloads.
for _, job in ipairs(ARGV) do
	redis.call('RPUSH', KEYS[1], job)
	redis.call('RPUSH', KEYS[2], 1)
end
return redis.call('LLEN', KEYS[1])
