use std::borrow::Cow;

use super::super::check::required;
use super::check;
use super::{Step, WorkflowResponse};
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
    /// Creates a workflow (A9). Its name is unique: 495 when it exists.
    pub struct Create {
        required {
            /// The name, unique in the account.
            name: String = "name",
            /// The steps, in order; on the wire of a request a string that holds a JSON array.
            channels: Vec<Step> = "channels" ! OTP_LIST_TYPE,
        }
        optional {
            /// What it is for.
            description: String = "description",
        }
    }
}

impl Operation for Create {
    const ID: &'static str = "otp.workflows.create";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/workflows";
    const SAFETY: RetrySafety = RetrySafety::Create;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A9";
    type Output = WorkflowResponse;

    fn ids(response: &WorkflowResponse) -> Vec<&str> {
        response.sid().into_iter().collect()
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut body = build::members(self);
        build::set_text(&mut body, "channels", &self.channels);
        wire.request::<Self>(Self::PATH)?.json(&body)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.merged::<Self>()?;
        members.parse_text("channels")?;
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
        Some(Box::new(ByName::new(list, self.name.clone(), sent, 495)))
    }
}

impl Validate for Create {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.name, &codes::OTP_WORKFLOW_NAME_REQUIRED, at, "name", problems);
        if self.channels.is_empty() {
            problems.add_key(&codes::OTP_WORKFLOW_CHANNELS_REQUIRED, at, "channels");
        }
        check::steps(&self.channels, &at.key("channels"), problems);
        members::unknown(self, at, problems);
    }
}
