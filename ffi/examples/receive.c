/* Makes the URL for a delivery report, and checks the report when it comes: what a web server's handler does.
 * No network, no client. Links libcjson. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cpaas.h"

static const char config[] =
    "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\","
    "\"delivery_keys\":{\"keys\":[{\"kid\":\"k1\",\"secret\":\"keep this one out of your source code\"}]},"
    "\"endpoints\":[{\"path\":\"/sms\",\"sources\":[\"sms_report\"]}]}";

/* Answers a GET of the provider: the HTTP status for it. */
static int handle(const char *url) {
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "method", "GET");
    cJSON_AddStringToObject(request, "url", url);
    cJSON_AddItemToObject(request, "headers", cJSON_CreateObject());
    cJSON_AddStringToObject(request, "body", "");
    char *json = cJSON_PrintUnformatted(request);
    cpaas_text out;
    cpaas_status status = cpaas_receive(config, strlen(config), json, strlen(json), (uint64_t)time(NULL), &out);
    printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : ""); /* a refusal: for the log only */
    cpaas_text_free(&out);
    cJSON_free(json);
    cJSON_Delete(request);
    return status == CPAAS_OK ? 200 : status == CPAAS_REFUSED ? 403 : 500;
}

int main(void) {
    /* `url` goes into the member `callback` of sms.send. */
    const char *wish = "{\"source\":\"sms_report\",\"reference\":\"booking-7\"}";
    cpaas_text out;
    cpaas_status status = cpaas_token_mint(config, strlen(config), wish, strlen(wish), (uint64_t)time(NULL), &out);
    cJSON *minted = out.data ? cJSON_Parse(out.data) : NULL;
    cpaas_text_free(&out);
    const char *callback = cJSON_GetStringValue(cJSON_GetObjectItem(minted, "url"));
    if (status != CPAAS_OK || !callback) return 2;

    char report[1024];
    const char *members = "msgid=m-1&status=DELIVRD&errorcode=0&reference=booking-7";
    snprintf(report, sizeof report, "%s%c%s", callback, strchr(callback, '?') ? '&' : '?', members);
    int good = handle(report);
    int bad = handle("/hooks/sms?msgid=m-1&status=DELIVRD&reference=booking-7");
    printf("%d %d\n", good, bad);
    cJSON_Delete(minted);
    return good == 200 && bad == 403 ? 0 : 1;
}
