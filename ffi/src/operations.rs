//! The list of operations, the codes of the provider, and validation.

use std::ffi::c_char;

use cpaas_core::OperationId;
use cpaas_core::problem::problem_details_json;
use cpaas_core::provider_codes;

use serde_json::Map;

use crate::boundary::{Failure, c_name, utf8, utf8_or_empty, write_output, write_report};
use crate::{cpaas_status, cpaas_text};

/// Writes the list of operations to `out`, not NULL, as JSON: an array of `{"id", "family", "method", "path",
/// "section"}`; `section` is the section of the specification.
///
/// Errors: `CPAAS_BAD_ARGUMENT`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_operations(out: *mut cpaas_text) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_output(out, || Ok(Some(cpaas_core::bindings::table_json()))) }
}

/// Writes the meaning of a code of the provider to `out`, not NULL, as JSON: `{"family", "code", "meaning", "advice", "source"}`.
/// `family` is `otp`, `sms`, `lookup`, `messaging`, `messenger_b` or `messenger_c`, `otp.verify` for a code that means
/// something else there, or `report` for the error codes of delivery reports. In an error record, `code_meaning` contains the meaning. docs/provider-codes.md lists the codes.
///
/// Errors: `CPAAS_NOT_FOUND` for an unknown code or family, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_provider_code(
    family: *const c_char,
    code: i64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let row = provider_codes::find_by_name(c_name(family, "family")?, code);
            Ok(Some(row.ok_or(cpaas_status::CPAAS_NOT_FOUND)?.to_json()))
        })
    }
}

/// Validates a request of an operation, JSON of `len` bytes, against all rules of the specification. Needs no client
/// and sends nothing.
///
/// `out`, not NULL, receives the report `{"ok", "errors": [...], "warnings": [...]}`. Each problem has a JSON
/// pointer and a stable code; the report is identical in every language. The status is `CPAAS_OK` even if the report
/// contains errors: read `ok`.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_validate(
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_report(out, || {
            let operation = self::operation(c_name(operation, "operation")?)?;
            Ok(operation.validate_json(utf8(request, len, "request")?))
        })
    }
}

/// As `cpaas_validate`, but the report lists at most `limit` problems, the most severe ones, and its member `more` is the number of
/// the others. Without others, the report is that of `cpaas_validate`. Of more than 1,000 problems with one severity, those are listed
/// that are found first; after 1,000 wrong types, or `limit` if it is larger, the other rules are not checked. Use it for requests that
/// your program did not write: the report of `cpaas_validate` can need a thousand times the memory of its request.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_validate_limited(
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    limit: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let operation = self::operation(c_name(operation, "operation")?)?;
            let request = utf8(request, len, "request")?;
            Ok(Some(operation.validate_json_limited(request, limit).to_json()))
        })
    }
}

/// Writes problem details (RFC 9457) of a report to `out`, not NULL: the body of a response of the type
/// `application/problem+json`. `report` is a report of `cpaas_validate` or `cpaas_check`, `len` bytes. `members` is a
/// JSON object of `members_len` bytes, or NULL with length 0. Its members, such as `type` and `instance`, are added to the
/// result or replace members of the result, except `errors` and `warnings`.
///
/// The result is `{"type": "about:blank", "title", "status", "detail", "errors": [...], "warnings": [...]}`. The status is 422, or
/// 200 without errors. Each problem has a `pointer` as a fragment of a URI (`#/text`), `detail`, `code` and `severity`.
///
/// Errors: `CPAAS_BAD_TEXT` for JSON that is not a report, `CPAAS_BAD_ARGUMENT` (also for members that are not a JSON object),
/// `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_problem_details(
    report: *const c_char,
    len: usize,
    members: *const c_char,
    members_len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let report = utf8(report, len, "report")?;
            let members = match utf8_or_empty(members, members_len, "members")? {
                "" => Map::new(),
                members => serde_json::from_str(members)
                    .map_err(|_| Failure::bad_argument("members", "must be a JSON object"))?,
            };
            problem_details_json(report, members).map(Some).ok_or(Failure::Argument(
                cpaas_status::CPAAS_BAD_TEXT,
                "report",
                "must be a report as JSON",
            ))
        })
    }
}

/// Runs a check that is not part of a request. docs/c.md lists the checks by `name`; `arguments` is a JSON object of
/// `len` bytes. `out`, not NULL, receives a report as for `cpaas_validate`.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown check, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_check(
    name: *const c_char,
    arguments: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_report(out, || {
            let check = c_name(name, "name")?;
            let arguments = utf8(arguments, len, "arguments")?;
            cpaas_core::bindings::check_json(check, arguments).ok_or(Failure::Argument(
                cpaas_status::CPAAS_BAD_NAME,
                "name",
                "must be photo, file, bot_username or card_height",
            ))
        })
    }
}

pub(crate) fn operation(id: &str) -> Result<OperationId, Failure> {
    OperationId::find(id).ok_or(Failure::Argument(
        cpaas_status::CPAAS_BAD_NAME,
        "operation",
        "must be the id of an operation, as cpaas_operations lists them",
    ))
}
