use super::Bucket;
use crate::operations::otp::check::required;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::rules::members;
use crate::values::NumericText;

/// The caps of a limit.
pub(super) fn buckets(buckets: &[Bucket], at: &Pointer<'_>, problems: &mut Problems) {
    for (index, bucket) in buckets.iter().enumerate() {
        let at = &at.index(index);
        required(&bucket.name, &codes::OTP_BUCKET_NAME_REQUIRED, &at.key("name"), problems);
        number(&bucket.max, &codes::OTP_BUCKET_MAX_REQUIRED, &at.key("max"), problems);
        number(&bucket.interval, &codes::OTP_BUCKET_INTERVAL_REQUIRED, &at.key("interval"), problems);
        members::unknown(bucket, &bucket.extra, at, problems);
    }
}

fn number(text: &NumericText, missing: &'static Code, at: &Pointer<'_>, problems: &mut Problems) {
    required(text.as_str(), missing, at, problems);
    if !text.as_str().trim().is_empty() && text.as_i64().is_none_or(|value| value < 1) {
        problems.add(&codes::OTP_BUCKET_NUMBER, at);
    }
}
