// The part that is compiled with -fno-exceptions.
#include "cpaas.hpp"

int ended_without_exceptions(const cpaas_client *client);
int ended_without_exceptions(const cpaas_client *client) {
    cpaas::Result result;
    result.status = cpaas_call(client, "sms.send", "{}", 2, result.text.out());
    const cpaas::Expected<int> number(7);
    cpaas::detail::check(CPAAS_OK);
    const bool read = cpaas::json_get(R"({"a":1})", "/a") == "1" && number.value() == 7;
    const cpaas::Client client_of_this_file("{}");
    return read && client_of_this_file.try_call("sms", "{}").status() == CPAAS_BAD_NAME ? static_cast<int>(result.status) : -1;
}
