/* Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: send TO TEXT */
#include <stdio.h>
#include <string.h>

#include "cpaas.h"

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: send TO TEXT   (TEXT must not contain quotes or backslashes)\n");
        return 2;
    }
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    if (status != CPAAS_OK) {
        fprintf(stderr, "%s: %s\n", cpaas_status_name(status), out.data ? out.data : "");
        cpaas_text_free(&out);
        return 1;
    }

    char request[2048];
    int len = snprintf(request, sizeof request, "{\"from\":\"Acme\",\"to\":\"%s\",\"text\":\"%s\"}", argv[1], argv[2]);
    if (len < 0 || (size_t)len >= sizeof request) return 2;

    status = cpaas_call(client, "sms.send", request, (size_t)len, &out);
    /* CPAAS_NOT_SENT: safe to retry. CPAAS_UNKNOWN: the message may have been sent; a retry may send it twice. */
    printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
    cpaas_text_free(&out);
    cpaas_client_free(client);
    cpaas_shutdown();
    return status == CPAAS_OK ? 0 : 1;
}
