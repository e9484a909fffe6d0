//! Codes of one-time passcodes, limits and workflows (A1-A9).

use crate::problem::code::codes;

codes! {
    OTP_SERVICE_REQUIRED = "otp.service.required", Error, "spec A1", "the service identifier is missing or blank";
    OTP_FROM_REQUIRED = "otp.from.required", Error, "spec A1", "the sender is missing or blank";
    OTP_TO_REQUIRED = "otp.to.required", Error, "spec A1", "the recipient's number is missing or blank";
    OTP_TO_NOT_PHONE = "otp.to.not_phone", Warning, "field", "the recipient does not look like a phone number: 7 to 15 digits";
    OTP_BODY_REQUIRED = "otp.body.required", Error, "spec A1", "the message text is missing or blank";
    OTP_BODY_NO_CODE = "otp.body.no_code", Warning, "spec A1", "the text has no `{code}`, which is replaced by the passcode";
    OTP_CHANNEL_UNKNOWN = "otp.channel.unknown", Warning, "spec A1", "the channel is none of those that the specification shows";
    OTP_LIMITS_EMPTY = "otp.limits.empty", Warning, "spec A1", "the name of a limit, or the value that it counts, is empty";
    OTP_GUARD_TIME_INVALID = "otp.guard_time.invalid", Warning, "spec A1", "must be an integer of 0 or more, as a number or a numeric string; the unit is not documented";
    OTP_REQUEST_ID_REQUIRED = "otp.request_id.required", Error, "spec A3", "the id of the passcode's request is missing or blank";
    OTP_REQUEST_ID_PREFIX = "otp.request_id.prefix", Warning, "spec Conventions", "ids of passcodes begin with `OTP`";
    OTP_CODE_REQUIRED = "otp.code.required", Error, "spec A3", "the submitted code is missing or blank";
    OTP_ACCOUNT_SID_REQUIRED = "otp.account_sid.required", Error, "spec A4", "the account is missing or blank";
    OTP_ACCOUNT_SID_PREFIX = "otp.account_sid.prefix", Warning, "spec Conventions", "ids of accounts begin with `AC`";
    OTP_SID_REQUIRED = "otp.sid.required", Error, "spec Endpoints", "the id of the record is missing or blank";
    OTP_SID_DOTS = "otp.sid.dots", Error, "RFC 3986", "`.` and `..` lead to another path: the id must be neither";
    OTP_SID_PREFIX = "otp.sid.prefix", Warning, "spec Conventions", "the id does not begin with the prefix of its kind";
    OTP_PAGE_SIZE = "otp.page_size", Warning, "field", "a page holds one record or more";
    OTP_PAGE = "otp.page", Warning, "field", "pages are not counted below 0";
    OTP_DATE_INVALID = "otp.date.invalid", Error, "spec Endpoints", "not a day of the calendar in the form YYYY-MM-DD";
    OTP_DATE_ORDER = "otp.date.order", Warning, "field", "the range ends before it begins";
    OTP_LIST_TYPE = "otp.list.type", Error, "spec A8/A9", "must be a JSON array, or a string that holds one";
    OTP_LIMIT_NAME_REQUIRED = "otp.limit.name.required", Error, "spec A8", "the name of the limit is missing or blank";
    OTP_LIMIT_BUCKETS_REQUIRED = "otp.limit.buckets.required", Error, "spec A8", "the limit has no bucket";
    OTP_LIMIT_DESCRIPTION_REQUIRED = "otp.limit.description.required", Error, "spec A8", "the description of the limit is missing or blank";
    OTP_BUCKET_NAME_REQUIRED = "otp.bucket.name.required", Error, "spec A8", "the name of the bucket is missing or blank";
    OTP_BUCKET_MAX_REQUIRED = "otp.bucket.max.required", Error, "spec A8", "the bucket has no maximum";
    OTP_BUCKET_INTERVAL_REQUIRED = "otp.bucket.interval.required", Error, "spec A8", "the bucket has no interval";
    OTP_BUCKET_NUMBER = "otp.bucket.number", Warning, "field", "not the text of a whole number above 0";
    OTP_WORKFLOW_NAME_REQUIRED = "otp.workflow.name.required", Error, "spec Endpoints", "the name of the workflow is missing or blank";
    OTP_WORKFLOW_CHANNELS_REQUIRED = "otp.workflow.channels.required", Error, "spec Endpoints", "the workflow has no step";
    OTP_WORKFLOW_CHANNEL_REQUIRED = "otp.workflow.channel.required", Error, "spec A9", "the step names no channel";
    OTP_WORKFLOW_CHANNEL_UNKNOWN = "otp.workflow.channel.unknown", Error, "spec A9", "the channel of a step is sms or voice";
    OTP_WORKFLOW_INTERVAL_REQUIRED = "otp.workflow.interval.required", Error, "spec A9", "the step has no interval";
    OTP_WORKFLOW_INTERVAL = "otp.workflow.interval", Warning, "field", "must be an integer of 0 or more, as a string";
    OTP_UPDATE_EMPTY = "otp.update.empty", Warning, "field", "nothing is to be changed";
}
