use super::OtpResponse;
use super::check::{self, required};
use crate::{
    error::Error, http::HttpRequest, reconcile::Cancelled, reconcile::Reconcile, wire::RequestContext,
};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::members,
};

model! {
    /// Cancels a pending passcode (A4).
    pub struct Cancel {
        required {
            /// The id that the send returned; prefix `OTP`.
            request_id: String = "requestId",
        }
        optional {
            /// The account, which the specification requires; the configuration's when absent.
            account_sid: String = "accountSid",
        }
    }
}

impl Operation for Cancel {
    const ID: &'static str = "otp.cancel";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/cancel";
    const SAFETY: RetrySafety = RetrySafety::Cancel;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A4";
    type Output = OtpResponse;

    fn expected(&self) -> Expected {
        Expected { id: Some(self.request_id.clone()), ..Expected::default() }
    }

    fn confirm(response: &mut OtpResponse, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        response.request_id.as_deref().map_or(Ok(()), |id| expected.names(id))
    }

    fn complete(&mut self, wire: &RequestContext) {
        wire.fill_account_sid(&mut self.account_sid);
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.request::<Self>(Self::PATH)?.json(self)
    }

    fn reconcile(&self, wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let get = super::Get::new(self.request_id.clone()).prepare(wire).ok()?;
        Some(Box::new(Cancelled::new(get, self.request_id.clone())))
    }
}

impl Validate for Cancel {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::request_id(&self.request_id, at, problems);
        let account = self.account_sid.as_deref();
        required(account.unwrap_or_default(), &codes::OTP_ACCOUNT_SID_REQUIRED, at, "accountSid", problems);
        check::account_sid(account, at, problems);
        members::unknown(self, at, problems);
    }
}
