-- Takes a wait off the account of a job that was released: another payload in
-- its place, due when it was. 0 if somebody has popped it meanwhile.
-- KEYS: delayed. ARGV: the copy that was released, what shall stand there.
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due then
	return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], due, ARGV[2])
return 1
