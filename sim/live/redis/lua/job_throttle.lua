-- A visit of a job to a throttle with reserved slots, by this server's clock.
-- The rules are those of gcra.Reserved, which says why; here they are one
-- script, so that all workers keep them together.
-- KEYS: the throttle's hash. ARGV: allow, every, spacing, kept, the job's slot
-- (empty: none), for how long it may wait. All times are microseconds.
-- Returns: start, slot, room, paused, or over when the job may not wait that
-- long and takes no slot with it; now; when to ask again; the job's slot (-1:
-- none).
local key = KEYS[1]
local allow, every, spacing, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local slot, most = tonumber(ARGV[5]), tonumber(ARGV[6])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local held = redis.call('HMGET', key, 'next', 'late', 'pause', 'count', 'oldest', 'last')
local function number(i) return tonumber(held[i] or '') end
local next, late, pause = number(1) or 0, number(2), number(3) or 0
local count, oldest, last = number(4) or 0, number(5) or 0, number(6) or 0

local function text(n) return string.format('%.0f', n) end

-- A quiet key remembers nothing: by then no answer hangs on it.
local function keep(...)
	redis.call('HSET', key, ...)
	local quiet = math.max(next, pause, last + every)
	redis.call('PEXPIRE', key, text(math.max(0, math.ceil((quiet - now) / 1000)) + 1000))
end

if now < pause then
	return {pause - now > most and 'over' or 'paused', now, pause, slot or -1}
end
if allow == 0 then
	return {'start', now, now, -1}
end

local fresh = not slot
if fresh then
	slot = math.max(now, next)
end
if now < slot then
	if slot - now > most then
		return {'over', now, slot, slot}
	end
	if fresh then
		next = slot + spacing
		keep('next', text(next))
	end
	return {'slot', now, slot, slot}
end
if fresh then
	next = slot + spacing
end

local at = math.max(now, last)
if count >= allow then
	local room = tonumber(redis.call('HGET', key, 's' .. oldest)) + every
	if at < room then
		local missed = now - slot > kept
		if missed then
			room = math.max(room, (late or 0) + (late and spacing or 0))
			next = math.max(next, room + spacing)
			late, slot = room, room
		end
		if room - now > most then
			return {'over', now, room, slot}
		end
		if fresh or missed then
			keep('next', text(next), 'late', late and text(late) or '')
		end
		return {'room', now, room, slot}
	end
	last = at
	keep('next', text(next), 'last', text(at), 's' .. oldest, text(at), 'oldest', text((oldest + 1) % allow))
	return {'start', now, now, -1}
end
last = at
keep('next', text(next), 'last', text(at), 's' .. count, text(at), 'count', text(count + 1))
return {'start', now, now, -1}
