-- Posts the bodies of a file, one a line, over and over.
local requests = {}
local at = 0
function init()
  local headers = { ["Content-Type"] = "application/json" }
  for name, value in pairs(wrk.headers) do headers[name] = value end
  for line in io.lines('BODIES') do
    requests[#requests + 1] = wrk.format("POST", nil, headers, line)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
