/* Inputs with 20,000 levels of nesting, valid and invalid: each function returns a status, and the stack does not overflow. The suite
 * limits the stack to 1,600 KB, so that 82 bytes a level overflow it. */
#include "check.h"

enum { DEEP = 20000 };

static char *repeated(const char *open, const char *inner, const char *close) {
    size_t opens = strlen(open), closes = strlen(close), inside = strlen(inner);
    char *text = malloc(DEEP * (opens + closes) + inside + 1), *end = text;
    for (int i = 0; i < DEEP; i++, end += opens) memcpy(end, open, opens);
    memcpy(end, inner, inside);
    end += inside;
    for (int i = 0; i < DEEP; i++, end += closes) memcpy(end, close, closes);
    *end = '\0';
    return text;
}

/* Checks that the status is one that an input can cause, and that there is output. */
static void output_of(cpaas_status status, cpaas_text *out) {
    CHECK(status == CPAAS_OK || status == CPAAS_BAD_TEXT || status == CPAAS_INVALID || status == CPAAS_UNKNOWN);
    CHECK(out->data && out->len > 0);
    cpaas_text_free(out);
}

static void texts(const char *text, size_t len) {
    static const char *const modes[] = {"Default", "Markdown", "Html", "MarkdownV2"};
    cpaas_text out;
    output_of(cpaas_validate("messages.send", text, len, &out), &out);
    output_of(cpaas_validate("sms.send_bulk", text, len, &out), &out);
    output_of(cpaas_problem_details(text, len, NULL, 0, &out), &out);
    output_of(cpaas_check("file", text, len, &out), &out);
    output_of(cpaas_segments_json("a", 1, text, &out), &out);
    output_of(cpaas_annotate(text, len, &out), &out);
    for (size_t i = 0; i < 4; i++) output_of(cpaas_markup_parse(text, len, modes[i], &out), &out);
}

#ifndef WITHOUT_HTTP
static void http_functions(const char *text, size_t len) {
    cpaas_client *client = client_of("{\"otp_url\":\"http://127.0.0.1:9\",\"account_sid\":\"a\",\"api_key\":\"k\"}"), *none;
    cpaas_text out;
    output_of(cpaas_client_new(text, len, &none, &out), &out);
    output_of(cpaas_prepare(client, "otp.send", text, len, &out), &out);
    output_of(cpaas_parse(client, "otp.search", 200, NULL, 0, text, len, &out), &out);
    output_of(cpaas_call(client, "raw", text, len, &out), &out);
    output_of(cpaas_receive(text, len, text, len, 1, &out), &out);
    output_of(cpaas_token_mint(text, len, text, len, 1, &out), &out);
    cpaas_client_free(client);
}
#endif

int main(void) {
    static const char *const nests[][3] = {
        {"[", "", ""},       {"[", "", "]"},         {"{\"a\":", "1", "}"},   {"{\"sms\":", "", ""}, {"{\"extra\":", "1", "}"},
        {"<b>", "x", "</b>"}, {"<i><b>", "", ""},     {"*", "x", "*"},         {"_*", "", ""},        {"||", "x", "||"},
        {"[x](", "y", ")"},  {"<blockquote>", "x", "</blockquote>"},
    };
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        char *text = repeated(nests[i][0], nests[i][1], nests[i][2]);
        texts(text, strlen(text));
#ifndef WITHOUT_HTTP
        http_functions(text, strlen(text));
#endif
        free(text);
    }
    return checks_end();
}
