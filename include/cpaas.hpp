// cpaas for C++17 and later: a thin layer over cpaas.h. Header-only; link cpaas::cpaas.
//
// Results, reports and error records are JSON in std::string or cpaas::Text, as in C. A call that was not
// accepted throws cpaas::Error; each has a twin with a std::nothrow argument that gives a Result instead.
// Inputs are std::string_view in UTF-8, and where the language has it std::u8string_view.
// Client: one object may be used from many threads; moving it is not thread-safe. Everything else is free
// of shared state. The functions of cpaas.h say more about each call.
#ifndef CPAAS_HPP
#define CPAAS_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpaas.h"

namespace cpaas {

/// A text of the library, freed with the object. Move-only.
class Text {
public:
    Text() noexcept = default;
    explicit Text(cpaas_text text) noexcept : text_(text) {}
    Text(Text &&other) noexcept : text_(std::exchange(other.text_, {})) {}
    Text &operator=(Text &&other) noexcept {
        std::swap(text_, other.text_);
        return *this;
    }
    Text(const Text &) = delete;
    Text &operator=(const Text &) = delete;
    ~Text() { cpaas_text_free(&text_); }

    /// Valid as long as the object.
    std::string_view view() const noexcept {
        return text_.data == nullptr ? std::string_view() : std::string_view(text_.data, text_.len);
    }
    std::string str() const { return std::string(view()); }
    bool empty() const noexcept { return text_.len == 0; }
    /// Where a function of cpaas.h writes.
    cpaas_text *out() noexcept {
        cpaas_text_free(&text_);
        return &text_;
    }

private:
    cpaas_text text_{};
};

/// What a function came to: `text` is its answer or, unless `ok()`, the error record.
struct Result {
    cpaas_status status = CPAAS_OK;
    Text text;

    bool ok() const noexcept { return status == CPAAS_OK; }
};

/// A call that was not accepted, or a misuse. `what()` is the name of the status.
class Error : public std::runtime_error {
public:
    Error(cpaas_status status, std::string record)
        : std::runtime_error(cpaas_status_name(status)), status_(status),
          record_(std::make_shared<const std::string>(std::move(record))) {}

    cpaas_status status() const noexcept { return status_; }
    /// The error record as JSON; empty for a misuse.
    const std::string &record() const noexcept { return *record_; }

private:
    cpaas_status status_;
    std::shared_ptr<const std::string> record_;
};

namespace detail {

#if defined(__cpp_char8_t)
inline std::string_view plain(std::u8string_view text) noexcept {
    return {reinterpret_cast<const char *>(text.data()), text.size()};
}
#endif

inline std::string taken(Result result) {
    if (!result.ok()) throw Error(result.status, result.text.str());
    return result.text.str();
}

inline void check(cpaas_status status) {
    if (status != CPAAS_OK) throw Error(status, {});
}

/// NULL is no text for some functions, so an empty view of nothing becomes an empty text.
inline const char *data(std::string_view text) noexcept { return text.data() == nullptr ? "" : text.data(); }

} // namespace detail

/// The options of one call; 0 is as the client.
inline cpaas_call_options call_options() noexcept {
    cpaas_call_options options{};
    options.size = sizeof options;
    return options;
}

inline cpaas_segment_options segment_options() noexcept {
    cpaas_segment_options options{};
    options.size = sizeof options;
    return options;
}

/// The parts of a text.
struct Segments {
    cpaas_segment_count count{};
    std::vector<cpaas_segment> parts;
};

inline cpaas_status count_segments(std::string_view text, cpaas_segment_count &count, std::nothrow_t) noexcept {
    return cpaas_count_segments(text.data(), text.size(), &count);
}

inline cpaas_segment_count count_segments(std::string_view text) {
    cpaas_segment_count count{};
    detail::check(count_segments(text, count, std::nothrow));
    return count;
}

inline Segments segments(std::string_view text, const cpaas_segment_options *options = nullptr) {
    Segments result;
    result.parts.resize(255);
    std::size_t written = 0;
    detail::check(cpaas_segments(text.data(), text.size(), options, result.parts.data(), result.parts.size(), &written,
                                 &result.count));
    result.parts.resize(written);
    return result;
}

inline Result validate(const char *operation, std::string_view request, std::nothrow_t) noexcept {
    Result result;
    result.status = cpaas_validate(operation, detail::data(request), request.size(), result.text.out());
    return result;
}

/// The report as JSON; a request with errors is a report, not an exception.
inline std::string validate(const char *operation, std::string_view request) {
    return detail::taken(validate(operation, request, std::nothrow));
}

inline Result markup_parse(std::string_view text, const char *mode, std::nothrow_t) noexcept {
    Result result;
    result.status = cpaas_markup_parse(text.data(), text.size(), mode, result.text.out());
    return result;
}

inline std::string markup_parse(std::string_view text, const char *mode) {
    return detail::taken(markup_parse(text, mode, std::nothrow));
}

inline std::string markup_escape(std::string_view text, const char *mode) {
    Result result;
    result.status = cpaas_markup_escape(text.data(), text.size(), mode, result.text.out());
    return detail::taken(std::move(result));
}

/// `CPAAS_REFUSED` is an ordinary answer here: look at `status`.
inline Result receive(std::string_view config, std::string_view request, std::uint64_t now) noexcept {
    Result result;
    result.status = cpaas_receive(detail::data(config), config.size(), detail::data(request), request.size(), now,
                                  result.text.out());
    return result;
}

inline std::string token_mint(std::string_view config, std::string_view request, std::uint64_t now) {
    Result result;
    result.status = cpaas_token_mint(detail::data(config), config.size(), detail::data(request), request.size(), now,
                                     result.text.out());
    return detail::taken(std::move(result));
}

inline std::string operations() {
    Result result;
    result.status = cpaas_operations(result.text.out());
    return detail::taken(std::move(result));
}

/// Hears the end of an asynchronous call, once, on a thread of the library. The text is valid during the
/// call only. It must not throw: an exception ends the process.
using Completion = std::function<void(cpaas_status, std::string_view)>;

namespace detail {

inline void complete(void *user_data, cpaas_status status, const char *text, std::size_t len) noexcept {
    const std::unique_ptr<Completion> done(static_cast<Completion *>(user_data));
    (*done)(status, text == nullptr ? std::string_view() : std::string_view(text, len));
}

} // namespace detail

/// A client, freed with the object: its asynchronous calls are cancelled, and their completions have run
/// when the destructor returns. Move-only; a client that was moved from gives CPAAS_BAD_ARGUMENT.
class Client {
public:
    explicit Client(std::string_view config = "{}") {
        Text out;
        const cpaas_status status = cpaas_client_new(detail::data(config), config.size(), &client_, out.out());
        if (status != CPAAS_OK) throw Error(status, out.str());
    }
    /// Gives an empty client unless `status` is CPAAS_OK.
    Client(std::string_view config, cpaas_status &status, std::nothrow_t) noexcept {
        Text out;
        status = cpaas_client_new(detail::data(config), config.size(), &client_, out.out());
    }
    Client(Client &&other) noexcept : client_(std::exchange(other.client_, nullptr)) {}
    Client &operator=(Client &&other) noexcept {
        std::swap(client_, other.client_);
        return *this;
    }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;
    ~Client() { cpaas_client_free(client_); }

    explicit operator bool() const noexcept { return client_ != nullptr; }
    const cpaas_client *get() const noexcept { return client_; }

    Result call(const char *operation, std::string_view request, std::nothrow_t,
                const cpaas_call_options *options = nullptr) const noexcept {
        Result result;
        result.status = cpaas_call_with(client_, operation, detail::data(request), request.size(), options,
                                        result.text.out());
        return result;
    }
    /// The result as JSON.
    std::string call(const char *operation, std::string_view request,
                     const cpaas_call_options *options = nullptr) const {
        return detail::taken(call(operation, request, std::nothrow, options));
    }

    /// Starts a call; the number is for `cancel`. When this throws, `done` does not run.
    std::uint64_t call_async(const char *operation, std::string_view request, Completion done,
                             const cpaas_call_options *options = nullptr) const {
        auto owned = std::make_unique<Completion>(std::move(done));
        std::uint64_t number = 0;
        detail::check(cpaas_call_async(client_, operation, detail::data(request), request.size(), options,
                                       detail::complete, owned.get(), &number));
        static_cast<void>(owned.release());
        return number;
    }
    void cancel(std::uint64_t call) const noexcept { cpaas_cancel(client_, call); }

    Result prepare(const char *operation, std::string_view request, std::nothrow_t) const noexcept {
        Result result;
        result.status = cpaas_prepare(client_, operation, detail::data(request), request.size(), result.text.out());
        return result;
    }
    std::string prepare(const char *operation, std::string_view request) const {
        return detail::taken(prepare(operation, request, std::nothrow));
    }

    Result parse(const char *operation, std::uint16_t http_status, std::string_view headers, std::string_view body,
                 std::nothrow_t) const noexcept {
        Result result;
        result.status = cpaas_parse(client_, operation, http_status, headers.empty() ? nullptr : headers.data(),
                                    headers.size(), body.data(), body.size(), result.text.out());
        return result;
    }
    std::string parse(const char *operation, std::uint16_t http_status, std::string_view headers,
                      std::string_view body) const {
        return detail::taken(parse(operation, http_status, headers, body, std::nothrow));
    }

#if defined(__cpp_char8_t)
    std::string call(const char *operation, std::u8string_view request,
                     const cpaas_call_options *options = nullptr) const {
        return call(operation, detail::plain(request), options);
    }
    std::uint64_t call_async(const char *operation, std::u8string_view request, Completion done,
                             const cpaas_call_options *options = nullptr) const {
        return call_async(operation, detail::plain(request), std::move(done), options);
    }
#endif

private:
    cpaas_client *client_ = nullptr;
};

#if defined(__cpp_char8_t)
inline cpaas_segment_count count_segments(std::u8string_view text) { return count_segments(detail::plain(text)); }
inline Segments segments(std::u8string_view text, const cpaas_segment_options *options = nullptr) {
    return segments(detail::plain(text), options);
}
inline std::string validate(const char *operation, std::u8string_view request) {
    return validate(operation, detail::plain(request));
}
inline std::string markup_parse(std::u8string_view text, const char *mode) {
    return markup_parse(detail::plain(text), mode);
}
inline std::string markup_escape(std::u8string_view text, const char *mode) {
    return markup_escape(detail::plain(text), mode);
}
#endif

} // namespace cpaas

#endif // CPAAS_HPP
