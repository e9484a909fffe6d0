use super::super::check;
use super::WorkflowResponse;
use crate::{error::Error, http::HttpRequest, reconcile::Gone, reconcile::Reconcile, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
};

model! {
    /// Deletes a workflow and returns it (A9).
    pub struct Delete {
        required {
            /// The id; prefix `WF`.
            sid: String = "sid",
        }
    }
}

impl Operation for Delete {
    const ID: &'static str = "otp.workflows.delete";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/2fa/workflows/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A9";
    type Output = WorkflowResponse;

    fn expected(&self) -> Expected {
        Expected { id: Some(self.sid.clone()), ..Expected::default() }
    }

    fn confirm(response: &mut WorkflowResponse, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        response.sid().map_or(Ok(()), |sid| expected.names(sid))
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.with_sid(self, &self.sid)
    }

    fn reconcile(&self, _wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        Some(Box::new(Gone::new(499)))
    }
}

impl Validate for Delete {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::sid(&self.sid, "WF", at, problems);
        members::unknown(self, at, problems);
    }
}
