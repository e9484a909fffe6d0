// The C++23 part of the program.
#include "shared.hpp"

cpaas::Expected<cpaas::Sent> sent_by_23(const cpaas::Client &client, cpaas::Utf8 text) {
    return client.try_sms_send({"Acme", "306912345678", std::string_view(text.data(), text.size()), "", "", false});
}
cpaas::Expected<cpaas::Sent> passed_by_23(cpaas::Expected<cpaas::Sent> sent) { return sent; }
void destroyed_by_23(cpaas::Client client, cpaas::Text text, cpaas::Result result, cpaas::Failure failure) {
    CHECK(client && !text.empty() && result.ok() && failure.status() == CPAAS_INVALID);
}
