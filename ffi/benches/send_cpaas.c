/* Sends COUNT messages with cpaas, as a program does that has their members in variables and needs the id of each.
 * tests/nightly/c_performance compares its instructions with those of send_curl.c. Usage: send_cpaas PORT COUNT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpaas.h"

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    char config[128];
    snprintf(config, sizeof config, "{\"sms_url\":\"http://127.0.0.1:%s\",\"sms_key\":\"key\"}", argv[1]);
    cpaas_client *client = NULL;
    cpaas_text out;
    if (cpaas_client_new(config, strlen(config), &client, &out) != CPAAS_OK) return 2;
    size_t ids = 0;
    int count = atoi(argv[2]);
    for (int i = 0; i < count; i++) {
        cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Your table is ready"};
        cpaas_sent sent = {.size = sizeof sent};
        if (cpaas_sms_send(client, &sms, NULL, &sent, &out) == CPAAS_OK) ids += strlen(sent.id) == 36;
        cpaas_text_free(&out);
    }
    cpaas_client_free(client);
    cpaas_shutdown();
    return ids == (size_t)count ? 0 : 1;
}
