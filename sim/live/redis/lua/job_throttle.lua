-- A visit of a job to a throttle with reserved slots, by this server's clock.
-- The rules are those of gcra.Reserved, which says why; here they are one
-- script, so that all workers keep them together. A job's slot stands beside
-- them under its uuid, so that no release can lose it.
-- KEYS: the throttle's hash. ARGV: allow, every, spacing, kept, the job's uuid,
-- for how long it may wait, whether more throttles stand behind this one, how
-- often the job ran. All times are microseconds.
-- Returns: start, slot, room, paused, or over when the job may not wait that
-- long and takes no slot with it; now; when to ask again; 1 if the job came
-- with a slot; its slot (-1: none).
local key = KEYS[1]
local allow, every, spacing, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local mine, most, inside, ran = 'slot:' .. ARGV[5], tonumber(ARGV[6]), ARGV[7] == '1', ARGV[8]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local held = redis.call('HMGET', key, 'next', 'late', 'pause', 'count', 'oldest', 'last', mine, 'in:' .. ARGV[5])
local function number(i) return tonumber(held[i] or '') end
local next, late, pause = number(1) or 0, number(2), number(3) or 0
local count, oldest, last = number(4) or 0, number(5) or 0, number(6) or 0
local slot = number(7)
local came = slot and 1 or 0

local function text(n) return string.format('%.0f', n) end

-- A key is forgotten a minute after the last thing that an answer hangs on,
-- but for slots that nobody came for: whoever comes then takes a fresh one.
local function keep(...)
	redis.call('HSET', key, ...)
	local quiet = math.max(next, pause, last + every)
	redis.call('PEXPIRE', key, text(math.max(0, math.ceil((quiet - now) / 1000)) + 60000))
end

local function over(again)
	redis.call('HDEL', key, mine)
	return {'over', now, again, came, slot or -1}
end

-- Who was let in, and then released further inside, is let in again.
if held[8] == ran then
	return {'start', now, now, came, -1}
end
if now < pause then
	if pause - now > most then
		return over(pause)
	end
	return {'paused', now, pause, came, slot or -1}
end
if allow == 0 then
	return {'start', now, now, came, -1}
end

local fresh = not slot
if fresh then
	slot = math.max(now, next)
end
if now < slot then
	if slot - now > most then
		return over(slot)
	end
	if fresh then
		next = slot + spacing
		keep('next', text(next), mine, text(slot))
	end
	return {'slot', now, slot, came, slot}
end
if fresh then
	next = slot + spacing
end

local at = math.max(now, last)
local place = count
if count >= allow then
	place = oldest
	local room = tonumber(redis.call('HGET', key, 's' .. oldest)) + every
	if at < room then
		local missed = now - slot > kept
		if missed then
			if late then
				room = math.max(room, late + spacing)
			end
			next = math.max(next, room + spacing)
			late, slot = room, room
		end
		if room - now > most then
			return over(room)
		end
		if missed then
			keep('next', text(next), mine, text(slot), 'late', text(late))
		elseif fresh then
			keep('next', text(next), mine, text(slot))
		end
		return {'room', now, room, came, slot}
	end
	oldest = (oldest + 1) % allow
else
	count = count + 1
end
last = at
if came == 1 then
	redis.call('HDEL', key, mine)
end
keep('next', text(next), 'last', text(at), 's' .. place, text(at), 'count', text(count), 'oldest', text(oldest))
if inside then
	redis.call('HSET', key, 'in:' .. ARGV[5], ran)
end
return {'start', now, now, came, -1}
