// cpaas for C++17 and later: a thin layer over cpaas.h. Header-only; link cpaas::cpaas.
//
// Results, reports and error records are JSON in a std::string or a cpaas::Text, as in C. A function throws
// cpaas::Error for every status except CPAAS_OK. Each has an overload with a std::nothrow argument that returns the
// status instead. With -fno-exceptions a function that would throw aborts the process.
// Arguments are UTF-8: anything that converts to std::string_view or, from C++20 on, to std::u8string_view.
// Threads may share a Client; moving a Client is not thread-safe. The other functions are thread-safe.
// cpaas.h documents each function in detail, and declares the log functions and cpaas_shutdown.
#ifndef CPAAS_HPP
#define CPAAS_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
};

/// An error: a call that was not accepted, or an invalid argument. `what()` is the name of the status.
class Error : public std::runtime_error {
public:
    Error(cpaas_status status, std::string record)
        : std::runtime_error(cpaas_status_name(status)), status_(status),
          record_(std::make_shared<const std::string>(std::move(record))) {}

    cpaas_status status() const noexcept { return status_; }
    /// The error record as JSON; empty if the status has none.
    const std::string &record() const noexcept { return *record_; }

private:
    cpaas_status status_;
    std::shared_ptr<const std::string> record_;
};

namespace detail {

inline void check(cpaas_status status, std::string_view record = {}) {
    if (status == CPAAS_OK) return;
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw Error(status, std::string(record));
#else
    static_cast<void>(record);
    std::abort();
#endif
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

inline Result validate(const char *operation, Utf8 request, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_validate(operation, request.data(), request.size(), out); });
}
/// Returns the report as JSON. An invalid request is a report with errors, not an exception.
inline std::string validate(const char *operation, Utf8 request) {
    return detail::value_of(validate(operation, request, std::nothrow));
}

inline Result check(const char *name, Utf8 arguments, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_check(name, arguments.data(), arguments.size(), out); });
}
inline std::string check(const char *name, Utf8 arguments) {
    return detail::value_of(check(name, arguments, std::nothrow));
}

inline Result segments_json(Utf8 text, const char *options, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_segments_json(text.data(), text.size(), options, out); });
}
inline std::string segments_json(Utf8 text, const char *options = nullptr) {
    return detail::value_of(segments_json(text, options, std::nothrow));
}

inline Result estimate(Utf8 text, const char *price_per_part, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_estimate(text.data(), text.size(), price_per_part, out); });
}
inline std::string estimate(Utf8 text, const char *price_per_part) {
    return detail::value_of(estimate(text, price_per_part, std::nothrow));
}

inline Result estimate_to(Utf8 text, const char *prices, const char *to, std::nothrow_t) noexcept {
    return detail::result_of(
        [&](cpaas_text *out) { return cpaas_estimate_to(text.data(), text.size(), prices, to, out); });
}
inline std::string estimate_to(Utf8 text, const char *prices, const char *to) {
    return detail::value_of(estimate_to(text, prices, to, std::nothrow));
}

inline Result annotate(Utf8 text, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_annotate(text.data(), text.size(), out); });
}
inline std::string annotate(Utf8 text) { return detail::value_of(annotate(text, std::nothrow)); }

inline Result encode(Utf8 text, const char *options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_encode(text.data(), text.size(), options, out); });
}
inline std::string encode(Utf8 text, const char *options = nullptr) {
    return detail::value_of(encode(text, options, std::nothrow));
}

inline Result decode(Utf8 parts, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_decode(parts.data(), parts.size(), out); });
}
inline std::string decode(Utf8 parts) { return detail::value_of(decode(parts, std::nothrow)); }

inline Result transliterate(Utf8 text, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_transliterate(text.data(), text.size(), out); });
}
inline std::string transliterate(Utf8 text) { return detail::value_of(transliterate(text, std::nothrow)); }

inline Result template_segments(Utf8 text, const char *values, const char *options, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) {
        return cpaas_template_segments(text.data(), text.size(), values, options, out);
    });
}
inline std::string template_segments(Utf8 text, const char *values, const char *options = nullptr) {
    return detail::value_of(template_segments(text, values, options, std::nothrow));
}

inline Result markup_parse(Utf8 text, const char *mode, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_markup_parse(text.data(), text.size(), mode, out); });
}
inline std::string markup_parse(Utf8 text, const char *mode) {
    return detail::value_of(markup_parse(text, mode, std::nothrow));
}

inline Result markup_escape(Utf8 text, const char *mode, std::nothrow_t) noexcept {
    return detail::result_of([&](cpaas_text *out) { return cpaas_markup_escape(text.data(), text.size(), mode, out); });
}
inline std::string markup_escape(Utf8 text, const char *mode) {
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

    Result call(const char *operation, Utf8 request, std::nothrow_t,
                const cpaas_call_options *options = nullptr) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_call_with(client_, operation, request.data(), request.size(), options, out);
        });
    }
    /// Calls an operation and returns its result as JSON.
    std::string call(const char *operation, Utf8 request, const cpaas_call_options *options = nullptr) const {
        return detail::value_of(call(operation, request, std::nothrow, options));
    }

    /// Starts a call and returns its number for `cancel`. `done` is called exactly once, with a cpaas_status and a
    /// std::string_view that is valid during the callback only, on a thread of the library. It must not throw: an
    /// exception terminates the process. If this function throws, `done` is not called.
    template <class Done>
    std::uint64_t call_async(const char *operation, Utf8 request, Done &&done,
                             const cpaas_call_options *options = nullptr) const {
        std::uint64_t number = 0;
        detail::check(start(operation, request, std::forward<Done>(done), &number, options));
        return number;
    }
    /// The same without exceptions; `number` may be NULL. With any status except CPAAS_OK `done` is not called.
    template <class Done>
    cpaas_status call_async(const char *operation, Utf8 request, Done &&done, std::uint64_t *number, std::nothrow_t,
                            const cpaas_call_options *options = nullptr) const noexcept {
        return start(operation, request, std::forward<Done>(done), number, options);
    }
    void cancel(std::uint64_t call) const noexcept { cpaas_cancel(client_, call); }

    Result prepare(const char *operation, Utf8 request, std::nothrow_t) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_prepare(client_, operation, request.data(), request.size(), out);
        });
    }
    std::string prepare(const char *operation, Utf8 request) const {
        return detail::value_of(prepare(operation, request, std::nothrow));
    }

    /// Reads an HTTP response. `headers` is a JSON object of strings, or empty.
    Result parse(const char *operation, std::uint16_t http_status, Utf8 headers, std::string_view body,
                 std::nothrow_t) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_parse(client_, operation, http_status, headers.size() == 0 ? nullptr : headers.data(),
                               headers.size(), body.data(), body.size(), out);
        });
    }
    std::string parse(const char *operation, std::uint16_t http_status, Utf8 headers, std::string_view body) const {
        return detail::value_of(parse(operation, http_status, headers, body, std::nothrow));
    }

private:
    template <class Done>
    cpaas_status start(const char *operation, Utf8 request, Done &&done, std::uint64_t *number,
                       const cpaas_call_options *options) const {
        using Owned = std::decay_t<Done>;
        static_assert(std::is_invocable_v<Owned &, cpaas_status, std::string_view>);
        if (detail::is_empty(done)) return CPAAS_BAD_ARGUMENT;
        auto owned = std::make_unique<Owned>(std::forward<Done>(done));
        const cpaas_status status = cpaas_call_async(client_, operation, request.data(), request.size(), options,
                                                     detail::complete<Owned>, owned.get(), number);
        if (status == CPAAS_OK) static_cast<void>(owned.release());
        return status;
    }

    void open(Utf8 config, Result &result) noexcept {
        result.status = cpaas_client_new(config.data(), config.size(), &client_, result.text.out());
    }

    cpaas_client *client_ = nullptr;
};

} // namespace cpaas

#endif // CPAAS_HPP
