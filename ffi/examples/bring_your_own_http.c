/* Sends one SMS over libcurl: cpaas prepares the request and parses the response, but does no I/O.
 * Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY). Links libcjson, libcurl. */
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "cpaas.h"

typedef struct body {
    char data[65536];
    size_t len;
} body;

static size_t append(char *data, size_t size, size_t count, void *user_data) {
    body *response = user_data;
    size_t len = size * count;
    if (len > sizeof response->data - response->len) return 0;
    memcpy(response->data + response->len, data, len);
    response->len += len;
    return len;
}

int main(void) {
    static body response;
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    cpaas_text_free(&out);
    if (status != CPAAS_OK) return 2;

    const char *request = "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Your table is ready\"}";
    status = cpaas_prepare(client, "sms.send", request, strlen(request), &out);
    cJSON *http = status == CPAAS_OK ? cJSON_Parse(out.data) : NULL;
    cpaas_text_free(&out);
    if (!http) return 2;

    CURL *curl = curl_easy_init();
    struct curl_slist *headers = NULL;
    cJSON *header, *members = cJSON_GetObjectItem(http, "headers"), *content = cJSON_GetObjectItem(http, "body");
    cJSON_ArrayForEach(header, members) {
        char line[1024];
        snprintf(line, sizeof line, "%s: %s", header->string, header->valuestring);
        headers = curl_slist_append(headers, line);
    }
    curl_easy_setopt(curl, CURLOPT_URL, cJSON_GetObjectItem(http, "url")->valuestring);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, cJSON_GetObjectItem(http, "method")->valuestring);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (cJSON_IsString(content)) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, content->valuestring);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &response);
    CURLcode sent = curl_easy_perform(curl);
    long http_status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &http_status);

    if (sent == CURLE_OK) {
        status = cpaas_parse(client, "sms.send", (uint16_t)http_status, NULL, 0, response.data, response.len, &out);
        printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
        cpaas_text_free(&out);
    } else {
        status = sent == CURLE_COULDNT_CONNECT ? CPAAS_NOT_SENT : CPAAS_UNKNOWN;
        printf("%s %s\n", cpaas_status_name(status), curl_easy_strerror(sent));
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    cJSON_Delete(http);
    cpaas_client_free(client);
    return status == CPAAS_OK ? 0 : 1;
}
