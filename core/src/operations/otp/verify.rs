use super::OtpResponse;
#[cfg(feature = "wire")]
use crate::{error::Error, http::HttpRequest, wire::Wire};
use crate::{
    macros::model,
    operation::{Family, Method, Operation, Safety, Validate},
    problem::{Pointer, Problems},
};

model! {
    /// Checks a code that the recipient submitted (A3).
    pub struct Verify {
        required {
            /// The service identifier of the send.
            service: String = "service",
            /// The id that the send returned; prefix `OTP`.
            request_id: String = "requestId",
            /// The submitted code: a string, since a number would lose leading zeros.
            code: String = "code",
        }
    }
}

impl Operation for Verify {
    const ID: &'static str = "otp.verify";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/verify";
    const SAFETY: Safety = Safety::Verify;
    const SECTION: &'static str = "A3";
    type Output = OtpResponse;

    #[cfg(feature = "wire")]
    fn prepare(&self, wire: &Wire) -> Result<HttpRequest, Error> {
        wire.request::<Self>(Self::PATH)?.json(self)
    }
}

impl Validate for Verify {
    fn check(&self, _at: &Pointer<'_>, _problems: &mut Problems) {}
}
