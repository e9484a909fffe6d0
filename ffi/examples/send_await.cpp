// Sends SMS at the same time, with coroutines (C++20). Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: send_await TO...
#include <future>
#include <iostream>
#include <string>
#include <vector>

#include "cpaas/coroutine.hpp"

// A coroutine that starts at once, and a future for its result. A program with an executor uses the task type of its library.
struct Task {
    struct promise_type {
        std::promise<bool> result;
        Task get_return_object() { return {result.get_future()}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_value(bool value) { result.set_value(value); }
        void unhandled_exception() { result.set_exception(std::current_exception()); }
    };
    std::future<bool> result;
};

static Task send(const cpaas::Client &client, std::string to) {
    const auto sent = co_await cpaas::as_expected(client.sms().send({"Acme", to, "Your table is ready"}));
    // From here on, this is a thread of the library. CPAAS_NOT_SENT: safe to retry. CPAAS_UNKNOWN: the message may have been sent.
    std::cout << to + " " + (sent ? sent->id : cpaas_status_name(sent.status()) + (" " + sent.error().message())) + "\n";
    co_return sent.has_value();
}

int main(int argc, char **argv) {
    const cpaas::Client client; // destroyed after the coroutines have ended
    std::vector<Task> tasks;
    for (int i = 1; i < argc; i++) tasks.push_back(send(client, argv[i]));
    bool all = !tasks.empty();
    for (Task &task : tasks) all = task.result.get() && all;
    return all ? 0 : 1;
}
