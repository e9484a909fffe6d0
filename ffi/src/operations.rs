use std::ffi::c_char;

use cpaas_core::operations::OperationId;

use crate::boundary::{c_name, no_output, utf8, write_output};
use crate::{cpaas_status, cpaas_text};

/// Writes the list of operations to `out`, not NULL, as JSON: an array of `{"id", "family", "method", "path",
/// "section"}`; `section` is the section of the specification.
///
/// Errors: `CPAAS_BAD_ARGUMENT`.
///
/// Thread-safe.
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
            let operation = self::operation(c_name(operation).map_err(no_output)?).map_err(no_output)?;
            let request = utf8(request, len).map_err(no_output)?;
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
            let check = c_name(name).map_err(no_output)?;
            let arguments = utf8(arguments, len).map_err(no_output)?;
            let report = cpaas_core::check::json(check, arguments);
            report.map(|report| Some(report.to_json())).ok_or_else(|| no_output(cpaas_status::CPAAS_BAD_NAME))
        })
    }
}

pub(crate) fn operation(id: &str) -> Result<OperationId, cpaas_status> {
    OperationId::find(id).ok_or(cpaas_status::CPAAS_BAD_NAME)
}
