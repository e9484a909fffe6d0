//! The provider's errors, in the form of each family.

use axum::response::{IntoResponse, Response};
use cpaas::http::Family;
use serde_json::{Value, json as value};

use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::http_bodies::{BodyError, json, set_header};
use crate::options::{Options, OtpErrorStatus};

/// Why a request is rejected.
#[derive(Debug, Clone)]
pub(crate) struct ProviderError {
    /// The code in the body.
    pub(crate) code: i64,
    /// The HTTP status.
    pub(crate) status: u16,
    pub(crate) message: String,
    /// `messaging`: a JSON pointer to the member.
    pub(crate) field: Option<String>,
    /// Seconds until another attempt can succeed.
    pub(crate) retry_after: Option<u32>,
    /// The assumptions that the response depends on.
    pub(crate) assumed: AssumptionSet,
}

pub(crate) type ProviderResult<T> = Result<T, ProviderError>;

impl ProviderError {
    pub(crate) fn new(status: u16, code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            status,
            message: message.into(),
            field: None,
            retry_after: None,
            assumed: AssumptionSet::default(),
        }
    }

    /// Status and code are the same number.
    pub(crate) fn plain(code: u16, message: impl Into<String>) -> Self {
        Self::new(code, i64::from(code), message)
    }

    pub(crate) fn assuming(mut self, id: AssumptionId) -> Self {
        self.assumed.add(id);
        self
    }

    pub(crate) fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(u32::try_from(seconds.max(1)).unwrap_or(u32::MAX));
        self
    }

    /// The assumptions of this error and of the family's error form.
    pub(crate) fn assumptions(&self, family: Option<Family>) -> AssumptionSet {
        match family {
            Some(Family::Otp) => self.assumed.with(AssumptionId(1)),
            Some(Family::Sms) => self.assumed.with(AssumptionId(27)).with(AssumptionId(28)),
            Some(Family::Lookup) => self.assumed.with(AssumptionId(27)),
            Some(Family::MessengerC) => self.assumed.with(AssumptionId(57)),
            _ => self.assumed,
        }
    }

    pub(crate) fn reply(&self, family: Option<Family>, options: &Options) -> Response {
        let mut response = self.with_body(self.http_status(family, options), family);
        if self.status == 401 && family == Some(Family::Otp) {
            set_header(&mut response, "www-authenticate", "Basic realm=\"cpaas\", charset=\"UTF-8\"");
        }
        response
    }

    fn with_body(&self, status: u16, family: Option<Family>) -> Response {
        let mut response = json(status, &self.body(family));
        if let Some(seconds) = self.retry_after {
            set_header(&mut response, "retry-after", &seconds.to_string());
        }
        response
    }

    fn http_status(&self, family: Option<Family>, options: &Options) -> u16 {
        match (family, options.otp_error_status) {
            (Some(Family::Otp), OtpErrorStatus::Always200) => 200,
            (Some(Family::Otp), OtpErrorStatus::Semantic) => match self.code {
                492 | 495 => 409,
                493 | 499 => 404,
                _ => self.status,
            },
            (Some(Family::Sms), _) if options.sms_errors_under_200 => 200,
            _ => self.status,
        }
    }

    fn body(&self, family: Option<Family>) -> Value {
        match family {
            Some(Family::Otp) => value!({"code": self.code, "message": self.message, "requestID": null}),
            Some(Family::Sms) => value!({"responseCode": self.code, "responseText": self.message}),
            Some(Family::Lookup) => value!([{"response": self.code}]),
            Some(Family::MessengerB) => value!({"status": self.code, "status_message": self.message}),
            Some(Family::MessengerC) => {
                value!({"ok": false, "error_code": self.code, "description": self.message})
            }
            _ => match &self.field {
                Some(field) => value!({"code": self.code, "message": self.message, "field": field}),
                None => value!({"code": self.code, "message": self.message}),
            },
        }
    }
}

/// The error form of the control API and the pages.
impl IntoResponse for ProviderError {
    fn into_response(self) -> Response {
        self.with_body(self.status, None)
    }
}

impl From<BodyError> for ProviderError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => {
                let message = "the body must have at most 8 MiB (8,388,608 bytes) [sandbox]";
                Self::plain(413, message).assuming(AssumptionId(31))
            }
            BodyError::Incomplete => Self::plain(400, "the body ended early [sandbox]"),
            BodyError::Late => Self::plain(
                408,
                "the body did not arrive in time: send it faster, or raise --body-timeout [sandbox]",
            ),
        }
    }
}
