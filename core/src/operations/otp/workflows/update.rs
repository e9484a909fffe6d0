use std::borrow::Cow;

use super::super::check::sid;
use super::check;
use super::{Step, WorkflowResponse};
use crate::{
    error::Error,
    http::HttpRequest,
    reconcile::Appended,
    reconcile::Reconcile,
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
    /// Changes a workflow (A9): `channels` adds entries, `description` replaces it. An unknown sid is 499.
    pub struct Update {
        required {
            /// The id; prefix `WF`.
            sid: String = "sid",
        }
        optional {
            /// The steps, in order; on the wire of a request a string that holds a JSON array.
            channels: Vec<Step> = "channels" ! OTP_LIST_TYPE,
            /// What it is for.
            description: String = "description",
        }
    }
}

impl Operation for Update {
    const ID: &'static str = "otp.workflows.update";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Put;
    const PATH: &'static str = "/2fa/workflows/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Append;
    const EVIDENCE: Evidence = Evidence::Code;
    const SECTION: &'static str = "A9";
    type Output = WorkflowResponse;

    /// Channels are appended; a description is set.
    fn safety(&self) -> RetrySafety {
        let appends =
            self.channels.as_ref().is_some_and(|channels| !channels.is_empty()) || !self.extra.is_empty();
        if appends { RetrySafety::Append } else { RetrySafety::Idempotent }
    }

    fn expected(&self) -> Expected {
        Expected { id: Some(self.sid.clone()), ..Expected::default() }
    }

    fn confirm(response: &mut WorkflowResponse, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        response.sid().map_or(Ok(()), |sid| expected.names(sid))
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut body = build::members(self);
        body.remove("sid");
        if let Some(channels) = &self.channels {
            build::set_text(&mut body, "channels", channels);
        }
        wire.with_sid(self, &self.sid)?.json(&body)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.merged::<Self>()?;
        members.parse_text("channels")?;
        members.into_json()
    }

    fn reconcile(&self, wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let get = super::Get::new(self.sid.clone()).prepare(wire).ok()?;
        let mut sent = build::members(self);
        sent.remove("sid");
        Some(Box::new(Appended::new(get, self.sid.clone(), sent)))
    }
}

impl Validate for Update {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        sid(&self.sid, "WF", at, problems);
        if self.channels.is_none() && self.description.is_none() && self.extra.is_empty() {
            problems.add(&codes::OTP_UPDATE_EMPTY, at);
        }
        check::steps(self.channels.as_deref().unwrap_or_default(), &at.key("channels"), problems);
        members::unknown(self, at, problems);
    }
}
