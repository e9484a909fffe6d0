/* Sends COUNT messages with cpaas. tests/nightly/c_performance compares its instructions with those of send_curl.c.
 * Usage: send_cpaas PORT COUNT */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpaas.h"

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    char config[160]; /* accepts repeated ids, because the server always returns the same id */
    snprintf(config, sizeof config, "{\"sms_url\":\"http://127.0.0.1:%s\",\"sms_key\":\"key\",\"accept_repeated_ids\":true}",
             argv[1]);
    cpaas_client *client = NULL;
    cpaas_text out;
    if (cpaas_client_new(config, strlen(config), &client, &out) != CPAAS_OK) return 2;
    size_t ids = 0;
    int count = atoi(argv[2]);
    for (int i = 0; i < count; i++) {
        json_t *request = json_pack("{s:s,s:s,s:s}", "from", "Acme", "to", "306912345678", "text", "Your table is ready");
        char *json = json_dumps(request, JSON_COMPACT);
        if (cpaas_call(client, "sms.send", json, strlen(json), &out) == CPAAS_OK) {
            json_t *result = json_loadb(out.data, out.len, 0, NULL);
            ids += json_string_length(json_object_get(result, "id")) == 36;
            json_decref(result);
        }
        cpaas_text_free(&out);
        free(json);
        json_decref(request);
    }
    cpaas_client_free(client);
    cpaas_shutdown();
    return ids == (size_t)count ? 0 : 1;
}
