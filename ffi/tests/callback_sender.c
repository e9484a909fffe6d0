/* The sender for the test of receive.c. Configuration: the environment, with CPAAS_CALLBACK_KEYS and CPAAS_CALLBACK_AUDIENCE.
 * Usage: callback_sender send TO REFERENCE CALLBACK sends an SMS and prints its id;
 *        callback_sender url SOURCE prints the callback URL of a source of ./callbacks.json. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cpaas.h"

static int show(cpaas_status status, cpaas_text *out, const char *member) {
    json_t *result = out->data ? json_loads(out->data, 0, NULL) : NULL;
    const char *value = json_string_value(json_object_get(result, member));
    printf("%s\n", status == CPAAS_OK && value ? value : out->data ? out->data : cpaas_status_name(status));
    json_decref(result);
    cpaas_text_free(out);
    return status == CPAAS_OK && value ? 0 : 1;
}

static int send(const char *to, const char *reference, const char *callback) {
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    if (status != CPAAS_OK) return show(status, &out, "");
    json_t *request = json_pack("{s:s,s:s,s:s,s:s,s:s}", "from", "Acme", "to", to, "text", "Hi", "reference", reference,
                                "callback", callback);
    char *json = json_dumps(request, 0);
    status = cpaas_call(client, "sms.send", json, strlen(json), &out);
    int code = show(status, &out, "id");
    free(json);
    json_decref(request);
    cpaas_client_free(client);
    return code;
}

static int url(const char *source) {
    json_t *config = json_load_file("callbacks.json", 0, NULL), *input = json_pack("{s:s}", "source", source);
    char *receiver = json_dumps(config, 0), *request = json_dumps(input, 0);
    if (!receiver || !request) return 2;
    cpaas_text out;
    cpaas_status status =
        cpaas_token_mint(receiver, strlen(receiver), request, strlen(request), (uint64_t)time(NULL), &out);
    int code = show(status, &out, "url");
    free(receiver), free(request);
    json_decref(config), json_decref(input);
    return code;
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "send") == 0) return send(argv[2], argv[3], argv[4]);
    if (argc == 3 && strcmp(argv[1], "url") == 0) return url(argv[2]);
    return 2;
}
