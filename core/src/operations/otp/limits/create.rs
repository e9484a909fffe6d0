use std::borrow::Cow;

use super::super::check::required;
use super::check;
use super::{Bucket, LimitResponse};
use crate::{
    error::Error,
    http::HttpRequest,
    reconcile::ByName,
    reconcile::Reconcile,
    wire::RequestContext,
    wire::{DecodeError, WireRequest, build},
};
use crate::{
    macros::model,
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::members,
};

model! {
    /// Creates a limit (A8). Its name is unique: 492 when it exists.
    pub struct Create {
        required {
            /// The name, unique in the account.
            name: String = "name",
            /// The caps; on the wire a string that holds a JSON array.
            buckets: Vec<Bucket> = "buckets" ! OTP_LIST_TYPE,
            /// What it is for.
            description: String = "description",
        }
    }
}

impl Operation for Create {
    const ID: &'static str = "otp.limits.create";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/limits";
    const SAFETY: RetrySafety = RetrySafety::Create;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A8";
    type Output = LimitResponse;

    fn ids(response: &LimitResponse) -> Vec<&str> {
        response.sid().into_iter().collect()
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut body = build::members(self);
        build::set_text(&mut body, "buckets", &self.buckets);
        wire.request::<Self>(Self::PATH)?.json(&body)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.merged::<Self>()?;
        members.parse_text("buckets")?;
        members.into_json()
    }

    fn reconcile(&self, wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let wire = wire.clone();
        let list = move |page: Option<i64>| match page {
            None => super::List::new().prepare(&wire).ok(),
            Some(page) => super::List::new().page(page).prepare(&wire).ok(),
        };
        let mut sent = build::members(self);
        sent.remove("name");
        Some(Box::new(ByName::new(list, self.name.clone(), sent, 492)))
    }
}

impl Validate for Create {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.name, &codes::OTP_LIMIT_NAME_REQUIRED, at, "name", problems);
        if self.buckets.is_empty() {
            problems.add_key(&codes::OTP_LIMIT_BUCKETS_REQUIRED, at, "buckets");
        }
        check::buckets(&self.buckets, &at.key("buckets"), problems);
        required(&self.description, &codes::OTP_LIMIT_DESCRIPTION_REQUIRED, at, "description", problems);
        members::unknown(self, at, problems);
    }
}
