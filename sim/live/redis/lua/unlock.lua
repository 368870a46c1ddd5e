-- Frees a lock or a place, unless somebody else has it by now.
-- KEYS: the lock. ARGV: its owner.
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0
