/* Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: send TO TEXT */
#include <stdio.h>

#include "cpaas.h"

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: send TO TEXT\n");
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

    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = argv[1], .text = argv[2]};
    cpaas_sent sent = {.size = sizeof sent};
    status = cpaas_sms_send(client, &sms, NULL, &sent, &out);
    /* CPAAS_NOT_SENT: safe to retry. CPAAS_UNKNOWN: the message may have been sent; a retry may send it twice. */
    printf("%s %s\n", cpaas_status_name(status), status == CPAAS_OK ? sent.id : out.data ? out.data : "");
    cpaas_text_free(&out);
    cpaas_client_free(client);
    cpaas_shutdown();
    return status == CPAAS_OK ? 0 : 1;
}
