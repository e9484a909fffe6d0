/* cpaas: one-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.
 *
 * Conventions of every function:
 * - Texts are UTF-8 with a length in bytes; they need no terminator. Names are C strings.
 * - `out` is write-only for the library: overwritten, never read or freed, {NULL, 0} when there is nothing to
 *   say. Free it with cpaas_text_free.
 * - NULL where it is not allowed, a wrong length, bad UTF-8, a freed handle and a fault inside the library are
 *   a status, never a crash.
 * - Every function may be called from any thread, unless its comment says otherwise.
 * - There is no global or thread-local last error: the error of a call is its own output.
 *
 * Generated from the sources of the library; do not edit.
 */

#ifndef CPAAS_H
#define CPAAS_H

#include <stddef.h>
#include <stdint.h>

#define CPAAS_VERSION "0.1.0"
#define CPAAS_VERSION_MAJOR 0
#define CPAAS_VERSION_MINOR 1
#define CPAAS_VERSION_PATCH 0

/*
 The default alphabet of SMS, 7 bits a character (3GPP TS 23.038).
 */
#define CPAAS_GSM7 1

/*
 UCS-2, sent as UTF-16.
 */
#define CPAAS_UCS2 2

/*
 What a call came to. The numbers are never reused.
 */
typedef enum cpaas_status {
    /*
     Accepted.
     */
    CPAAS_OK = 0,
    /*
     The request breaks rules; nothing left the machine. `out` holds the error record.
     */
    CPAAS_INVALID = 1,
    /*
     The provider refused it, for sure. `out` holds the error record.
     */
    CPAAS_REJECTED = 2,
    /*
     Proof that no byte of the request was processed. `out` holds the error record.
     */
    CPAAS_NOT_SENT = 3,
    /*
     It may have been processed. `out` holds the error record.
     */
    CPAAS_UNKNOWN = 4,
    /*
     Accepted, but the answer with the id was lost. `out` holds the error record.
     */
    CPAAS_ACCEPTED_ID_UNKNOWN = 5,
    /*
     An argument is NULL that must not be, or a number is out of its range.
     */
    CPAAS_BAD_ARGUMENT = 16,
    /*
     A text is not valid UTF-8.
     */
    CPAAS_BAD_UTF8 = 17,
    /*
     The handle was freed, or never was one.
     */
    CPAAS_BAD_HANDLE = 18,
    /*
     No operation, mode or purpose has this name.
     */
    CPAAS_BAD_NAME = 19,
    /*
     The caller's array is too small; the number that is needed was written.
     */
    CPAAS_TOO_SMALL = 20,
    /*
     A callback request was refused. `out` holds the reason for the log.
     */
    CPAAS_REFUSED = 21,
    /*
     The text cannot be parsed or sent. `out` holds the error.
     */
    CPAAS_BAD_TEXT = 22,
    /*
     A fault of the library itself; the process may go on.
     */
    CPAAS_PANIC = 32,
} cpaas_status;

/*
 A client. Opaque: the pointer is a ticket, looked up at every call and never followed, so a freed
 one is a status.
 */
typedef struct cpaas_client cpaas_client;

/*
 A text that the library gives to the caller: UTF-8, `len` bytes, with a NUL after them. Free it
 with [`cpaas_text_free`]. `{NULL, 0}` is no text.
 */
typedef struct cpaas_text {
    /*
     The bytes, or NULL.
     */
    const char *data;
    /*
     How many, without the NUL.
     */
    size_t len;
} cpaas_text;

/*
 Called once for every call of `cpaas_call_async`, on a thread of the library, also after a cancel.
 `text` is valid during the call only. It may call any function but `cpaas_shutdown` and
 `cpaas_client_free` of its client.
 */
typedef void (*cpaas_completion)(void *user_data, enum cpaas_status status, const char *text, size_t len);

/*
 How many parts a text has. This struct never grows.
 */
typedef struct cpaas_segment_count {
    /*
     `CPAAS_GSM7` or `CPAAS_UCS2`.
     */
    uint32_t encoding;
    /*
     Parts; 1 for an empty text.
     */
    uint32_t parts;
    /*
     Septets (GSM 7-bit) or UTF-16 code units of the whole text.
     */
    uint32_t units;
    /*
     Units that still fit the last part.
     */
    uint32_t remaining;
} cpaas_segment_count;

/*
 How a text is split. Set `size` to `sizeof(cpaas_segment_options)` and the rest to 0 for the defaults.
 */
typedef struct cpaas_segment_options {
    /*
     The size of this struct, so that it may grow.
     */
    size_t size;
    /*
     Bits of the concatenation reference: 8 (or 0) or 16.
     */
    uint32_t reference_bits;
    /*
     0: parts may split a grapheme cluster, as networks bill them; 1: clusters stay whole.
     */
    uint32_t keep_graphemes;
    /*
     0: by content; `CPAAS_GSM7` or `CPAAS_UCS2`: forced.
     */
    uint32_t encoding;
} cpaas_segment_options;

/*
 One part of a text, as ranges into it. This struct never grows.
 */
typedef struct cpaas_segment {
    /*
     First byte.
     */
    size_t start;
    /*
     The byte after the last.
     */
    size_t end;
    /*
     Septets or UTF-16 code units in this part, without the header.
     */
    uint32_t units;
} cpaas_segment;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Calls an operation and waits. `request` is JSON with the specification's member names; `out` is the
 result as JSON, or the error record `{outcome, sent, reason, operation, message, …}`.

 One call sends at most one message, and the status tells which of the closed set of outcomes it was.

 # Safety
 `operation` is a C string, `request` is valid for `len` bytes, `out` is valid for writes.
 */
enum cpaas_status cpaas_call(const struct cpaas_client *client,
                             const char *operation,
                             const char *request,
                             size_t len,
                             struct cpaas_text *out);

/*
 Starts a call and returns at once; `done` runs exactly once, also after a cancel. `call`, when not
 NULL, receives a number for `cpaas_cancel`. When the status is not `CPAAS_OK` nothing was started and
 `done` does not run.

 # Safety
 `operation` is a C string, `request` is valid for `len` bytes (both are copied), `call` is NULL or
 valid for writes, `done` may run on another thread with `user_data`.
 */
enum cpaas_status cpaas_call_async(const struct cpaas_client *client,
                                   const char *operation,
                                   const char *request,
                                   size_t len,
                                   cpaas_completion done,
                                   void *user_data,
                                   uint64_t *call);

/*
 Cancels a call of `cpaas_call_async`. Its callback still runs, with its outcome: `CPAAS_UNKNOWN` when
 the request may have left. A call that is over, or never was, is allowed.
 */
enum cpaas_status cpaas_cancel(const struct cpaas_client *client, uint64_t call);

/*
 Checks a request and gives the HTTP request for it, for programs that bring their own HTTP: `out` is
 `{"method", "url", "headers": {…}, "body": "…" or null}`. The headers and the URL carry credentials.

 # Safety
 As `cpaas_call`.
 */
enum cpaas_status cpaas_prepare(const struct cpaas_client *client,
                                const char *operation,
                                const char *request,
                                size_t len,
                                struct cpaas_text *out);

/*
 Reads the answer to a request of `cpaas_prepare`: `http_status`, the headers as a JSON object (NULL
 for none) and the body as it came. `out` is the result, or the error record.

 # Safety
 As `cpaas_call`; `headers` is NULL or valid for `headers_len` bytes, `body` is valid for `body_len` bytes.
 */
enum cpaas_status cpaas_parse(const struct cpaas_client *client,
                              const char *operation,
                              uint16_t http_status,
                              const char *headers,
                              size_t headers_len,
                              const char *body,
                              size_t body_len,
                              struct cpaas_text *out);

/*
 Checks a callback request and reads its event. `config` is the receiver's configuration, `request` is
 `{"method", "url", "headers", "body"}`, `now` is the time in seconds since 1970.

 `out` is `{"ok": true, "status": 200, "event": {…}}`. A refused request is `CPAAS_REFUSED` with
 `{"ok": false, "status", "reason"}`: answer it with the status alone and keep the reason for the log.

 Errors: `CPAAS_BAD_TEXT` for a configuration or request that is not of its form, the reason in `out`.

 # Safety
 `config` and `request` are valid for their lengths, `out` is valid for writes.
 */
enum cpaas_status cpaas_receive(const char *config,
                                size_t config_len,
                                const char *request,
                                size_t request_len,
                                uint64_t now,
                                struct cpaas_text *out);

/*
 Makes a callback token, and the URL that carries it. `request` is `{"purpose", "reference", "lifetime",
 "url"}`; `out` is `{"ok": true, "token", "url"}`.

 # Safety
 As `cpaas_receive`.
 */
enum cpaas_status cpaas_token_mint(const char *config,
                                   size_t config_len,
                                   const char *request,
                                   size_t request_len,
                                   uint64_t now,
                                   struct cpaas_text *out);

/*
 Makes a client from a configuration in JSON; members that it lacks come from the environment
 variables `CPAAS_…`, then from the defaults. `{}` is allowed.

 On `CPAAS_OK` `*client` is the client, to be freed with `cpaas_client_free`; otherwise it is NULL
 and `out` holds the error record. A client may be used from many threads at once.

 Errors: `CPAAS_INVALID` for a configuration with an unknown member or a wrong value.

 # Safety
 `config` is valid for `len` bytes; `client` and `out` are valid for writes.
 */
enum cpaas_status cpaas_client_new(const char *config,
                                   size_t len,
                                   struct cpaas_client **client,
                                   struct cpaas_text *out);

/*
 Frees a client. Calls in flight are cancelled, and their callbacks have run when this returns, so it
 must not be called from a callback of the same client. NULL and a freed client are allowed.
 */
void cpaas_client_free(struct cpaas_client *client);

/*
 Ends the worker thread after the calls in flight, for at most five seconds. Free all clients first.
 The next call starts the thread again. It must not be called from a callback.
 */
void cpaas_shutdown(void);

/*
 The version of the library, such as `0.1.0`. Compare it with `CPAAS_VERSION` of the header. The text
 is static: never free it.
 */
const char *cpaas_version(void);

/*
 The table of operations as JSON: an array of `{id, family, method, path, section}`.

 # Safety
 `out` is valid for writes.
 */
enum cpaas_status cpaas_operations(struct cpaas_text *out);

/*
 Parses a messenger_c text as the provider does. `mode` is `Default`, `Markdown`, `Html` or `MarkdownV2`.
 `out` is `{"text", "entities", "sent", "findings"}`, or `{"error": {"kind", "message", "offset",
 "utf16Offset", "fix"}}` with `CPAAS_BAD_TEXT`.

 Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_TEXT`.

 # Safety
 `text` is valid for `len` bytes, `mode` is a C string, `out` is valid for writes.
 */
enum cpaas_status cpaas_markup_parse(const char *text, size_t len, const char *mode, struct cpaas_text *out);

/*
 Escapes a plain text so that it shows literally in a mode. `out` is the escaped text itself.

 # Safety
 `text` is valid for `len` bytes, `mode` is a C string, `out` is valid for writes.
 */
enum cpaas_status cpaas_markup_escape(const char *text, size_t len, const char *mode, struct cpaas_text *out);

/*
 Counts the parts of a text. Allocates nothing; linear in the text.

 Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`; `count` is not written then.

 # Safety
 `text` is valid for `len` bytes (NULL with 0 is the empty text), `count` is valid for writes.
 */
enum cpaas_status cpaas_count_segments(const char *text, size_t len, struct cpaas_segment_count *count);

/*
 Gives the parts of a text as ranges into it. `parts` is an array of `capacity` elements (NULL with 0 only
 counts); `written` receives how many the text has, also when that is more than `capacity`, which is
 `CPAAS_TOO_SMALL` with the first `capacity` written. `count` and `options` may be NULL.

 Errors: `CPAAS_BAD_TEXT` for more than 255 parts, or a forced alphabet that lacks a character.

 # Safety
 `text` is valid for `len` bytes; `parts` is valid for writes of `capacity` elements; `written` is valid
 for writes; `options` is NULL or points to a struct of its `size`.
 */
enum cpaas_status cpaas_segments(const char *text,
                                 size_t len,
                                 const struct cpaas_segment_options *options,
                                 struct cpaas_segment *parts,
                                 size_t capacity,
                                 size_t *written,
                                 struct cpaas_segment_count *count);

/*
 Everything about the parts of a text as JSON, the same bytes as in every language. `options` is a JSON
 object `{"referenceBits", "split", "encoding"}`, or NULL.

 Errors: `CPAAS_BAD_TEXT` with the reason in `out`.

 # Safety
 `text` is valid for `len` bytes, `options` is NULL or a C string, `out` is valid for writes.
 */
enum cpaas_status cpaas_segments_json(const char *text,
                                      size_t len,
                                      const char *options,
                                      struct cpaas_text *out);

/*
 What each character costs, which ones force UCS-2, and what a person would accept in their place, as
 JSON `{"characters", "causes", "replaced"}`.

 # Safety
 `text` is valid for `len` bytes, `out` is valid for writes.
 */
enum cpaas_status cpaas_annotate(const char *text, size_t len, struct cpaas_text *out);

/*
 The name of a status, such as `CPAAS_NOT_SENT`; `CPAAS_?` for a number that is none. The text is
 static: never free it.
 */
const char *cpaas_status_name(int32_t status);

/*
 Frees a text of this library and sets it to `{NULL, 0}`. NULL and `{NULL, 0}` are allowed, so a
 second call does no harm.

 # Safety
 `text` is NULL or points to a text that the library wrote and nobody freed through another copy.
 */
void cpaas_text_free(struct cpaas_text *text);

/*
 Checks a request of an operation, given as JSON, against every rule of the specification.

 `out` is the report `{"ok", "errors": [...], "warnings": [...]}`, the same bytes as in every language;
 the status is `CPAAS_OK` whether or not there are errors. Nothing is sent.

 Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.

 # Safety
 `operation` is a C string, `request` is valid for `len` bytes, `out` is valid for writes.
 */
enum cpaas_status cpaas_validate(const char *operation,
                                 const char *request,
                                 size_t len,
                                 struct cpaas_text *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CPAAS_H */
