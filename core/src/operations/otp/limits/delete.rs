use super::super::check;
use super::LimitResponse;
use crate::{error::Error, http::HttpRequest, reconcile::Gone, reconcile::Reconcile, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
};

model! {
    /// Deletes a limit and returns it (A8).
    pub struct Delete {
        required {
            /// The id; prefix `LM`.
            sid: String = "sid",
        }
    }
}

impl Operation for Delete {
    const ID: &'static str = "otp.limits.delete";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/2fa/limits/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A8";
    type Output = LimitResponse;

    fn expected(&self) -> Expected {
        Expected { id: Some(self.sid.clone()), ..Expected::default() }
    }

    fn confirm(response: &mut LimitResponse, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        response.sid().map_or(Ok(()), |sid| expected.names(sid))
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.with_sid(self, &self.sid)
    }

    fn reconcile(&self, _wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        Some(Box::new(Gone::new(493)))
    }
}

impl Validate for Delete {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::sid(&self.sid, "LM", at, problems);
        members::unknown(self, at, problems);
    }
}
