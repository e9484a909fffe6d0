-- Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: luajit send.lua HEADER TO TEXT
local ffi = require("ffi")
ffi.cdef(io.open(arg[1]):read("*a")) -- PREFIX/include/cpaas_ffi.h
local cpaas = ffi.load("cpaas")

local client, out = ffi.new("cpaas_client *[1]"), ffi.new("cpaas_text")
local status = cpaas.cpaas_client_new(nil, 0, client, out)
if status == cpaas.CPAAS_OK then
    -- arg keeps the strings of the struct alive.
    local sms = ffi.new("cpaas_sms", { size = ffi.sizeof("cpaas_sms"), from = "Acme", to = arg[2], text = arg[3] })
    local sent = ffi.new("cpaas_sent", { size = ffi.sizeof("cpaas_sent") })
    status = cpaas.cpaas_sms_send(client[0], sms, nil, sent, out)
    if status == cpaas.CPAAS_OK then print(ffi.string(sent.id)) end
end
if status ~= cpaas.CPAAS_OK then
    print(ffi.string(cpaas.cpaas_status_name(status)) .. " " .. (out.data ~= nil and ffi.string(out.data, out.len) or ""))
end
cpaas.cpaas_text_free(out)
cpaas.cpaas_client_free(client[0])
os.exit(status == cpaas.CPAAS_OK and 0 or 1)
