use std::ffi::c_char;

/// What a call came to: the outcomes of a call, then the misuses, then a fault. The numbers are never
/// reused; a later version may add some.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub enum cpaas_status {
    /// Accepted.
    CPAAS_OK = 0,
    /// The request breaks rules; nothing left the machine. `out` holds the error record.
    CPAAS_INVALID = 1,
    /// The provider rejected it. `out` holds the error record.
    CPAAS_REJECTED = 2,
    /// Proof that no byte of the request was processed. `out` holds the error record.
    CPAAS_NOT_SENT = 3,
    /// It may have been processed. `out` holds the error record.
    CPAAS_UNKNOWN = 4,
    /// Accepted, but the answer with the id was lost. `out` holds the error record.
    CPAAS_ACCEPTED_ID_UNKNOWN = 5,
    /// An argument is NULL that must not be, or a number is out of its range.
    CPAAS_BAD_ARGUMENT = 16,
    /// A text is not valid UTF-8.
    CPAAS_BAD_UTF8 = 17,
    /// The handle was freed, or never was one.
    CPAAS_BAD_HANDLE = 18,
    /// No operation, mode or purpose has this name.
    CPAAS_BAD_NAME = 19,
    /// The caller's array is too small; the number that is needed was written.
    CPAAS_TOO_SMALL = 20,
    /// A callback request was refused. `out` holds the reason for the log.
    CPAAS_REFUSED = 21,
    /// The text cannot be parsed or sent. `out` holds the error.
    CPAAS_BAD_TEXT = 22,
    /// A thread of the library cannot be started.
    CPAAS_NO_THREAD = 23,
    /// A fault of the library itself; the process may go on. A call may have been sent.
    CPAAS_PANIC = 32,
}

impl cpaas_status {
    /// The name in the header.
    pub(crate) const fn name(self) -> &'static std::ffi::CStr {
        match self {
            Self::CPAAS_OK => c"CPAAS_OK",
            Self::CPAAS_INVALID => c"CPAAS_INVALID",
            Self::CPAAS_REJECTED => c"CPAAS_REJECTED",
            Self::CPAAS_NOT_SENT => c"CPAAS_NOT_SENT",
            Self::CPAAS_UNKNOWN => c"CPAAS_UNKNOWN",
            Self::CPAAS_ACCEPTED_ID_UNKNOWN => c"CPAAS_ACCEPTED_ID_UNKNOWN",
            Self::CPAAS_BAD_ARGUMENT => c"CPAAS_BAD_ARGUMENT",
            Self::CPAAS_BAD_UTF8 => c"CPAAS_BAD_UTF8",
            Self::CPAAS_BAD_HANDLE => c"CPAAS_BAD_HANDLE",
            Self::CPAAS_BAD_NAME => c"CPAAS_BAD_NAME",
            Self::CPAAS_TOO_SMALL => c"CPAAS_TOO_SMALL",
            Self::CPAAS_REFUSED => c"CPAAS_REFUSED",
            Self::CPAAS_BAD_TEXT => c"CPAAS_BAD_TEXT",
            Self::CPAAS_NO_THREAD => c"CPAAS_NO_THREAD",
            Self::CPAAS_PANIC => c"CPAAS_PANIC",
        }
    }

    const ALL: &'static [Self] = &[
        Self::CPAAS_OK,
        Self::CPAAS_INVALID,
        Self::CPAAS_REJECTED,
        Self::CPAAS_NOT_SENT,
        Self::CPAAS_UNKNOWN,
        Self::CPAAS_ACCEPTED_ID_UNKNOWN,
        Self::CPAAS_BAD_ARGUMENT,
        Self::CPAAS_BAD_UTF8,
        Self::CPAAS_BAD_HANDLE,
        Self::CPAAS_BAD_NAME,
        Self::CPAAS_TOO_SMALL,
        Self::CPAAS_REFUSED,
        Self::CPAAS_BAD_TEXT,
        Self::CPAAS_NO_THREAD,
        Self::CPAAS_PANIC,
    ];
}

/// The name of a status, such as `CPAAS_NOT_SENT`; `CPAAS_?` for a number that is none. The text is
/// static: never free it.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_status_name(status: u32) -> *const c_char {
    cpaas_status::ALL
        .iter()
        .find(|known| **known as u32 == status)
        .map_or(c"CPAAS_?", |known| known.name())
        .as_ptr()
}
