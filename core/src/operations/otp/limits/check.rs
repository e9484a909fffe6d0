use super::Bucket;
use crate::operations::otp::check::required;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::rules::members;
use crate::values::NumericText;

/// The caps of a limit.
pub(super) fn buckets(buckets: &[Bucket], at: &Pointer<'_>, problems: &mut Problems) {
    for (index, bucket) in buckets.iter().enumerate() {
        let at = &at.index(index);
        required(&bucket.name, &codes::OTP_BUCKET_NAME_REQUIRED, at, "name", problems);
        number(&bucket.max, &codes::OTP_BUCKET_MAX_REQUIRED, at, "max", problems);
        number(&bucket.interval, &codes::OTP_BUCKET_INTERVAL_REQUIRED, at, "interval", problems);
        members::unknown(bucket, at, problems);
    }
}

fn number(text: &NumericText, missing: &'static Code, at: &Pointer<'_>, name: &str, problems: &mut Problems) {
    let is_there = required(text.as_str(), missing, at, name, problems);
    if is_there && text.as_i64().is_none_or(|value| value < 1) {
        problems.add_key(&codes::OTP_BUCKET_NUMBER, at, name);
    }
}
