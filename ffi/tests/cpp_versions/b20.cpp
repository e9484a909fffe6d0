// The C++20 part of the program.
#include "shared.hpp"

cpaas::Expected<cpaas::Sent> sent_by_20(const cpaas::Client &client, cpaas::Utf8 text) {
    return client.try_sms_send({"Acme", "306912345678", std::string_view(text.data(), text.size()), "", "", false});
}
cpaas::Expected<cpaas::Sent> passed_by_20(cpaas::Expected<cpaas::Sent> sent) { return sent; }
void thrown_by_20(const cpaas::Client &client) { client.call("sms.send", u8"{}"); }
