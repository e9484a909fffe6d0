// The C++ header: every function of it, and what it promises of ownership, exceptions and literals.
#include <atomic>
#include <type_traits>

#include "check.h"
#include "cpaas.hpp"
#include "cpaas.hpp"

static_assert(!std::is_copy_constructible_v<cpaas::Client> && std::is_nothrow_move_constructible_v<cpaas::Client>);
static_assert(!std::is_copy_constructible_v<cpaas::Text> && std::is_nothrow_move_assignable_v<cpaas::Text>);
static_assert(std::is_nothrow_copy_constructible_v<cpaas::Error>);

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

int main() {
    CHECK(cpaas::count_segments("it is here").parts == 1);
    CHECK(cpaas::count_segments(u8"Γεια σου 👋").encoding == CPAAS_UCS2);
    CHECK(cpaas::count_segments(std::string_view()).units == 0);
    CHECK(cpaas::segments(std::string(161, 'a')).parts.size() == 2);
    auto options = cpaas::segment_options();
    options.reference_bits = 16;
    CHECK(cpaas::segments(u8"Γεια", &options).count.parts == 1);
    CHECK(thrown([] { cpaas::count_segments("\xff"); }, false) == CPAAS_BAD_UTF8);
    CHECK(thrown([] { cpaas::segments(std::string(153 * 256, 'a')); }, false) == CPAAS_BAD_TEXT);
    CHECK(cpaas::validate("sms.send", u8R"({"from":"Acme"})").find("/to") != std::string::npos);
    CHECK(cpaas::validate("sms", "{}", std::nothrow).status == CPAAS_BAD_NAME);
    CHECK(cpaas::markup_parse(u8"<b>x</b>", "Html").find("Bold") != std::string::npos);
    CHECK(thrown([] { cpaas::markup_parse("<b>", "Html"); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::markup_escape(u8"a_b", "MarkdownV2") == "a\\_b");
    CHECK(cpaas::operations().find("sms.send") != std::string::npos);
    CHECK(thrown([] { cpaas::token_mint("{}", "{}", 1); }, true) == CPAAS_BAD_TEXT);
    CHECK(cpaas::receive("{}", "{}", 1).status == CPAAS_BAD_TEXT);

    CHECK(thrown([] { cpaas::Client client("{"); }, true) == CPAAS_INVALID);
    cpaas_status status = CPAAS_OK;
    const cpaas::Client empty("{", status, std::nothrow);
    CHECK(status == CPAAS_INVALID && !empty);

    cpaas::Client client(R"({"sms_url":"http://127.0.0.1:9","sms_key":"k","max_attempts":1})");
    const auto request = R"({"from":"Acme","to":"306912345678","text":"Hi"})";
    CHECK(thrown([&] { client.call("sms.send", request); }, true) == CPAAS_NOT_SENT);
    CHECK(thrown([&] { client.call("sms.send", u8"{}"); }, true) == CPAAS_INVALID);
    CHECK(client.call("sms.send", request, std::nothrow).status == CPAAS_NOT_SENT);
    CHECK(client.prepare("sms.send", request).find("/sms") != std::string::npos);
    CHECK(client.parse("sms.send", 200, "", R"({"id":"m","responseCode":0})").find("\"m\"") != std::string::npos);
    CHECK(thrown([&] { client.parse("sms.send", 500, "", "", std::nothrow).ok() ? void() : throw cpaas::Error(CPAAS_UNKNOWN, "{}"); }, true) == CPAAS_UNKNOWN);

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
    moved = cpaas::Client(R"({"sms_url":"http://127.0.0.1:9"})"); // frees the client of the calls, which waits
    CHECK(runs == 50);
    CHECK(other_unit() == 1);
    return checks_end();
}
