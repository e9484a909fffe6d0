/* Tests callback tokens with cpaas_token_mint and cpaas_receive: a valid token is accepted, and each invalid token is rejected
 * with its own reason. */
#include <jansson.h>

#include "check.h"

static const uint64_t now = 1700000000;
static const char *secret = "delivery secret one, 32 bytes or more", *other = "delivery secret two, 32 bytes or more";

static json_t *config(const char *kid, const char *with) {
    return json_pack("{s:s,s:s,s:[{s:s,s:s}],s:[{s:s,s:[s]},{s:s,s:[s]}]}", "audience", "shop", "public_url",
                     "https://shop.example/hooks", "delivery_keys", "kid", kid, "secret", with, "endpoints", "path", "/sms",
                     "sources", "sms_report", "path", "/chat", "sources", "chat_report");
}

/* Mints a token with the key. Takes ownership of `request`. */
static char *mint(const char *kid, const char *with, json_t *request, uint64_t moment) {
    json_t *receiver = config(kid, with);
    char *text = json_dumps(receiver, 0), *input = json_dumps(request, 0);
    cpaas_text out;
    cpaas_status status = cpaas_token_mint(text, strlen(text), input, strlen(input), moment, &out);
    json_t *result = out.data ? json_loads(out.data, 0, NULL) : NULL;
    const char *token = json_string_value(json_object_get(result, "token"));
    CHECK(status == CPAAS_OK && token);
    char *copy = strdup(token ? token : "");
    json_decref(result), json_decref(receiver), json_decref(request);
    cpaas_text_free(&out);
    free(text), free(input);
    return copy;
}

static char *report(const char *kid, const char *with, const char *audience, const char *reference, int lifetime, uint64_t moment) {
    json_t *request = json_pack("{s:s,s:s,s:s,s:i}", "purpose", "delivery_report", "audience", audience, "reference", reference,
                                "lifetime", lifetime);
    return mint(kid, with, request, moment);
}

/* Returns the reason of the rejection, or "" for an event. Takes ownership of the receiver. */
static const char *received(json_t *receiver, const char *method, const char *path, const char *query) {
    static char reason[32];
    char url[1024];
    snprintf(url, sizeof url, "%s?%s", path, query);
    json_t *request = json_pack("{s:s,s:s}", "method", method, "url", url);
    char *text = json_dumps(receiver, 0), *input = json_dumps(request, 0);
    cpaas_text out;
    cpaas_status status = cpaas_receive(text, strlen(text), input, strlen(input), now, &out);
    json_t *result = out.data ? json_loads(out.data, 0, NULL) : NULL;
    int accepted = json_is_true(json_object_get(result, "ok"));
    CHECK(status == (accepted ? CPAAS_OK : CPAAS_CALLBACK_REJECTED));
    CHECK(json_integer_value(json_object_get(result, "status")) == (accepted ? 200 : 403));
    CHECK(accepted == (json_object_get(result, "event") != NULL));
    const char *why = json_string_value(json_object_get(result, "reason"));
    snprintf(reason, sizeof reason, "%s", why ? why : "");
    json_decref(result), json_decref(receiver), json_decref(request);
    cpaas_text_free(&out);
    free(text), free(input);
    return reason;
}

static const char *receive(const char *method, const char *path, const char *query) {
    return received(config("k1", secret), method, path, query);
}

static void expect_reason(const char *token, const char *reason) {
    char query[512];
    snprintf(query, sizeof query, "token=%s&msgid=m-1&status=sent&reference=b-7", token);
    const char *found = receive("GET", "/hooks/sms", query);
    if (strcmp(found, reason) != 0) printf("%s: %s, not %s\n", token, found, reason);
    CHECK(strcmp(found, reason) == 0);
}

static void rejection_reasons(void) {
    struct {
        char *token;
        const char *reason;
    } all[] = {
        {report("k1", secret, "shop", "b-7", 60, now), ""},
        {report("k9", secret, "shop", "b-7", 60, now), "unknown_key"},
        {report("k1", other, "shop", "b-7", 60, now), "altered"},
        {report("k1", secret, "shop", "b-7", 60, now - 60), "expired"},
        {report("k1", secret, "shop", "b-7", 60, now + 31), "not_yet_valid"},
        {report("k1", secret, "shop2", "b-7", 60, now), "other_audience"},
        {report("k1", secret, "shop", "b-8", 60, now), "other_reference"},
        {mint("k1", secret, json_pack("{s:s}", "purpose", "chat_report"), now), "other_purpose"},
        {strdup(""), "absent"},
        {strdup("x&token=y"), "malformed"},
    };
    for (size_t at = 0; at < sizeof all / sizeof *all; at++) {
        expect_reason(all[at].token, all[at].reason);
        free(all[at].token);
    }
    CHECK(strcmp(receive("GET", "/hooks/sms", "msgid=m-1"), "absent") == 0);
    CHECK(strcmp(receive("HEAD", "/hooks/sms", "token=x"), "method") == 0);
    CHECK(strcmp(receive("GET", "/hooks/else", "token=x"), "endpoint") == 0);
}

static void changed_tokens(void) {
    char *token = report("k1", secret, "shop", "b-7", 60, now), changed[128];
    size_t length = strlen(token);
    CHECK(length == 78);
    for (size_t at = 1; at < length; at++) {
        snprintf(changed, sizeof changed, "%.*s", (int)at, token);
        expect_reason(changed, "malformed");
    }
    for (size_t at = 0; at < length; at++) {
        snprintf(changed, sizeof changed, "%s", token);
        changed[at] = changed[at] == 'A' ? 'E' : 'A';
        expect_reason(changed, at < 3 || at == 5 || at == 34 ? "malformed" : at < 5 ? "unknown_key" : "altered");
    }
    free(token);
}

/* Returns the reason that a receiver with these keys reports for a token of the old key, or "" if it accepts the token. */
static const char *after_rotation(json_t *keys) {
    char *token = report("old", other, "shop", "b-7", 60, now), query[512];
    json_t *receiver = config("k1", secret);
    json_object_set_new(receiver, "delivery_keys", keys);
    snprintf(query, sizeof query, "token=%s&msgid=m-1&status=sent&reference=b-7", token);
    free(token);
    return received(receiver, "GET", "/hooks/sms", query);
}

/* [old] -> [old, new] -> [new, old] -> [new]: tokens of the old key are valid until the key is removed. */
static void acc_121_keys_rotated(void) {
    const char *was = "[{s:s,s:s}]", *both = "[{s:s,s:s},{s:s,s:s}]";
    CHECK(!*after_rotation(json_pack(was, "kid", "old", "secret", other)));
    CHECK(!*after_rotation(json_pack(both, "kid", "old", "secret", other, "kid", "new", "secret", secret)));
    CHECK(!*after_rotation(json_pack(both, "kid", "new", "secret", secret, "kid", "old", "secret", other)));
    CHECK(strcmp(after_rotation(json_pack(was, "kid", "new", "secret", secret)), "unknown_key") == 0);
}

int main(void) {
    acc_121_keys_rotated();
    rejection_reasons();
    changed_tokens();
    return checks_end();
}
