// Functions that need no client. Included by cpaas.hpp. Hand-written.
#ifndef CPAAS_FUNCTIONS_HPP
#define CPAAS_FUNCTIONS_HPP

#include "values.hpp"

CPAAS_NAMESPACE_BEGIN

inline std::string json_string(Utf8 text) { return detail::value_of(json_string(text, std::nothrow)); }
inline std::string json_get(Utf8 json, const Name &pointer) {
    return detail::value_of(json_get(json, pointer, std::nothrow));
}
inline std::string json_type(Utf8 json, const Name &pointer) {
    return detail::value_of(json_type(json, pointer, std::nothrow));
}

/// Ends the threads of the library. Destroy all clients first.
inline void shutdown() noexcept { cpaas_shutdown(); }

/// Sets the limits of the process; 0 means the default.
inline void set_limits(std::uint32_t max_calls, std::uint32_t max_callback_threads) noexcept {
    cpaas_limits limits{};
    limits.size = sizeof limits;
    limits.max_calls = max_calls;
    limits.max_callback_threads = max_callback_threads;
    cpaas_set_limits(&limits);
}

/// An SMS; empty members are absent.
struct Sms {
    std::string_view from = {}, to = {}, text = {}, reference = {}, callback = {};
    bool test = false;
};

/// A one-time passcode; `{code}` in `body` is replaced by the passcode. `channel` is `sms`, `call` or empty.
struct Otp {
    std::string_view service = {}, from = {}, to = {}, body = {}, channel = {};
};

/// The result of a send: the id, and the whole response as JSON.
struct Sent {
    std::string id, json;
};

/// The result of a lookup of one number (section C1), and the whole response as JSON.
struct Lookup {
    cpaas_lookup number{};
    std::string json;
};

/// Reads the id of a result of `sms.send` or `otp.send`. CPAAS_NOT_FOUND if it has no id of at most 127 bytes.
inline Expected<Sent> try_sent_read(Utf8 json) {
    cpaas_sent sent{};
    sent.size = sizeof sent;
    const cpaas_status status = cpaas_sent_read(json.data(), json.size(), &sent);
    if (status != CPAAS_OK) return Failure(status, {});
    return Sent{sent.id, std::string(json.data(), json.size())};
}

/// Reads a result of `lookup.numbers`: an array, whose first element is read, or one of its elements. CPAAS_NOT_FOUND if there is none.
inline Expected<Lookup> try_lookup_read(Utf8 json) {
    Lookup lookup;
    lookup.number.size = sizeof lookup.number;
    const cpaas_status status = cpaas_lookup_read(json.data(), json.size(), &lookup.number);
    if (status != CPAAS_OK) return Failure(status, {});
    const Result first = json_get(json, "/0", std::nothrow);
    lookup.json = first.ok() ? first.text.str() : std::string(json.data(), json.size());
    return lookup;
}

/// The result of a call that `Client::start` or `Call::start` started.
struct PolledResult {
    std::uint64_t call = 0;
    void *user_data = nullptr;
    Result result;
};

/// Options of one call, with `size` set. An option of 0 means the client's setting.
inline cpaas_call_options call_options() noexcept {
    cpaas_call_options options{};
    options.size = sizeof options;
    return options;
}

/// Options of `segments`, with `size` set. An option of 0 means the default.
inline cpaas_segment_options segment_options() noexcept {
    cpaas_segment_options options{};
    options.size = sizeof options;
    return options;
}

inline cpaas_status count_segments(Utf8 text, cpaas_segment_count &count, std::nothrow_t) noexcept {
    return cpaas_count_segments(text.data(), text.size(), &count);
}
inline cpaas_segment_count count_segments(Utf8 text) {
    cpaas_segment_count count{};
    detail::check(count_segments(text, count, std::nothrow));
    return count;
}

/// The SMS parts of a text, as ranges of bytes.
struct Segments {
    cpaas_segment_count count{};
    std::vector<cpaas_segment> parts;
};

inline Segments segments(Utf8 text, const cpaas_segment_options *options = nullptr) {
    Segments result;
    result.parts.resize(255);
    std::size_t written = 0;
    detail::check(cpaas_segments(text.data(), text.size(), options, result.parts.data(), result.parts.size(), &written,
                                 &result.count));
    result.parts.resize(written);
    return result;
}

inline Result operations(std::nothrow_t) noexcept {
    return detail::result_of([](cpaas_text *out) { return cpaas_operations(out); });
}
inline std::string operations() { return detail::value_of(operations(std::nothrow)); }

inline Result provider_code(const Name &family, std::int64_t code, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_provider_code(family.c_str(), code, out); });
}
/// Returns the meaning of a code of the provider as JSON.
inline std::string provider_code(const Name &family, std::int64_t code) {
    return detail::value_of(provider_code(family, code, std::nothrow));
}

inline Result validate(const Name &operation, Utf8 request, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_validate(operation.c_str(), request.data(), request.size(), out); });
}
/// Returns the report as JSON. An invalid request is a report with errors, not an exception.
inline std::string validate(const Name &operation, Utf8 request) {
    return detail::value_of(validate(operation, request, std::nothrow));
}

inline Result validate_limited(const Name &operation, Utf8 request, std::size_t limit, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_validate_limited(operation.c_str(), request.data(), request.size(), limit, out);
    });
}
/// As `validate`, but the report lists at most `limit` problems; its member `more` is the number of the others.
inline std::string validate_limited(const Name &operation, Utf8 request, std::size_t limit) {
    return detail::value_of(validate_limited(operation, request, limit, std::nothrow));
}

inline Result problem_details(Utf8 report, Utf8 members, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_problem_details(report.data(), report.size(), members.data(), members.size(), out);
    });
}
/// Returns problem details (RFC 9457) of a report as JSON. `members` is empty or a JSON object of members to add or replace.
inline std::string problem_details(Utf8 report, Utf8 members = "") {
    return detail::value_of(problem_details(report, members, std::nothrow));
}

inline Result check(const Name &name, Utf8 arguments, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_check(name.c_str(), arguments.data(), arguments.size(), out); });
}
inline std::string check(const Name &name, Utf8 arguments) {
    return detail::value_of(check(name, arguments, std::nothrow));
}

inline Result segments_json(Utf8 text, const Name &options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_segments_json(text.data(), text.size(), detail::optional(options), out);
    });
}
/// `options` is JSON, or empty.
inline std::string segments_json(Utf8 text, const Name &options = "") {
    return detail::value_of(segments_json(text, options, std::nothrow));
}

inline Result estimate(Utf8 text, const Name &price_per_part, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_estimate(text.data(), text.size(), price_per_part.c_str(), out); });
}
inline std::string estimate(Utf8 text, const Name &price_per_part) {
    return detail::value_of(estimate(text, price_per_part, std::nothrow));
}

inline Result estimate_with(Utf8 text, const Name &price_per_part, const Name &options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_estimate_with(text.data(), text.size(), price_per_part.c_str(), detail::optional(options), out);
    });
}
/// `options` is JSON, or empty.
inline std::string estimate_with(Utf8 text, const Name &price_per_part, const Name &options) {
    return detail::value_of(estimate_with(text, price_per_part, options, std::nothrow));
}

inline Result estimate_to(Utf8 text, const Name &prices, const Name &to, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_estimate_to(text.data(), text.size(), prices.c_str(), to.c_str(), out);
    });
}
inline std::string estimate_to(Utf8 text, const Name &prices, const Name &to) {
    return detail::value_of(estimate_to(text, prices, to, std::nothrow));
}

inline Result annotate(Utf8 text, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_annotate(text.data(), text.size(), out); });
}
inline std::string annotate(Utf8 text) { return detail::value_of(annotate(text, std::nothrow)); }

inline Result annotate_with(Utf8 text, const Name &options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_annotate_with(text.data(), text.size(), detail::optional(options), out);
    });
}
/// `options` is JSON, or empty.
inline std::string annotate_with(Utf8 text, const Name &options) {
    return detail::value_of(annotate_with(text, options, std::nothrow));
}

inline Result intent(Utf8 text, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_intent(text.data(), text.size(), out); });
}
/// Returns what an inbound message asks for, as JSON.
inline std::string intent(Utf8 text) { return detail::value_of(intent(text, std::nothrow)); }

inline Result autofill_body(Utf8 text, const Name &options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_autofill_body(text.data(), text.size(), options.c_str(), out);
    });
}
/// Returns a message that fills its one-time code in. `options` is JSON.
inline std::string autofill_body(Utf8 text, const Name &options) {
    return detail::value_of(autofill_body(text, options, std::nothrow));
}

inline Result check_autofill(Utf8 message, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_check_autofill(message.data(), message.size(), out);
    });
}
/// Returns what a message fills in, as JSON.
inline std::string check_autofill(Utf8 message) { return detail::value_of(check_autofill(message, std::nothrow)); }

inline Result app_hash(const Name &package, std::string_view certificate, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_app_hash(package.c_str(), certificate.data(), certificate.size(), out);
    });
}
/// Returns the hash of an Android app. `certificate` is the certificate that signs it, in DER.
inline std::string app_hash(const Name &package, std::string_view certificate) {
    return detail::value_of(app_hash(package, certificate, std::nothrow));
}

inline Result normalize_number(Utf8 number, const Name &region, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_normalize_number(number.data(), number.size(), detail::optional(region), out);
    });
}
/// Returns the digits that are sent. `region` is an ISO 3166-1 alpha-2 code, or empty.
inline std::string normalize_number(Utf8 number, const Name &region = "") {
    return detail::value_of(normalize_number(number, region, std::nothrow));
}

inline Result check_number(Utf8 number, const Name &region, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_check_number(number.data(), number.size(), detail::optional(region), out);
    });
}
/// Returns the result of checking a number against the numbering plans, as JSON. `region` is an ISO 3166-1 alpha-2 code, or empty.
inline std::string check_number(Utf8 number, const Name &region = "") {
    return detail::value_of(check_number(number, region, std::nothrow));
}

inline Result encode(Utf8 text, const Name &options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_encode(text.data(), text.size(), detail::optional(options), out);
    });
}
/// Returns the user data of each part as JSON. `options` is JSON, or empty.
inline std::string encode(Utf8 text, const Name &options = "") {
    return detail::value_of(encode(text, options, std::nothrow));
}

inline Result decode(Utf8 parts, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_decode(parts.data(), parts.size(), out); });
}
/// Returns the text of parts that are given as JSON.
inline std::string decode(Utf8 parts) { return detail::value_of(decode(parts, std::nothrow)); }

inline Result transliterate(Utf8 text, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_transliterate(text.data(), text.size(), out); });
}
inline std::string transliterate(Utf8 text) { return detail::value_of(transliterate(text, std::nothrow)); }

inline Result template_segments(Utf8 text, const Name &values, const Name &options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_template_segments(text.data(), text.size(), values.c_str(), detail::optional(options), out);
    });
}
/// `options` is JSON, or empty.
inline std::string template_segments(Utf8 text, const Name &values, const Name &options = "") {
    return detail::value_of(template_segments(text, values, options, std::nothrow));
}

inline Result markup_parse(Utf8 text, const Name &mode, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_markup_parse(text.data(), text.size(), mode.c_str(), out); });
}
inline std::string markup_parse(Utf8 text, const Name &mode) {
    return detail::value_of(markup_parse(text, mode, std::nothrow));
}

inline Result markup_escape(Utf8 text, const Name &mode, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_markup_escape(text.data(), text.size(), mode.c_str(), out); });
}
inline std::string markup_escape(Utf8 text, const Name &mode) {
    return detail::value_of(markup_escape(text, mode, std::nothrow));
}

/// Verifies a callback request. Does not throw: `CPAAS_CALLBACK_REJECTED` is a normal result; read `status`.
inline Result receive(Utf8 config, Utf8 request, std::uint64_t now) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_receive(config.data(), config.size(), request.data(), request.size(), now, out);
    });
}

inline Result token_mint(Utf8 config, Utf8 request, std::uint64_t now, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_token_mint(config.data(), config.size(), request.data(), request.size(), now, out);
    });
}
inline std::string token_mint(Utf8 config, Utf8 request, std::uint64_t now) {
    return detail::value_of(token_mint(config, request, now, std::nothrow));
}

CPAAS_NAMESPACE_END

#endif // CPAAS_FUNCTIONS_HPP
