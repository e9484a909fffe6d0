// Calls every function of the C++ header, and checks its ownership, exceptions and literals.
#include <atomic>
#include <functional>
#include <memory>
#include <type_traits>

#include "check.h"
#include "cpaas.hpp"
#include "cpaas.hpp"

static_assert(!std::is_copy_constructible_v<cpaas::Client> && std::is_nothrow_move_constructible_v<cpaas::Client>);
static_assert(!std::is_copy_constructible_v<cpaas::Text> && std::is_nothrow_move_assignable_v<cpaas::Text>);
static_assert(std::is_nothrow_copy_constructible_v<cpaas::Error> && !std::is_convertible_v<int, cpaas::Utf8>);

template <class Call> static cpaas_status thrown(Call call, bool record) {
    try {
        call();
    } catch (const cpaas::Error &error) {
        CHECK(error.record().empty() != record);
        CHECK(std::string(error.what()) == cpaas_status_name(error.status()));
        return error.status();
    }
    return CPAAS_OK;
}

int other_unit();

static bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

/* Text functions with options, which may be an empty string. The expected octets are those of tests/vectors/encode.json. */
static void national_texts() {
    const char *turkish = R"({"languages":["tr"]})";
    CHECK(has(cpaas::estimate_with(u8"ş", "0.05", turkish), "\"gsm7\"") && has(cpaas::estimate_with(u8"ş", "0.05", ""), "\"ucs2\""));
    CHECK(thrown([] { cpaas::estimate_with("Hi", "much", ""); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::estimate_with("\xff", "1", "", std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(has(cpaas::annotate_with(u8"ş", turkish), "\"causes\":[]") && !has(cpaas::annotate_with(u8"ş", ""), "\"causes\":[]"));
    CHECK(cpaas::annotate_with("Hi", "{", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(has(cpaas::encode("hellohello"), "E8329BFD4697D9EC37") && has(cpaas::encode(u8"ş", turkish), "03250101"));
    CHECK(has(cpaas::encode(u8"ş", ""), "\"ucs2\"") && cpaas::encode("Hi", R"({"reference":-1})", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(cpaas::decode(cpaas::encode(std::string_view("a\0b", 3), R"({"encoding":"ucs2"})")) == std::string("a\0b", 3));
    CHECK(thrown([] { cpaas::decode(u8"[]"); }, true) == CPAAS_BAD_TEXT && !cpaas::decode("[", std::nothrow).ok());
    CHECK(has(cpaas::transliterate(u8"αβ"), "\"from\":") && cpaas::transliterate("\xff", std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(has(cpaas::template_segments("Hi {{name}}", R"({"fields":{"name":[1,9]}})"), "\"longest\""));
    CHECK(has(cpaas::template_segments(u8"ş {{a}}", R"({"fields":{"a":[1,2]}})", turkish), "\"gsm7\""));
    CHECK(cpaas::template_segments("{{a}}", "{}", "", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(cpaas::intent("Stop!") == R"({"kind":"stop","certainty":"certain"})" && cpaas::intent("Hi", std::nothrow).status == CPAAS_OK);
    CHECK(cpaas::autofill_body("{code}", R"({"host":"shop.example"})") == "{code}\n\n@shop.example #{code}");
    CHECK(cpaas::autofill_body("Hi", "{}", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(has(cpaas::check_autofill("@shop.example #747723"), "\"code\":\"747723\"") && cpaas::check_autofill("Hi", std::nothrow).ok());
    CHECK(cpaas::app_hash("com.example.shop", "0\3\2\1\7") == "RLJVJh/pl8Q" && cpaas::app_hash("shop", "", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(cpaas::normalize_number("+30 691 234 5678") == "306912345678" && cpaas::normalize_number(u8"00306912345678", "") == "306912345678");
    CHECK(thrown([] { cpaas::normalize_number("0691"); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::check_number("6912345678", "XX", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(cpaas::normalize_number("6912345678", "GR", std::nothrow).status == CPAAS_BAD_TEXT); /* the feature phone is not in this library */
}

static void texts() {
    CHECK(cpaas::count_segments("it is here").count == 1);
    CHECK(cpaas::count_segments(u8"Γεια σου 👋").encoding == CPAAS_UCS2);
    CHECK(cpaas::count_segments(std::string_view()).units == 0);
    cpaas_segment_count count;
    CHECK(cpaas::count_segments(std::string("Hi"), count, std::nothrow) == CPAAS_OK && count.units == 2);
    CHECK(cpaas::count_segments(u8"Hi", count, std::nothrow) == CPAAS_OK && count.units == 2);
    CHECK(cpaas::segments(std::string(161, 'a')).parts.size() == 2);
    auto options = cpaas::segment_options();
    options.reference_bits = 16;
    CHECK(cpaas::segments(u8"Γεια", &options).count.count == 1);
    CHECK(thrown([] { cpaas::count_segments("\xff"); }, false) == CPAAS_BAD_UTF8);
    CHECK(thrown([] { cpaas::segments(std::string(153 * 256, 'a')); }, false) == CPAAS_BAD_TEXT);
    CHECK(has(cpaas::segments_json(u8"Hi"), "gsm7"));
    CHECK(cpaas::segments_json("Hi", "{", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(has(cpaas::estimate(u8"Hi", "0.0075"), "0.0075"));
    CHECK(has(cpaas::estimate_to("Hi", "prefix,price,currency\n30,0.05,EUR", "306900000001"), "\"total\":\"0.05\""));
    CHECK(thrown([] { cpaas::estimate("Hi", "much"); }, true) == CPAAS_BAD_TEXT);
    CHECK(has(cpaas::annotate(u8"👋"), "causes") && cpaas::annotate("\xff", std::nothrow).status == CPAAS_BAD_UTF8);
    national_texts();
    CHECK(has(cpaas::validate("sms.send", u8R"({"from":"Acme"})"), "/to"));
    CHECK(cpaas::validate("sms", u8"{}", std::nothrow).status == CPAAS_BAD_NAME);
    CHECK(has(cpaas::validate_limited("sms.send", u8"{}", 1), "\"more\":2"));
    CHECK(cpaas::validate_limited("sms", u8"{}", 1, std::nothrow).status == CPAAS_BAD_NAME);
    const std::string report = cpaas::validate("sms.send", u8R"({"from":"Acme"})");
    CHECK(has(cpaas::problem_details(report), "#/to") && has(cpaas::problem_details(report, R"({"instance":"/5"})"), "/5"));
    CHECK(cpaas::problem_details("{}", "", std::nothrow).status == CPAAS_BAD_TEXT);
    CHECK(has(cpaas::check("file", u8R"({"bytes":1})"), "ok"));
    CHECK(cpaas::check("files", "{}", std::nothrow).status == CPAAS_BAD_NAME);
    CHECK(has(cpaas::markup_parse(u8"<b>x</b>", "Html"), "Bold"));
    CHECK(cpaas::markup_parse(u8"<b>x</b>", "Html", std::nothrow).text.view().size() > 0);
    CHECK(thrown([] { cpaas::markup_parse("<b>", "Html"); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::markup_escape(u8"a_b", "MarkdownV2") == "a\\_b");
    CHECK(cpaas::markup_escape("a", "html", std::nothrow).status == CPAAS_BAD_NAME);
    CHECK(has(cpaas::provider_code("otp", 492), "already exists") && cpaas::provider_code("otp", 1, std::nothrow).status == CPAAS_NOT_FOUND);
    CHECK(has(cpaas::operations(), "sms.send") && cpaas::operations(std::nothrow).ok());
    CHECK(thrown([] { cpaas::token_mint("{}", u8"{}", 1); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::receive("{}", u8"{}", 1).status == CPAAS_BAD_TEXT);
}

/* A moved-from object is empty, also after a move assignment; a self-move changes nothing. */
static void moves() {
    cpaas::Text a = cpaas::operations(std::nothrow).text, b = cpaas::annotate("x", std::nothrow).text;
    cpaas::Text &self = a;
    const std::string before = a.str();
    a = std::move(self);
    CHECK(a.view() == before);
    b = std::move(a);
    CHECK(b.view() == before && a.empty() && a.view().data() == nullptr);
    const char *config = R"({"sms_url":"http://127.0.0.1:9","sms_key":"k","max_attempts":1})";
    cpaas::Client first(config), second{std::string(config)};
    cpaas::Client &same = first;
    first = std::move(same);
    CHECK(static_cast<bool>(first));
    second = std::move(first);
    CHECK(second && !first && first.get() == nullptr);
    CHECK(first.call("sms.send", "{}", std::nothrow).status == CPAAS_BAD_ARGUMENT);
    CHECK(second.call("sms.send", "{}", std::nothrow).status == CPAAS_INVALID);
}

static void json_texts() {
    const std::string text = "\",\"to\":\"1\\ \n";
    CHECK(cpaas::json_get(cpaas::json_string(text), "") == text);
    CHECK(cpaas::json_get(R"({"a":[1]})", std::string_view("/a/0xx", 4)) == "1");
    CHECK(cpaas::json_get("{}", "/a", std::nothrow).status == CPAAS_NOT_FOUND);
    CHECK(thrown([] { cpaas::json_get("{", "/a"); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::json_type(R"({"a":null})", "/a") == "null" && cpaas::json_type(R"({"a":"null"})", "/a") == "string");
    CHECK(cpaas::json_type("{}", "/a", std::nothrow).status == CPAAS_NOT_FOUND);
}

/* Functions that return an Expected, typed fields of a failure, futures, polled results, the log and receivers. */
static void results_without_exceptions(const cpaas::Client &client) {
    const std::string operation = "sms.send, and more";
    const auto failed = client.try_call(std::string_view(operation).substr(0, 8), "{}");
    CHECK(!failed && failed.status() == CPAAS_INVALID && failed.error().outcome() == "invalid" && failed.error().sent() == "no");
    CHECK(failed.error().reason() == "validation" && failed.error().operation() == "sms.send" && !failed.error().message().empty());
    CHECK(failed.error().attempts() == 0 && !failed.error().http_status() && !failed.error().retry_after());
    CHECK(failed.error().call_id().size() == 32 && client.try_call("sms", "{}").error().call_id().empty());
    CHECK(failed.value_or("none") == "none");
    CHECK(client.try_call("sms", "{}").error().argument() == "operation");
    CHECK(cpaas::Failure(CPAAS_REJECTED, R"({"retry_after_ms":7000,"code":429})").retry_after() == std::chrono::seconds(7));
    CHECK(failed.error().processed() == "no" && !failed.error().retryable());
    const cpaas::Sms sms{"Acme", "306912345678", "Say \"hi\"", "booking-7", "", false};
    const auto unsent = client.try_sms_send(sms);
    CHECK(unsent.status() == CPAAS_NOT_SENT && unsent.error().reference() == "booking-7");
    CHECK(unsent.error().processed() == "no" && unsent.error().retryable());
    CHECK(thrown([&] { client.sms_send(sms); }, true) == CPAAS_NOT_SENT);
    CHECK(client.try_sms_send({"Acme", "306912345678", std::string_view("a\0b", 3), "", "", false}).status() == CPAAS_BAD_ARGUMENT);
    CHECK(client.try_otp_send({"login", "Acme", "306912345678", "{code}", ""}).status() == CPAAS_INVALID); /* no otp_url */
    CHECK(client.try_otp_verify("login", "OTP1", "1").status() == CPAAS_INVALID);
    CHECK(client.try_lookup_one("306912345678").status() == CPAAS_INVALID);
    const char *const request = R"({"from":"Acme","to":"306912345678","text":"Hi"})";
    const auto later = client.try_call_future("sms.send", request).get();
    CHECK(later.status() == CPAAS_NOT_SENT && later.error().outcome() == "not_sent");
    CHECK(client.try_call_future("sms", "{}").get().status() == CPAAS_BAD_NAME);
    CHECK(thrown([&] { static_cast<void>(client.call_future("sms.send", request).get()); }, true) == CPAAS_NOT_SENT);
    CHECK(thrown([&] { static_cast<void>(client.call_future("sms", "{}").get()); }, false) == CPAAS_BAD_NAME);
    int tag = 0, seen = 0;
    CHECK(client.event_fd() >= 0 && client.start("sms.send", "{}", &tag) == CPAAS_OK);
    while (seen == 0) {
        for (const auto &ended : client.poll()) {
            CHECK(ended.user_data == &tag && ended.result.status == CPAAS_INVALID && !ended.result.text.empty());
            seen++;
        }
    }
    std::atomic<int> lines{0};
    {
        const cpaas::Log log([&lines](std::uint32_t, std::string_view) { lines++; });
        CHECK(!client.try_sms_send(sms));
    }
    const int before = lines;
    CHECK(before > 0 && !client.try_sms_send(sms) && lines == before);
    cpaas::set_limits(0, 0);
    CHECK(thrown([] { cpaas::Receiver receiver("{}"); }, true) == CPAAS_BAD_TEXT);
    const cpaas::Receiver receiver(R"({"audience":"shop","public_url":"https://shop.example"})");
    CHECK(receiver.receive("{}", 1).status == CPAAS_BAD_TEXT && receiver.forget("{}", 1) == CPAAS_BAD_TEXT);
}

struct Throws {
    Throws() = default;
    Throws(const Throws &) { throw 7; }
    void operator()(cpaas_status, std::string_view) const {}
};

/* Without a server, a call sends nothing, whether or not it is cancelled. */
static bool nothing_sent(cpaas_status status) { return status == CPAAS_NOT_SENT; }

static void completions(const cpaas::Client &client) {
    CHECK(thrown([&] { client.call_async("sms.send", "{}", std::function<void(cpaas_status, std::string_view)>()); }, false) ==
          CPAAS_BAD_ARGUMENT);
    void (*none)(cpaas_status, std::string_view) = nullptr;
    CHECK(client.call_async("sms.send", "{}", none, nullptr, std::nothrow) == CPAAS_BAD_ARGUMENT);
    CHECK(client.call_async("sms", u8"{}", [](cpaas_status, std::string_view) {}, nullptr, std::nothrow) == CPAAS_BAD_NAME);
    int caught = 0;
    const Throws done;
    try {
        client.call_async("sms.send", "{}", done);
    } catch (int number) {
        caught = number;
    }
    CHECK(caught == 7);
    std::atomic<int> runs{0};
    {
        const cpaas::Client other(R"({"sms_url":"http://127.0.0.1:9","sms_key":"k","max_attempts":1})");
        other.call_async("sms.send", R"({"from":"Acme","to":"306912345678","text":"Hi"})", [&runs, owned = std::make_unique<int>(5)](cpaas_status status, std::string_view text) {
            runs += nothing_sent(status) && !text.empty() ? *owned : 0;
        });
        CHECK(other.call_async("raw", R"({"method":"GET","family":"sms","path":"/"})", [&runs](cpaas_status status, std::string_view) { runs += nothing_sent(status); },
                               nullptr, std::nothrow) == CPAAS_OK);
    }
    CHECK(runs == 6);
}

static int is_suppressed(void *user_data, const char *, size_t) { return *static_cast<int *>(user_data); }

/* Without a server, a call that a store permits sends nothing. */
static void stores(cpaas::Client &client) {
    static int yes = 1;
    const auto request = R"({"from":"Acme","to":"306912345678","text":"Hi"})";
    client.suppression(is_suppressed, &yes);
    CHECK(has(client.call("sms.send", request, std::nothrow).text.str(), "\"code\":\"suppressed\""));
    client.without_suppression();
    CHECK(client.call("sms.send", request, std::nothrow).status == CPAAS_NOT_SENT);
    client.guard();
    CHECK(thrown([&] { client.guard(R"({"max_prefix":0})"); }, true) == CPAAS_INVALID);
    CHECK(client.guard(std::string_view(), std::nothrow).status == CPAAS_INVALID);
    CHECK(client.guard("\xff", std::nothrow).status == CPAAS_BAD_UTF8);
    client.without_guard();
    cpaas::Client moved(std::move(client));
    CHECK(client.suppression(is_suppressed, &yes, std::nothrow) == CPAAS_BAD_ARGUMENT);
    CHECK(client.guard("{}", std::nothrow).status == CPAAS_BAD_ARGUMENT);
    client = std::move(moved);
}

int main() {
    texts();
    moves();
    CHECK(thrown([] { cpaas::Client client("{"); }, true) == CPAAS_INVALID);
    cpaas::Result opened;
    const cpaas::Client empty(u8"{", opened, std::nothrow);
    CHECK(opened.status == CPAAS_INVALID && !opened.text.empty() && !empty);

    cpaas::Client client(R"({"sms_url":"http://127.0.0.1:9","sms_key":"k","max_attempts":1})");
    const auto request = R"({"from":"Acme","to":"306912345678","text":"Hi"})";
    CHECK(thrown([&] { client.call("sms.send", request); }, true) == CPAAS_NOT_SENT);
    CHECK(thrown([&] { client.call("sms.send", u8"{}"); }, true) == CPAAS_INVALID);
    CHECK(client.call("sms.send", request, std::nothrow).status == CPAAS_NOT_SENT);
    CHECK(has(client.prepare("sms.send", request), "/sms"));
    CHECK(client.prepare("sms.send", u8"{}", std::nothrow).status == CPAAS_INVALID);
    CHECK(has(client.parse("sms.send", 200, "", R"({"id":"m","responseCode":0})"), "\"m\""));
    CHECK(client.parse("sms.send", 500, u8"{}", "", std::nothrow).status == CPAAS_UNKNOWN);
    completions(client);
    stores(client);
    json_texts();
    results_without_exceptions(client);

    cpaas::Client moved = std::move(client);
    CHECK(!client && moved);
    CHECK(client.call("sms.send", request, std::nothrow).status == CPAAS_BAD_ARGUMENT);
    std::atomic<int> runs{0};
    for (int i = 0; i < 50; i++) {
        const auto number = moved.call_async("sms.send", request, [&runs](cpaas_status ended, std::string_view text) {
            if (ended != CPAAS_OK && !text.empty()) runs++;
        });
        if (i % 2 == 0) moved.cancel(number);
    }
    CHECK(thrown([&] { moved.call_async("sms", request, [&runs](cpaas_status, std::string_view) { runs += 1000; }); }, false) == CPAAS_BAD_NAME);
    moved = cpaas::Client(R"({"sms_url":"http://127.0.0.1:9"})"); // frees the previous client, which waits for its callbacks
    CHECK(runs == 50);
    CHECK(other_unit() == 1);
    moved = cpaas::Client("{}");
    cpaas::shutdown();
    return checks_end();
}
