-- How many jobs a queue holds: ready, delayed, reserved.
return {redis.call('LLEN', KEYS[1]), redis.call('ZCARD', KEYS[2]), redis.call('ZCARD', KEYS[3])}
