// Arguments, results and errors. Included by cpaas.hpp. Hand-written.
#ifndef CPAAS_VALUES_HPP
#define CPAAS_VALUES_HPP

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../cpaas.h"

// Every definition is the same in each version of C++, so that one program may mix them. Without exceptions some functions differ;
// the names in such a file are therefore in a namespace of their own.
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define CPAAS_NAMESPACE_BEGIN namespace cpaas {
#define CPAAS_NAMESPACE_END }
#else
#define CPAAS_NAMESPACE_BEGIN namespace cpaas { inline namespace without_exceptions {
#define CPAAS_NAMESPACE_END }}
#endif

CPAAS_NAMESPACE_BEGIN

/// Whether the loaded library has the binary interface of this header.
inline bool abi_matches() noexcept { return cpaas_abi_version() == CPAAS_ABI_VERSION; }

#ifndef CPAAS_NO_ABI_CHECK
namespace detail {

/// Ends the process if the loaded library has another binary interface, whose structs may have other members.
inline bool check_abi() noexcept {
    if (abi_matches()) return true;
    std::fprintf(stderr, "cpaas.hpp has ABI %u, the loaded library has ABI %u\n", static_cast<unsigned>(CPAAS_ABI_VERSION),
                 static_cast<unsigned>(cpaas_abi_version()));
    std::abort();
}

/// Initialized before the global variables of a file that includes this header.
inline const bool abi_is_checked = check_abi();

} // namespace detail
#endif

namespace detail {

// The type of the characters of a pointer, an array, or a class with `data()`.
template <class C> C character_of(const C *);
template <class T> auto character_of(const T &text) -> std::remove_cv_t<std::remove_pointer_t<decltype(text.data())>>;
template <class T> using character_t = decltype(character_of(std::declval<const T &>()));

/// Whether `C` is char8_t, a type that C++17 does not have.
template <class C>
inline constexpr bool is_char8 = std::is_integral_v<C> && sizeof(C) == 1 && !std::is_same_v<C, char> &&
                                 !std::is_same_v<C, signed char> && !std::is_same_v<C, unsigned char> && !std::is_same_v<C, bool>;

} // namespace detail

/// A UTF-8 argument. Converts from anything that converts to std::string_view, and from strings, views and literals of char8_t.
class Utf8 {
public:
    template <class T, std::enable_if_t<std::is_convertible_v<const T &, std::string_view>, int> = 0>
    Utf8(const T &text) noexcept : text_(text) {}
    template <class T, class C = detail::character_t<T>,
              std::enable_if_t<detail::is_char8<C> && std::is_convertible_v<const T &, std::basic_string_view<C>>, int> = 0>
    Utf8(const T &text) noexcept {
        const std::basic_string_view<C> view(text);
        text_ = std::string_view(reinterpret_cast<const char *>(view.data()), view.size());
    }
    /// Never NULL.
    const char *data() const noexcept { return text_.data() == nullptr ? "" : text_.data(); }
    std::size_t size() const noexcept { return text_.size(); }

private:
    std::string_view text_;
};

/// The name of an operation, a mode or a check, and any other argument that is a C string in C. With a NUL inside, the function returns
/// CPAAS_BAD_UTF8.
class Name {
public:
    template <class T, std::enable_if_t<std::is_convertible_v<const T &, std::string_view>, int> = 0>
    Name(const T &name) : name_(std::string_view(name)) {
        // A NUL would end the C string: `sms.send` would be read instead of a longer name. This byte is not UTF-8.
        std::replace(name_.begin(), name_.end(), '\0', '\xff');
    }
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

/// The value at a JSON pointer such as `/id`: a string without quotes and escapes, or JSON. CPAAS_NOT_FOUND if there is no value.
inline Result json_get(Utf8 json, const Name &pointer, std::nothrow_t) noexcept {
    Result result;
    result.status = cpaas_json_get(json.data(), json.size(), pointer.c_str(), result.text.out());
    return result;
}

/// The type of the value at a JSON pointer: `null`, `boolean`, `number`, `string`, `array` or `object`.
inline Result json_type(Utf8 json, const Name &pointer, std::nothrow_t) noexcept {
    Result result;
    result.status = cpaas_json_type(json.data(), json.size(), pointer.c_str(), result.text.out());
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
    /// Whether the request took effect: `no`, `maybe` or `yes`.
    std::string processed() const { return text("/processed"); }
    /// Whether the same call may succeed later and cannot act twice, after `retry_after()` if there is one.
    bool retryable() const { return text("/retryable") == "true"; }
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
    /// The id of the call, the same as in its log lines; empty for an error without a call.
    std::string call_id() const { return text("/call_id"); }
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

/// An optional argument: NULL if it is empty.
inline const char *optional(const Name &name) noexcept { return name.empty() ? nullptr : name.c_str(); }

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

namespace detail {

/// The value of an optional. Aborts if it is empty.
template <class Optional> auto &present(Optional &optional) noexcept {
    if (!optional.has_value()) std::abort();
    return *optional;
}

} // namespace detail

namespace detail {

/// Whether `E` is std::expected<T, Failure> of C++23, or a class with the same members such as tl::expected.
template <class E, class T, class = void> inline constexpr bool is_std_expected = false;
template <class E, class T>
inline constexpr bool
    is_std_expected<E, T, std::void_t<typename E::value_type, typename E::error_type, typename E::unexpected_type>> =
        std::is_same_v<typename E::value_type, T> && std::is_same_v<typename E::error_type, Failure>;

} // namespace detail

/// A value, or a failure; like std::expected of C++23, to and from which it converts. The result of verifying a passcode, an
/// Expected<bool>, has a value only if the passcode is valid; else `status()` is CPAAS_NOT_VERIFIED, or why the passcode was not checked.
template <class T> class [[nodiscard]] Expected {
public:
    Expected(T value) : value_(std::move(value)) {}
    Expected(Failure failure) : failure_(std::move(failure)) {}
    /// From a std::expected<T, Failure>.
    template <class E, std::enable_if_t<detail::is_std_expected<E, T>, int> = 0> Expected(const E &other) {
        if (other.has_value()) {
            value_.emplace(*other);
        } else {
            failure_.emplace(other.error());
        }
    }
    /// To a std::expected<T, Failure>.
    template <class E, std::enable_if_t<detail::is_std_expected<E, T>, int> = 0> operator E() const {
        if (has_value()) return E(**this);
        return E(typename E::unexpected_type(error()));
    }

    bool has_value() const noexcept { return value_.has_value(); }
    /// Whether there is a value. Not for an Expected<bool>, whose value it would be mistaken for: by an `if`, and by
    /// std::expected<bool, Failure>, which constructs its value from whatever converts to bool.
    template <class U = T, std::enable_if_t<!std::is_same_v<U, bool>, int> = 0> explicit operator bool() const noexcept {
        return has_value();
    }
    /// The value. Throws Error if there is none.
    T &value() & {
        if (!has_value()) detail::raise(error());
        return detail::present(value_);
    }
    const T &value() const & { return const_cast<Expected *>(this)->value(); }
    T &&value() && { return std::move(value()); }
    /// Aborts unless `has_value()`.
    const T &operator*() const noexcept { return detail::present(value_); }
    const T *operator->() const noexcept { return &detail::present(value_); }
    template <class U, class V = T, std::enable_if_t<!std::is_same_v<V, bool>, int> = 0> T value_or(U &&other) const {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }
    /// Not for an Expected<bool>: `value_or(true)` would make every passcode valid.
    template <class U, class V = T, std::enable_if_t<std::is_same_v<V, bool>, int> = 0> T value_or(U &&other) const = delete;
    /// Aborts if `has_value()`.
    const Failure &error() const noexcept { return detail::present(failure_); }
    cpaas_status status() const noexcept {
        if constexpr (std::is_same_v<T, bool>) {
            if (has_value() && !**this) return CPAAS_NOT_VERIFIED;
        }
        return has_value() ? CPAAS_OK : error().status();
    }

private:
    // Not a std::variant: in libstdc++ 12, its parts differ between C++17 and C++20.
    std::optional<T> value_;
    std::optional<Failure> failure_;
};

namespace detail {

inline Failure failure_of(const Result &result) { return Failure(result.status, result.text.str()); }

inline Expected<std::string> expected_of(cpaas_status status, std::string_view text) {
    if (status != CPAAS_OK) return Failure(status, std::string(text));
    return std::string(text);
}

inline Expected<std::string> expected_of(const Result &result) {
    return expected_of(result.status, result.text.view());
}

/// Whether a passcode was checked and is not valid.
template <class T> bool is_not_verified(const Expected<T> &result) noexcept {
    return std::is_same_v<T, bool> && result.status() == CPAAS_NOT_VERIFIED;
}

/// The value of a result, for functions that throw: they return false for a passcode that is not valid.
template <class T> T value_or_raise(Expected<T> result) {
    if constexpr (std::is_same_v<T, bool>) {
        if (is_not_verified(result)) return false;
    }
    return std::move(result).value();
}

/// The members of a struct of C strings, and their names.
template <std::size_t N> class Strings {
public:
    Strings(const std::array<std::string_view, N> &texts, const std::array<const char *, N> &names) {
        for (std::size_t i = 0; i < N; i++) {
            texts_[i] = std::string(texts[i]);
            if (invalid_ == nullptr && texts[i].find('\0') != std::string_view::npos) invalid_ = names[i];
        }
    }
    /// The failure of a call with invalid texts.
    std::optional<Failure> failure() const {
        if (invalid_ == nullptr) return std::nullopt;
        const std::string name(invalid_);
        return Failure(CPAAS_BAD_ARGUMENT, R"({"argument":")" + name + R"(","message":"`)" + name + R"(` must not contain NUL"})");
    }
    const char *operator[](std::size_t index) const noexcept { return texts_[index].c_str(); }
    /// NULL for an empty text.
    const char *optional(std::size_t index) const noexcept {
        return texts_[index].empty() ? nullptr : texts_[index].c_str();
    }

private:
    std::array<std::string, N> texts_;
    const char *invalid_ = nullptr;
};

} // namespace detail

CPAAS_NAMESPACE_END

#endif // CPAAS_VALUES_HPP
