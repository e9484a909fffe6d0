/* Functions of the program that call the library: the suppression function and the log function must not. Needs a sandbox. */
#include <dirent.h>
#include <time.h>

#include "check.h"

#define REQUEST "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}"

static cpaas_client *client, *other;
static int asked, refused, logged;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    CHECK(!"a call was started");
}

static void line(void *user_data, uint32_t level, const char *text, size_t len) { (void)user_data, (void)level, (void)text, (void)len; }

/* Calls each function that makes or starts a call. Returns how many were refused, with the reason `why`. */
static int refusals(cpaas_client *of, const char *why) {
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hi"};
    cpaas_otp otp = {.size = sizeof otp, .service = "login", .from = "Acme", .to = "306912345678", .body = "{code}"};
    cpaas_otp_check check = {.size = sizeof check, .service = "login", .request_id = "OTP00000000000000000000000000000000", .code = "1"};
    size_t written, len = strlen(REQUEST);
    bool verified;
    cpaas_text out;
    int count = 0;
#define COUNT(call)                                                              \
    do {                                                                         \
        count += (call) == CPAAS_BAD_ARGUMENT && out.data && strstr(out.data, why); \
        cpaas_text_free(&out);                                                   \
    } while (0)
    COUNT(cpaas_call(of, "sms.send", REQUEST, len, &out));
    COUNT(cpaas_call_with(of, "raw", "{}", 2, NULL, &out));
    COUNT(cpaas_sms_send(of, &sms, NULL, NULL, &out));
    COUNT(cpaas_otp_send(of, &otp, NULL, NULL, &out));
    COUNT(cpaas_otp_verify(of, &check, NULL, &verified, &out));
    COUNT(cpaas_lookup_one(of, "306912345678", NULL, NULL, &out));
    COUNT(cpaas_call_start_with(of, "sms.send", REQUEST, len, NULL, done, NULL, NULL, &out));
    COUNT(cpaas_sms_start(of, &sms, NULL, NULL, NULL, NULL, &out));
    COUNT(cpaas_otp_start(of, &otp, NULL, done, NULL, NULL, &out));
    COUNT(cpaas_otp_verify_start(of, &check, NULL, done, NULL, NULL, &out));
    COUNT(cpaas_lookup_start(of, "306912345678", NULL, done, NULL, NULL, &out));
    count += cpaas_call_async(of, "sms.send", REQUEST, len, NULL, done, NULL, NULL) == CPAAS_BAD_ARGUMENT;
    count += cpaas_call_start(of, "sms.send", REQUEST, len, NULL, NULL, NULL) == CPAAS_BAD_ARGUMENT;
    count += cpaas_client_drain(of, 1000, NULL, 0, &written) == CPAAS_BAD_ARGUMENT;
    count += cpaas_log_callback(line, NULL, CPAAS_LOG_DEBUG) == CPAAS_BAD_ARGUMENT;
    count += cpaas_client_log(of, line, NULL, CPAAS_LOG_DEBUG) == CPAAS_BAD_ARGUMENT;
    return count;
}

#define REFUSALS 16

static int calling(void *user_data, const char *number, size_t len) {
    (void)user_data, (void)number, (void)len;
    __atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&refused, refusals(client, "must not be used in the suppression function"), __ATOMIC_SEQ_CST);
    cpaas_shutdown(); /* does nothing: it would wait for this function */
    return 0;
}

static int threads(void) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));) count += task->d_name[0] != '.';
    if (tasks) closedir(tasks);
    return count;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The call that asks is sent once and at once; the function sends nothing. */
static void suppression(void) {
    cpaas_text out;
    CHECK(cpaas_client_suppression(client, calling, NULL) == CPAAS_OK);
    const double start = seconds();
    CHECK(cpaas_call(client, "sms.send", REQUEST, strlen(REQUEST), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(seconds() - start < 2);
    CHECK(asked == 1 && refused == REFUSALS);
    CHECK(threads() < 12);
    CHECK(cpaas_client_suppression(client, NULL, NULL) == CPAAS_OK);
    CHECK(cpaas_call(client, "sms.send", REQUEST, strlen(REQUEST), &out) == CPAAS_OK); /* the library still works */
    cpaas_text_free(&out);
}

/* A function that frees a client with calls that run does not wait for them. */
static int freeing(void *user_data, const char *number, size_t len) {
    (void)user_data, (void)number, (void)len;
    cpaas_client_free(other);
    return 0;
}

static void freed_in_suppression(void) {
    cpaas_result results[1];
    cpaas_text out;
    other = client_of("{}");
    CHECK(cpaas_client_suppression(other, freeing, NULL) == CPAAS_OK);
    const double start = seconds();
    CHECK(cpaas_call(other, "sms.send", REQUEST, strlen(REQUEST), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(seconds() - start < 2);
    CHECK(cpaas_poll(other, results, 1) == 0);
}

static void calling_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)level, (void)text, (void)len;
    logged++;
    refused += refusals(client, "must not be used in the log function");
}

static void log_function(void) {
    cpaas_text out;
    refused = 0;
    CHECK(cpaas_log_callback(calling_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    CHECK(cpaas_call(client, "sms.send", REQUEST, strlen(REQUEST), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(logged == 1 && refused == REFUSALS);
}

int main(void) {
    client = client_of("{}");
    suppression();
    freed_in_suppression();
    log_function();
    cpaas_client_free(client);
    return checks_end();
}
