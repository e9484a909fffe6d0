// Calls that start later, with the sandbox: typed results, futures, completions, polled results, options, drain, and
// conversions to and from std::expected (C++23) and a class like it.
#include <map>
#include <set>

#if __cplusplus > 202002L
#include <expected>
#endif

#include "check.h"
#include "cpaas.hpp"
#include "thrown.hpp"

static const std::string config = R"({"accept_repeated_ids":true})";
static const char *const unreachable = R"({"sms_url":"http://127.0.0.1:9","otp_url":"http://127.0.0.1:9","lookup_url":"http://127.0.0.1:9","api_key":"k","max_attempts":1})";

/* Each way to run a call. */
static void ways(const cpaas::Client &client) {
    std::set<std::string> ids;
    {
        std::string text = "Your \"table\" is ready"; // the call has a copy
        const auto call = client.sms().send({"Acme", "306912345601", text, "booking-7"});
        text = "another text";
        ids.insert(call.get().id);
        ids.insert(call.try_get()->id);
        ids.insert(call.future().get().id);
        const auto sent = call.try_future().get();
        CHECK(sent && cpaas::json_get(sent->json, "/id") == sent->id);
        ids.insert(sent->id);
        std::promise<cpaas::Expected<cpaas::Sent>> ended;
        const auto number = call.async([&ended, owned = std::make_unique<int>(1)](cpaas::Expected<cpaas::Sent> result) { ended.set_value(std::move(result)); });
        CHECK(number && *number != 0);
        ids.insert(ended.get_future().get()->id);
        int tag = 0;
        const auto polled = call.start(&tag);
        CHECK(polled && *polled != 0);
        std::vector<cpaas::PolledResult> results;
        while (results.empty()) results = client.poll();
        CHECK(results.size() == 1 && results[0].user_data == &tag && results[0].call == *polled);
        ids.insert(cpaas::try_sent_read(results[0].result.view())->id);
    }
    CHECK(ids.size() == 6 && ids.count("") == 0);
}

static void operations(const cpaas::Client &client) {
    const auto sent = client.otp().send({"login", "Acme", "306912345602", "Your code is {code}"}).future().get();
    CHECK(!sent.id.empty());
    CHECK(!client.otp().verify("login", sent.id, "12").future().get());
    CHECK(client.otp().verify("login", sent.id, "12").try_get().status() == CPAAS_NOT_VERIFIED);
    const auto now = client.lookup().one("306912345603").get(), later = client.lookup().one("306912345603").future().get();
    CHECK(cpaas::json_get(now.json, "/msisdn") == "306912345603" && cpaas::json_get(later.json, "/msisdn") == "306912345603");
    CHECK(std::string(now.number.network) == later.number.network && later.number.mcc[0] != '\0');
    CHECK(cpaas::json_get(client.new_call("sms.send", R"({"from":"Acme","to":"306912345604","text":"Hi"})").future().get(), "/id").size() > 5);
}

/* A call that cannot start, and calls that fail. */
static void failures() {
    cpaas::Client client(unreachable);
    const auto call = client.sms().send({"Acme", "306912345678", "Hi", "booking-7"});
    CHECK(call.try_get().status() == CPAAS_NOT_SENT && call.try_future().get().error().reference() == "booking-7");
    CHECK(thrown([&] { static_cast<void>(call.future().get()); }) == CPAAS_NOT_SENT && thrown([&] { call.get(); }) == CPAAS_NOT_SENT);
    CHECK(client.otp().send({"login", "Acme", "306912345678", "{code}"}).try_future().get().status() == CPAAS_NOT_SENT);
    CHECK(client.otp().verify("login", "OTP00000000000000000000000000000000", "12").try_future().get().status() == CPAAS_NOT_SENT);
    CHECK(client.lookup().one("306912345678").try_future().get().status() == CPAAS_NOT_SENT);
    CHECK(client.sms().send({}).try_future().get().status() == CPAAS_INVALID);
    CHECK(client.new_call("sms", "{}").try_future().get().error().argument() == "operation");
    const std::string_view nul("a\0b", 3);
    int runs = 0;
    std::uint64_t number = 5;
    CHECK(client.sms().send({"Acme", "306912345678", nul}).async([&runs](const auto &) { runs++; }).status() == CPAAS_BAD_ARGUMENT);
    CHECK(client.sms().send({"Acme", "306912345678", nul}).try_get().status() == CPAAS_BAD_ARGUMENT);
    CHECK(client.sms().send({"Acme", "306912345678", nul}).try_future(&number).get().status() == CPAAS_BAD_ARGUMENT && number == 0);
    CHECK(client.otp().send({nul, "Acme", "306912345678", "{code}"}).start().status() == CPAAS_BAD_ARGUMENT);
    CHECK(client.otp().verify("login", nul, "1").start().status() == CPAAS_BAD_ARGUMENT);
    CHECK(client.try_lookup_one(std::string_view("306912345678\0" "9", 14)).error().argument() == "msisdn");
    CHECK(client.try_sms_send({"Acme", nul, "Hi"}).error().argument() == "to" && client.try_sms_send({"Acme", "1", "Hi", nul}).error().argument() == "reference");
    CHECK(client.otp().send({"login", "Acme", "1", nul}).try_future().get().error().argument() == "body");
    CHECK(client.try_otp_verify("login", "id", nul).error().message() == "`code` must not contain NUL");
    // A name is not cut at a NUL.
    CHECK(cpaas::validate(std::string("sms.send\0x", 10), "{}", std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(cpaas::json_get(R"({"a":1})", std::string("/a\0b", 4), std::nothrow).status == CPAAS_BAD_UTF8);
    CHECK(client.try_call(std::string("sms.send\0", 9), "{}").status() == CPAAS_BAD_UTF8);
    CHECK(client.lookup().one(nul).start().status() == CPAAS_BAD_ARGUMENT);
    CHECK(call.async(std::function<void(cpaas::Expected<cpaas::Sent>)>()).error().argument() == "done");
    // Options are copied, with their headers; invalid ones are refused at the start.
    auto with_options = client.sms().send({"Acme", "306912345678", "Hi"});
    {
        std::string name = "x-trace", value = "1";
        const char *headers[] = {name.c_str(), value.c_str(), nullptr};
        auto options = cpaas::call_options();
        options.headers = headers;
        with_options.options(options);
        name = value = "changed\n";
    }
    CHECK(with_options.try_get().status() == CPAAS_NOT_SENT && with_options.try_future().get().status() == CPAAS_NOT_SENT);
    auto options = cpaas::call_options();
    options.validation = 9;
    CHECK(client.sms().send({"Acme", "306912345678", "Hi"}).options(options).try_future().get().error().argument() == "options");
    options.validation = CPAAS_VALIDATION_OFF;
    CHECK(client.sms().send({}).options(options).try_future().get().status() == CPAAS_NOT_SENT);
    const cpaas::Client moved(std::move(client));
    CHECK(client.sms().send({"Acme", "306912345678", "Hi"}).try_future().get().status() == CPAAS_BAD_ARGUMENT && runs == 0);
    CHECK(call.try_get().status() == CPAAS_NOT_SENT); // the client has only been moved
    auto again = call;
    const auto other = std::move(again);
    CHECK(again.try_get().status() == CPAAS_NOT_SENT && other.try_get().status() == CPAAS_NOT_SENT); // a moved-from call is valid
    const auto without_client = cpaas::Client(unreachable).sms().send({"Acme", "306912345678", "Hi"});
    CHECK(without_client.try_get().status() == CPAAS_BAD_HANDLE && without_client.try_future().get().error().argument() == "client");
}

/* A cancelled future, and one whose client is destroyed, receive a failure. drain returns each user_data. */
static void ends() {
    auto client = std::make_unique<cpaas::Client>(unreachable);
    std::uint64_t number = 0;
    auto cancelled = client->sms().send({"Acme", "306912345678", "Hi"}).try_future(&number);
    client->cancel(number);
    auto destroyed = client->sms().send({"Acme", "306912345678", "Hi"}).try_future();
    std::map<void *, int> seen;
    static int tags[200];
    for (int &tag : tags) CHECK(client->sms().send({"Acme", "306912345678", "Hi"}).start(&tag).has_value());
    for (const auto &one : client->drain(std::chrono::seconds(5))) {
        CHECK(one.result.status == CPAAS_NOT_SENT);
        seen[one.user_data]++;
    }
    CHECK(seen.size() == 200 && seen.begin()->second == 1);
    std::vector<cpaas::PolledResult> more;
    CHECK(client->drain(std::chrono::milliseconds(-1), more, std::nothrow) == CPAAS_OK && more.empty());
    CHECK(client->sms().send({"Acme", "306912345678", "Hi"}).try_future().get().status() == CPAAS_BAD_HANDLE);
    client.reset();
    CHECK(number != 0 && cancelled.get().status() == CPAAS_NOT_SENT && destroyed.get().status() == CPAAS_NOT_SENT);
    cpaas::Client empty("{}");
    const cpaas::Client other(std::move(empty));
    CHECK(thrown([&] { static_cast<void>(empty.drain(std::chrono::seconds(0))); }) == CPAAS_BAD_ARGUMENT);
}

/* The members that std::expected and tl::expected share. */
template <class E> struct Unexpected {
    explicit Unexpected(E given) : error(std::move(given)) {}
    E error;
};
template <class T, class E> class Like {
public:
    using value_type = T;
    using error_type = E;
    using unexpected_type = Unexpected<E>;
    Like(T value) : value_(std::move(value)) {}
    Like(Unexpected<E> error) : error_(std::move(error.error)) {}
    bool has_value() const { return value_.has_value(); }
    const T &operator*() const { return *value_; }
    const E &error() const { return *error_; }

private:
    std::optional<T> value_;
    std::optional<E> error_;
};

/* Whether a passcode is valid: no conversion takes a result that has a value for the value. */
template <template <class, class> class Other> static void passcodes() {
    using Mine = cpaas::Expected<bool>;
    using Theirs = Other<bool, cpaas::Failure>;
    static_assert(!std::is_constructible_v<bool, Mine> && !std::is_constructible_v<std::optional<bool>, Mine>);
    static_assert(std::is_constructible_v<bool, cpaas::Expected<cpaas::Sent>> && !std::is_convertible_v<cpaas::Expected<cpaas::Sent>, bool>);
    static_assert(std::is_constructible_v<Theirs, Mine> && std::is_constructible_v<Theirs, const Mine &> && std::is_constructible_v<Mine, Theirs>);
    for (const bool valid : {false, true}) {
        const Mine mine(valid);
        std::vector<Theirs> all;
        all.push_back(mine);
        all.emplace_back(mine);
        all.emplace_back(Mine{valid});
        const Theirs direct(mine), braces{mine}, moved(Mine{valid}), moved_braces{Mine{valid}}, copied = mine;
        all.insert(all.end(), {direct, braces, moved, moved_braces, copied, static_cast<Theirs>(mine), static_cast<Theirs>(Mine{valid})});
        Theirs assigned(!valid);
        assigned = mine;
        all.push_back(assigned);
        CHECK(all.size() == 11);
        for (const Theirs &one : all) {
            CHECK(one.has_value() && *one == valid);
            const Mine back(one), back_braces{one}, back_copied = one;
            CHECK(*back == valid && *back_braces == valid && *back_copied == valid);
        }
    }
    const Mine failure(cpaas::Failure(CPAAS_UNKNOWN, "{}"));
    const Theirs failed(failure), failed_braces{failure};
    CHECK(!failed.has_value() && failed.error().status() == CPAAS_UNKNOWN && !failed_braces.has_value());
    CHECK(!Mine(failed).has_value() && static_cast<Mine>(failed).status() == CPAAS_UNKNOWN);
}

template <template <class, class> class Other> static void conversions() {
    using Mine = cpaas::Expected<cpaas::Sent>;
    using Theirs = Other<cpaas::Sent, cpaas::Failure>;
    static_assert(std::is_convertible_v<Mine, Theirs> && std::is_convertible_v<Theirs, Mine>);
    static_assert(!std::is_convertible_v<Mine, Other<std::string, cpaas::Failure>> && !std::is_convertible_v<Mine, Other<cpaas::Sent, int>>);
    static_assert(!std::is_convertible_v<Other<std::string, cpaas::Failure>, Mine>);
    const Theirs value = Mine(cpaas::Sent{"id", "{}"}), failed = Mine(cpaas::Failure(CPAAS_UNKNOWN, "{}"));
    CHECK(value.has_value() && (*value).id == "id" && !failed.has_value() && failed.error().status() == CPAAS_UNKNOWN);
    const Mine back = value, lost = failed;
    CHECK(back->id == "id" && lost.status() == CPAAS_UNKNOWN);
    const Theirs direct(back);
    CHECK(direct.has_value());
    const Other<bool, cpaas::Failure> no = cpaas::Expected<bool>(false);
    CHECK(no.has_value() && !*no);
    passcodes<Other>();
    const Other<std::string, cpaas::Failure> text = cpaas::Expected<std::string>(std::string("{}"));
    CHECK(*text == "{}");
}

int main() {
    const cpaas::Client client(config);
    ways(client);
    operations(client);
    failures();
    ends();
    conversions<Like>();
#if __cplusplus > 202002L
    conversions<std::expected>();
    const auto wrong = client.otp().send({"login", "Acme", "306912345606", "Your code is {code}"}).get();
    const std::expected<bool, cpaas::Failure> verified(client.try_otp_verify("login", wrong.id, "12"));
    CHECK(!verified.has_value() && verified.error().status() == CPAAS_NOT_VERIFIED);
#endif
    cpaas::shutdown();
    return checks_end();
}
