//! Callback requests as structs.

use std::ffi::c_char;

use cpaas_core::callback::Receiver;

use super::{AddMembers, forget, receive};
use crate::boundary::{Failure, NOT_NULL, bytes, c_name, read_sized, return_status, write_output};
use crate::handles::cpaas_receiver;
use crate::{cpaas_status, cpaas_text};

/// A callback request, as the web server received it. Zero the struct, then set `size` to `sizeof(cpaas_callback_request)` and the
/// members. `method`, `url` and `content_type` are C strings in UTF-8.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_callback_request {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The HTTP method.
    pub method: *const c_char,
    /// The unmodified URL with its query: absolute, or from the path on.
    pub url: *const c_char,
    /// The header `Content-Type`, or NULL if the request has none.
    pub content_type: *const c_char,
    /// The unmodified body, any bytes; NULL with length 0 if there is none.
    pub body: *const c_char,
    /// The length of the body, in bytes.
    pub body_len: usize,
}

/// Verifies a callback request and returns its event, as `cpaas_receiver_receive` does, without JSON around the request. The library reads
/// `request` and its members during the call only.
///
/// Errors: `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`; `CPAAS_BAD_UTF8` for a `url`, a `method` or a
/// `content_type` that is not UTF-8, which no authentic request has: respond with 403.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_receive_request(
    receiver: *const cpaas_receiver,
    request: *const cpaas_callback_request,
    now: u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let read = || CallbackRequest::read(request);
            receive(receiver, read, |receiver, request, members| Ok(request.verify(receiver, now, members)))
        })
    }
}

/// Forgets a callback request that `cpaas_receiver_receive_request` accepted, as `cpaas_receiver_forget` does.
///
/// Errors: `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, also for a receiver with leases, whose function is
/// `cpaas_receiver_free_lease`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_forget_request(
    receiver: *const cpaas_receiver,
    request: *const cpaas_callback_request,
    now: u64,
) -> cpaas_status {
    return_status(|| {
        // SAFETY: the same contract as this function's.
        let read = || unsafe { CallbackRequest::read(request) };
        forget(receiver, read, |receiver, request, members| Ok(request.verify(receiver, now, members)))
    })
}

/// The members of a `cpaas_callback_request`.
struct CallbackRequest<'a> {
    method: &'a str,
    url: &'a str,
    content_type: Option<&'a str>,
    body: &'a [u8],
}

impl CallbackRequest<'_> {
    /// # Safety
    /// `given` is NULL or points to a struct whose first member is its size, with valid members.
    unsafe fn read(given: *const cpaas_callback_request) -> Result<Self, Failure> {
        if given.is_null() {
            return Err(Failure::bad_argument("request", NOT_NULL));
        }
        // SAFETY: not NULL; else the same contract as this function's.
        unsafe {
            let given = read_sized(given, "request")?;
            Ok(Self {
                method: c_name(given.method, "method")?,
                url: c_name(given.url, "url")?,
                content_type: match given.content_type.is_null() {
                    true => None,
                    false => Some(c_name(given.content_type, "content_type")?),
                },
                body: bytes(given.body, given.body_len, "body")?,
            })
        }
    }

    fn verify(&self, receiver: &Receiver, now: u64, members: AddMembers<'_>) -> String {
        let content_type = self.content_type.map(|value| ("content-type", value));
        receiver.receive_with(self.method, self.url, content_type.as_slice(), self.body, now, members)
    }
}
