// co_await of calls, with the sandbox: 1,000 coroutines, failures, calls that cannot start, coroutines that are destroyed
// while they wait, and clients that are destroyed or drained while coroutines wait.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "check.h"
#include "cpaas.hpp"
#include "cpaas/coroutine.hpp"

/* A coroutine that starts at once. Its frame exists until it has ended and its owner is destroyed. */
class Task {
public:
    struct promise_type {
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::abort(); }
    };
    explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
    Task(Task &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
    ~Task() {
        if (coroutine_) coroutine_.destroy();
    }

private:
    std::coroutine_handle<promise_type> coroutine_;
};

/* A coroutine without owner: its frame is destroyed at its end. */
struct Detached {
    struct promise_type {
        Detached get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::abort(); }
    };
};

/* Counts what has ended. */
class Counter {
public:
    void add() {
        const std::lock_guard lock(mutex_);
        count_++;
        changed_.notify_all();
    }
    bool reaches(int count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(120), [&] { return count_ >= count; });
    }
    int count() {
        const std::lock_guard lock(mutex_);
        return count_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int count_ = 0;
};

static const char *const unreachable = R"({"sms_url":"http://127.0.0.1:9","api_key":"k","max_attempts":1})";

/* Many coroutines on one client: each gets its own id, and continues on a thread of the library. */
struct Many {
    Counter ended;
    std::mutex mutex;
    std::set<std::string> ids;
    std::set<std::thread::id> threads;
};

static Detached send_one(const cpaas::Client &client, Many &many, int number) {
    const auto sent = co_await client.sms().send({"Acme", std::to_string(306912300000 + number), "Hi"});
    {
        const std::lock_guard lock(many.mutex);
        many.ids.insert(sent.id);
        many.threads.insert(std::this_thread::get_id());
    }
    many.ended.add();
}

static void many_coroutines(const cpaas::Client &client) {
    Many many;
    for (int i = 0; i < 1000; i++) send_one(client, many, i);
    CHECK(many.ended.reaches(1000));
    const std::lock_guard lock(many.mutex);
    CHECK(many.ids.size() == 1000 && many.ids.count("") == 0 && many.threads.count(std::this_thread::get_id()) == 0);
}

/* Several calls one after another, with each type of result. */
static Detached conversation(const cpaas::Client &client, Counter &ended) {
    const auto sent = co_await client.otp().send({"login", "Acme", "306912345611", "Your code is {code}"});
    const bool verified = co_await client.otp().verify("login", sent.id, "12");
    const auto call = client.lookup().one("306912345611");
    const auto lookup = co_await call;
    const std::string json = co_await client.new_call("sms.send", R"({"from":"Acme","to":"306912345611","text":"Hi"})");
    const auto expected = co_await cpaas::as_expected(client.sms().send({"Acme", "306912345611", "Hi"}));
    CHECK(!sent.id.empty() && !verified && lookup.number.mcc[0] != '\0' && cpaas::json_get(json, "/id") != expected->id);
    ended.add();
}

/* Failures, after a start and without one; in the latter case the coroutine continues at once, on this thread. */
static Detached failing(const cpaas::Client &client, const cpaas::Client &empty, Counter &ended) {
    cpaas_status status = CPAAS_OK;
    try {
        co_await empty.sms().send({"Acme", "306912345678", "Hi"});
    } catch (const cpaas::Error &error) {
        status = error.status();
    }
    CHECK(status == CPAAS_BAD_ARGUMENT);
    const auto refused = co_await cpaas::as_expected(client.sms().send({"Acme", "306912345678", std::string_view("a\0b", 3)}));
    CHECK(refused.status() == CPAAS_BAD_ARGUMENT && ended.count() == 0);
    ended.add();
    const auto failed = co_await cpaas::as_expected(client.sms().send({"Acme", "306912345678", "Hi", "booking-7"}));
    CHECK(failed.status() == CPAAS_NOT_SENT && failed.error().reference() == "booking-7");
    try {
        co_await client.sms().send({});
    } catch (const cpaas::Error &error) {
        status = error.status();
    }
    CHECK(status == CPAAS_INVALID);
    ended.add();
}

static void failures() {
    cpaas::Client client(unreachable), other(unreachable);
    const cpaas::Client moved(std::move(other));
    Counter ended;
    failing(client, other, ended);
    CHECK(ended.count() >= 1 && ended.reaches(2));
}

/* A server that never responds. */
class SilentServer {
public:
    SilentServer() {
        socklen_t len = sizeof address_;
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        CHECK(bind(fd_, reinterpret_cast<sockaddr *>(&address_), len) == 0 && listen(fd_, 4096) == 0 &&
              getsockname(fd_, reinterpret_cast<sockaddr *>(&address_), &len) == 0);
    }
    ~SilentServer() { close(fd_); }
    std::string config() const {
        return R"({"sms_url":"http://127.0.0.1:)" + std::to_string(ntohs(address_.sin_port)) + R"(","sms_key":"k","max_attempts":1})";
    }

private:
    int fd_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address_{};
};

/* Counts the destruction of the local variables of a coroutine. */
struct Local {
    std::atomic<int> *count;
    ~Local() { ++*count; }
};

static Task waiting(const cpaas::Client &client, std::atomic<int> &destroyed, std::atomic<int> &resumed, std::atomic<int> &unsent) {
    const Local local{&destroyed};
    const auto sent = co_await cpaas::as_expected(client.sms().send({"Acme", "306912345678", "Hi"}));
    unsent += sent.status() == CPAAS_NOT_SENT || sent.status() == CPAAS_UNKNOWN;
    resumed++;
}

/* A coroutine that is destroyed while it waits never continues, and its call ends long before the timeout of 20 s. */
static void destroyed_while_waiting() {
    const SilentServer server;
    std::atomic<int> destroyed{0}, resumed{0}, unsent{0};
    const auto begin = std::chrono::steady_clock::now();
    {
        const cpaas::Client client(server.config());
        {
            std::vector<Task> tasks;
            for (int i = 0; i < 100; i++) tasks.push_back(waiting(client, destroyed, resumed, unsent));
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            CHECK(destroyed == 0 && resumed == 0);
        }
        CHECK(destroyed == 100 && resumed == 0);
        CHECK(client.drain(std::chrono::seconds(60)).empty()); // the calls have been cancelled
    }
    CHECK(resumed == 0 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(15));
}

/* The destructor of the client and drain end the calls; each coroutine continues with the outcome before they return. */
static void ended_while_waiting() {
    const SilentServer server;
    for (const bool drained : {false, true}) {
        std::atomic<int> destroyed{0}, resumed{0}, unsent{0};
        std::vector<Task> tasks;
        {
            const cpaas::Client client(server.config());
            for (int i = 0; i < 100; i++) tasks.push_back(waiting(client, destroyed, resumed, unsent));
            if (drained) CHECK(client.drain(std::chrono::milliseconds(10)).empty() && resumed == 100);
        }
        CHECK(resumed == 100 && unsent == 100);
        tasks.clear();
        CHECK(destroyed == 100);
    }
}

/* While one call waits, the limit of calls refuses another one, whose coroutine continues at once. */
static void refused_by_limit() {
    const SilentServer server;
    std::atomic<int> destroyed{0}, resumed{0}, unsent{0};
    cpaas::set_limits(1, 0);
    {
        const cpaas::Client client(server.config());
        const auto first = waiting(client, destroyed, resumed, unsent), second = waiting(client, destroyed, resumed, unsent);
        CHECK(resumed == 1 && unsent == 0);
    }
    CHECK(resumed == 1 && destroyed == 2);
    cpaas::set_limits(0, 0);
}

int main() {
    {
        const cpaas::Client client(R"({"accept_repeated_ids":true})");
        many_coroutines(client);
        Counter ended;
        conversation(client, ended);
        CHECK(ended.reaches(1));
    }
    failures();
    destroyed_while_waiting();
    ended_while_waiting();
    refused_by_limit();
    cpaas::shutdown();
    return checks_end();
}
