/* The stores of a client: suppressed numbers by a function of the program, and the guard against pumping. Needs a sandbox. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int asked, last_len, hanging, released;
static char last_number[32];

/* Numbers that end with 1 are suppressed, with 2 unknown, with 3 and 7 slow; with 6 the function hangs until `released`. */
static int is_suppressed(void *user_data, const char *number, size_t len) {
    __atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
    if (number[len - 1] < '6') {
        last_len = (int)len;
        snprintf(last_number, sizeof last_number, "%s", number);
    }
    switch (number[len - 1]) {
    case '1': return *(int *)user_data;
    case '2': return -1;
    case '3': sleep(2); return 0;
    case '6':
        __atomic_add_fetch(&hanging, 1, __ATOMIC_SEQ_CST);
        while (!__atomic_load_n(&released, __ATOMIC_SEQ_CST)) usleep(10000);
        __atomic_sub_fetch(&hanging, 1, __ATOMIC_SEQ_CST);
        return 0;
    case '7': usleep(400000); return 0;
    default: return 0;
    }
}

static cpaas_status call_within(uint32_t deadline_ms, cpaas_client *client, const char *operation, const char *request, const char *code) {
    cpaas_text out;
    cpaas_call_options options = {.size = sizeof options, .deadline_ms = deadline_ms};
    cpaas_status status = cpaas_call_with(client, operation, request, strlen(request), &options, &out);
    if (code) {
        CHECK(json_is(out.data, "/problems/0/code", code));
        CHECK(strstr(out.data, "69123456") == NULL);
    }
    cpaas_text_free(&out);
    return status;
}

static cpaas_status call(cpaas_client *client, const char *operation, const char *request, const char *code) {
    return call_within(1000, client, operation, request, code);
}

#define SMS(to) "{\"from\":\"Acme\",\"to\":\"" to "\",\"text\":\"Hi\"}"
#define OTP(to) "{\"service\":\"login\",\"from\":\"Acme\",\"to\":\"" to "\",\"body\":\"{code}\"}"

static void suppression(cpaas_client *client) {
    int yes = 1;
    CHECK(call(client, "sms.send", SMS("306912345671"), NULL) == CPAAS_OK);
    CHECK(cpaas_client_suppression(client, is_suppressed, &yes) == CPAAS_OK);
    CHECK(call(client, "sms.send", SMS("306912345671"), "suppressed") == CPAAS_INVALID);
    CHECK(asked == 1 && last_len == 12 && strcmp(last_number, "306912345671") == 0);
    CHECK(call(client, "sms.send", SMS("306912345672"), "suppression.unavailable") == CPAAS_INVALID);
    CHECK(call(client, "sms.send", SMS("306912345673"), "suppression.unavailable") == CPAAS_INVALID);
    CHECK(call(client, "sms.send", SMS("306912345674"), NULL) == CPAAS_OK);
    CHECK(call(client, "otp.send", OTP("306912345671"), NULL) == CPAAS_OK);
    pid_t child = fork();
    if (child == 0) {
        checks_passed = checks_failed = 0;
        CHECK(call(client, "sms.send", SMS("306912345671"), "suppressed") == CPAAS_INVALID);
        _exit(checks_failed);
    }
    int state = -1;
    CHECK(waitpid(child, &state, 0) == child && state == 0);
    CHECK(cpaas_client_suppression(client, NULL, NULL) == CPAAS_OK);
    CHECK(call(client, "sms.send", SMS("306912345671"), NULL) == CPAAS_OK);
    CHECK(cpaas_client_suppression(NULL, is_suppressed, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_client_suppression((cpaas_client *)160000, is_suppressed, NULL) == CPAAS_BAD_HANDLE);
}

static void *send_hanging(void *client) {
    CHECK(call(client, "sms.send", SMS("306912345676"), "suppression.unavailable") == CPAAS_INVALID);
    return NULL;
}

static void *send_slow(void *client) {
    CHECK(call_within(20000, client, "sms.send", SMS("306912345677"), NULL) == CPAAS_OK);
    return NULL;
}

static void on_threads(int count, void *(*run)(void *), cpaas_client *client) {
    pthread_t threads[64];
    for (int i = 0; i < count; i++) CHECK(pthread_create(&threads[i], NULL, run, client) == 0);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

/* A function that hangs delays neither the resolution of host names nor the function for other calls. */
static void blocking_function(void) {
    const char *address = getenv("CPAAS_OTP_URL");
    char config[256];
    CHECK(address && strstr(address, "127.0.0.1"));
    if (!address) return;
    snprintf(config, sizeof config, "{\"otp_url\":\"http://localhost%s\"}", strrchr(address, ':'));
    cpaas_client *client = client_of(config);
    CHECK(cpaas_client_suppression(client, is_suppressed, NULL) == CPAAS_OK);
    on_threads(8, send_hanging, client);
    CHECK(__atomic_load_n(&hanging, __ATOMIC_SEQ_CST) == 8);
    CHECK(call_within(10000, client, "otp.send", OTP("306912345678"), NULL) == CPAAS_OK);
    CHECK(call(client, "sms.send", SMS("306912345674"), NULL) == CPAAS_OK);
    __atomic_store_n(&released, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 500 && __atomic_load_n(&hanging, __ATOMIC_SEQ_CST) > 0; i++) usleep(10000);
    CHECK(__atomic_load_n(&hanging, __ATOMIC_SEQ_CST) == 0);
    on_threads(64, send_slow, client); /* 26 seconds of waiting, in less than the limit of 5 */
    cpaas_client_free(client);
}

/* One thread asks for all recipients of a call, and not after the call has ended. */
static void several_recipients(cpaas_client *client) {
    int yes = 1;
    CHECK(cpaas_client_suppression(client, is_suppressed, &yes) == CPAAS_OK);
    asked = 0;
    const char *bulk = "{\"from\":\"Acme\",\"to\":\"306912345674,306912345671\",\"text\":\"Hi\"}";
    CHECK(call(client, "sms.send_bulk", bulk, "suppressed") == CPAAS_INVALID && asked == 2);
    const char *slow = "{\"from\":\"Acme\",\"to\":\"306912345673,306912345674\",\"text\":\"Hi\"}";
    CHECK(call(client, "sms.send_bulk", slow, "suppression.unavailable") == CPAAS_INVALID);
    sleep(2);
    CHECK(asked == 3);
    CHECK(cpaas_client_suppression(client, NULL, NULL) == CPAAS_OK);
}

static cpaas_status guard_of(cpaas_client *client, const char *settings, const char *message) {
    cpaas_text out;
    cpaas_status status = cpaas_client_guard(client, settings, settings ? strlen(settings) : 0, &out);
    CHECK(message ? out.data && strstr(out.data, message) != NULL : out.data == NULL);
    cpaas_text_free(&out);
    return status;
}

static void guard(cpaas_client *client) {
    CHECK(guard_of(client, "{\"recipient_limits\": [[2, 60]]}", NULL) == CPAAS_OK);
    CHECK(call(client, "otp.send", OTP("306912345675"), NULL) == CPAAS_OK);
    CHECK(call(client, "otp.send", OTP("306912345675"), NULL) == CPAAS_OK);
    CHECK(cpaas_client_suppression(client, NULL, NULL) == CPAAS_OK);
    CHECK(call(client, "otp.send", OTP("306912345675"), "guard.recipient") == CPAAS_INVALID);
    CHECK(call(client, "sms.send", SMS("306912345675"), NULL) == CPAAS_OK);
    CHECK(guard_of(client, NULL, NULL) == CPAAS_OK);
    CHECK(call(client, "otp.send", OTP("306912345675"), NULL) == CPAAS_OK);
    CHECK(guard_of(client, "{\"max_prefixes\": 2}", "unknown field `max_prefixes`") == CPAAS_INVALID);
    CHECK(guard_of(client, "{\"max_prefix\": 0}", "`max_prefix` must be 1 or greater") == CPAAS_INVALID);
    CHECK(guard_of(client, "{\"window\": -1}", "`window` must be") == CPAAS_INVALID);
    CHECK(guard_of(client, "{\"store\": \"guard.db\"}", "the C library does not contain") == CPAAS_INVALID);
    CHECK(guard_of(client, "[]", "must be a JSON object") == CPAAS_INVALID);
    CHECK(guard_of(client, "[", "settings of a guard are invalid") == CPAAS_INVALID);
    CHECK(guard_of(client, INVALID_UTF8, "UTF-8") == CPAAS_BAD_UTF8);
    CHECK(guard_of((cpaas_client *)160000, "{}", "handle") == CPAAS_BAD_HANDLE);
    CHECK(cpaas_client_guard(client, "{}", 2, NULL) == CPAAS_BAD_ARGUMENT);
}

static void settings_of_other_languages(void) {
    const char *names[] = {"suppression", "guard"};
    for (int i = 0; i < 2; i++) {
        char config[64], message[64];
        snprintf(config, sizeof config, "{\"%s\": \"stopped.db\"}", names[i]);
        snprintf(message, sizeof message, "call cpaas_client_%s", names[i]);
        cpaas_client *client;
        cpaas_text out;
        CHECK(cpaas_client_new(config, strlen(config), &client, &out) == CPAAS_INVALID && client == NULL);
        CHECK(out.data && strstr(out.data, message) != NULL);
        cpaas_text_free(&out);
    }
}

int main(void) {
    cpaas_client *client = client_of("{}");
    suppression(client);
    several_recipients(client);
    blocking_function();
    guard(client);
    settings_of_other_languages();
    cpaas_client_free(client);
    return checks_end();
}
