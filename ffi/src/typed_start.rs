//! Asynchronous calls with structs instead of JSON.

use std::ffi::{c_char, c_void};

use cpaas_core::OperationId;

use crate::async_call::{Delivery, cpaas_completion, start};
use crate::boundary::{Failure, clear, write_output};
use crate::call_options::cpaas_call_options;
use crate::call_target::Target;
use crate::handles::cpaas_client;
use crate::typed_call::{
    Request, check_request, cpaas_otp, cpaas_otp_check, cpaas_sms, lookup_request, otp_request, sms_request,
};
use crate::{cpaas_status, cpaas_text};

/// Starts `cpaas_sms_send`. The library copies `sms`. The other arguments and the errors are those of `cpaas_call_start_with`;
/// `cpaas_sent_read` reads the id of the result.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_sms_start(
    client: *const cpaas_client,
    sms: *const cpaas_sms,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    let delivery = Delivery::new(done, user_data);
    // SAFETY: the same contract as this function's.
    unsafe { start_typed(client, OperationId::SmsSend, || sms_request(sms), options, delivery, call, out) }
}

/// Starts `cpaas_otp_send`. The library copies `otp`. The other arguments and the errors are those of `cpaas_call_start_with`;
/// `cpaas_sent_read` reads the id of the result, for `cpaas_otp_verify_start`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_otp_start(
    client: *const cpaas_client,
    otp: *const cpaas_otp,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    let delivery = Delivery::new(done, user_data);
    // SAFETY: the same contract as this function's.
    unsafe { start_typed(client, OperationId::OtpSend, || otp_request(otp), options, delivery, call, out) }
}

/// Starts `cpaas_otp_verify`. The library copies `check`. The other arguments and the errors are those of
/// `cpaas_call_start_with`. The call ends with `CPAAS_OK` only if the passcode is valid, and with `CPAAS_NOT_VERIFIED` if it is
/// wrong, expired or used.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_otp_verify_start(
    client: *const cpaas_client,
    check: *const cpaas_otp_check,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    let delivery = Delivery::new(done, user_data);
    // SAFETY: the same contract as this function's.
    unsafe {
        start_typed(client, OperationId::OtpVerify, || check_request(check), options, delivery, call, out)
    }
}

/// Starts `cpaas_lookup_one`. `msisdn` is a C string, which the library copies. The other arguments and the errors are those of
/// `cpaas_call_start_with`; `cpaas_lookup_read` reads the result, the JSON array of `lookup.numbers`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_lookup_start(
    client: *const cpaas_client,
    msisdn: *const c_char,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    let delivery = Delivery::new(done, user_data);
    // SAFETY: the same contract as this function's.
    unsafe {
        let read = || lookup_request(msisdn);
        start_typed(client, OperationId::LookupNumbers, read, options, delivery, call, out)
    }
}

/// Starts a call of an operation whose request `read` reads.
///
/// # Safety
/// The contract of the exports.
unsafe fn start_typed(
    client: *const cpaas_client,
    operation: OperationId,
    read: impl FnOnce() -> Result<Request, Failure>,
    options: *const cpaas_call_options,
    delivery: Delivery,
    call: *mut u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    let target_and_request = || Ok((Target::Operation(operation), read()?.into_json()));
    // SAFETY: the same contract as this function's.
    unsafe {
        clear(call, 0);
        write_output(out, || start(client, options, delivery, call, target_and_request).map(|()| None))
    }
}
