use std::ffi::c_char;

use cpaas_core::operations::OperationId;

use crate::boundary::{answer, bare, name, utf8};
use crate::{cpaas_status, cpaas_text};

/// Checks a request of an operation, JSON of `len` bytes, against every rule of the specification. Needs no
/// client; nothing is sent.
///
/// `out`, not NULL, receives the report `{"ok", "errors": [...], "warnings": [...]}`, each problem with a
/// JSON pointer and a stable code, the same bytes as in every language. The status is `CPAAS_OK` whether or
/// not there are errors: look at `ok`.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_validate(
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let operation = self::operation(name(operation).map_err(bare)?).map_err(bare)?;
            let request = utf8(request, len).map_err(bare)?;
            Ok(Some(operation.validate_json(request).to_json()))
        })
    }
}

/// Checks something that is no request: `name` is a check of docs/c.md, `arguments` its arguments as JSON of
/// `len` bytes. `out`, not NULL, receives a report as `cpaas_validate` gives it.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown check, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_check(
    name: *const c_char,
    arguments: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let check = self::name(name).map_err(bare)?;
            let arguments = utf8(arguments, len).map_err(bare)?;
            let report = cpaas_core::check::json(check, arguments);
            report.map(|report| Some(report.to_json())).ok_or_else(|| bare(cpaas_status::CPAAS_BAD_NAME))
        })
    }
}

pub(crate) fn operation(id: &str) -> Result<OperationId, cpaas_status> {
    OperationId::find(id).ok_or(cpaas_status::CPAAS_BAD_NAME)
}
