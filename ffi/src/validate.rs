use std::ffi::c_char;

use cpaas_core::operations::OperationId;

use crate::boundary::{answer, bare, name, utf8};
use crate::{cpaas_status, cpaas_text};

/// Checks a request of an operation, given as JSON, against every rule of the specification.
///
/// `out` is the report `{"ok", "errors": [...], "warnings": [...]}`, the same bytes as in every language;
/// the status is `CPAAS_OK` whether or not there are errors. Nothing is sent.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// # Safety
/// `operation` is a C string, `request` is valid for `len` bytes, `out` is valid for writes.
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

pub(crate) fn operation(id: &str) -> Result<OperationId, cpaas_status> {
    OperationId::find(id).ok_or(cpaas_status::CPAAS_BAD_NAME)
}
