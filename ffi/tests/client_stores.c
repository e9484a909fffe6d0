/* The stores of a client: suppressed numbers by a function of the program, and the guard against pumping. Needs a sandbox. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int asked, last_len;
static char last_number[32];

/* Numbers that end with 1 are suppressed, with 2 unknown, with 3 slow. */
static int is_suppressed(void *user_data, const char *number, size_t len) {
    __atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
    last_len = (int)len;
    snprintf(last_number, sizeof last_number, "%s", number);
    switch (number[len - 1]) {
    case '1': return *(int *)user_data;
    case '2': return -1;
    case '3': sleep(2); return 0;
    default: return 0;
    }
}

static cpaas_status call(cpaas_client *client, const char *operation, const char *request, const char *code) {
    cpaas_text out;
    cpaas_call_options options = {.size = sizeof options, .deadline_ms = 1000};
    cpaas_status status = cpaas_call_with(client, operation, request, strlen(request), &options, &out);
    if (code) {
        CHECK(json_is(out.data, "/problems/0/code", code));
        CHECK(strstr(out.data, "69123456") == NULL);
    }
    cpaas_text_free(&out);
    return status;
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
    guard(client);
    settings_of_other_languages();
    cpaas_client_free(client);
    return checks_end();
}
