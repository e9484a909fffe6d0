use crate::{error::Error, http::HttpRequest, wire::RequestContext, wire::build};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::{formats, members},
    values::{Scalar, StringMap},
};

use super::check::{self, required};
use super::{OtpChannel, OtpResponse};

model! {
    /// Sends a one-time passcode by SMS or by a text-to-speech call (A1).
    ///
    /// The specification names no member for the language, the voice and a code of the caller's own:
    /// such members go through `extra`.
    pub struct Send {
        required {
            /// The service identifier.
            service: String = "service",
            /// The sender.
            from: String = "from" | "From",
            /// The recipient's number.
            to: String = "to" | "To",
            /// The message text; `{code}` is replaced by a random six-digit code.
            body: String = "body",
        }
        optional {
            /// `call` speaks the code, `sms` writes it; the default is not shown.
            channel: OtpChannel = "channel",
            /// The name of each limit that applies, with the value that it counts: an IP address, a number.
            limits: StringMap = "limits",
            /// How long the earlier passcode stays valid when a new one follows; type and unit are not shown.
            guard_time: Scalar = "guardTime",
        }
    }
}

impl Operation for Send {
    const ID: &'static str = "otp.send";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/send";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A1";
    type Output = OtpResponse;

    fn confirm(response: &mut OtpResponse, _: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        if response.request_id.as_deref().unwrap_or_default().is_empty() {
            Err(Doubt::IdMissing)
        } else {
            Ok(())
        }
    }

    fn ids(response: &OtpResponse) -> Vec<&str> {
        response.request_id.as_deref().into_iter().collect()
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut body = build::members(self);
        if wire.names.voice_capitals {
            build::rename(&mut body, "from", "From");
            build::rename(&mut body, "to", "To");
        }
        wire.request::<Self>(Self::PATH)?.json(&body)
    }
}

impl Validate for Send {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.service, &codes::OTP_SERVICE_REQUIRED, at, "service", problems);
        required(&self.from, &codes::OTP_FROM_REQUIRED, at, "from", problems);
        let has_to = required(&self.to, &codes::OTP_TO_REQUIRED, at, "to", problems);
        if has_to && !formats::is_phone(&self.to) {
            problems.add_key(&codes::OTP_TO_NOT_PHONE, at, "to");
        }
        let has_body = required(&self.body, &codes::OTP_BODY_REQUIRED, at, "body", problems);
        if has_body && !self.body.as_bytes().windows(6).any(|place| place == b"{code}") {
            problems.add_key(&codes::OTP_BODY_NO_CODE, at, "body");
        }
        check::channel(self.channel.as_ref(), at, problems);
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
        members::unknown(self, at, problems);
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
