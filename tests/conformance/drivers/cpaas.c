/* cpaas for C: cpaas_sms_send. Recommended: the defaults. Retries off: "max_attempts": 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpaas.h"
#include "report.h"

int main(int argc, char **argv) {
    const char *retries = argc > 1 && strcmp(argv[1], "retries-off") == 0 ? ", \"max_attempts\": 1" : "";
    const char *seconds = argc > 2 ? argv[2] : "10";
    char url[256], config[512];
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    for (int number = 1; fgets(url, sizeof url, stdin) != NULL; number++) {
        url[strcspn(url, "\n")] = 0;
        snprintf(config, sizeof config, "{\"sms_url\": \"%s\", \"sms_key\": \"key\", \"timeout\": %s%s}", url, seconds, retries);
        cpaas_client *client = NULL;
        cpaas_text out = {0};
        cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hello"};
        cpaas_sent sent = {.size = sizeof sent};
        cpaas_status status = cpaas_client_new(config, strlen(config), &client, &out);
        if (status == CPAAS_OK) status = cpaas_sms_send(client, &sms, NULL, &sent, &out);
        const char *detail = status == CPAAS_OK ? sent.id : out.data ? out.data : "";
        printf("%d\t%s\t%.200s\n", number, report(status, detail), detail);
        cpaas_text_free(&out);
        cpaas_client_free(client);
    }
    cpaas_shutdown();
    return 0;
}
