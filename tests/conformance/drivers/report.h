/* What a driver reports of a call by its status and its output. */
#ifndef REPORT_H
#define REPORT_H

#include <string.h>

#include "cpaas.h"

static inline const char *report(cpaas_status status, const char *record) {
    switch (status) {
    case CPAAS_OK:
    case CPAAS_ACCEPTED_ID_UNKNOWN: return "accepted";
    case CPAAS_REJECTED: /* with a status of 5xx it may have been processed */
        return strstr(record, "\"processed\":\"maybe\"") ? "unknown" : "rejected";
    case CPAAS_NOT_SENT: return "not sent";
    case CPAAS_UNKNOWN: return "unknown";
    default: return cpaas_status_name(status);
    }
}

#endif
