-- One user with two devices a call; the body differs from call to call, as messages do.
wrk.method = "POST"
local n = 0
function request()
  n = n + 1
  return wrk.format(nil, nil, nil, '{"to":{"uids":["user-' .. (n % 1000) .. '"]},"title":"Ada","body":"Message ' .. n .. '"}')
end
