//! Prices, costs of characters, encoding, decoding, transliteration and templates of SMS texts; the form of numbers; codes that fill
//! themselves in.

use std::ffi::c_char;

use cpaas_core::bindings::{self, TextError};
use cpaas_core::text::autofill;
use cpaas_core::text::msisdn::{self, NotANumber};
use serde_json::json;

use crate::boundary::{Failure, bytes, c_name, utf8, utf8_or_empty, write_output, write_result_of_text};
use crate::{cpaas_status, cpaas_text};

/// Calculates the price of a text of `len` bytes. `price_per_part` is a C string with a decimal number of at most 28
/// digits, without a sign, an exponent or separators, such as `0.0075`. `out`, not NULL, receives JSON: `{"encoding",
/// "count", "units", "remaining", "pricePerPart", "total"}`; the prices are exact decimal numbers, written as strings.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for an invalid price and for more than 255 parts,
/// `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_estimate(
    text: *const c_char,
    len: usize,
    price_per_part: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { cpaas_estimate_with(text, len, price_per_part, std::ptr::null(), out) }
}

/// Calculates the price of a text of `len` bytes to one or many numbers. `prices` is a C string with CSV whose first line
/// is `prefix,price,currency`; the longest prefix of a number wins. `to` is a C string with one number, or with a JSON
/// list of them. `out`, not NULL, receives JSON: `{"encoding", "count", "units", "remaining", "pricePerPart", "total",
/// "currency", "recipients", "byPrefix", "byCurrency"}`. `byPrefix` has a member for each prefix: `{"recipients", "parts",
/// "pricePerPart", "total", "currency"}`, `byCurrency` one for each currency: `{"recipients", "parts", "total"}`. `pricePerPart` is null
/// if it differs between the recipients; `total` and `currency` are null if the recipients have prices in several currencies.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for invalid prices, for a recipient without a price and
/// for more than 255 parts, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_estimate_to(
    text: *const c_char,
    len: usize,
    prices: *const c_char,
    to: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| {
            let (prices, to) = (c_name(prices, "prices")?, c_name(to, "to")?);
            Ok(bindings::estimate_to_json(text, prices, to, None)?)
        })
    }
}

/// Describes the characters of a text of `len` bytes. `out`, not NULL, receives JSON: `{"characters", "causes",
/// "replaced"}`. `characters` contains the cost of each character, `causes` the characters that force UCS-2 with their
/// replacements, and `replaced` the text with these replacements.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_annotate(
    text: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { cpaas_annotate_with(text, len, std::ptr::null(), out) }
}

/// `cpaas_estimate` with options, as for `cpaas_segments_json`. `options` may be NULL.
///
/// Errors: those of `cpaas_estimate`, and `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for invalid options.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_estimate_with(
    text: *const c_char,
    len: usize,
    price_per_part: *const c_char,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| {
            let price = c_name(price_per_part, "price_per_part")?;
            Ok(bindings::estimate_json_with(text, price, text_options(options)?)?)
        })
    }
}

/// `cpaas_annotate` with options: NULL or a C string with a JSON object, of which only `languages` is used. The member
/// `languages` of the result contains the national language tables and the number of parts that they save.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for invalid options, `CPAAS_BAD_ARGUMENT`,
/// `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_annotate_with(
    text: *const c_char,
    len: usize,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| {
            Ok(bindings::annotate_json_with(text, text_options(options)?)?)
        })
    }
}

/// Encodes a text of `len` bytes as the user data of SMS parts. `out`, not NULL, receives JSON: `{"encoding", "count",
/// "parts": [{"udh", "ud", "udl", "dcs"}]}`; octets are written as hexadecimal digits. `options` is NULL or a C string with
/// a JSON object: the options of `cpaas_segments_json`, and also `reference` (0 to 65535; a number above 255 is sent with
/// 16 bits) and `ports` (`{"destination", "source"}`).
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_encode(
    text: *const c_char,
    len: usize,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| Ok(bindings::encode_json(text, text_options(options)?)?))
    }
}

/// Decodes the parts of one message, in any order. `parts` is JSON of `len` bytes: a list of `{"udh", "ud", "udl",
/// "dcs"}`, or the result of `cpaas_encode`. `out`, not NULL, receives the text, which can contain NUL.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, where the message names the part and the octet;
/// `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_decode(
    parts: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_output(out, || Ok(Some(bindings::decode_json(utf8(parts, len, "parts")?)?))) }
}

/// Replaces characters of a text of `len` bytes by characters of the GSM 7-bit default alphabet. `out`, not NULL, receives
/// JSON: `{"text", "replacements": [{"start", "end", "start16", "end16", "from", "to"}], "kept": [...]}`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_transliterate(
    text: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_result_of_text(text, len, out, |text| Ok(bindings::transliterate_json(text))) }
}

/// Measures a template of `len` bytes with merge fields such as `{{name}}`. `values` is a C string with a JSON object:
/// `{"fields": {name: [shortest, longest]}}`, `{"fields": {name: [samples]}}` or `{"rows": [{name: value}]}`. `options`
/// is NULL or as for `cpaas_segments_json`, without `transliterate`. `out`, not NULL, receives JSON: `{"shortest",
/// "longest", "reason", "message", "fields"}`.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_template_segments(
    template: *const c_char,
    len: usize,
    values: *const c_char,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let template = utf8_or_empty(template, len, "template")?;
            let values = c_name(values, "values")?;
            Ok(Some(bindings::template_segments_json(template, values, text_options(options)?)?))
        })
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Self::Output(cpaas_status::CPAAS_BAD_TEXT, Some(error.to_json()))
    }
}

/// Reads the options, which may be NULL.
///
/// # Safety
/// `options` is NULL or a C string.
pub(crate) unsafe fn text_options<'a>(options: *const c_char) -> Result<Option<&'a str>, Failure> {
    if options.is_null() {
        return Ok(None);
    }
    // SAFETY: the same contract as this function's.
    unsafe { c_name(options, "options") }.map(Some)
}

/// Writes what an inbound message of `len` bytes asks for as JSON: `{"kind", "certainty"}`. `kind` is `stop`, `start`, `help` or
/// `none`. `certainty` is `certain` for the words of the regulation and of carriers and for words that mean only this in their
/// language, and `likely` for phrases, polite forms and words with other meanings. It is always `certain` for `none`, which means only
/// that the message was not recognized: a person may ask to stop in words that this function does not know. "Yes" is `start` and
/// `likely`, because it may answer a question: remove an opt-out only if `start` is `certain`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_intent(text: *const c_char, len: usize, out: *mut cpaas_text) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_output(out, || Ok(Some(bindings::intent_json(utf8_or_empty(text, len, "text")?)))) }
}

/// Writes a text of `len` bytes, followed by the line that fills its one-time code in. `options` is a C string with a JSON object:
/// `{"host", "embeddedHost", "code", "appHash"}`, each a string and optional. `host` is the host of the page, `embeddedHost` that of
/// a frame in it, `code` the code (by default `{code}`, for the body of `otp.send`), `appHash` the hash of an Android app
/// (`cpaas_app_hash`). A host, the hash or both must be set; `code` requires a host. `out`, not NULL, receives the message.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_autofill_body(
    text: *const c_char,
    len: usize,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let text = utf8_or_empty(text, len, "text")?;
            let body = autofill::body_from_json(text, c_name(options, "options")?);
            Ok(Some(body.map_err(TextError::from)?))
        })
    }
}

/// Writes what a message of `len` bytes, or a body of `otp.send`, fills in as JSON: `{"host", "embeddedHost", "code", "appHash",
/// "problems"}`. The members are null if the message does not try to fill a code in; `problems` lists why it does not, each as in
/// the report of `cpaas_validate`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_check_autofill(
    message: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_output(out, || Ok(Some(autofill::check_json(utf8_or_empty(message, len, "message")?)))) }
}

/// Writes the hash by which SMS Retriever finds the app of a message: 11 characters. `package` is a C string, the name of the
/// Android package; `certificate` points to the `len` bytes of the certificate that signs the app, in DER. `out`, not NULL,
/// receives the hash.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_app_hash(
    package: *const c_char,
    certificate: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let package = c_name(package, "package")?;
            let certificate = bytes(certificate, len, "certificate")?;
            Ok(Some(autofill::app_hash(package, certificate).map_err(TextError::from)?))
        })
    }
}

/// Writes a number of `len` bytes in the form that is sent: the country code and the number, 7 to 15 digits. `region` is
/// NULL or a C string, an ISO 3166-1 alpha-2 code such as `GR`. With a region, the number may be in the national format of the
/// region; else it must begin with `+` or `00`, or be digits without separators and without a leading 0. White space, marks of
/// direction, `tel:`, separators, and after a country code `(0)` and a trunk prefix (`+44 07400 123456`), are removed; Arabic and
/// full-width digits become ASCII digits.
/// `out`, not NULL, receives the digits, or the reason `{"argument", "code", "message"}`. A region requires a library that was
/// built with the feature `phone`.
///
/// Errors: `CPAAS_BAD_TEXT` if the text is not a valid number (also for a region without the feature: the code `no_plans`),
/// `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_normalize_number(
    number: *const c_char,
    len: usize,
    region: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let number = utf8(number, len, "number")?;
            let region = if region.is_null() { None } else { Some(c_name(region, "region")?) };
            let digits = msisdn::normalize_number(number, region);
            digits.map(|digits| Some(digits.into_owned())).map_err(not_a_number)
        })
    }
}

fn not_a_number(reason: NotANumber) -> Failure {
    let argument = match reason {
        NotANumber::Region | NotANumber::NoPlans => "region",
        _ => "number",
    };
    let message = format!("`{argument}`: {reason}");
    let record = json!({"argument": argument, "code": reason.code(), "message": message});
    Failure::Output(cpaas_status::CPAAS_BAD_TEXT, Some(record.to_string()))
}

/// Checks a number of `len` bytes, in any notation, against the numbering plans. `region` is NULL or the region (ISO 3166-1
/// alpha-2, a C string such as "GR") in whose national form the number may be written. `out`, not NULL, receives JSON: `{"valid",
/// "possible", "region", "type"}`. A text that is not a number is neither valid nor possible. `region` is null if the number belongs to
/// no country; `type` is a word such as `"mobile"` or `"fixed_line"`.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"argument", "code", "message"}` in `out`; `code` is `"region"` for an unknown region and
/// `"no_plans"` if the library was built without the numbering plans (the feature `phone`). `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_check_number(
    number: *const c_char,
    len: usize,
    region: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let number = utf8(number, len, "number")?;
            let region = if region.is_null() { None } else { Some(c_name(region, "region")?) };
            check_number(number, region).map(Some).map_err(not_a_number)
        })
    }
}

#[cfg(feature = "phone")]
fn check_number(number: &str, region: Option<&str>) -> Result<String, NotANumber> {
    let check = msisdn::check_number(number, region)?;
    Ok(serde_json::to_string(&check).unwrap_or_default())
}

#[cfg(not(feature = "phone"))]
const fn check_number(_: &str, _: Option<&str>) -> Result<String, NotANumber> {
    Err(NotANumber::NoPlans)
}
