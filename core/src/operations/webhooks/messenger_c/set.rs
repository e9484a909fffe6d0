use std::borrow::Cow;

use super::BotAnswer;
use crate::{
    answer,
    error::Error,
    http::HttpRequest,
    http::HttpResponse,
    operation::ResponseDecodeError,
    wire::RequestContext,
    wire::{DecodeError, WireRequest, build},
};
use crate::{
    macros::model,
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::{members, url, webhook},
};

model! {
    /// Registers the webhook of a `messenger_c` bot (endpoints of D).
    pub struct Set {
        required {
            /// The bot's id or token as the path takes it; one segment of the path, which the client encodes. It is shown nowhere.
            bot_id: String = "bot_id",
            /// The webhook.
            url: String = "url",
        }
        optional {
            /// The traffic account, joined to the URL; the configuration's when absent.
            ta: String = "ta",
        }
    }
}

impl Operation for Set {
    const ID: &'static str = "webhooks.messenger_c.set";
    const FAMILY: Family = Family::MessengerC;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/{bot_id}/setWebhook";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const EVIDENCE: Evidence = Evidence::Nothing;
    const SECTION: &'static str = "E";
    type Output = BotAnswer;

    fn complete(&mut self, wire: &RequestContext) {
        wire.fill_traffic_account(&mut self.ta);
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut query = if wire.names.set_webhook_raw {
            let ta = self.ta.as_ref().map(|ta| format!("?ta={ta}")).unwrap_or_default();
            format!("?url={}{ta}", self.url)
        } else {
            format!("?url={}", build::encode(&super::join_ta(&self.url, self.ta.as_deref())))
        };
        build::push_query(&mut query, self.extra.iter());
        wire.with_bot_id::<Self>(&self.bot_id, &query)
    }

    fn parse(
        _wire: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        answer::read_or_default(&response.body, warnings)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.merged::<Self>()?;
        if let Some((url, ta)) = members.text("url").map(super::split_ta) {
            members.set("url", url);
            if let Some(ta) = ta {
                members.set("ta", ta);
            }
        }
        members.into_json()
    }
}

impl Validate for Set {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        webhook::bot_id(&self.bot_id, at, problems);
        if !url::is_webhook(&self.url) {
            problems.add_key(&codes::WEBHOOK_MESSENGER_C_URL, at, "url");
        }
        webhook::traffic_account(self.ta.as_deref(), at, problems);
        members::unknown(self, at, problems);
    }
}
