use std::ffi::c_char;

use cpaas_core::operations::OperationId;

use crate::boundary::{Failure, c_name, utf8, write_output};
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
    unsafe { write_output(out, || Ok(Some(cpaas_core::operations::table_json()))) }
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
        write_output(out, || {
            let operation = self::operation(c_name(operation, "operation")?)?;
            let request = utf8(request, len, "request")?;
            Ok(Some(operation.validate_json(request).to_json()))
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
        write_output(out, || {
            let check = c_name(name, "name")?;
            let arguments = utf8(arguments, len, "arguments")?;
            let report = cpaas_core::check::json(check, arguments);
            report.map(|report| Some(report.to_json())).ok_or(Failure::Argument(
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
