// Calls that start later: typed futures, completions and coroutines. Included by client.hpp. Hand-written.
#ifndef CPAAS_CALL_HPP
#define CPAAS_CALL_HPP

#include "functions.hpp"

CPAAS_NAMESPACE_BEGIN

namespace detail {

/// The awaiter of cpaas/coroutine.hpp.
template <class T, bool throws> class Awaiter;

/// A failure unless `call`, which writes a string and returns a status, returns CPAAS_OK.
template <class Call> std::optional<Failure> failure_unless_ok(Call call) {
    const Result result = result_of(call);
    return result.ok() ? std::nullopt : std::optional<Failure>(failure_of(result));
}

/// Options of one call, with copies of the headers.
class Options {
public:
    explicit Options(const cpaas_call_options &options) : options_(options) {
        for (const char *const *text = options.headers; text != nullptr && *text != nullptr; text++) headers_.emplace_back(*text);
    }
    /// Calls `use` with the struct.
    template <class Use> auto with(Use use) const {
        std::vector<const char *> headers;
        for (const std::string &text : headers_) headers.push_back(text.c_str());
        headers.push_back(nullptr);
        cpaas_call_options options = options_;
        if (options.headers != nullptr) options.headers = headers.data();
        return use(&options);
    }

private:
    cpaas_call_options options_;
    std::vector<std::string> headers_;
};

/// An operation with its arguments.
template <class T> class Operation {
public:
    Operation() = default;
    Operation(const Operation &) = delete;
    Operation &operator=(const Operation &) = delete;
    virtual ~Operation() = default;

    /// Calls and blocks until the call ends.
    virtual Expected<T> run(const cpaas_client *client, const cpaas_call_options *options) const = 0;
    /// Starts a call; `done` receives what `read` reads, and with a NULL `done`, `cpaas_poll` returns it. Returns why no call was started.
    virtual std::optional<Failure> start(const cpaas_client *client, const cpaas_call_options *options, cpaas_completion done,
                                         void *user_data, std::uint64_t *call) const = 0;
    virtual Expected<T> read(cpaas_status status, std::string_view text) const = 0;
};

/// The result of a send. The id is empty if the response has none or a long one, as in cpaas_sms_send.
inline Expected<Sent> read_sent(cpaas_status status, std::string_view text) {
    if (status != CPAAS_OK) return Failure(status, std::string(text));
    cpaas_sent sent{};
    sent.size = sizeof sent;
    const cpaas_status read = cpaas_sent_read(text.data(), text.size(), &sent);
    if (read != CPAAS_OK && read != CPAAS_NOT_FOUND) return Failure(read, {});
    return Sent{sent.id, std::string(text)};
}

/// Runs a send that writes the id.
template <class Call> Expected<Sent> run_send(Call call) {
    cpaas_sent sent{};
    sent.size = sizeof sent;
    const Result result = result_of([&](cpaas_text *out) { return call(&sent, out); });
    if (!result.ok()) return failure_of(result);
    return Sent{sent.id, result.text.str()};
}

class SmsSend final : public Operation<Sent> {
public:
    explicit SmsSend(const Sms &sms)
        : text_({sms.from, sms.to, sms.text, sms.reference, sms.callback}, {"from", "to", "text", "reference", "callback"}), test_(sms.test) {}

    Expected<Sent> run(const cpaas_client *client, const cpaas_call_options *options) const override {
        if (const auto refused = text_.failure()) return *refused;
        const cpaas_sms sms = arguments();
        return run_send([&](cpaas_sent *sent, cpaas_text *out) { return cpaas_sms_send(client, &sms, options, sent, out); });
    }
    std::optional<Failure> start(const cpaas_client *client, const cpaas_call_options *options, cpaas_completion done, void *user_data,
                                 std::uint64_t *call) const override {
        if (const auto refused = text_.failure()) return *refused;
        const cpaas_sms sms = arguments();
        return failure_unless_ok(
            [&](cpaas_text *out) { return cpaas_sms_start(client, &sms, options, done, user_data, call, out); });
    }
    Expected<Sent> read(cpaas_status status, std::string_view text) const override { return read_sent(status, text); }

private:
    cpaas_sms arguments() const noexcept {
        cpaas_sms sms{};
        sms.size = sizeof sms;
        sms.from = text_[0];
        sms.to = text_[1];
        sms.text = text_[2];
        sms.reference = text_.optional(3);
        sms.callback = text_.optional(4);
        sms.test = test_ ? 1 : 0;
        return sms;
    }

    Strings<5> text_;
    bool test_;
};

class OtpSend final : public Operation<Sent> {
public:
    explicit OtpSend(const Otp &otp)
        : text_({otp.service, otp.from, otp.to, otp.body, otp.channel}, {"service", "from", "to", "body", "channel"}) {}

    Expected<Sent> run(const cpaas_client *client, const cpaas_call_options *options) const override {
        if (const auto refused = text_.failure()) return *refused;
        const cpaas_otp otp = arguments();
        return run_send([&](cpaas_sent *sent, cpaas_text *out) { return cpaas_otp_send(client, &otp, options, sent, out); });
    }
    std::optional<Failure> start(const cpaas_client *client, const cpaas_call_options *options, cpaas_completion done, void *user_data,
                                 std::uint64_t *call) const override {
        if (const auto refused = text_.failure()) return *refused;
        const cpaas_otp otp = arguments();
        return failure_unless_ok(
            [&](cpaas_text *out) { return cpaas_otp_start(client, &otp, options, done, user_data, call, out); });
    }
    Expected<Sent> read(cpaas_status status, std::string_view text) const override { return read_sent(status, text); }

private:
    cpaas_otp arguments() const noexcept {
        cpaas_otp otp{};
        otp.size = sizeof otp;
        otp.service = text_[0];
        otp.from = text_[1];
        otp.to = text_[2];
        otp.body = text_[3];
        otp.channel = text_.optional(4);
        return otp;
    }

    Strings<5> text_;
};

class OtpVerify final : public Operation<bool> {
public:
    OtpVerify(std::string_view service, std::string_view request_id, std::string_view code)
        : text_({service, request_id, code}, {"service", "request_id", "code"}) {}

    Expected<bool> run(const cpaas_client *client, const cpaas_call_options *options) const override {
        if (const auto refused = text_.failure()) return *refused;
        const cpaas_otp_check check = arguments();
        bool verified = false;
        const Result result =
            result_of([&](cpaas_text *out) { return cpaas_otp_verify(client, &check, options, &verified, out); });
        if (!result.ok() || !verified) return failure_of(result);
        return true;
    }
    std::optional<Failure> start(const cpaas_client *client, const cpaas_call_options *options, cpaas_completion done, void *user_data,
                                 std::uint64_t *call) const override {
        if (const auto refused = text_.failure()) return *refused;
        const cpaas_otp_check check = arguments();
        return failure_unless_ok(
            [&](cpaas_text *out) { return cpaas_otp_verify_start(client, &check, options, done, user_data, call, out); });
    }
    Expected<bool> read(cpaas_status status, std::string_view text) const override {
        if (status != CPAAS_OK) return Failure(status, std::string(text));
        return true;
    }

private:
    cpaas_otp_check arguments() const noexcept {
        cpaas_otp_check check{};
        check.size = sizeof check;
        check.service = text_[0];
        check.request_id = text_[1];
        check.code = text_[2];
        return check;
    }

    Strings<3> text_;
};

class LookupNumber final : public Operation<Lookup> {
public:
    explicit LookupNumber(std::string_view msisdn) : text_({msisdn}, {"msisdn"}) {}

    Expected<Lookup> run(const cpaas_client *client, const cpaas_call_options *options) const override {
        if (const auto refused = text_.failure()) return *refused;
        Lookup lookup;
        lookup.number.size = sizeof lookup.number;
        const Result result =
            result_of([&](cpaas_text *out) { return cpaas_lookup_one(client, text_[0], options, &lookup.number, out); });
        if (!result.ok()) return failure_of(result);
        lookup.json = result.text.str();
        return lookup;
    }
    std::optional<Failure> start(const cpaas_client *client, const cpaas_call_options *options, cpaas_completion done, void *user_data,
                                 std::uint64_t *call) const override {
        if (const auto refused = text_.failure()) return *refused;
        return failure_unless_ok(
            [&](cpaas_text *out) { return cpaas_lookup_start(client, text_[0], options, done, user_data, call, out); });
    }
    Expected<Lookup> read(cpaas_status status, std::string_view text) const override {
        if (status != CPAAS_OK) return Failure(status, std::string(text));
        return try_lookup_read(text);
    }

private:
    Strings<1> text_;
};

/// Any operation, with a request and a result in JSON.
class JsonCall final : public Operation<std::string> {
public:
    JsonCall(const Name &operation, Utf8 request) : operation_(operation), request_(request.data(), request.size()) {}

    Expected<std::string> run(const cpaas_client *client, const cpaas_call_options *options) const override {
        return expected_of(result_of([&](cpaas_text *out) {
            return cpaas_call_with(client, operation_.c_str(), request_.data(), request_.size(), options, out);
        }));
    }
    std::optional<Failure> start(const cpaas_client *client, const cpaas_call_options *options, cpaas_completion done, void *user_data,
                                 std::uint64_t *call) const override {
        return failure_unless_ok([&](cpaas_text *out) {
            return cpaas_call_start_with(client, operation_.c_str(), request_.data(), request_.size(), options, done, user_data, call, out);
        });
    }
    Expected<std::string> read(cpaas_status status, std::string_view text) const override { return expected_of(status, text); }

private:
    Name operation_;
    std::string request_;
};

} // namespace detail

/// A call that has not started. It contains copies of its arguments; only the client must exist when it starts. Each of
/// the functions `get`, `try_get`, `async`, `start`, `future` and `try_future` makes one call, so two of them send two
/// messages. With cpaas/coroutine.hpp (C++20), `co_await` starts a call too.
template <class T> class [[nodiscard]] Call {
public:
    Call(const cpaas_client *client, std::shared_ptr<const detail::Operation<T>> operation) noexcept
        : client_(client), operation_(std::move(operation)) {}
    // A move copies, so that no object is without an operation.
    Call(const Call &) = default;
    Call &operator=(const Call &) = default;
    ~Call() = default;

    /// Sets the options; copies them and their headers.
    Call &options(const cpaas_call_options &options) & {
        options_.emplace(options);
        return *this;
    }
    Call &&options(const cpaas_call_options &options) && { return std::move(this->options(options)); }

    /// Calls, and blocks until the call ends.
    Expected<T> try_get() const {
        return with_options([&](const cpaas_call_options *options) { return operation_->run(client_, options); });
    }
    template <class U = T, std::enable_if_t<!std::is_same_v<U, bool>, int> = 0> T get() const { return try_get().value(); }
    /// True only if the passcode is valid, false only if the provider reports that it is not.
    template <class U = T, std::enable_if_t<std::is_same_v<U, bool>, int> = 0> [[nodiscard]] bool get() const {
        return detail::value_or_raise(try_get());
    }

    /// Starts the call. `done` is called exactly once with an Expected<T>, on a thread of the library; it must not throw: an exception
    /// terminates the process. Returns the number of the call for `Client::cancel`; after a failure `done` is not called.
    template <class Done> Expected<std::uint64_t> async(Done &&done) const {
        std::uint64_t number = 0;
        const auto refused = start_with(std::forward<Done>(done), &number);
        if (refused) return *refused;
        return number;
    }
    /// Starts the call; `Client::poll` returns its result with `user_data`.
    Expected<std::uint64_t> start(void *user_data = nullptr) const {
        std::uint64_t number = 0;
        const auto refused = with_options(
            [&](const cpaas_call_options *options) { return operation_->start(client_, options, nullptr, user_data, &number); });
        if (refused) return *refused;
        return number;
    }
    /// Starts the call; the future receives the value or the failure, also after `cancel` and after the client is destroyed. `number`, if
    /// not NULL, receives the number of the call, or 0.
    [[nodiscard]] std::future<Expected<T>> try_future(std::uint64_t *number = nullptr) const {
        auto promise = std::make_shared<std::promise<Expected<T>>>();
        auto future = promise->get_future();
        const auto started = async([promise](Expected<T> ended) { promise->set_value(std::move(ended)); });
        if (!started) promise->set_value(started.error());
        if (number != nullptr) *number = started.value_or(0u);
        return future;
    }
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    /// The same; the `get` of the future returns the value, and throws Error after a failure. For a passcode, the value is false if the
    /// provider reports that it is not valid.
    [[nodiscard]] std::future<T> future(std::uint64_t *number = nullptr) const {
        auto promise = std::make_shared<std::promise<T>>();
        auto future = promise->get_future();
        const auto end = [promise](Expected<T> ended) {
            if (ended.has_value() || detail::is_not_verified(ended)) {
                return promise->set_value(detail::value_or_raise(std::move(ended)));
            }
            promise->set_exception(std::make_exception_ptr(Error(ended.error())));
        };
        const auto started = async(end);
        if (!started) end(started.error());
        if (number != nullptr) *number = started.value_or(0u);
        return future;
    }
#endif

private:
    template <class, bool> friend class detail::Awaiter;

    template <class Done> struct Started {
        Done done;
        std::shared_ptr<const detail::Operation<T>> operation;
    };

    template <class Done> static void complete(void *user_data, cpaas_status status, const char *text, std::size_t len) noexcept {
        const std::unique_ptr<Started<Done>> started(static_cast<Started<Done> *>(user_data));
        started->done(started->operation->read(status, text == nullptr ? std::string_view() : std::string_view(text, len)));
    }

    /// Starts the call; `number` is written before `done` can run. Returns why no call was started.
    template <class Done> std::optional<Failure> start_with(Done &&done, std::uint64_t *number) const {
        using Owned = std::decay_t<Done>;
        static_assert(std::is_invocable_v<Owned &, Expected<T>>);
        if (detail::is_empty(done)) return Failure(CPAAS_BAD_ARGUMENT, R"({"argument":"done","message":"must not be empty"})");
        std::unique_ptr<Started<Owned>> started(new Started<Owned>{std::forward<Done>(done), operation_});
        auto refused = with_options([&](const cpaas_call_options *options) {
            return operation_->start(client_, options, complete<Owned>, started.get(), number);
        });
        if (!refused) static_cast<void>(started.release());
        return refused;
    }

    template <class Use> auto with_options(Use use) const {
        return options_ ? options_->with(use) : use(static_cast<const cpaas_call_options *>(nullptr));
    }

    const cpaas_client *client_;
    std::shared_ptr<const detail::Operation<T>> operation_;
    std::optional<detail::Options> options_;
};

/// The calls of `Client::sms`.
class SmsCalls {
public:
    explicit SmsCalls(const cpaas_client *client) noexcept : client_(client) {}
    /// Sends one SMS.
    Call<Sent> send(const Sms &sms) const { return {client_, std::make_shared<detail::SmsSend>(sms)}; }

private:
    const cpaas_client *client_;
};

/// The calls of `Client::otp`.
class OtpCalls {
public:
    explicit OtpCalls(const cpaas_client *client) noexcept : client_(client) {}
    /// Sends a one-time passcode.
    Call<Sent> send(const Otp &otp) const { return {client_, std::make_shared<detail::OtpSend>(otp)}; }
    /// Verifies a passcode: true only if it is valid, false only if the provider reports that it is not. `try_get`, `try_future`, `async` and
    /// as_expected have a value only if it is valid, and the status CPAAS_NOT_VERIFIED if it is not.
    Call<bool> verify(std::string_view service, std::string_view request_id, std::string_view code) const {
        return {client_, std::make_shared<detail::OtpVerify>(service, request_id, code)};
    }

private:
    const cpaas_client *client_;
};

/// The calls of `Client::lookup`.
class LookupCalls {
public:
    explicit LookupCalls(const cpaas_client *client) noexcept : client_(client) {}
    /// Looks up one number.
    Call<Lookup> one(std::string_view msisdn) const { return {client_, std::make_shared<detail::LookupNumber>(msisdn)}; }

private:
    const cpaas_client *client_;
};

CPAAS_NAMESPACE_END

#endif // CPAAS_CALL_HPP
