// co_await for calls, for C++20 and later. Include it after or instead of cpaas.hpp. Hand-written.
//
//     const cpaas::Sent sent = co_await client.sms().send({"Acme", "306912345678", "Hi"});
//
// The coroutine continues on a thread of the library for callbacks, so what applies to a callback applies to it until it
// suspends again: it must not destroy its client, and no exception may leave it (the promise's unhandled_exception must not
// rethrow). A coroutine that is destroyed while it waits cancels its call. The program must exclude that it is destroyed
// while the library resumes it.
#ifndef CPAAS_COROUTINE_HPP
#define CPAAS_COROUTINE_HPP

#if !defined(__cpp_impl_coroutine)
#error "cpaas/coroutine.hpp requires C++20 with coroutines"
#endif

#include <atomic>
#include <coroutine>

#include "client.hpp"

CPAAS_NAMESPACE_BEGIN

namespace detail {

/// Waits for a call. `throws`: the result is a T, and a failure is thrown as an Error; else it is an Expected<T>.
template <class T, bool throws> class Awaiter {
public:
    explicit Awaiter(Call<T> call) : call_(std::move(call)) {}
    Awaiter(const Awaiter &) = delete;
    Awaiter &operator=(const Awaiter &) = delete;
    ~Awaiter() {
        if (state_ != nullptr && state_->phase.exchange(Phase::abandoned) == Phase::waiting) cpaas_cancel(call_.client_, state_->number);
    }

    bool await_ready() const noexcept { return false; }
    /// After the call was started, another thread may already have destroyed this object, and with it the frame of the coroutine. Not
    /// inlined: clang before 18 would keep the local variables in that frame.
    [[gnu::noinline]] bool await_suspend(std::coroutine_handle<> coroutine) {
        const auto state = state_ = std::make_shared<State>();
        state->coroutine = coroutine;
        state->phase = Phase::waiting;
        const auto refused = call_.start_with(
            [state](Expected<T> ended) {
                state->result.emplace(std::move(ended));
                if (state->phase.exchange(Phase::ended) == Phase::waiting) state->coroutine.resume();
            },
            &state->number);
        if (!refused) return true;
        state->phase = Phase::ended;
        state->result.emplace(*refused);
        return false;
    }
    [[nodiscard]] bool await_resume()
        requires(throws && std::is_same_v<T, bool>)
    {
        return value_or_raise(std::move(*state_->result));
    }
    std::conditional_t<throws, T, Expected<T>> await_resume() {
        if constexpr (throws) {
            return std::move(*state_->result).value();
        } else {
            return std::move(*state_->result);
        }
    }

private:
    enum class Phase { waiting, ended, abandoned };

    /// Shared by the coroutine and the completion of the call.
    struct State {
        std::atomic<Phase> phase{Phase::waiting};
        std::coroutine_handle<> coroutine;
        std::uint64_t number = 0;
        std::optional<Expected<T>> result;
    };

    Call<T> call_;
    std::shared_ptr<State> state_;
};

} // namespace detail

/// Starts the call. `co_await` returns its value, and throws Error after a failure. For a passcode, the value is false if the provider
/// reports that it is not valid.
template <class T> detail::Awaiter<T, true> operator co_await(Call<T> call) { return detail::Awaiter<T, true>(std::move(call)); }

/// A call whose `co_await` returns an Expected instead of throwing: `co_await cpaas::as_expected(call)`.
template <class T> class [[nodiscard]] ExpectedCall {
public:
    explicit ExpectedCall(Call<T> call) : call_(std::move(call)) {}
    detail::Awaiter<T, false> operator co_await() const { return detail::Awaiter<T, false>(call_); }

private:
    Call<T> call_;
};

template <class T> ExpectedCall<T> as_expected(Call<T> call) { return ExpectedCall<T>(std::move(call)); }

CPAAS_NAMESPACE_END

#endif // CPAAS_COROUTINE_HPP
