use super::super::check;
use super::LimitResponse;
use crate::{error::Error, http::HttpRequest, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
};

model! {
    /// Reads one limit (A8).
    pub struct Get {
        required {
            /// The id; prefix `LM`.
            sid: String = "sid",
        }
    }
}

impl Operation for Get {
    const ID: &'static str = "otp.limits.get";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/limits/search/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Record;
    const SECTION: &'static str = "A8";
    type Output = LimitResponse;

    fn expected(&self) -> Expected {
        Expected { id: Some(self.sid.clone()), ..Expected::default() }
    }

    fn confirm(response: &mut LimitResponse, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        response.sid().map_or(Err(Doubt::Missing), |sid| expected.names(sid))
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.with_sid(self, &self.sid)
    }
}

impl Validate for Get {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::sid(&self.sid, "LM", at, problems);
        members::unknown(self, at, problems);
    }
}
