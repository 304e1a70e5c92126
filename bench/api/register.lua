-- 64 callers, each request another user's new device: no two runs begin with the same one.
local n = os.time() % 1000000 * 100000
local thread = 0
function setup(t) thread = thread + 1; t:set("id", thread) end
function request()
  n = n + 1
  local user = (n * 7919 + id * 104729) % 100000
  local body = string.format('{"deviceToken":"%064d","platform":"apns_ios_device","providerId":"bench","authToken":"user%d_1767225600000abcdef"}', n, user)
  return wrk.format("POST", "/v3/notifications/push/v1/tokens", wrk.headers, body)
end
function done(summary, latency)
  io.write(string.format("ERRORS %d\n", summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
