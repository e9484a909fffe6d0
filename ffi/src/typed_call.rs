//! Calls with structs instead of JSON.

use std::ffi::c_char;

use cpaas_core::OperationId;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::boundary::{
    Failure, NOT_NULL, Output, c_name, clear, read_sized, return_status, utf8, write_output, write_sized,
};
use crate::call::block_on;
use crate::call_options::{apply, cpaas_call_options};
use crate::call_target::Target;
use crate::client_table::find_client;
use crate::handles::cpaas_client;
use crate::{cpaas_status, cpaas_text};

/// An SMS. Zero the struct, then set `size` to `sizeof(cpaas_sms)` and the members you need. The members are C strings in
/// UTF-8; they are not JSON and need no escapes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_sms {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The sender: a name or a number.
    pub from: *const c_char,
    /// The recipient: international number, digits without plus sign.
    pub to: *const c_char,
    /// The message text.
    pub text: *const c_char,
    /// NULL, or a tag that callbacks and error records contain.
    pub reference: *const c_char,
    /// NULL, or the URL that receives the delivery reports of this message.
    pub callback: *const c_char,
    /// 1: nothing is dispatched to a handset.
    pub test: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// A one-time passcode. Zero the struct, then set `size` to `sizeof(cpaas_otp)` and the members you need.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_otp {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The service identifier.
    pub service: *const c_char,
    /// The sender.
    pub from: *const c_char,
    /// The recipient's number.
    pub to: *const c_char,
    /// The message text; `{code}` is replaced by the passcode.
    pub body: *const c_char,
    /// NULL, `sms` or `call`.
    pub channel: *const c_char,
}

/// The check of a passcode. Zero the struct, then set `size` to `sizeof(cpaas_otp_check)` and all members.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_otp_check {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The service identifier of the send.
    pub service: *const c_char,
    /// The id of the send (`cpaas_sent`).
    pub request_id: *const c_char,
    /// The passcode that the user submitted.
    pub code: *const c_char,
}

/// The id of a message or a passcode that was sent. Set `size` to `sizeof(cpaas_sent)`; the library writes the other
/// members. A smaller size is `CPAAS_BAD_ARGUMENT`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_sent {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The id of the message or the passcode, a C string. Empty if it is unknown, contains NUL or is longer than 127 bytes; `out`
    /// contains the whole id.
    pub id: [c_char; 128],
}

/// The result of a lookup of one number (section C1). Set `size` to `sizeof(cpaas_lookup)`; the library writes the other
/// members. A smaller size is `CPAAS_BAD_ARGUMENT`. Strings are C strings; one that is unknown or contains NUL is empty, and a long one is
/// truncated. `ported`, `roaming` and `absent` are 1 for yes, 2 for no and 0 if unknown.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_lookup {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// Mobile country code.
    pub mcc: [c_char; 8],
    /// Mobile network code.
    pub mnc: [c_char; 8],
    /// The current network of the number: after a porting, the new network.
    pub network: [c_char; 64],
    /// The country of that network.
    pub country: [c_char; 64],
    /// Whether the number was ported to another network.
    pub ported: u32,
    /// Whether the number is in a foreign network.
    pub roaming: u32,
    /// Whether the number is unreachable.
    pub absent: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Sends one SMS: `sms.send`, section B1. `options` may be NULL. `sent`, if not NULL, receives the id. `out`, not NULL,
/// receives the result or the error record, as for `cpaas_call`.
///
/// Errors: as for `cpaas_call`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_sms_send(
    client: *const cpaas_client,
    sms: *const cpaas_sms,
    options: *const cpaas_call_options,
    sent: *mut cpaas_sent,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        let cleared = write_sized(sent, EMPTY_SENT, "sent");
        write_output(out, || {
            cleared?;
            send(client, OperationId::SmsSend, sms_request(sms)?, options, sent)
        })
    }
}

/// The request of `sms.send`.
///
/// # Safety
/// `sms` is NULL or points to a struct whose first member is its size, with C strings.
pub(crate) unsafe fn sms_request(sms: *const cpaas_sms) -> Result<Request, Failure> {
    // SAFETY: the same contract as this function's.
    unsafe {
        let given = read_struct(sms, "sms")?;
        if given.reserved != 0 || given.test > 1 {
            return Err(Failure::bad_argument("sms", "must have `test` 0 or 1 and `reserved` 0"));
        }
        let mut request = Request::default();
        request.required("from", given.from)?;
        request.required("to", given.to)?;
        request.required("text", given.text)?;
        request.optional("reference", given.reference)?;
        request.optional("callback", given.callback)?;
        if given.test == 1 {
            request.0.insert("test".to_owned(), Value::Bool(true));
        }
        Ok(request)
    }
}

/// Sends a one-time passcode: `otp.send`, section A1. `options` may be NULL. `sent`, if not NULL, receives the id for
/// `cpaas_otp_verify`. `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
///
/// Errors: as for `cpaas_call`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_otp_send(
    client: *const cpaas_client,
    otp: *const cpaas_otp,
    options: *const cpaas_call_options,
    sent: *mut cpaas_sent,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        let cleared = write_sized(sent, EMPTY_SENT, "sent");
        write_output(out, || {
            cleared?;
            send(client, OperationId::OtpSend, otp_request(otp)?, options, sent)
        })
    }
}

/// The request of `otp.send`.
///
/// # Safety
/// `otp` is NULL or points to a struct whose first member is its size, with C strings.
pub(crate) unsafe fn otp_request(otp: *const cpaas_otp) -> Result<Request, Failure> {
    // SAFETY: the same contract as this function's.
    unsafe {
        let given = read_struct(otp, "otp")?;
        let mut request = Request::default();
        request.required("service", given.service)?;
        request.required("from", given.from)?;
        request.required("to", given.to)?;
        request.required("body", given.body)?;
        request.optional("channel", given.channel)?;
        Ok(request)
    }
}

/// Verifies a passcode: `otp.verify`, section A3. `options` may be NULL. `verified`, not NULL, receives true only if the
/// status is `CPAAS_OK`, which means that the passcode is valid. For a wrong, expired or used passcode, the status is
/// `CPAAS_NOT_VERIFIED`. `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
///
/// Errors: as for `cpaas_call`; `CPAAS_NOT_VERIFIED`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_otp_verify(
    client: *const cpaas_client,
    check: *const cpaas_otp_check,
    options: *const cpaas_call_options,
    verified: *mut bool,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        clear(verified, false);
        let status = write_output(out, || {
            if verified.is_null() {
                return Err(Failure::bad_argument("verified", NOT_NULL));
            }
            let request = check_request(check)?;
            call(client, OperationId::OtpVerify, request, options).map(Some)
        });
        if !verified.is_null() {
            verified.write(status == cpaas_status::CPAAS_OK);
        }
        status
    }
}

/// The request of `otp.verify`.
///
/// # Safety
/// `check` is NULL or points to a struct whose first member is its size, with C strings.
pub(crate) unsafe fn check_request(check: *const cpaas_otp_check) -> Result<Request, Failure> {
    // SAFETY: the same contract as this function's.
    unsafe {
        let given = read_struct(check, "check")?;
        let mut request = Request::default();
        request.required("service", given.service)?;
        request.required("requestId", given.request_id)?;
        request.required("code", given.code)?;
        Ok(request)
    }
}

/// Looks up one number: `lookup.numbers`, section C1. `msisdn` is a C string. `options` may be NULL. `lookup`, if not NULL,
/// receives the result. `out`, not NULL, receives the JSON object of the number, or the error record.
///
/// Errors: as for `cpaas_call`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_lookup_one(
    client: *const cpaas_client,
    msisdn: *const c_char,
    options: *const cpaas_call_options,
    lookup: *mut cpaas_lookup,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        let cleared = write_sized(lookup, EMPTY_LOOKUP, "lookup");
        write_output(out, || {
            cleared?;
            let request = lookup_request(msisdn)?;
            let json = call(client, OperationId::LookupNumbers, request, options)?;
            let results: Vec<Value> = serde_json::from_str(&json).unwrap_or_default();
            let Some(result) = results.into_iter().next() else { return Ok(Some(json)) };
            write_sized(lookup, lookup_struct(&result), "lookup")?;
            Ok(Some(result.to_string()))
        })
    }
}

/// The request of `lookup.numbers` for one number.
///
/// # Safety
/// `msisdn` is NULL or a C string.
pub(crate) unsafe fn lookup_request(msisdn: *const c_char) -> Result<Request, Failure> {
    let mut request = Request::default();
    // SAFETY: the same contract as this function's.
    unsafe { request.required("msisdn", msisdn)? };
    Ok(request)
}

/// Reads the id of a result of `sms.send` or `otp.send`, JSON of `len` bytes, as `cpaas_poll` and callbacks deliver it. `sent`, not
/// NULL, receives it.
///
/// Errors: `CPAAS_NOT_FOUND` if the result has no id of at most 127 bytes without NUL; then the id in `sent` is empty. `CPAAS_BAD_TEXT` if
/// the text is not JSON, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_sent_read(
    json: *const c_char,
    len: usize,
    sent: *mut cpaas_sent,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    let cleared = unsafe { write_sized(sent, EMPTY_SENT, "sent") };
    // SAFETY: the same contract as this function's.
    return_status(|| unsafe {
        not_null(sent, "sent")?;
        cleared?;
        let result = read_json(json, len)?;
        let sent_id = sent_struct(&result).ok_or(cpaas_status::CPAAS_NOT_FOUND)?;
        write_sized(sent, sent_id, "sent")
    })
}

/// Reads a result of `lookup.numbers`, JSON of `len` bytes, as `cpaas_poll` and callbacks deliver it: an array, whose first element
/// is read, or one of its elements. `lookup`, not NULL, receives it.
///
/// Errors: `CPAAS_NOT_FOUND` if the array is empty or the element is not an object; then all members of `lookup` are empty.
/// `CPAAS_BAD_TEXT` if the text is not JSON, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_lookup_read(
    json: *const c_char,
    len: usize,
    lookup: *mut cpaas_lookup,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    let cleared = unsafe { write_sized(lookup, EMPTY_LOOKUP, "lookup") };
    // SAFETY: the same contract as this function's.
    return_status(|| unsafe {
        not_null(lookup, "lookup")?;
        cleared?;
        let result = read_json(json, len)?;
        let number = match &result {
            Value::Array(numbers) => numbers.first(),
            number => Some(number),
        };
        let number = number.filter(|number| number.is_object()).ok_or(cpaas_status::CPAAS_NOT_FOUND)?;
        write_sized(lookup, lookup_struct(number), "lookup")
    })
}

fn not_null<T>(pointer: *mut T, name: &'static str) -> Result<(), Failure> {
    if pointer.is_null() { Err(Failure::bad_argument(name, NOT_NULL)) } else { Ok(()) }
}

/// Reads a result.
///
/// # Safety
/// `json` is NULL or valid for `len` bytes.
unsafe fn read_json(json: *const c_char, len: usize) -> Result<Value, Failure> {
    // SAFETY: the same contract as this function's.
    let json = unsafe { utf8(json, len, "json")? };
    serde_json::from_str(json).map_err(|_| cpaas_status::CPAAS_BAD_TEXT.into())
}

/// Makes a call of `sms.send` or `otp.send`, and writes the id to `sent`, which is empty.
///
/// # Safety
/// The contract of the exports.
unsafe fn send(
    client: *const cpaas_client,
    operation: OperationId,
    request: Request,
    options: *const cpaas_call_options,
    sent: *mut cpaas_sent,
) -> Output {
    // SAFETY: the same contract as this function's.
    unsafe {
        let json = call(client, operation, request, options)?;
        let result: Value = serde_json::from_str(&json).unwrap_or_default();
        if let Some(id) = sent_struct(&result) {
            write_sized(sent, id, "sent")?;
        }
        Ok(Some(json))
    }
}

const EMPTY_SENT: cpaas_sent = cpaas_sent { size: 0, id: [0; 128] };

/// The struct for the result of `sms.send` or `otp.send`, if its id fits.
fn sent_struct(result: &Value) -> Option<cpaas_sent> {
    let id = ["id", "requestID"].iter().find_map(|name| result.get(name)?.as_str());
    let id = id.filter(|id| !id.is_empty() && !id.contains('\0') && id.len() < EMPTY_SENT.id.len())?;
    Some(cpaas_sent { id: c_array(id), ..EMPTY_SENT })
}

/// Makes a call; returns its result as JSON.
///
/// # Safety
/// The contract of the exports.
unsafe fn call(
    client: *const cpaas_client,
    operation: OperationId,
    request: Request,
    options: *const cpaas_call_options,
) -> Result<String, Failure> {
    let (open, client) = find_client(client)?;
    // SAFETY: the same contract as this function's.
    let client = unsafe { apply(&client, options) }?;
    block_on(Target::Operation(operation), open.key, &client, &request.into_json())
        .map(Option::unwrap_or_default)
}

/// Reads a struct that must not be NULL.
///
/// # Safety
/// `given` is NULL or points to a struct whose first member is its size.
unsafe fn read_struct<T: Copy>(given: *const T, name: &'static str) -> Result<T, Failure> {
    if given.is_null() {
        return Err(Failure::bad_argument(name, NOT_NULL));
    }
    // SAFETY: not NULL; else the same contract as this function's.
    unsafe { read_sized(given, name) }
}

/// The members of a request.
#[derive(Default)]
pub(crate) struct Request(Map<String, Value>);

impl Request {
    pub(crate) fn into_json(self) -> String {
        Value::Object(self.0).to_string()
    }

    /// # Safety
    /// `text` is NULL or a C string.
    unsafe fn required(&mut self, name: &'static str, text: *const c_char) -> Result<(), Failure> {
        // SAFETY: the same contract as this function's.
        let text = unsafe { c_name(text, name) }?;
        self.0.insert(name.to_owned(), Value::from(text));
        Ok(())
    }

    /// # Safety
    /// `text` is NULL or a C string.
    unsafe fn optional(&mut self, name: &'static str, text: *const c_char) -> Result<(), Failure> {
        // SAFETY: the same contract as this function's.
        if text.is_null() { Ok(()) } else { unsafe { self.required(name, text) } }
    }
}

const EMPTY_LOOKUP: cpaas_lookup = cpaas_lookup {
    size: 0,
    mcc: [0; 8],
    mnc: [0; 8],
    network: [0; 64],
    country: [0; 64],
    ported: 0,
    roaming: 0,
    absent: 0,
    reserved: 0,
};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Network {
    #[serde(rename = "networkName")]
    name: Option<String>,
    #[serde(rename = "countryName")]
    country: Option<String>,
}

/// The struct for the JSON object of a number.
fn lookup_struct(result: &Value) -> cpaas_lookup {
    let text = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or_default();
    let yes_no = |name: &str| match result.get(name).and_then(Value::as_bool) {
        Some(true) => 1,
        Some(false) => 2,
        None => 0,
    };
    let network = ["portedNetwork", "originalNetwork"].iter().find_map(|name| result.get(name));
    let network = network.and_then(|network| Network::deserialize(network).ok()).unwrap_or_default();
    cpaas_lookup {
        mcc: c_array(text("mcc")),
        mnc: c_array(text("mnc")),
        network: c_array(&network.name.unwrap_or_default()),
        country: c_array(&network.country.unwrap_or_default()),
        ported: yes_no("ported"),
        roaming: yes_no("roaming"),
        absent: yes_no("absent"),
        ..EMPTY_LOOKUP
    }
}

/// Converts a text to a C string, truncated after the last character that fits; empty if the text contains NUL.
fn c_array<const N: usize>(text: &str) -> [c_char; N] {
    let mut array = [0; N];
    if text.contains('\0') {
        return array;
    }
    let fits = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end < N).last();
    let bytes = text.as_bytes().get(..fits.unwrap_or_default()).unwrap_or_default();
    for (to, from) in array.iter_mut().zip(bytes) {
        *to = c_char::from_ne_bytes([*from]);
    }
    array
}
