use super::check;
use super::{OtpChannel, UsageRecords};
use crate::{error::Error, http::HttpRequest, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
};

model! {
    /// Counts passcodes over a range of days (A7).
    pub struct Usage {
        optional {
            /// The first day: `YYYY-MM-DD`.
            start_date: String = "startDate",
            /// The last day: `YYYY-MM-DD`.
            end_date: String = "endDate",
            /// Only passcodes of this channel.
            channel: OtpChannel = "channel",
        }
    }
}

impl Operation for Usage {
    const ID: &'static str = "otp.usage";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/usage/records";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Record;
    const SECTION: &'static str = "A7";
    type Output = UsageRecords;

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.get(self)
    }
}

impl Validate for Usage {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let (start, end) = (self.start_date.as_deref(), self.end_date.as_deref());
        check::usage(start, end, self.channel.as_ref(), at, problems);
        members::unknown(self, at, problems);
    }
}
