use super::OtpResponse;
use super::check::{self, required};
use crate::{
    error::Error, http::HttpRequest, reconcile::Reconcile, reconcile::Verified, wire::RequestContext,
};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::members,
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
    const SAFETY: RetrySafety = RetrySafety::Verify;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A3";
    type Output = OtpResponse;

    fn expected(&self) -> Expected {
        Expected { id: Some(self.request_id.clone()), ..Expected::default() }
    }

    /// A success names the passcode; a wrong code need not.
    fn confirm(response: &mut OtpResponse, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        match &response.request_id {
            None if response.is_ok() => Err(Doubt::Missing),
            None => Ok(()),
            Some(id) => expected.names(id),
        }
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.request::<Self>(Self::PATH)?.json(self)
    }

    fn reconcile(&self, wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let get = super::Get::new(self.request_id.clone()).prepare(wire).ok()?;
        Some(Box::new(Verified::new(get, self.request_id.clone(), self.code.clone())))
    }
}

impl Validate for Verify {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.service, &codes::OTP_SERVICE_REQUIRED, at, "service", problems);
        check::request_id(&self.request_id, at, problems);
        required(&self.code, &codes::OTP_CODE_REQUIRED, at, "code", problems);
        members::unknown(self, at, problems);
    }
}
