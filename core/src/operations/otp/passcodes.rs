//! Sends (A1), verifies (A3) and cancels (A4) passcodes.

use super::otp_rules::{self, required};
use super::record_creation;
use super::{Code, GetPasscode, RequestId, SearchPasscodes};
use crate::error::Error;
use crate::http::HttpRequest;
use crate::member_types::{Scalar, StringMap};
use crate::model::{model, open_enum};
use crate::operation::{
    Family, Method, Operation, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::reconcile::{ByRecipient, Cancelled, Reconcile, SentPasscode, Verified, by_recipient};
use crate::request::{RequestContext, encoding};
use crate::rules::{formats, unknown_members};
use crate::text::autofill;
use crate::util::contains;

model! {
    /// Sends a one-time passcode by SMS or by a text-to-speech call (A1).
    ///
    /// The members that set the language, the voice or a code chosen by the caller are undocumented. Undocumented members are sent
    /// unchanged.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::SendPasscode;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let sent = client.call(SendPasscode::new("login", "Acme", "306912345678", "Your code is {code}")).await?;
    /// let request_id = sent.request_id.clone().ok_or("no request id")?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct SendPasscode {
        required {
            /// The service identifier.
            service: String = "service" where NotBlank,
            /// The sender.
            from: String = "from" | "From" where NotBlank,
            /// The recipient's number.
            to: String = "to" | "To" where Phone & NotBlank,
            /// The message text; `{code}` is replaced by a random six-digit code.
            body: String = "body" where NotBlank,
        }
        optional {
            /// `call` speaks the code, `sms` writes it; the default is not documented.
            channel: OtpChannel = "channel" where Shown,
            /// The name of each limit that applies, with the value that it counts, such as an IP address or a phone number.
            limits: StringMap = "limits",
            /// The time for which an earlier passcode stays valid after a new one is sent; type and unit are undocumented.
            guard_time: Scalar = "guardTime",
        }
    }
}

impl Operation for SendPasscode {
    const ID: &'static str = "otp.send";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/send";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A1";
    type Output = OtpResponse;

    fn confirm(
        response: &mut OtpResponse,
        _: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        record_creation::created(response.id())
    }

    fn ids(response: &OtpResponse) -> Vec<&str> {
        response.id().into_iter().collect()
    }

    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let mut body = encoding::members(self);
        if context.names.otp_capitalized_names {
            encoding::rename(&mut body, "from", "From");
            encoding::rename(&mut body, "to", "To");
        }
        context.request(&Self::META, Self::PATH)?.json(&body)
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        context.finds_passcodes.then(|| -> Box<dyn Reconcile> {
            let sent = SentPasscode {
                service: self.service.clone(),
                sender: self.from.clone(),
                recipient: self.to.clone(),
            };
            let context = context.clone();
            let list = move |page| {
                let search = SearchPasscodes {
                    page,
                    page_size: Some(by_recipient::PAGE_SIZE),
                    ..SearchPasscodes::default()
                };
                search.encode_request(&context).ok()
            };
            Box::new(ByRecipient::new(list, sent))
        })
    }
}

impl Validate for SendPasscode {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.service, &codes::OTP_SERVICE_REQUIRED, at, "service", problems);
        required(&self.from, &codes::OTP_FROM_REQUIRED, at, "from", problems);
        let has_to = required(&self.to, &codes::OTP_TO_REQUIRED, at, "to", problems);
        if has_to && !formats::is_phone(&self.to) {
            let fix = formats::number_fix(&self.to);
            problems.report_key(&codes::OTP_TO_NOT_PHONE, at, "to").fix(fix);
        }
        let has_body = required(&self.body, &codes::OTP_BODY_REQUIRED, at, "body", problems);
        if has_body && !contains(&self.body, "{code}") {
            problems.add_key(&codes::OTP_BODY_NO_CODE, at, "body");
        }
        if has_body && (contains(&self.body, "{{code}") || contains(&self.body, "{code}}")) {
            problems.add_key(&codes::OTP_BODY_CODE_BRACES, at, "body");
        }
        if has_body && problems.keeps(&codes::OTP_BODY_AUTOFILL_FORMAT) {
            let found = autofill::report(&self.body, &at.key("body"), problems);
            if found.is_some() && self.channel == Some(OtpChannel::Call) {
                problems.add_key(&codes::OTP_BODY_AUTOFILL_CALL, at, "body");
            }
        }
        otp_rules::channel(self.channel.as_ref(), at, problems);
        if let Some(limits) = &self.limits {
            for (name, value) in limits.iter() {
                if name.trim().is_empty() || value.trim().is_empty() {
                    problems.add_key(&codes::OTP_LIMITS_EMPTY, &at.key("limits"), name);
                }
            }
        }
        if self.guard_time.as_ref().is_some_and(|time| !is_duration(time)) {
            problems.add_key(&codes::OTP_GUARD_TIME_INVALID, at, "guardTime");
        }
        unknown_members::unknown(self, at, problems);
    }
}

/// Whether a guard time is an integer of 0 or more, however large.
fn is_duration(time: &Scalar) -> bool {
    let is_large = match time {
        Scalar::Number(number) => number.as_u64().is_some(),
        Scalar::Text(text) => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
    };
    is_large || time.as_i64().is_some_and(|time| time >= 0)
}

model! {
    /// Checks a code that the recipient submitted (A3).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::{Code, VerifyPasscode};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # use cpaas::otp::SendPasscode;
    /// # let sent = client.call(SendPasscode::new("login", "Acme", "306912345678", "Your code is {code}")).await?;
    /// # let request_id = sent.request_id.clone().ok_or("no request id")?;
    /// # let sms = cpaas_sandbox::MessageFilter::to("306912345678").contains("code");
    /// # let sms = sandbox.wait_for(&sms, std::time::Duration::from_secs(5)).await.ok_or("no SMS")?;
    /// # let code = sms.otp.ok_or("no code")?;
    /// // `request_id` is from the response to the send, `code` from the recipient.
    /// match client.call(VerifyPasscode::new("login", request_id, Code::new(code))).await {
    ///     Ok(_) => println!("verified"),
    ///     Err(error) if error.reason == cpaas::error::Reason::NotVerified => println!("wrong code"),
    ///     Err(error) => return Err(error.into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct VerifyPasscode {
        required {
            /// The service identifier of the send.
            service: String = "service" where NotBlank,
            /// The `requestID` that the send returned; it begins with `OTP`.
            request_id: RequestId = "requestId" where Shown & NotBlank,
            /// The submitted code: a string, because a number would lose leading zeros.
            code: Code = "code" where NotBlank,
        }
    }
}

impl Operation for VerifyPasscode {
    const ID: &'static str = "otp.verify";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/verify";
    const SAFETY: RetrySafety = RetrySafety::Verify;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A3";
    const IS_NOT_VERIFIED: Option<fn(&OtpResponse) -> bool> = Some(|response| !response.is_ok());
    const STATUSES: &'static [u16] = &[410];
    type Output = OtpResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation {
            id: Some(self.request_id.clone().into()),
            ..ResponseExpectation::with_secret(self.code.as_str())
        }
    }

    /// A successful verification must contain the id of the passcode; the response to a wrong code may omit it.
    fn confirm(
        response: &mut OtpResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        let id = response.id();
        if response.is_ok() { expected.check_id(id) } else { expected.check_optional_id(id) }
    }

    /// The passcode of the request, which the call did not create.
    fn id(response: &OtpResponse) -> Option<&str> {
        response.id()
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let get = GetPasscode::new(&self.request_id).encode_request(context).ok()?;
        Some(Box::new(Verified::new(get, self.request_id.clone(), self.code.clone())))
    }
}

impl Validate for VerifyPasscode {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.service, &codes::OTP_SERVICE_REQUIRED, at, "service", problems);
        otp_rules::request_id(self.request_id.as_str(), at, problems);
        required(self.code.as_str(), &codes::OTP_CODE_REQUIRED, at, "code", problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Cancels a pending passcode (A4).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::CancelPasscode;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # use cpaas::otp::SendPasscode;
    /// # let sent = client.call(SendPasscode::new("login", "Acme", "306912345678", "Your code is {code}")).await?;
    /// # let request_id = sent.request_id.clone().ok_or("no request id")?;
    /// client.call(CancelPasscode::new(request_id)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct CancelPasscode {
        required {
            /// The id that the send returned; prefix `OTP`.
            request_id: RequestId = "requestId" where Shown & NotBlank,
        }
        optional {
            /// The account. If it is absent, the client sends that of the configuration, because the provider requires it.
            account_sid: String = "accountSid",
        }
    }
}

impl Operation for CancelPasscode {
    const ID: &'static str = "otp.cancel";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/cancel";
    const SAFETY: RetrySafety = RetrySafety::Cancel;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A4";
    const STATUSES: &'static [u16] = &[410];
    type Output = OtpResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(self.request_id.as_str())
    }

    fn confirm(
        response: &mut OtpResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        response.check_not("OK")?;
        expected.check_optional_id(response.id())
    }

    fn apply_defaults(&mut self, context: &RequestContext) {
        context.fill_account_sid(&mut self.account_sid);
    }

    /// The passcode of the request, which the call did not create.
    fn id(response: &OtpResponse) -> Option<&str> {
        response.id()
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let get = GetPasscode::new(&self.request_id).encode_request(context).ok()?;
        Some(Box::new(Cancelled::new(get, self.request_id.clone())))
    }
}

impl Validate for CancelPasscode {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::request_id(self.request_id.as_str(), at, problems);
        let account = self.account_sid.as_deref();
        required(account.unwrap_or_default(), &codes::OTP_ACCOUNT_SID_REQUIRED, at, "accountSid", problems);
        otp_rules::account_sid(account, at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

open_enum! {
    /// The channel of a passcode (A1, A5, A7).
    pub enum OtpChannel {
        /// By SMS.
        Sms = "sms",
        /// By a text-to-speech call.
        Call = "call",
    }
}

model! {
    /// The response to send, verify and cancel (A2).
    pub struct OtpResponse {
        verdict {
            /// 200 on success.
            code: i64 = "code",
        }
        documented {
            /// `OK`, or `canceled` after a cancel.
            message: String = "message",
        }
        optional {
            /// The id of the passcode, prefix `OTP`; null in error bodies.
            request_id: RequestId = "requestID" where Shown,
        }
    }
}

impl OtpResponse {
    /// Whether `code` is 200, which means success. After `otp.verify` with JSON: whether the submitted code was valid. A typed
    /// call returns an error for a code that is not valid.
    #[must_use]
    pub const fn is_ok(&self) -> bool {
        self.code == 200
    }

    fn id(&self) -> Option<&str> {
        self.request_id.as_ref().map(RequestId::as_str)
    }

    /// Checks that a success has not the message of another call (A2): the responses to send, verify and cancel have the same form.
    fn check_not(&self, of_other: &str) -> Result<(), Unconfirmed> {
        let message = self.message.as_deref().unwrap_or_default().trim();
        if message.eq_ignore_ascii_case(of_other) { Err(Unconfirmed::Mismatch) } else { Ok(()) }
    }
}
