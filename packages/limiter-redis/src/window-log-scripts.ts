/**
 * A subject's exact log of admissions, in one string of Redis: a head of four doubles, then a ring of as many doubles
 * as it has places, the moment of one admission each.
 *
 * An admission at t counts for every moment in [t, t + length). Moments never descend along the ring, so the first
 * that a window counts is found by search, and how many it counts is the distance from there to the end. A decision
 * reads a few stretches of the ring and writes one double, however long the log is.
 */
const LOG = `
local key = KEYS[1]

local function clock(given)
  if given ~= 'server' then return tonumber(given) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- latest: the last moment at which anybody asked. first, next: the admissions from the oldest that the longest window
-- counts to the next that there will be; the i-th is at place i % places.
local latest, first, next, places = nil, 0, 0, 0
local head = redis.call('GETRANGE', key, 0, 31)
if #head == 32 then latest, first, next, places = struct.unpack('<dddd', head) end

-- Moments are read 64 at a time: those that are searched stand close together.
local blocks = {}
local function momentOf(i)
  local place = i % places
  local block = place - place % 64
  if not blocks[block] then
    blocks[block] = redis.call('GETRANGE', key, 32 + 8 * block, 32 + 8 * block + 511)
  end
  return (struct.unpack('<d', blocks[block], 1 + 8 * (place - block)))
end

-- The first admission from low on, and before high, that is later than the cutoff; high when there is none.
local function search(low, high, cutoff)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if momentOf(middle) <= cutoff then low = middle + 1 else high = middle end
  end
  return low
end

-- Of the longest window: few leave between two decisions, so it is looked for near the oldest.
local function firstCounted(cutoff)
  local low, step = first, 1
  while low + step <= next and momentOf(low + step - 1) <= cutoff do
    low = low + step
    step = step * 2
  end
  return search(low, math.min(low + step - 1, next), cutoff)
end
`;

/**
 * Decides over all windows and charges all or none. KEYS: the log. ARGV: the moment in ms or "server", then length in
 * ms and limit of each window, the longest first. Gives which window refused, counted from 0, or -1; then of each window
 * the units it counts and in how many ms it frees, seen from the moment given.
 */
export const ADMIT = `${LOG}
local now = clock(ARGV[1])
local longest = tonumber(ARGV[2])
if latest ~= nil and latest - now > longest then
  redis.call('DEL', key)
  latest, first, next, places = nil, 0, 0, 0
end
local moment = math.max(now, latest or now)

-- Of a shorter window: it counts the newest, so it is looked for near the end.
local function firstCountedFromEnd(cutoff)
  local high, step = next, 1
  while high - step >= first and momentOf(high - step) > cutoff do
    high = high - step
    step = step * 2
  end
  return search(math.max(high - step + 1, first), high, cutoff)
end

local refusedBy, freesLast = -1, -math.huge
local states = {}
for i = 2, #ARGV, 2 do
  local length, limit = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local oldest
  if i == 2 then
    first = firstCounted(moment - length)
    oldest = first
  else
    oldest = firstCountedFromEnd(moment - length)
  end
  local used = next - oldest
  local freesAt = moment
  if used > 0 then freesAt = momentOf(oldest + math.max(0, used - limit)) + length end
  if used >= limit and freesAt > freesLast then
    refusedBy, freesLast = i / 2 - 1, freesAt
  end
  states[#states + 1] = { length = length, used = used, freesAt = freesAt }
end

if refusedBy == -1 then
  for _, state in ipairs(states) do
    if state.used == 0 then state.freesAt = moment + state.length end
    state.used = state.used + 1
  end
  if next - first == places then
    -- Grown to twice its places, though to no more than the limit can fill; the oldest goes to the first place.
    local ring = redis.call('GETRANGE', key, 32, -1)
    local turn = places == 0 and 0 or 8 * (first % places)
    local grown = math.min(math.max(8, 2 * places), tonumber(ARGV[3]))
    ring = ring:sub(turn + 1) .. ring:sub(1, turn) .. string.rep('\\0', 8 * (grown - places))
    first, next, places = 0, next - first, grown
    redis.call('SET', key, struct.pack('<dddd', moment, first, next, places) .. ring)
  end
  redis.call('SETRANGE', key, 32 + 8 * (next % places), struct.pack('<d', moment))
  next = next + 1
end
if refusedBy == -1 or (latest ~= nil and moment > latest) then
  redis.call('SETRANGE', key, 0, struct.pack('<dddd', moment, first, next, places))
end
-- Twice the length: a caller whose clock is behind the latest moment by up to the longest window still counts it.
if refusedBy == -1 then redis.call('PEXPIRE', key, 2 * longest) end

local reply = { refusedBy }
for _, state in ipairs(states) do
  reply[#reply + 1] = state.used
  reply[#reply + 1] = state.freesAt - now
end
return reply
`;

/** How many units the longest window counts. KEYS: the log. ARGV: the moment in ms or "server", its length in ms. */
export const COUNT = `${LOG}
local now, length = clock(ARGV[1]), tonumber(ARGV[2])
if latest == nil or latest - now > length then return 0 end
return next - firstCounted(math.max(now, latest) - length)
`;
