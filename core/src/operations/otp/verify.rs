use super::OtpResponse;
#[cfg(feature = "wire")]
use crate::{error::Error, http::HttpRequest, reconcile::Reconcile, reconcile::Verified, wire::Wire};
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

    #[cfg(feature = "wire")]
    fn reconcile(&self, wire: &Wire) -> Option<Box<dyn Reconcile>> {
        let get = super::Get::new(self.request_id.clone()).prepare(wire).ok()?;
        Some(Box::new(Verified::new(get, self.request_id.clone(), self.code.clone())))
    }
}

impl Validate for Verify {
    fn check(&self, _at: &Pointer<'_>, _problems: &mut Problems) {}
}
