use super::OtpRecord;
use super::check;
use crate::{error::Error, http::HttpRequest, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
};

model! {
    /// Reads the record of one passcode (A5).
    pub struct Get {
        required {
            /// The id of the record; prefix `OTP`.
            sid: String = "sid",
        }
    }
}

impl Operation for Get {
    const ID: &'static str = "otp.get";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/search/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Record;
    const SECTION: &'static str = "A5";
    type Output = OtpRecord;

    fn expected(&self) -> Expected {
        Expected { id: Some(self.sid.clone()), ..Expected::default() }
    }

    fn confirm(record: &mut OtpRecord, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        record.sid.as_deref().map_or(Err(Doubt::Missing), |sid| expected.names(sid))
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.with_sid(self, &self.sid)
    }
}

impl Validate for Get {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::sid(&self.sid, "OTP", at, problems);
        members::unknown(self, at, problems);
    }
}
