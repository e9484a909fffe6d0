// The C++17 part of the program.
#include "shared.hpp"

int main() {
    const cpaas::Client client(R"({"sms_url":"http://127.0.0.1:9","sms_key":"k","max_attempts":1})");
    for (const auto &sent : {sent_by_20(client, u8"Γεια"), sent_by_23(client, std::string("Hi"))}) {
        CHECK(!sent && sent.status() == CPAAS_NOT_SENT && sent.error().outcome() == "not_sent");
        CHECK(passed_by_23(passed_by_20(sent)).error().record() == sent.error().record());
    }
    const cpaas::Sent value{"id", "{}"};
    CHECK(passed_by_20(passed_by_23(value))->id == "id");
    cpaas_status status = CPAAS_OK;
    try {
        thrown_by_20(client);
    } catch (const cpaas::Error &error) {
        status = error.status();
    }
    CHECK(status == CPAAS_INVALID);
    // The file without exceptions is linked before this one; a function of it would end the process here.
    CHECK(ended_without_exceptions(client.get()) == CPAAS_INVALID);
    status = CPAAS_OK;
    try {
        static_cast<void>(client.try_call("sms.send", "{}").value());
    } catch (const cpaas::Error &error) {
        status = error.status();
    }
    CHECK(status == CPAAS_INVALID);
    destroyed_by_23(cpaas::Client("{}"), cpaas::operations(std::nothrow).text, cpaas::operations(std::nothrow), {CPAAS_INVALID, "{}"});
    cpaas::shutdown();
    return checks_end();
}
