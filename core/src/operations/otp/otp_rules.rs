//! Rules that several operations of the family `otp` share.

use super::OtpChannel;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::rules::allowed_values;
use crate::rules::formats::{DateCodes, date_range};
use crate::rules::url::is_dot_segment;

/// Checks a required string; returns whether it is set.
pub(super) fn required(
    text: &str,
    code: &'static Code,
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) -> bool {
    let is_set = !text.trim().is_empty();
    if !is_set {
        problems.add_key(code, at, name);
    }
    is_set
}

/// Checks that a string, if it is set, starts with a prefix.
fn prefixed(
    text: &str,
    prefix: &str,
    code: &'static Code,
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) {
    if !text.trim().is_empty() && !text.starts_with(prefix) {
        problems.report_key(code, at, name).param("prefix", prefix);
    }
}

/// Checks the id of a record, which is a segment of the path.
pub(super) fn sid(sid: &str, prefix: &str, at: &Pointer<'_>, problems: &mut Problems) {
    required(sid, &codes::OTP_SID_REQUIRED, at, "sid", problems);
    if is_dot_segment(sid) {
        return problems.add_key(&codes::OTP_SID_DOTS, at, "sid");
    }
    prefixed(sid, prefix, &codes::OTP_SID_PREFIX, at, "sid", problems);
}

pub(super) fn request_id(id: &str, at: &Pointer<'_>, problems: &mut Problems) {
    required(id, &codes::OTP_REQUEST_ID_REQUIRED, at, "requestId", problems);
    prefixed(id, "OTP", &codes::OTP_REQUEST_ID_PREFIX, at, "requestId", problems);
}

pub(super) fn account_sid(sid: Option<&str>, at: &Pointer<'_>, problems: &mut Problems) {
    let sid = sid.unwrap_or_default();
    prefixed(sid, "AC", &codes::OTP_ACCOUNT_SID_PREFIX, at, "accountSid", problems);
}

pub(super) fn pages(size: Option<i64>, page: Option<i64>, at: &Pointer<'_>, problems: &mut Problems) {
    if size.is_some_and(|size| size < 1) {
        problems.add_key(&codes::OTP_PAGE_SIZE, at, "pageSize");
    }
    if page.is_some_and(|page| page < 0) {
        problems.add_key(&codes::OTP_PAGE, at, "page");
    }
}

pub(super) fn channel(channel: Option<&OtpChannel>, at: &Pointer<'_>, problems: &mut Problems) {
    if let Some(OtpChannel::Other(value)) = channel {
        let code = &codes::OTP_CHANNEL_UNKNOWN;
        allowed_values::unknown(code, value, OtpChannel::VALUES, at, "channel", problems);
    }
}

/// Checks the range of days and the channel of a usage operation.
pub(super) fn usage(
    start: Option<&str>,
    end: Option<&str>,
    filter: Option<&OtpChannel>,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let codes = DateCodes { invalid: &codes::OTP_DATE_INVALID, order: &codes::OTP_DATE_ORDER };
    date_range(&codes, start, end, at, problems);
    channel(filter, at, problems);
}
