// cpaas for C++17 and later: a thin layer over cpaas.h. Header-only; link cpaas::cpaas.
//
// Results, reports and error records are JSON in a std::string or a cpaas::Text, as in C. A function throws
// cpaas::Error for every status except CPAAS_OK. Each has an overload with a std::nothrow argument that returns the
// status instead. With -fno-exceptions a function that would throw aborts the process.
// Functions named try_... return a cpaas::Expected, which contains a value or a cpaas::Failure with typed fields.
// Arguments are UTF-8: anything that converts to std::string_view or, from C++20 on, to std::u8string_view.
// Threads may share a Client; moving a Client is not thread-safe. The other functions are thread-safe.
// cpaas.h documents each function in detail.
#ifndef CPAAS_HPP
#define CPAAS_HPP

#if !(defined(__cplusplus) && __cplusplus >= 201703L) && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "cpaas.hpp requires C++17 or later"
#endif

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cpaas.h"

namespace cpaas {

/// A UTF-8 argument. Converts from anything that converts to std::string_view or std::u8string_view.
class Utf8 {
public:
    template <class T, std::enable_if_t<std::is_convertible_v<const T &, std::string_view>, int> = 0>
    Utf8(const T &text) noexcept : text_(text) {}
#if defined(__cpp_char8_t)
    template <class T, std::enable_if_t<std::is_convertible_v<const T &, std::u8string_view>, int> = 0, class = void>
    Utf8(const T &text) noexcept {
        const std::u8string_view view(text);
        text_ = std::string_view(reinterpret_cast<const char *>(view.data()), view.size());
    }
#endif
    /// Never NULL.
    const char *data() const noexcept { return text_.data() == nullptr ? "" : text_.data(); }
    std::size_t size() const noexcept { return text_.size(); }

private:
    std::string_view text_;
};

/// The name of an operation, a mode or a check, and any other argument that is a C string in C.
class Name {
public:
    template <class T, std::enable_if_t<std::is_convertible_v<const T &, std::string_view>, int> = 0>
    Name(const T &name) : name_(std::string_view(name)) {}
    const char *c_str() const noexcept { return name_.c_str(); }
    bool empty() const noexcept { return name_.empty(); }

private:
    std::string name_;
};

/// A string that the library allocated; the destructor frees it. Move-only; a moved-from object is empty.
class Text {
public:
    Text() noexcept = default;
    explicit Text(cpaas_text text) noexcept : text_(text) {}
    Text(Text &&other) noexcept : text_(std::exchange(other.text_, {})) {}
    Text &operator=(Text &&other) noexcept {
        Text moved(std::move(other));
        std::swap(text_, moved.text_);
        return *this;
    }
    Text(const Text &) = delete;
    Text &operator=(const Text &) = delete;
    ~Text() { cpaas_text_free(&text_); }

    /// The string; valid for the lifetime of the object.
    std::string_view view() const noexcept {
        return text_.data == nullptr ? std::string_view() : std::string_view(text_.data, text_.len);
    }
    std::string str() const { return std::string(view()); }
    bool empty() const noexcept { return text_.len == 0; }
    /// Frees the string and returns the struct, for a function of cpaas.h to write.
    cpaas_text *out() noexcept {
        cpaas_text_free(&text_);
        return &text_;
    }

private:
    cpaas_text text_{};
};

/// The result of a function. `text` is its output; if `ok()` is false, it is the error record.
struct [[nodiscard]] Result {
    cpaas_status status = CPAAS_OK;
    Text text;

    bool ok() const noexcept { return status == CPAAS_OK; }
    std::string_view view() const noexcept { return copied_.empty() ? text.view() : std::string_view(copied_); }
    /// Stores a copy of a text of the caller, for `view()`.
    void copy(std::string_view other) { copied_ = std::string(other); }

private:
    std::string copied_;
};

/// A text as a JSON string, with quotes and escapes.
inline Result json_string(Utf8 text, std::nothrow_t) noexcept {
    Result result;
    result.status = cpaas_json_string(text.data(), text.size(), result.text.out());
    return result;
}

/// The value at a JSON pointer such as `/id`: a string without quotes and escapes, or JSON. CPAAS_NOT_FOUND without one.
inline Result json_get(Utf8 json, const Name &pointer, std::nothrow_t) noexcept {
    Result result;
    result.status = cpaas_json_get(json.data(), json.size(), pointer.c_str(), result.text.out());
    return result;
}

/// A status and the members of its error record.
class Failure {
public:
    Failure(cpaas_status status, std::string record) : status_(status), record_(std::move(record)) {}

    cpaas_status status() const noexcept { return status_; }
    /// The error record as JSON; empty if the status has none.
    const std::string &record() const noexcept { return record_; }
    /// `invalid`, `rejected`, `not_sent`, `unknown` or `accepted_id_unknown`; empty without a record.
    std::string outcome() const { return text("/outcome"); }
    /// Whether the request reached the provider: `no`, `maybe` or `yes`.
    std::string sent() const { return text("/sent"); }
    std::string reason() const { return text("/reason"); }
    std::string operation() const { return text("/operation"); }
    std::string message() const { return text("/message"); }
    std::string provider_message() const { return text("/provider_message"); }
    std::string request_id() const { return text("/request_id"); }
    std::string reference() const { return text("/reference"); }
    /// The name of an invalid argument.
    std::string argument() const { return text("/argument"); }
    std::optional<std::int64_t> http_status() const { return number("/status"); }
    std::optional<std::int64_t> code() const { return number("/code"); }
    std::optional<std::int64_t> attempts() const { return number("/attempts"); }
    /// The wait that the provider requests before a retry.
    std::optional<std::chrono::milliseconds> retry_after() const {
        const auto wait = number("/retry_after_ms");
        return wait ? std::optional(std::chrono::milliseconds(*wait)) : std::nullopt;
    }

private:
    std::string text(const char *pointer) const {
        const Result found = json_get(record_, pointer, std::nothrow);
        return found.ok() ? found.text.str() : std::string();
    }
    std::optional<std::int64_t> number(const char *pointer) const {
        const std::string found = text(pointer);
        return found.empty() ? std::nullopt : std::optional<std::int64_t>(std::strtoll(found.c_str(), nullptr, 10));
    }

    cpaas_status status_;
    std::string record_;
};

/// An error: a call that was not accepted, or an invalid argument. `what()` is the name of the status.
class Error : public std::runtime_error {
public:
    explicit Error(Failure failure)
        : std::runtime_error(cpaas_status_name(failure.status())),
          failure_(std::make_shared<const Failure>(std::move(failure))) {}
    Error(cpaas_status status, std::string record) : Error(Failure(status, std::move(record))) {}

    cpaas_status status() const noexcept { return failure_->status(); }
    /// The error record as JSON; empty if the status has none.
    const std::string &record() const noexcept { return failure_->record(); }
    /// The members of the record.
    const Failure &failure() const noexcept { return *failure_; }

private:
    std::shared_ptr<const Failure> failure_;
};

namespace detail {

inline void raise(Failure failure) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw Error(std::move(failure));
#else
    static_cast<void>(failure);
    std::abort();
#endif
}

inline void check(cpaas_status status, std::string_view record = {}) {
    if (status != CPAAS_OK) raise(Failure(status, std::string(record)));
}

inline std::string value_of(const Result &result) {
    check(result.status, result.text.view());
    return result.text.str();
}

/// Calls a function that writes a string and returns a status.
template <class Call> Result result_of(Call call) noexcept {
    Result result;
    result.status = call(result.text.out());
    return result;
}

/// Whether `done` is an empty std::function or a null pointer.
template <class Done> bool is_empty(const Done &done) noexcept {
    if constexpr (std::is_pointer_v<Done>) {
        return done == nullptr;
    } else if constexpr (std::is_constructible_v<Done, std::nullptr_t> && std::is_constructible_v<bool, const Done &>) {
        return !static_cast<bool>(done);
    } else {
        return false;
    }
}

template <class Done>
void complete(void *user_data, cpaas_status status, const char *text, std::size_t len) noexcept {
    const std::unique_ptr<Done> done(static_cast<Done *>(user_data));
    (*done)(status, text == nullptr ? std::string_view() : std::string_view(text, len));
}

} // namespace detail

/// A value, or a failure; like std::expected of C++23.
template <class T> class [[nodiscard]] Expected {
public:
    Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Expected(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }
    /// The value. Throws Error if there is none.
    T &value() & {
        if (!has_value()) detail::raise(error());
        return *std::get_if<0>(&state_);
    }
    const T &value() const & { return const_cast<Expected *>(this)->value(); }
    T &&value() && { return std::move(value()); }
    /// Only if `has_value()`.
    const T &operator*() const noexcept { return *std::get_if<0>(&state_); }
    const T *operator->() const noexcept { return std::get_if<0>(&state_); }
    template <class U> T value_or(U &&other) const {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }
    /// Only if not `has_value()`.
    const Failure &error() const noexcept { return *std::get_if<1>(&state_); }
    cpaas_status status() const noexcept { return has_value() ? CPAAS_OK : error().status(); }

private:
    std::variant<T, Failure> state_;
};

namespace detail {

inline Failure failure_of(const Result &result) { return Failure(result.status, result.text.str()); }

inline Expected<std::string> expected_of(const Result &result) {
    if (!result.ok()) return failure_of(result);
    return result.text.str();
}

/// The members of a struct of C strings. A NUL inside a text would cut it.
template <std::size_t N> class Strings {
public:
    explicit Strings(const std::array<std::string_view, N> &texts) {
        for (std::size_t i = 0; i < N; i++) {
            texts_[i] = std::string(texts[i]);
            valid_ = valid_ && texts[i].find('\0') == std::string_view::npos;
        }
    }
    bool valid() const noexcept { return valid_; }
    const char *operator[](std::size_t index) const noexcept { return texts_[index].c_str(); }
    /// NULL for an empty text.
    const char *optional(std::size_t index) const noexcept {
        return texts_[index].empty() ? nullptr : texts_[index].c_str();
    }

private:
    std::array<std::string, N> texts_;
    bool valid_ = true;
};

inline Failure nul_inside() {
    return Failure(CPAAS_BAD_ARGUMENT, R"({"argument":"text","message":"`text` must not contain NUL"})");
}

} // namespace detail

inline std::string json_string(Utf8 text) { return detail::value_of(json_string(text, std::nothrow)); }
inline std::string json_get(Utf8 json, const Name &pointer) {
    return detail::value_of(json_get(json, pointer, std::nothrow));
}

/// Ends the threads of the library. Destroy all clients first.
inline void shutdown() noexcept { cpaas_shutdown(); }

/// Sets the limits of the process; 0 is the default.
inline void set_limits(std::uint32_t max_calls, std::uint32_t max_callback_threads) noexcept {
    cpaas_limits limits{};
    limits.size = sizeof limits;
    limits.max_calls = max_calls;
    limits.max_callback_threads = max_callback_threads;
    cpaas_set_limits(&limits);
}

/// The log function of the process while the object exists. The function receives the level, one of CPAAS_LOG_..., and a
/// line; it runs on any thread, also on several at once, and must not throw or call this library.
class Log {
public:
    using Function = std::function<void(std::uint32_t, std::string_view)>;
    explicit Log(Function function, std::uint32_t level = CPAAS_LOG_DEBUG) : function_(std::move(function)) {
        detail::check(cpaas_log_callback(line, &function_, level));
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;
    ~Log() { cpaas_log_callback(nullptr, nullptr, 0); }

private:
    static void line(void *function, std::uint32_t level, const char *text, std::size_t len) noexcept {
        (*static_cast<Function *>(function))(level, std::string_view(text, len));
    }

    Function function_;
};

/// An SMS; empty members are absent.
struct Sms {
    std::string_view from, to, text, reference, callback;
    bool test = false;
};

/// A one-time passcode; `{code}` in `body` is replaced by the passcode. `channel` is `sms`, `call` or empty.
struct Otp {
    std::string_view service, from, to, body, channel;
};

/// What was sent: its id, and the whole response as JSON.
struct Sent {
    std::string id, json;
};

/// What is known of a number, and the whole response as JSON.
struct Lookup {
    cpaas_lookup number{};
    std::string json;
};

/// The result of a call that `Client::start` started.
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

/// Options of `segments`, with `size` set. An option of 0 is the default.
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

inline Result validate(const Name &operation, Utf8 request, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_validate(operation.c_str(), request.data(), request.size(), out); });
}
/// Returns the report as JSON. An invalid request is a report with errors, not an exception.
inline std::string validate(const Name &operation, Utf8 request) {
    return detail::value_of(validate(operation, request, std::nothrow));
}

inline Result check(const Name &name, Utf8 arguments, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_check(name.c_str(), arguments.data(), arguments.size(), out); });
}
inline std::string check(const Name &name, Utf8 arguments) {
    return detail::value_of(check(name, arguments, std::nothrow));
}

inline Result segments_json(Utf8 text, const Name &options, std::nothrow_t) noexcept {
    const char *given = options.empty() ? nullptr : options.c_str();
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_segments_json(text.data(), text.size(), given, out); });
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

inline Result annotate(Utf8 text, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_annotate(text.data(), text.size(), out); });
}
inline std::string annotate(Utf8 text) { return detail::value_of(annotate(text, std::nothrow)); }

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

/// Verifies a callback request. Does not throw: `CPAAS_REFUSED` is a normal result; read `status`.
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

/// A client. The destructor cancels its asynchronous calls, waits until their completions have returned, and frees
/// it. Move-only; a call on a moved-from client is CPAAS_BAD_ARGUMENT.
class Client {
public:
    explicit Client(Utf8 config = "{}") {
        Result result;
        open(config, result);
        detail::check(result.status, result.text.view());
    }
    /// Does not throw; the client is empty unless `result.ok()`.
    Client(Utf8 config, Result &result, std::nothrow_t) noexcept { open(config, result); }
    Client(Client &&other) noexcept : client_(std::exchange(other.client_, nullptr)) {}
    Client &operator=(Client &&other) noexcept {
        Client moved(std::move(other));
        std::swap(client_, moved.client_);
        return *this;
    }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;
    ~Client() { cpaas_client_free(client_); }

    explicit operator bool() const noexcept { return client_ != nullptr; }
    const cpaas_client *get() const noexcept { return client_; }

    Result call(const Name &operation, Utf8 request, std::nothrow_t,
                const cpaas_call_options *options = nullptr) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_call_with(client_, operation.c_str(), request.data(), request.size(), options, out);
        });
    }
    /// Calls an operation and returns its result as JSON.
    std::string call(const Name &operation, Utf8 request, const cpaas_call_options *options = nullptr) const {
        return detail::value_of(call(operation, request, std::nothrow, options));
    }

    /// Starts a call and returns its number for `cancel`. `done` is called exactly once, with a cpaas_status and a
    /// std::string_view that is valid during the callback only, on a thread of the library. It must not throw: an
    /// exception terminates the process. If this function throws, `done` is not called.
    template <class Done>
    std::uint64_t call_async(const Name &operation, Utf8 request, Done &&done,
                             const cpaas_call_options *options = nullptr) const {
        std::uint64_t number = 0;
        detail::check(start_async(operation, request, std::forward<Done>(done), &number, options));
        return number;
    }
    /// The same without exceptions; `number` may be NULL. With any status except CPAAS_OK `done` is not called.
    template <class Done>
    cpaas_status call_async(const Name &operation, Utf8 request, Done &&done, std::uint64_t *number, std::nothrow_t,
                            const cpaas_call_options *options = nullptr) const noexcept {
        return start_async(operation, request, std::forward<Done>(done), number, options);
    }
    /// Starts a call; the future receives its result, also after `cancel` and after the client is destroyed.
    std::future<Result> call_future(const Name &operation, Utf8 request,
                                    const cpaas_call_options *options = nullptr) const {
        auto promise = std::make_shared<std::promise<Result>>();
        auto future = promise->get_future();
        const cpaas_status status = call_async(
            operation, request,
            [promise](cpaas_status ended, std::string_view text) {
                Result result;
                result.status = ended;
                result.copy(text);
                promise->set_value(std::move(result));
            },
            nullptr, std::nothrow, options);
        if (status != CPAAS_OK) {
            Result result;
            result.status = status;
            promise->set_value(std::move(result));
        }
        return future;
    }

    /// Calls an operation; returns its result as JSON, or the failure.
    Expected<std::string> try_call(const Name &operation, Utf8 request,
                                   const cpaas_call_options *options = nullptr) const {
        return detail::expected_of(call(operation, request, std::nothrow, options));
    }

    /// Sends one SMS.
    Expected<Sent> try_sms_send(const Sms &sms, const cpaas_call_options *options = nullptr) const {
        const detail::Strings<5> text({sms.from, sms.to, sms.text, sms.reference, sms.callback});
        if (!text.valid()) return detail::nul_inside();
        cpaas_sms given{};
        given.size = sizeof given;
        given.from = text[0];
        given.to = text[1];
        given.text = text[2];
        given.reference = text.optional(3);
        given.callback = text.optional(4);
        given.test = sms.test ? 1 : 0;
        return sent([&](cpaas_sent *sent, cpaas_text *out) { return cpaas_sms_send(client_, &given, options, sent, out); });
    }
    Sent sms_send(const Sms &sms, const cpaas_call_options *options = nullptr) const {
        return try_sms_send(sms, options).value();
    }

    /// Sends a one-time passcode.
    Expected<Sent> try_otp_send(const Otp &otp, const cpaas_call_options *options = nullptr) const {
        const detail::Strings<5> text({otp.service, otp.from, otp.to, otp.body, otp.channel});
        if (!text.valid()) return detail::nul_inside();
        cpaas_otp given{};
        given.size = sizeof given;
        given.service = text[0];
        given.from = text[1];
        given.to = text[2];
        given.body = text[3];
        given.channel = text.optional(4);
        return sent([&](cpaas_sent *sent, cpaas_text *out) { return cpaas_otp_send(client_, &given, options, sent, out); });
    }
    Sent otp_send(const Otp &otp, const cpaas_call_options *options = nullptr) const {
        return try_otp_send(otp, options).value();
    }

    /// Verifies a passcode: true only if it is valid, false only if the provider reports that it is not.
    Expected<bool> try_otp_verify(std::string_view service, std::string_view request_id, std::string_view code,
                                  const cpaas_call_options *options = nullptr) const {
        const detail::Strings<3> text({service, request_id, code});
        if (!text.valid()) return detail::nul_inside();
        cpaas_otp_check check{};
        check.size = sizeof check;
        check.service = text[0];
        check.request_id = text[1];
        check.code = text[2];
        bool verified = false;
        const Result result = detail::result_of(
            [&](cpaas_text *out) { return cpaas_otp_verify(client_, &check, options, &verified, out); });
        if (result.status == CPAAS_OK || result.status == CPAAS_NOT_VERIFIED) return verified;
        return detail::failure_of(result);
    }
    bool otp_verify(std::string_view service, std::string_view request_id, std::string_view code,
                    const cpaas_call_options *options = nullptr) const {
        return try_otp_verify(service, request_id, code, options).value();
    }

    /// Looks up one number.
    Expected<Lookup> try_lookup_one(const Name &msisdn, const cpaas_call_options *options = nullptr) const {
        Lookup lookup;
        lookup.number.size = sizeof lookup.number;
        const Result result = detail::result_of([&](cpaas_text *out) {
            return cpaas_lookup_one(client_, msisdn.c_str(), options, &lookup.number, out);
        });
        if (!result.ok()) return detail::failure_of(result);
        lookup.json = result.text.str();
        return lookup;
    }
    Lookup lookup_one(const Name &msisdn, const cpaas_call_options *options = nullptr) const {
        return try_lookup_one(msisdn, options).value();
    }

    /// Starts a call whose result `poll` returns; `number` may be NULL.
    cpaas_status start(const Name &operation, Utf8 request, void *user_data, std::uint64_t *number = nullptr,
                       const cpaas_call_options *options = nullptr) const {
        return cpaas_call_start(client_, operation.c_str(), request.data(), request.size(), options, user_data, number);
    }
    /// The results of ended calls, at most `max`. Does not block.
    std::vector<PolledResult> poll(std::size_t max = 64) const {
        std::vector<cpaas_result> ended(max);
        ended.resize(cpaas_poll(client_, ended.data(), ended.size()));
        std::vector<PolledResult> results;
        for (const cpaas_result &one : ended) {
            PolledResult result;
            result.call = one.call;
            result.user_data = one.user_data;
            result.result.status = one.status;
            result.result.text = Text(one.text);
            results.push_back(std::move(result));
        }
        return results;
    }
    /// A descriptor that is readable while `poll` has results, or -1.
    int event_fd() const noexcept { return cpaas_event_fd(client_); }

    void cancel(std::uint64_t call) const noexcept { cpaas_cancel(client_, call); }

    Result prepare(const Name &operation, Utf8 request, std::nothrow_t) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_prepare(client_, operation.c_str(), request.data(), request.size(), out);
        });
    }
    std::string prepare(const Name &operation, Utf8 request) const {
        return detail::value_of(prepare(operation, request, std::nothrow));
    }

    /// Reads an HTTP response. `headers` is a JSON object of strings, or empty.
    Result parse(const Name &operation, std::uint16_t http_status, Utf8 headers, std::string_view body,
                 std::nothrow_t) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_parse(client_, operation.c_str(), http_status, headers.size() == 0 ? nullptr : headers.data(),
                               headers.size(), body.data(), body.size(), out);
        });
    }
    std::string parse(const Name &operation, std::uint16_t http_status, Utf8 headers, std::string_view body) const {
        return detail::value_of(parse(operation, http_status, headers, body, std::nothrow));
    }

private:
    template <class Call> Expected<Sent> sent(Call call) const {
        cpaas_sent sent{};
        sent.size = sizeof sent;
        const Result result = detail::result_of([&](cpaas_text *out) { return call(&sent, out); });
        if (!result.ok()) return detail::failure_of(result);
        return Sent{sent.id, result.text.str()};
    }

    template <class Done>
    cpaas_status start_async(const Name &operation, Utf8 request, Done &&done, std::uint64_t *number,
                             const cpaas_call_options *options) const {
        using Owned = std::decay_t<Done>;
        static_assert(std::is_invocable_v<Owned &, cpaas_status, std::string_view>);
        if (detail::is_empty(done)) return CPAAS_BAD_ARGUMENT;
        auto owned = std::make_unique<Owned>(std::forward<Done>(done));
        const cpaas_status status = cpaas_call_async(client_, operation.c_str(), request.data(), request.size(), options,
                                                     detail::complete<Owned>, owned.get(), number);
        if (status == CPAAS_OK) static_cast<void>(owned.release());
        return status;
    }

    void open(Utf8 config, Result &result) noexcept {
        result.status = cpaas_client_new(config.data(), config.size(), &client_, result.text.out());
    }

    cpaas_client *client_ = nullptr;
};

/// A receiver of callbacks with a filter for repeated reports. Move-only.
class Receiver {
public:
    explicit Receiver(Utf8 config) {
        Result result;
        result.status = cpaas_receiver_new(config.data(), config.size(), &receiver_, result.text.out());
        detail::check(result.status, result.text.view());
    }
    Receiver(Receiver &&other) noexcept : receiver_(std::exchange(other.receiver_, nullptr)) {}
    Receiver &operator=(Receiver &&other) noexcept {
        Receiver moved(std::move(other));
        std::swap(receiver_, moved.receiver_);
        return *this;
    }
    Receiver(const Receiver &) = delete;
    Receiver &operator=(const Receiver &) = delete;
    ~Receiver() { cpaas_receiver_free(receiver_); }

    /// Verifies a request. Does not throw: `CPAAS_REFUSED` is a normal result; read `status`.
    Result receive(Utf8 request, std::uint64_t now) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_receiver_receive(receiver_, request.data(), request.size(), now, out);
        });
    }
    /// Forgets an accepted request that could not be processed.
    cpaas_status forget(Utf8 request, std::uint64_t now) const noexcept {
        return cpaas_receiver_forget(receiver_, request.data(), request.size(), now);
    }

private:
    cpaas_receiver *receiver_ = nullptr;
};

} // namespace cpaas

#endif // CPAAS_HPP
