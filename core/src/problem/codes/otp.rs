//! Codes of one-time passcodes, limits and workflows (A1-A9).

use crate::problem::code::codes;

codes! {
    OTP_SERVICE_REQUIRED = "otp.service.required", Error, "spec A1", "must not be missing or blank";
    OTP_FROM_REQUIRED = "otp.from.required", Error, "spec A1", "must not be missing or blank";
    OTP_TO_REQUIRED = "otp.to.required", Error, "spec A1", "must not be missing or blank";
    OTP_TO_NOT_PHONE = "otp.to.not_phone", Warning, "field", "should be a phone number of 7 to 15 digits";
    OTP_BODY_REQUIRED = "otp.body.required", Error, "spec A1", "must not be missing or blank";
    OTP_BODY_NO_CODE = "otp.body.no_code", Warning, "spec A1", "the text has no `{code}`, which is replaced by the passcode";
    OTP_CHANNEL_UNKNOWN = "otp.channel.unknown", Warning, "spec A1", "unknown channel";
    OTP_LIMITS_EMPTY = "otp.limits.empty", Warning, "spec A1", "the name of a limit and the value that it counts must not be empty";
    OTP_GUARD_TIME_INVALID = "otp.guard_time.invalid", Warning, "spec A1", "must be an integer of 0 or more, as a number or a numeric string; the unit is not documented";
    OTP_REQUEST_ID_REQUIRED = "otp.request_id.required", Error, "spec A3", "must not be missing or blank";
    OTP_REQUEST_ID_PREFIX = "otp.request_id.prefix", Warning, "spec Conventions", "a passcode id should start with `OTP`";
    OTP_CODE_REQUIRED = "otp.code.required", Error, "spec A3", "must not be missing or blank";
    OTP_ACCOUNT_SID_REQUIRED = "otp.account_sid.required", Error, "spec A4", "must not be missing or blank";
    OTP_ACCOUNT_SID_PREFIX = "otp.account_sid.prefix", Warning, "spec Conventions", "an account id should start with `AC`";
    OTP_SID_REQUIRED = "otp.sid.required", Error, "spec Endpoints", "must not be missing or blank";
    OTP_SID_DOTS = "otp.sid.dots", Error, "RFC 3986", "must not be `.` or `..`, which change the path of the URL";
    OTP_SID_PREFIX = "otp.sid.prefix", Warning, "spec Conventions", "the id should start with the prefix of its kind";
    OTP_PAGE_SIZE = "otp.page_size", Warning, "field", "must be 1 or greater";
    OTP_PAGE = "otp.page", Warning, "field", "must be 0 or greater";
    OTP_DATE_INVALID = "otp.date.invalid", Error, "spec Endpoints", "must be a calendar date in the form YYYY-MM-DD";
    OTP_DATE_ORDER = "otp.date.order", Warning, "field", "the end date must not be before the start date";
    OTP_LIST_TYPE = "otp.list.type", Error, "spec A8/A9", "must be a JSON array, or a string that holds one";
    OTP_LIMIT_NAME_REQUIRED = "otp.limit.name.required", Error, "spec A8", "must not be missing or blank";
    OTP_LIMIT_BUCKETS_REQUIRED = "otp.limit.buckets.required", Error, "spec A8", "must contain at least one bucket";
    OTP_LIMIT_DESCRIPTION_REQUIRED = "otp.limit.description.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_NAME_REQUIRED = "otp.bucket.name.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_MAX_REQUIRED = "otp.bucket.max.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_INTERVAL_REQUIRED = "otp.bucket.interval.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_NUMBER = "otp.bucket.number", Warning, "field", "must be a positive integer, written as a string";
    OTP_WORKFLOW_NAME_REQUIRED = "otp.workflow.name.required", Error, "spec Endpoints", "must not be missing or blank";
    OTP_WORKFLOW_CHANNELS_REQUIRED = "otp.workflow.channels.required", Error, "spec Endpoints", "must contain at least one step";
    OTP_WORKFLOW_CHANNEL_REQUIRED = "otp.workflow.channel.required", Error, "spec A9", "must not be missing";
    OTP_WORKFLOW_CHANNEL_UNKNOWN = "otp.workflow.channel.unknown", Error, "spec A9", "must be a documented channel";
    OTP_WORKFLOW_INTERVAL_REQUIRED = "otp.workflow.interval.required", Error, "spec A9", "must not be missing";
    OTP_WORKFLOW_INTERVAL = "otp.workflow.interval", Warning, "field", "must be an integer of 0 or more, written as a string";
    OTP_UPDATE_EMPTY = "otp.update.empty", Warning, "field", "the request changes nothing";
}
