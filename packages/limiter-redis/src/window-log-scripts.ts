/**
 * The exact log of a subject's admissions, in one Redis string: a header of four doubles, then a ring of timestamps, one
 * double for each admission.
 *
 * An admission at t counts at every time in [t, t + length). Timestamps ascend along the ring, so a search finds the
 * first that a window counts, and the distance from there to the end is the count. A decision reads a few blocks of the
 * ring and writes one double, however long the log is.
 */
const LOG = `
local key = KEYS[1]

local function clock(given)
  if given ~= 'server' then return tonumber(given) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- latest: the time of the latest decision. first: the number of the oldest admission that the longest window counts.
-- next: the number of the next admission. The i-th is in slot i % capacity.
local latest, first, next, capacity = nil, 0, 0, 0
local head = redis.call('GETRANGE', key, 0, 31)
if #head == 32 then latest, first, next, capacity = struct.unpack('<dddd', head) end

-- Timestamps are read in blocks of 64, because a search reads neighbours.
local blocks = {}
local function timestampOf(i)
  local slot = i % capacity
  local block = slot - slot % 64
  if not blocks[block] then
    blocks[block] = redis.call('GETRANGE', key, 32 + 8 * block, 32 + 8 * block + 511)
  end
  return (struct.unpack('<d', blocks[block], 1 + 8 * (slot - block)))
end

-- The first admission in [low, high) later than the cutoff; high = none.
local function search(low, high, cutoff)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if timestampOf(middle) <= cutoff then low = middle + 1 else high = middle end
  end
  return low
end

-- For the longest window: few admissions leave between two decisions, so the search starts at the oldest.
local function firstCounted(cutoff)
  local low, step = first, 1
  while low + step <= next and timestampOf(low + step - 1) <= cutoff do
    low = low + step
    step = step * 2
  end
  return search(low, math.min(low + step - 1, next), cutoff)
end
`;

/**
 * Decides over all windows and charges all or none. KEYS: the log. ARGV: the time in ms or "server", then the length in
 * ms and the limit of each window, the longest first. Returns the units that the longest window counts and the ms until
 * it frees, from the time given; of a refusal also the index of the window that refused and the ms until that frees.
 */
export const ADMIT = `${LOG}
local now = clock(ARGV[1])
local longest = tonumber(ARGV[2])
if ARGV[1] == 'server' and latest ~= nil and latest > now then
  -- The clock was set back: what was admitted is as old as it was.
  for i = first, next - 1 do
    redis.call('SETRANGE', key, 32 + 8 * (i % capacity), struct.pack('<d', timestampOf(i) - (latest - now)))
  end
  blocks = {}
  latest = now
  redis.call('SETRANGE', key, 0, struct.pack('<dddd', latest, first, next, capacity))
end
local at = math.max(now, latest or now)

-- For a shorter window: it counts the newest admissions, so the search starts at the end.
local function firstCountedFromEnd(cutoff)
  local high, step = next, 1
  while high - step >= first and timestampOf(high - step) > cutoff do
    high = high - step
    step = step * 2
  end
  return search(math.max(high - step + 1, first), high, cutoff)
end

local used, freesAt -- of the longest window
local refusedBy, freesLast = nil, -math.huge
for i = 2, #ARGV, 2 do
  local length, limit = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local oldest
  if i == 2 then
    first = firstCounted(at - length)
    oldest = first
  else
    oldest = firstCountedFromEnd(at - length)
  end
  local counted = next - oldest
  local frees = at + length
  if counted > 0 then frees = timestampOf(math.max(oldest, next - limit)) + length end
  if i == 2 then used, freesAt = counted, frees end
  if counted >= limit and frees > freesLast then
    refusedBy, freesLast = i / 2 - 1, frees
  end
end

if not refusedBy then
  used = used + 1
  if next - first == capacity then
    -- Double the capacity, up to the limit of the longest window. The oldest admission moves to slot 0.
    local ring = redis.call('GETRANGE', key, 32, -1)
    local offset = capacity == 0 and 0 or 8 * (first % capacity)
    local grown = math.min(math.max(8, 2 * capacity), tonumber(ARGV[3]))
    ring = ring:sub(offset + 1) .. ring:sub(1, offset) .. string.rep('\\0', 8 * (grown - capacity))
    first, next, capacity = 0, next - first, grown
    redis.call('SET', key, struct.pack('<dddd', at, first, next, capacity) .. ring)
  end
  redis.call('SETRANGE', key, 32 + 8 * (next % capacity), struct.pack('<d', at))
  next = next + 1
end
if not refusedBy or (latest ~= nil and at > latest) then
  redis.call('SETRANGE', key, 0, struct.pack('<dddd', at, first, next, capacity))
end
-- Twice the length: a caller whose clock is behind by up to the longest window still counts the admission.
if not refusedBy then
  redis.call('PEXPIRE', key, 2 * longest)
  return { used, freesAt - now }
end
return { used, freesAt - now, refusedBy, freesLast - now }
`;

/** How many units the longest window counts. KEYS: the log. ARGV: the time in ms or "server", its length in ms. */
export const COUNT = `${LOG}
local now, length = clock(ARGV[1]), tonumber(ARGV[2])
if latest == nil then return 0 end
return next - firstCounted(math.max(now, latest) - length)
`;
