use std::ffi::c_char;

use crate::boundary::answer;
use crate::{cpaas_status, cpaas_text};

/// The version of the library that is loaded, such as `0.1.0`; `CPAAS_VERSION` is that of the header. The
/// text is static: never free it.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The table of operations as JSON: an array of `{"id", "family", "method", "path", "section"}`, `section`
/// being that of the specification. `out`: not NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_operations(out: *mut cpaas_text) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe { answer(out, || Ok(Some(cpaas_core::operations::table_json()))) }
}
