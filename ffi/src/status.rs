//! The statuses, and their names.

use std::ffi::c_char;

/// The result of a function: outcomes of a call, then caller errors, then an internal error. An integer of 32 bits. A
/// number is never reused; a later version may add statuses.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub enum cpaas_status {
    /// Accepted.
    CPAAS_OK = 0,
    /// The request is invalid; nothing was sent. `out` contains the error record.
    CPAAS_INVALID = 1,
    /// The provider rejected the request. `out` contains the error record.
    CPAAS_REJECTED = 2,
    /// The request was not processed: another call cannot act twice. `out` contains the error record.
    CPAAS_NOT_SENT = 3,
    /// The request may have been processed. `out` contains the error record.
    CPAAS_UNKNOWN = 4,
    /// Accepted, but the response with the id was lost. `out` contains the error record.
    CPAAS_ACCEPTED_ID_UNKNOWN = 5,
    /// The passcode of `otp.verify` is wrong, expired or already used, or no passcode has this id and service (code 404). `out`
    /// contains the provider's response.
    CPAAS_NOT_VERIFIED = 6,
    /// An argument is invalid. `out` names it: `{"argument", "message"}`.
    CPAAS_BAD_ARGUMENT = 16,
    /// A string is not valid UTF-8.
    CPAAS_BAD_UTF8 = 17,
    /// The handle is invalid or was freed.
    CPAAS_BAD_HANDLE = 18,
    /// Unknown operation, mode or check.
    CPAAS_BAD_NAME = 19,
    /// The caller's array is too small; the function documents which number was written.
    CPAAS_TOO_SMALL = 20,
    /// A callback request was rejected, or a token cannot be made. `out` contains the reason for the log.
    CPAAS_CALLBACK_REJECTED = 21,
    /// The text or the configuration is invalid. The output, if the function has an output argument, contains the error.
    CPAAS_BAD_TEXT = 22,
    /// A thread or the runtime of the library could not be started, or the calling thread is ending: in an `atexit` handler, or in the
    /// destructor of a static or thread-local object. `out` contains `{"message"}`.
    CPAAS_NO_THREAD = 23,
    /// The limit of calls that have not ended is reached (`cpaas_set_limits`); nothing was sent. `out` contains `{"message"}`.
    CPAAS_TOO_MANY_CALLS = 24,
    /// The JSON has no value at this pointer, or the table of codes has no such code.
    CPAAS_NOT_FOUND = 25,
    /// An internal error of the library; the process may continue. The request may have been sent. `out` contains `{"message"}`.
    CPAAS_PANIC = 32,
}

impl cpaas_status {
    /// The name of the status in the header.
    pub(crate) const fn name(self) -> &'static std::ffi::CStr {
        match self {
            Self::CPAAS_OK => c"CPAAS_OK",
            Self::CPAAS_INVALID => c"CPAAS_INVALID",
            Self::CPAAS_REJECTED => c"CPAAS_REJECTED",
            Self::CPAAS_NOT_SENT => c"CPAAS_NOT_SENT",
            Self::CPAAS_UNKNOWN => c"CPAAS_UNKNOWN",
            Self::CPAAS_ACCEPTED_ID_UNKNOWN => c"CPAAS_ACCEPTED_ID_UNKNOWN",
            Self::CPAAS_NOT_VERIFIED => c"CPAAS_NOT_VERIFIED",
            Self::CPAAS_BAD_ARGUMENT => c"CPAAS_BAD_ARGUMENT",
            Self::CPAAS_BAD_UTF8 => c"CPAAS_BAD_UTF8",
            Self::CPAAS_BAD_HANDLE => c"CPAAS_BAD_HANDLE",
            Self::CPAAS_BAD_NAME => c"CPAAS_BAD_NAME",
            Self::CPAAS_TOO_SMALL => c"CPAAS_TOO_SMALL",
            Self::CPAAS_CALLBACK_REJECTED => c"CPAAS_CALLBACK_REJECTED",
            Self::CPAAS_BAD_TEXT => c"CPAAS_BAD_TEXT",
            Self::CPAAS_NO_THREAD => c"CPAAS_NO_THREAD",
            Self::CPAAS_TOO_MANY_CALLS => c"CPAAS_TOO_MANY_CALLS",
            Self::CPAAS_NOT_FOUND => c"CPAAS_NOT_FOUND",
            Self::CPAAS_PANIC => c"CPAAS_PANIC",
        }
    }

    /// The JSON that describes a status which no argument and no call explains.
    pub(crate) fn error_text(self) -> Option<String> {
        let message = match self {
            Self::CPAAS_NO_THREAD => {
                "no thread can be started, or the calling thread is ending; nothing was sent"
            }
            Self::CPAAS_TOO_MANY_CALLS => {
                "the limit of calls that have not ended is reached; nothing was sent"
            }
            Self::CPAAS_PANIC => "internal error of the library; the request may have been sent",
            _ => return None,
        };
        Some(format!("{{\"message\":\"{message}\"}}"))
    }

    const ALL: &'static [Self] = &[
        Self::CPAAS_OK,
        Self::CPAAS_INVALID,
        Self::CPAAS_REJECTED,
        Self::CPAAS_NOT_SENT,
        Self::CPAAS_UNKNOWN,
        Self::CPAAS_ACCEPTED_ID_UNKNOWN,
        Self::CPAAS_NOT_VERIFIED,
        Self::CPAAS_BAD_ARGUMENT,
        Self::CPAAS_BAD_UTF8,
        Self::CPAAS_BAD_HANDLE,
        Self::CPAAS_BAD_NAME,
        Self::CPAAS_TOO_SMALL,
        Self::CPAAS_CALLBACK_REJECTED,
        Self::CPAAS_BAD_TEXT,
        Self::CPAAS_NO_THREAD,
        Self::CPAAS_TOO_MANY_CALLS,
        Self::CPAAS_NOT_FOUND,
        Self::CPAAS_PANIC,
    ];
}

/// Returns the name of a status, such as `CPAAS_NOT_SENT`, or `CPAAS_?` for an unknown number. The string is static:
/// never free it.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_status_name(status: u32) -> *const c_char {
    cpaas_status::ALL
        .iter()
        .find(|known| **known as u32 == status)
        .map_or(c"CPAAS_?", |known| known.name())
        .as_ptr()
}
