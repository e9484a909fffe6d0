// The client, the receiver of callbacks and the log. Included by cpaas.hpp. Hand-written.
#ifndef CPAAS_CLIENT_HPP
#define CPAAS_CLIENT_HPP

#include "call.hpp"

CPAAS_NAMESPACE_BEGIN

/// A log function. It receives the level, one of CPAAS_LOG_..., and a line; it runs on any thread, also on several at once, and must
/// not throw or call this library.
using LogFunction = std::function<void(std::uint32_t, std::string_view)>;

namespace detail {

inline void log_line(void *function, std::uint32_t level, const char *text, std::size_t len) noexcept {
    (*static_cast<LogFunction *>(function))(level, std::string_view(text, len));
}

} // namespace detail

/// Sets the log function of the process for the lifetime of the object. The function, not empty, receives the level, one of
/// CPAAS_LOG_..., and a line; it runs on any thread, also on several at once, and must not throw or call this library. Of several objects,
/// only the newest receives the lines; when it is destroyed, the one before it receives them again.
class Log {
public:
    using Function = LogFunction;
    explicit Log(Function function, std::uint32_t level = CPAAS_LOG_DEBUG) : function_(std::move(function)), level_(level) {
        if (!function_) {
            detail::raise(Failure(CPAAS_BAD_ARGUMENT, R"({"argument":"function","message":"`function` must not be empty"})"));
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        detail::check(set(this));
        older_ = std::exchange(newest_, this);
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;
    ~Log() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (newest_ == this) {
            newest_ = older_;
            // Refused only in a log function or a suppression function, where the destroyed function would stay set.
            if (set(older_) != CPAAS_OK) std::terminate();
            return;
        }
        for (Log *log = newest_; log != nullptr; log = log->older_) {
            if (log->older_ == this) log->older_ = older_;
        }
    }

private:
    static cpaas_status set(Log *log) noexcept {
        return log == nullptr ? cpaas_log_callback(nullptr, nullptr, 0) : cpaas_log_callback(detail::log_line, &log->function_, log->level_);
    }

    inline static std::mutex mutex_;
    inline static Log *newest_ = nullptr;

    Function function_;
    std::uint32_t level_;
    Log *older_ = nullptr;
};

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
    Client(Client &&other) noexcept : client_(std::exchange(other.client_, nullptr)), log_(std::move(other.log_)) {}
    Client &operator=(Client &&other) noexcept {
        Client moved(std::move(other));
        std::swap(client_, moved.client_);
        std::swap(log_, moved.log_);
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

    /// Sets the log function of this client, see `cpaas_client_log`. It receives the lines of this client's calls only, also after the client
    /// is moved. A client has one function: after the return, the previous one is not running and is destroyed.
    /// Not on two threads at once for one client.
    void log(LogFunction function, std::uint32_t level = CPAAS_LOG_DEBUG) {
        detail::check(log(std::move(function), level, std::nothrow));
    }
    cpaas_status log(LogFunction function, std::uint32_t level, std::nothrow_t) {
        if (!function) return CPAAS_BAD_ARGUMENT;
        auto owned = std::make_unique<LogFunction>(std::move(function));
        const cpaas_status status = cpaas_client_log(client_, detail::log_line, owned.get(), level);
        if (status == CPAAS_OK) log_ = std::move(owned);
        return status;
    }
    /// Removes the function of `log`.
    void without_log() {
        detail::check(cpaas_client_log(client_, nullptr, nullptr, 0));
        log_.reset();
    }

    /// Sets the function that knows the numbers that get no SMS, see `cpaas_client_suppression`. The function must not throw; it and
    /// `user_data` must stay valid until the process ends.
    void suppression(cpaas_suppression is_suppressed, void *user_data = nullptr) {
        detail::check(suppression(is_suppressed, user_data, std::nothrow));
    }
    cpaas_status suppression(cpaas_suppression is_suppressed, void *user_data, std::nothrow_t) noexcept {
        return cpaas_client_suppression(client_, is_suppressed, user_data);
    }
    /// Removes the function of `suppression`.
    void without_suppression() { suppression(nullptr); }

    /// Sets a guard against pumping, see `cpaas_client_guard`; `settings` is a JSON object.
    void guard(Utf8 settings = "{}") {
        const Result result = guard(settings, std::nothrow);
        detail::check(result.status, result.text.view());
    }
    Result guard(Utf8 settings, std::nothrow_t) noexcept {
        return detail::result_of([&](cpaas_text *out) {
            // NULL would remove the guard.
            return cpaas_client_guard(client_, settings.data() ? settings.data() : "", settings.size(), out);
        });
    }
    /// Removes the guard.
    void without_guard() {
        const Result result =
            detail::result_of([&](cpaas_text *out) { return cpaas_client_guard(client_, nullptr, 0, out); });
        detail::check(result.status, result.text.view());
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
    /// The same, without exceptions; `number` may be NULL. With any status except CPAAS_OK `done` is not called.
    template <class Done>
    cpaas_status call_async(const Name &operation, Utf8 request, Done &&done, std::uint64_t *number, std::nothrow_t,
                            const cpaas_call_options *options = nullptr) const noexcept {
        return start_async(operation, request, std::forward<Done>(done), number, options);
    }
    /// Starts a call; the future receives its result as JSON or the failure, also after `cancel` and after the client is
    /// destroyed.
    [[nodiscard]] std::future<Expected<std::string>> try_call_future(const Name &operation, Utf8 request,
                                                       const cpaas_call_options *options = nullptr) const {
        auto promise = std::make_shared<std::promise<Expected<std::string>>>();
        auto future = promise->get_future();
        const cpaas_status status = call_async(
            operation, request,
            [promise](cpaas_status ended, std::string_view text) { promise->set_value(detail::expected_of(ended, text)); },
            nullptr, std::nothrow, options);
        if (status != CPAAS_OK) promise->set_value(detail::expected_of(status, {}));
        return future;
    }
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    /// Starts a call; the future receives its result as JSON, and its `get` throws Error after a failure.
    [[nodiscard]] std::future<std::string> call_future(const Name &operation, Utf8 request,
                                         const cpaas_call_options *options = nullptr) const {
        auto promise = std::make_shared<std::promise<std::string>>();
        auto future = promise->get_future();
        const auto end = [promise](cpaas_status ended, std::string_view text) {
            if (ended == CPAAS_OK) return promise->set_value(std::string(text));
            promise->set_exception(std::make_exception_ptr(Error(Failure(ended, std::string(text)))));
        };
        const cpaas_status status = call_async(operation, request, end, nullptr, std::nothrow, options);
        if (status != CPAAS_OK) end(status, {});
        return future;
    }
#endif

    /// Calls an operation; returns its result as JSON, or the failure.
    Expected<std::string> try_call(const Name &operation, Utf8 request,
                                   const cpaas_call_options *options = nullptr) const {
        return detail::expected_of(call(operation, request, std::nothrow, options));
    }

    /// Calls that start later, with typed results: `client.sms().send(...)`, `client.otp().verify(...)`, `client.lookup().one(...)`. The
    /// client must exist until they have started.
    SmsCalls sms() const noexcept { return SmsCalls(client_); }
    OtpCalls otp() const noexcept { return OtpCalls(client_); }
    LookupCalls lookup() const noexcept { return LookupCalls(client_); }
    /// A call of any operation that starts later, with a result in JSON.
    Call<std::string> new_call(const Name &operation, Utf8 request) const {
        return {client_, std::make_shared<detail::JsonCall>(operation, request)};
    }

    /// Sends one SMS.
    Expected<Sent> try_sms_send(const Sms &sms, const cpaas_call_options *options = nullptr) const {
        return detail::SmsSend(sms).run(client_, options);
    }
    Sent sms_send(const Sms &sms, const cpaas_call_options *options = nullptr) const {
        return try_sms_send(sms, options).value();
    }

    /// Sends a one-time passcode.
    Expected<Sent> try_otp_send(const Otp &otp, const cpaas_call_options *options = nullptr) const {
        return detail::OtpSend(otp).run(client_, options);
    }
    Sent otp_send(const Otp &otp, const cpaas_call_options *options = nullptr) const {
        return try_otp_send(otp, options).value();
    }

    /// Verifies a passcode. The result has a value, true, only if the passcode is valid; its status is CPAAS_NOT_VERIFIED only if the
    /// provider reports that it is not.
    Expected<bool> try_otp_verify(std::string_view service, std::string_view request_id, std::string_view code,
                                  const cpaas_call_options *options = nullptr) const {
        return detail::OtpVerify(service, request_id, code).run(client_, options);
    }
    /// Verifies a passcode: true only if it is valid, false only if the provider reports that it is not.
    [[nodiscard]] bool otp_verify(std::string_view service, std::string_view request_id, std::string_view code,
                    const cpaas_call_options *options = nullptr) const {
        return detail::value_or_raise(try_otp_verify(service, request_id, code, options));
    }

    /// Looks up one number.
    Expected<Lookup> try_lookup_one(std::string_view msisdn, const cpaas_call_options *options = nullptr) const {
        return detail::LookupNumber(msisdn).run(client_, options);
    }
    Lookup lookup_one(std::string_view msisdn, const cpaas_call_options *options = nullptr) const {
        return try_lookup_one(msisdn, options).value();
    }

    /// Starts a call whose result `poll` returns; `number` may be NULL.
    cpaas_status start(const Name &operation, Utf8 request, void *user_data, std::uint64_t *number = nullptr,
                       const cpaas_call_options *options = nullptr) const {
        return cpaas_call_start(client_, operation.c_str(), request.data(), request.size(), options, user_data, number);
    }
    /// The results of ended calls, at most `max`. Does not block.
    [[nodiscard]] std::vector<PolledResult> poll(std::size_t max = 64) const {
        std::vector<cpaas_result> ended(max);
        ended.resize(cpaas_poll(client_, ended.data(), ended.size()));
        std::vector<PolledResult> results;
        for (const cpaas_result &one : ended) results.push_back(polled(one));
        return results;
    }
    /// Ends the asynchronous calls, see `cpaas_client_drain`, and returns the results that were not polled, each with its
    /// `user_data`. Refuses further ones, waits at most `timeout` for those that run, and cancels the rest. Call it before
    /// the destructor.
    [[nodiscard]] std::vector<PolledResult> drain(std::chrono::milliseconds timeout) const {
        std::vector<PolledResult> results;
        detail::check(drain(timeout, results, std::nothrow));
        return results;
    }
    [[nodiscard]] cpaas_status drain(std::chrono::milliseconds timeout, std::vector<PolledResult> &results, std::nothrow_t) const {
        const auto longest = std::chrono::milliseconds(UINT32_MAX);
        const auto wait = std::clamp(timeout, std::chrono::milliseconds(0), longest).count();
        cpaas_status status;
        do {
            std::array<cpaas_result, 64> ended{};
            std::size_t written = 0;
            status = cpaas_client_drain(client_, static_cast<std::uint32_t>(wait), ended.data(), ended.size(), &written);
            for (std::size_t i = 0; i < written; i++) results.push_back(polled(ended[i]));
        } while (status == CPAAS_TOO_SMALL);
        return status;
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

    /// The report on a request as JSON, with the settings of this client.
    Result validate(const Name &operation, Utf8 request, std::nothrow_t) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_client_validate(client_, operation.c_str(), request.data(), request.size(), out);
        });
    }
    std::string validate(const Name &operation, Utf8 request) const {
        return detail::value_of(validate(operation, request, std::nothrow));
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
    static PolledResult polled(const cpaas_result &ended) {
        PolledResult result;
        result.call = ended.call;
        result.user_data = ended.user_data;
        result.result.status = ended.status;
        result.result.text = Text(ended.text);
        return result;
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
    std::unique_ptr<LogFunction> log_;
};

/// A callback request as an HTTP server received it.
struct CallbackRequest {
    std::string_view method;
    /// The unmodified URL with its query: absolute, or from the path on.
    std::string_view url;
    /// The header `Content-Type`; empty if there is none.
    std::string_view content_type;
    /// The unmodified body, any bytes.
    std::string_view body;
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

    /// Verifies a request. Does not throw: `CPAAS_CALLBACK_REJECTED` is a normal result; read `status`.
    Result receive(Utf8 request, std::uint64_t now) const noexcept {
        return detail::result_of([&](cpaas_text *out) {
            return cpaas_receiver_receive(receiver_, request.data(), request.size(), now, out);
        });
    }
    /// The same for a request without JSON around it. CPAAS_BAD_ARGUMENT also for a NUL in another member than the body, which no authentic
    /// request has.
    Result receive(const CallbackRequest &request, std::uint64_t now) const {
        return with_struct(request, [&](const cpaas_callback_request *given) {
            return detail::result_of([&](cpaas_text *out) { return cpaas_receiver_receive_request(receiver_, given, now, out); });
        });
    }
    /// Turns on leases of 1 to 86,400 seconds: `receive` claims each event. Call it before the first `receive`.
    void lease(std::uint32_t seconds) { detail::check(cpaas_receiver_lease(receiver_, seconds), {}); }
    /// Records that an event is done, with the `lease` of the result of `receive`.
    cpaas_status done(Utf8 lease) const noexcept { return cpaas_receiver_done(receiver_, lease.data(), lease.size()); }
    /// Frees an event that could not be processed, so that its repeat is new.
    cpaas_status free_lease(Utf8 lease) const noexcept {
        return cpaas_receiver_free_lease(receiver_, lease.data(), lease.size());
    }
    /// Forgets an accepted request that could not be processed. For a receiver without leases.
    cpaas_status forget(Utf8 request, std::uint64_t now) const noexcept {
        return cpaas_receiver_forget(receiver_, request.data(), request.size(), now);
    }
    cpaas_status forget(const CallbackRequest &request, std::uint64_t now) const {
        return with_struct(request, [&](const cpaas_callback_request *given) {
                   Result result;
                   result.status = cpaas_receiver_forget_request(receiver_, given, now);
                   return result;
               })
            .status;
    }

private:
    /// Calls `use` with the struct of a request.
    template <class Use> static Result with_struct(const CallbackRequest &request, Use use) {
        const detail::Strings<3> texts({request.method, request.url, request.content_type}, {"method", "url", "content_type"});
        if (const auto invalid = texts.failure()) {
            Result refused;
            refused.status = invalid->status();
            refused.copy(invalid->record());
            return refused;
        }
        cpaas_callback_request given{};
        given.size = sizeof given;
        given.method = texts[0];
        given.url = texts[1];
        given.content_type = texts.optional(2);
        given.body = request.body.data();
        given.body_len = request.body.size();
        return use(&given);
    }

    cpaas_receiver *receiver_ = nullptr;
};

CPAAS_NAMESPACE_END

#endif // CPAAS_CLIENT_HPP
