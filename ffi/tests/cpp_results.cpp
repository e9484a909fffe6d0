// Results of C++ that must not be mistaken: a wrong passcode, names and members with NUL, logs. Needs a sandbox.
#include <atomic>
#include <coroutine>

#include "check.h"
#include "cpaas.hpp"
#include "cpaas/coroutine.hpp"
#include "thrown.hpp"

using namespace std::literals;

struct Task {
    struct promise_type {
        std::promise<void> ended;
        Task get_return_object() { return {ended.get_future()}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() { ended.set_value(); }
        void unhandled_exception() { ended.set_exception(std::current_exception()); }
    };
    std::future<void> ended;
};

template <class Result> inline constexpr bool has_value_or = false;
template <class Result> requires requires(Result result) { result.value_or(true); } inline constexpr bool has_value_or<Result> = true;

/* A wrong passcode has no value, the status CPAAS_NOT_VERIFIED, and the response as its record. */
static void check_wrong(const cpaas::Expected<bool> &wrong) {
    CHECK(wrong.status() == CPAAS_NOT_VERIFIED && !wrong.has_value());
    CHECK(!wrong.has_value() && wrong.error().status() == CPAAS_NOT_VERIFIED && wrong.error().code() == 400);
    CHECK(thrown([&] { static_cast<void>(wrong.value()); }) == CPAAS_NOT_VERIFIED);
}

static Task coroutine(const cpaas::Client &client, const std::string &id, const std::string &code) {
    const bool wrong = co_await client.otp().verify("login", id, "12");
    CHECK(!wrong);
    check_wrong(co_await cpaas::as_expected(client.otp().verify("login", id, "12")));
    const bool valid = co_await client.otp().verify("login", id, code);
    CHECK(valid);
}

/* The passcode that the sandbox sent to a number. */
static std::string passcode_of(const std::string &number) {
    const std::string command = "curl -s \"$CPAAS_OTP_URL/_sandbox/messages?wait=10s&to=" + number + "\"";
    std::FILE *const messages = popen(command.c_str(), "r");
    std::string text(65536, '\0');
    text.resize(messages == nullptr ? 0 : std::fread(text.data(), 1, text.size(), messages));
    if (messages != nullptr) pclose(messages);
    const auto start = text.rfind("\"otp\":\"");
    CHECK(start != std::string::npos);
    return start == std::string::npos ? "" : text.substr(start + 7, text.find('"', start + 7) - start - 7);
}

static void passcodes(const cpaas::Client &client) {
    static_assert(!has_value_or<cpaas::Expected<bool>> && has_value_or<cpaas::Expected<std::uint64_t>>);
    const auto sent = client.otp_send({"login", "Acme", "306912345711", "Your code is {code}"});
    const auto call = client.otp().verify("login", sent.id, "12");
    check_wrong(client.try_otp_verify("login", sent.id, "12"));
    check_wrong(call.try_get());
    check_wrong(call.try_future().get());
    std::promise<cpaas::Expected<bool>> ended;
    call.async([&ended](cpaas::Expected<bool> result) { ended.set_value(std::move(result)); }).value();
    check_wrong(ended.get_future().get());
    CHECK(!client.otp_verify("login", sent.id, "12") && !call.get() && !call.future().get());
    CHECK(client.try_call("otp.verify", "{\"service\":\"login\",\"requestId\":\"" + sent.id + "\",\"code\":\"12\"}").status() == CPAAS_NOT_VERIFIED);
    CHECK(cpaas::Expected<bool>(false).status() == CPAAS_NOT_VERIFIED && cpaas::Expected<bool>(true).status() == CPAAS_OK);
    const cpaas::Client unreachable(R"({"read_environment":false,"otp_url":"http://127.0.0.1:9","account_sid":"a","api_key":"k","max_attempts":1})");
    CHECK(unreachable.try_otp_verify("login", sent.id, "12").status() == CPAAS_NOT_SENT);
    CHECK(thrown([&] { static_cast<void>(unreachable.otp_verify("login", sent.id, "12")); }) == CPAAS_NOT_SENT);
    CHECK(thrown([&] { static_cast<void>(unreachable.otp().verify("login", sent.id, "12").get()); }) == CPAAS_NOT_SENT);
    CHECK(thrown([&] { static_cast<void>(unreachable.otp().verify("login", sent.id, "12").future().get()); }) == CPAAS_NOT_SENT);
    coroutine(client, sent.id, passcode_of("306912345711")).ended.get();
    const auto again = client.otp_send({"login", "Acme", "306912345712", "Your code is {code}"});
    const auto valid = client.try_otp_verify("login", again.id, passcode_of("306912345712"));
    CHECK(valid.status() == CPAAS_OK && valid.has_value() && *valid);
}

/* A text with NUL is not the part before the NUL. */
static void nul(const cpaas::Client &client) {
    const auto operation = "sms.send\0junk"sv;
    const auto request = R"({"from":"Acme","to":"306912345678","text":"Hi"})"sv;
    CHECK(client.call(operation, request, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(client.try_call(operation, request).error().argument() == "operation");
    CHECK(client.new_call(operation, request).try_get().error().argument() == "operation");
    CHECK(client.new_call(operation, request).start().status() == CPAAS_BAD_UTF8);
    CHECK(client.start(operation, request, nullptr) == CPAAS_BAD_UTF8);
    CHECK(client.call_async(operation, request, [](cpaas_status, std::string_view) {}, nullptr, std::nothrow) == CPAAS_BAD_UTF8);
    CHECK(client.prepare(operation, request, std::nothrow).status == CPAAS_BAD_UTF8 && client.validate(operation, request, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(client.parse(operation, 200, "", "{}", std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::json_get("{\"a\":1}", "/a\0b"sv, std::nothrow).status == CPAAS_BAD_UTF8 && cpaas::json_type("{\"a\":1}", "/a\0"sv, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::validate(operation, request, std::nothrow).status == CPAAS_BAD_UTF8 && cpaas::check("file\0"sv, "{}", std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::provider_code("sms\0"sv, 904, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::segments_json("a", "{}\0"sv, std::nothrow).status == CPAAS_BAD_UTF8 && cpaas::annotate_with("a", "\0"sv, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::normalize_number("306912345678", "GR\0"sv, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::check_number("306912345678", "GR\0"sv, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::encode("a", "{}\0"sv, std::nothrow).status == CPAAS_BAD_UTF8 && cpaas::markup_escape("a", "Html\0"sv, std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::estimate("a", "1\0"sv, std::nothrow).status == CPAAS_BAD_UTF8 && cpaas::app_hash("a.b\0"sv, "x", std::nothrow).status == CPAAS_BAD_UTF8);

    const auto bad = "a\0b"sv;
    const auto argument = [](const auto &result) { return result.status() == CPAAS_BAD_ARGUMENT ? result.error().argument() : "none"; };
    CHECK(argument(client.try_sms_send({bad, "306912345678", "Hi"})) == "from" && argument(client.try_sms_send({"Acme", bad, "Hi"})) == "to");
    CHECK(argument(client.try_sms_send({"Acme", "306912345678", bad})) == "text");
    CHECK(argument(client.try_sms_send({"Acme", "306912345678", "Hi", bad})) == "reference");
    CHECK(argument(client.sms().send({"Acme", "306912345678", "Hi", "", bad}).start()) == "callback");
    CHECK(argument(client.try_otp_send({bad, "Acme", "306912345678", "{code}"})) == "service");
    CHECK(argument(client.try_otp_send({"login", bad, "306912345678", "{code}"})) == "from" && argument(client.try_otp_send({"login", "Acme", bad, "{code}"})) == "to");
    CHECK(argument(client.otp().send({"login", "Acme", "306912345678", bad}).start()) == "body");
    CHECK(argument(client.otp().send({"login", "Acme", "306912345678", "{code}", bad}).start()) == "channel");
    CHECK(argument(client.try_otp_verify(bad, "OTP1", "1")) == "service" && argument(client.try_otp_verify("login", bad, "1")) == "request_id");
    CHECK(argument(client.otp().verify("login", "OTP1", bad).start()) == "code" && argument(client.try_lookup_one(bad)) == "msisdn");
    CHECK(client.try_lookup_one(bad).error().message() == "`msisdn` must not contain NUL");
}

/* Of several logs, the newest receives the lines; without it, the one before it. */
static void logs(const cpaas::Client &client) {
    const auto call = [&] { CHECK(client.try_sms_send({"Acme", "306912345678", "Hi"}).has_value()); };
    std::atomic<int> first{0}, second{0}, third{0};
    const auto counts = [](std::atomic<int> &lines) { return [&lines](std::uint32_t, std::string_view) { lines++; }; };
    {
        const cpaas::Log outer(counts(first));
        call();
        {
            const cpaas::Log inner(counts(second));
            call();
            CHECK(first == 1 && second == 1);
        }
        call();
        CHECK(first == 2 && second == 1);
        // In another order: the oldest, then the newest.
        auto middle = std::make_unique<cpaas::Log>(counts(second));
        auto newest = std::make_unique<cpaas::Log>(counts(third));
        middle.reset();
        call();
        CHECK(first == 2 && second == 1 && third == 1);
        newest.reset();
        call();
        CHECK(first == 3 && second == 1 && third == 1);
        CHECK(thrown([] { cpaas::Log refused([](std::uint32_t, std::string_view) {}, 9); }) == CPAAS_BAD_ARGUMENT);
        CHECK(thrown([] { cpaas::Log empty{cpaas::Log::Function()}; }) == CPAAS_BAD_ARGUMENT);
        CHECK(thrown([] { cpaas::Log empty(nullptr); }) == CPAAS_BAD_ARGUMENT);
        call(); // a log that was refused changes nothing
        CHECK(first == 4);
    }
    call();
    CHECK(first == 4 && second == 1 && third == 1);
}

int main() {
    const cpaas::Client client;
    passcodes(client);
    nul(client);
    logs(client);
    return checks_end();
}
