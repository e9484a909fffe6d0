use std::borrow::Cow;

use super::super::check::sid;
use super::check;
use super::{Bucket, LimitResponse};
use crate::{
    error::Error,
    http::HttpRequest,
    wire::RequestContext,
    wire::{DecodeError, WireRequest, build},
};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::members,
};

model! {
    /// Changes a limit (A8); a member left out stays as it is. An unknown sid is 493.
    pub struct Update {
        required {
            /// The id; prefix `LM`.
            sid: String = "sid",
        }
        optional {
            /// The caps; on the wire a string that holds a JSON array.
            buckets: Vec<Bucket> = "buckets" ! OTP_LIST_TYPE,
            /// What it is for.
            description: String = "description",
        }
    }
}

impl Operation for Update {
    const ID: &'static str = "otp.limits.update";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Put;
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
        let mut body = build::members(self);
        body.remove("sid");
        if let Some(buckets) = &self.buckets {
            build::set_text(&mut body, "buckets", buckets);
        }
        wire.with_sid(self, &self.sid)?.json(&body)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.merged::<Self>()?;
        members.parse_text("buckets")?;
        members.into_json()
    }
}

impl Validate for Update {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        sid(&self.sid, "LM", at, problems);
        if self.buckets.is_none() && self.description.is_none() && self.extra.is_empty() {
            problems.add(&codes::OTP_UPDATE_EMPTY, at);
        }
        check::buckets(self.buckets.as_deref().unwrap_or_default(), &at.key("buckets"), problems);
        members::unknown(self, at, problems);
    }
}
