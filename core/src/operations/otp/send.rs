#[cfg(feature = "wire")]
use crate::{error::Error, http::HttpRequest, wire::Wire, wire::build};
use crate::{
    macros::model,
    operation::{Family, Method, Operation, Safety, Validate},
    problem::{Pointer, Problems},
    values::Scalar,
};
use std::collections::BTreeMap;

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
            limits: BTreeMap<String, String> = "limits",
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
    const SAFETY: Safety = Safety::Send;
    const SECTION: &'static str = "A1";
    type Output = OtpResponse;

    #[cfg(feature = "wire")]
    fn prepare(&self, wire: &Wire) -> Result<HttpRequest, Error> {
        let mut body = build::members(self);
        if wire.names.voice_capitals {
            build::rename(&mut body, "from", "From");
            build::rename(&mut body, "to", "To");
        }
        wire.request::<Self>(Self::PATH)?.json(&body)
    }
}

impl Validate for Send {
    fn check(&self, _at: &Pointer<'_>, _problems: &mut Problems) {}
}
