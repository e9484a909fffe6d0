// What a program of C++ does with the lifetimes of objects, with the sandbox: logs of clients, callback requests, clients that are moved,
// swapped, shared by threads, and destroyed while calls run or inside their own callback; results that outlive their client; exceptions in
// callbacks; global objects.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <map>
#include <mutex>
#include <thread>

#include "check.h"
#include "cpaas.hpp"
#include "silent_server.h"
#include "thrown.hpp"

static const std::string config = R"({"accept_repeated_ids":true})";

static std::string silent() {
    char address[256];
    silent_server(address, sizeof address); // stays open until the process ends
    return address;
}

/* The lines that a log function received. The function shares it, so that `use_count` shows whether the function still exists. */
struct Lines {
    std::mutex mutex;
    std::vector<std::string> texts;
    std::atomic<bool> ended{false}; // no line may arrive any more
    std::atomic<int> wrong{0};
    ~Lines() { CHECK(wrong == 0); }

    int with(std::string_view mark) {
        const std::lock_guard lock(mutex);
        int count = 0;
        for (const std::string &text : texts) count += text.find(mark) != std::string::npos;
        return count;
    }
};

static cpaas::LogFunction to(const std::shared_ptr<Lines> &lines) {
    return [lines](std::uint32_t level, std::string_view text) {
        lines->wrong += lines->ended || level < CPAAS_LOG_ERROR || level > CPAAS_LOG_DEBUG;
        const std::lock_guard lock(lines->mutex);
        lines->texts.emplace_back(text);
    };
}

static cpaas::Sms sms(std::string_view reference) { return {"Acme", "306912345678", "Hi", reference, "", false}; }

static void logs() {
    const auto red = std::make_shared<Lines>(), blue = std::make_shared<Lines>(), all = std::make_shared<Lines>();
    {
        const cpaas::Log log(to(all));
        cpaas::Client first(config), second(config);
        first.log(to(red));
        second.log(to(blue), CPAAS_LOG_DEBUG);
        CHECK(red.use_count() == 2);
        first.sms_send(sms("red-1"));
        second.sms_send(sms("blue-1"));
        CHECK(red->with("red-1") > 0 && red->with("blue-1") == 0 && blue->with("blue-1") > 0 && blue->with("red-1") == 0);
        CHECK(all->with("red-1") == red->with("red-1") && all->with("blue-1") == blue->with("blue-1"));

        // A moved client keeps its log, and the client that was moved from has none.
        cpaas::Client moved(std::move(first));
        moved.sms_send(sms("red-2"));
        CHECK(red->with("red-2") > 0 && red.use_count() == 2);
        CHECK(first.log(to(red), CPAAS_LOG_DEBUG, std::nothrow) == CPAAS_BAD_ARGUMENT && red.use_count() == 2);
        CHECK(thrown([&] { first.without_log(); }) == CPAAS_BAD_ARGUMENT);

        // A replaced function is destroyed; a refused one does not replace it.
        const auto green = std::make_shared<Lines>();
        CHECK(moved.log(to(green), 99, std::nothrow) == CPAAS_BAD_ARGUMENT && green.use_count() == 1);
        CHECK(moved.log(nullptr, CPAAS_LOG_DEBUG, std::nothrow) == CPAAS_BAD_ARGUMENT);
        CHECK(thrown([&] { moved.log(cpaas::LogFunction()); }) == CPAAS_BAD_ARGUMENT);
        moved.sms_send(sms("red-3"));
        CHECK(red->with("red-3") > 0);
        moved.log(to(green));
        CHECK(red.use_count() == 1 && green.use_count() == 2);
        red->ended = true;
        moved.sms_send(sms("green-1"));
        CHECK(green->with("green-1") > 0);
        moved.without_log();
        CHECK(green.use_count() == 1);
        green->ended = true;
        moved.sms_send(sms("nobody-1"));
        CHECK(all->with("nobody-1") > 0);

        // An assignment frees the old client with its log.
        moved.log(to(green), CPAAS_LOG_ERROR);
        moved = std::move(second);
        CHECK(green.use_count() == 1 && blue.use_count() == 2);
        moved.sms_send(sms("blue-2"));
        CHECK(blue->with("blue-2") > 0);
        std::swap(first, moved);
        first.sms_send(sms("blue-3"));
        CHECK(blue->with("blue-3") > 0 && !moved);
        CHECK(thrown([&] { const cpaas::Log none{cpaas::LogFunction()}; }) == CPAAS_BAD_ARGUMENT);
    }
    CHECK(blue.use_count() == 1 && all.use_count() == 1);
}

/* Of several logs of the process, the newest receives the lines, also after an older one is destroyed. */
static void logs_of_the_process() {
    const auto older = std::make_shared<Lines>(), newer = std::make_shared<Lines>();
    const cpaas::Client client(config);
    std::optional<cpaas::Log> first(std::in_place, to(older)), second(std::in_place, to(newer));
    client.sms_send(sms("log-1"));
    CHECK(older->with("log-1") == 0 && newer->with("log-1") > 0);
    first.reset();
    CHECK(older.use_count() == 1);
    client.sms_send(sms("log-2"));
    CHECK(newer->with("log-2") > 0);
    second.reset();
    CHECK(newer.use_count() == 1);
    newer->ended = true;
    client.sms_send(sms("log-3"));
    first.emplace(to(older));
    client.sms_send(sms("log-4"));
    CHECK(older->with("log-4") > 0 && older->with("log-3") == 0);
}

/* A client is destroyed while its asynchronous calls log on other threads. */
static void logs_of_running_calls() {
    for (int i = 0; i < 20; i++) {
        const auto lines = std::make_shared<Lines>();
        {
            cpaas::Client client(config);
            client.log(to(lines));
            for (int call = 0; call < 20; call++) static_cast<void>(client.sms().send(sms("r")).async([](const cpaas::Expected<cpaas::Sent> &) {}));
            if (i % 2) client.log(to(lines));
        }
        lines->ended = true;
        CHECK(lines.use_count() == 1);
    }
}

static const char *const receiver_config =
    R"({"audience":"shop","public_url":"https://shop.example/hooks",)"
    R"("delivery_keys":[{"kid":"k1","secret":"a secret of thirty-two bytes or more"}],"inbound_keys":[{"kid":"k1","secret":"a secret of thirty-two bytes or more"}]})";

static void receivers() {
    const std::uint64_t now = 1700000000;
    const std::string minted = cpaas::token_mint(receiver_config, R"({"source":"sms_report","reference":"r"})", now);
    const std::string url = cpaas::json_get(minted, "/url") + "&msgid=m1&status=delivered&reference=r";
    const auto duplicate = [](const cpaas::Result &result) { return result.ok() ? cpaas::json_get(result.view(), "/duplicate") : "none"; };
    cpaas::Receiver receiver(receiver_config);
    {
        std::string copied = url; // only read during the call
        const cpaas::CallbackRequest request{"GET", copied, "", ""};
        CHECK(duplicate(receiver.receive(request, now)) == "false" && duplicate(receiver.receive(request, now)) == "true");
        CHECK(receiver.forget(request, now) == CPAAS_OK && duplicate(receiver.receive(request, now)) == "false");
    }
    CHECK(duplicate(receiver.receive(R"({"method":"GET","url":")" + url + "\"}", now)) == "true");
    CHECK(receiver.receive({"GET", url.substr(0, url.size() / 2), {}, {}}, now).status == CPAAS_CALLBACK_REJECTED);
    const auto nul = receiver.receive({"GET", std::string_view("/a\0b", 4), {}, {}}, now);
    CHECK(nul.status == CPAAS_BAD_ARGUMENT && cpaas::json_get(nul.view(), "/argument") == "url");
    CHECK(receiver.forget({"G\xff", url, {}, {}}, now) == CPAAS_BAD_UTF8);
    CHECK(receiver.receive(cpaas::CallbackRequest{}, now).status == CPAAS_CALLBACK_REJECTED);
    CHECK(receiver.receive({"GET", url, {}, std::string_view("\0\xff", 2)}, now).status != CPAAS_BAD_UTF8); // a body is any bytes
    cpaas::Receiver moved(std::move(receiver));
    CHECK(receiver.receive({"GET", url, {}, {}}, now).status == CPAAS_BAD_ARGUMENT && receiver.forget({"GET", url, {}, {}}, now) == CPAAS_BAD_ARGUMENT);
    CHECK(duplicate(moved.receive({"GET", url, {}, {}}, now)) == "true");
}

/* Every function of a moved-from client fails and says so. */
static void moved_from() {
    cpaas::Client client(config);
    const cpaas::Client moved(std::move(client));
    CHECK(!client && moved);
    CHECK(client.try_sms_send(sms("r")).status() == CPAAS_BAD_ARGUMENT && client.try_call("sms.send", "{}").status() == CPAAS_BAD_ARGUMENT);
    CHECK(thrown([&] { client.sms_send(sms("r")); }) == CPAAS_BAD_ARGUMENT && thrown([&] { client.lookup_one("306912345678"); }) == CPAAS_BAD_ARGUMENT);
    CHECK(client.sms().send(sms("r")).try_get().status() == CPAAS_BAD_ARGUMENT);
    CHECK(client.sms().send(sms("r")).try_future().get().status() == CPAAS_BAD_ARGUMENT);
    CHECK(thrown([&] { client.otp().verify("login", "id", "12").future().get(); }) == CPAAS_BAD_ARGUMENT);
    CHECK(client.sms().send(sms("r")).start().status() == CPAAS_BAD_ARGUMENT && client.poll().empty() && client.event_fd() == -1);
    CHECK(client.try_call_future("sms.send", "{}").get().status() == CPAAS_BAD_ARGUMENT);
    CHECK(thrown([&] { static_cast<void>(client.drain(std::chrono::seconds(1))); }) == CPAAS_BAD_ARGUMENT);
    CHECK(thrown([&] { client.suppression(nullptr); }) == CPAAS_BAD_ARGUMENT && thrown([&] { client.guard(); }) == CPAAS_BAD_ARGUMENT);
    CHECK(client.validate("sms.send", "{}", std::nothrow).status == CPAAS_BAD_ARGUMENT && client.prepare("sms.send", "{}", std::nothrow).status == CPAAS_BAD_ARGUMENT);
    client.cancel(1);
    client = cpaas::Client(config);
    CHECK(client && !client.sms_send(sms("r")).id.empty());
    cpaas::Client *same = &client;
    client = std::move(*same); // to itself
    CHECK(client && !client.sms_send(sms("r")).id.empty());
    std::map<std::string, cpaas::Client> by_name;
    by_name.emplace("a", cpaas::Client(config));
    by_name["b"] = std::move(by_name.at("a"));
    CHECK(!by_name.at("a") && !by_name.at("b").sms_send(sms("r")).id.empty());
}

/* Results, failures, futures and calls that outlive their client. */
static void results_without_client() {
    std::optional<cpaas::Client> client(config);
    const auto sent = client->try_sms_send(sms("r"));
    const auto failed = client->try_sms_send({});
    const cpaas::Result result = client->call("sms.send", "{}", std::nothrow);
    auto call = client->sms().send(sms("r"));
    auto future = call.future();
    int tag = 0;
    CHECK(call.start(&tag).has_value());
    std::vector<cpaas::PolledResult> drained = client->drain(std::chrono::seconds(60));
    std::optional<cpaas::Error> error;
    try {
        client->sms_send({});
    } catch (const cpaas::Error &caught) {
        error = caught;
    }
    CHECK(call.start().status() != CPAAS_OK); // drained
    client.reset();
    CHECK(!sent->id.empty() && !failed && failed.error().outcome() == "invalid" && cpaas::json_get(result.view(), "/outcome") == "invalid");
    CHECK(!future.get().id.empty() && drained.size() == 1 && drained[0].user_data == &tag && drained[0].result.ok());
    CHECK(error && error->failure().outcome() == "invalid");
    // The call has a copy of its arguments, and its client does not exist any more.
    CHECK(call.try_get().status() == CPAAS_BAD_HANDLE && call.try_future().get().status() == CPAAS_BAD_HANDLE);
    CHECK(thrown([&] { call.get(); }) == CPAAS_BAD_HANDLE && call.async([](const cpaas::Expected<cpaas::Sent> &) {}).status() == CPAAS_BAD_HANDLE);
}

/* Futures of calls that never end before their client does. */
static void pending_without_client() {
    std::vector<std::future<cpaas::Expected<cpaas::Sent>>> futures;
    std::future<std::string> json;
    {
        const cpaas::Client client(silent());
        for (int i = 0; i < 50; i++) futures.push_back(client.sms().send(sms("r")).try_future());
        json = client.call_future("sms.send", R"({"from":"Acme","to":"306912345678","text":"Hi"})");
    }
    int right = 0;
    for (auto &future : futures) {
        const auto ended = future.get();
        right += ended.status() == CPAAS_UNKNOWN || ended.status() == CPAAS_NOT_SENT;
    }
    const cpaas_status status = thrown([&] { json.get(); });
    CHECK(right == 50 && (status == CPAAS_UNKNOWN || status == CPAAS_NOT_SENT));
}

/* The last owner of a client is the callback of one of its calls: the client is destroyed inside the callback. */
static void last_owner_is_a_callback() {
    for (int i = 0; i < 10; i++) {
        const auto lines = std::make_shared<Lines>();
        std::promise<void> gone;
        {
            auto client = std::make_shared<cpaas::Client>(config);
            client->log(to(lines));
            struct AtEnd {
                std::promise<void> *gone;
                ~AtEnd() {
                    if (gone) gone->set_value();
                }
                explicit AtEnd(std::promise<void> *of) : gone(of) {}
                AtEnd(AtEnd &&other) noexcept : gone(std::exchange(other.gone, nullptr)) {}
            };
            const auto &calls = *client;
            const auto started = calls.sms().send(sms("r")).async(
                [at_end = AtEnd(&gone), owner = client](const cpaas::Expected<cpaas::Sent> &) { static_cast<void>(owner); });
            CHECK(started.has_value());
            for (int call = 0; call < 5; call++) static_cast<void>(calls.sms().send(sms("r")).try_future());
        }
        CHECK(gone.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready);
        for (int wait = 0; wait < 600 && lines.use_count() > 1; wait++) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        CHECK(lines.use_count() == 1);
    }
}

/* Threads share a client: they send, cancel, poll, validate and set its log, while another one drains it. */
static void shared_by_threads() {
    cpaas::Client client(config);
    std::atomic<int> accepted{0}, refused{0}, ended{0}, started{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 6; thread++) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 30; i++) {
                const auto call = client.sms().send(sms("r"));
                if (thread % 2) {
                    (call.try_get() ? accepted : refused)++;
                } else {
                    const auto number = call.async([&](const cpaas::Expected<cpaas::Sent> &) { ended++; });
                    if (number) started++;
                    if (number && i % 3 == 0) client.cancel(*number);
                }
                if (i % 10 == 0) static_cast<void>(client.validate("sms.send", "{}"));
            }
        });
    }
    for (int i = 0; i < 20; i++) client.log([](std::uint32_t, std::string_view) {});
    CHECK(client.drain(std::chrono::seconds(60)).empty());
    for (std::thread &thread : threads) thread.join();
    CHECK(accepted == 90 && refused == 0 && ended == started);
}

/* The status of a child that runs `body`. */
template <class Body> static int status_of(Body body) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        body();
        std::exit(checks_failed);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

/* An exception that leaves a callback or a log function ends the process; one that stays inside does not. */
static void exceptions_in_callbacks() {
    const auto quiet = [] {
        std::set_terminate([] { _exit(42); }); // no core, no message
    };
    const auto waits = [](const cpaas::Client &client) { static_cast<void>(client.drain(std::chrono::seconds(60))); };
    int status = status_of([&] {
        quiet();
        const cpaas::Client client(config);
        static_cast<void>(client.sms().send(sms("r")).async([](const cpaas::Expected<cpaas::Sent> &) { throw std::runtime_error("x"); }));
        waits(client);
    });
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    status = status_of([&] {
        quiet();
        cpaas::Client client(config);
        client.log([](std::uint32_t, std::string_view) { throw 1; });
        client.sms_send(sms("r"));
    });
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    status = status_of([&] {
        quiet();
        const cpaas::Client client(config);
        std::promise<std::string> text;
        static_cast<void>(client.sms().send({}).async([&](const cpaas::Expected<cpaas::Sent> &result) {
            try {
                static_cast<void>(result.value());
            } catch (const cpaas::Error &error) {
                text.set_value(error.failure().outcome());
            }
        }));
        CHECK(text.get_future().get() == "invalid");
    });
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Global objects are destroyed after `main`, while calls run. */
struct Globals {
    std::shared_ptr<Lines> lines = std::make_shared<Lines>();
    std::optional<cpaas::Log> log;
    std::optional<cpaas::Client> client;
    ~Globals() {
        client.reset();
        log.reset();
        if (lines.use_count() != 1) _exit(9);
    }
};

static void global_objects() {
    for (const bool shuts_down : {false, true}) {
        const int status = status_of([&] {
            static Globals globals;
            globals.log.emplace(to(globals.lines));
            globals.client.emplace(silent());
            globals.client->log(to(globals.lines));
            for (int i = 0; i < 10; i++) static_cast<void>(globals.client->sms().send(sms("r")).try_future());
            if (shuts_down) cpaas::shutdown();
        });
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main() {
    global_objects(); // before this process has threads
    exceptions_in_callbacks();
    logs();
    logs_of_the_process();
    logs_of_running_calls();
    receivers();
    moved_from();
    results_without_client();
    pending_without_client();
    last_owner_is_a_callback();
    shared_by_threads();
    cpaas::shutdown();
    return checks_end();
}
