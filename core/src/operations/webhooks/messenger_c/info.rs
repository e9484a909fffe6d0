use super::WebhookInfo;
use crate::{
    answer, error::Error, http::HttpRequest, http::HttpResponse, operation::ResponseDecodeError,
    wire::RequestContext, wire::build,
};
use crate::{
    macros::model,
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::{members, webhook},
};

model! {
    /// Reads the webhook of a `messenger_c` bot.
    pub struct Info {
        required {
            /// The bot's id or token as the path takes it; one segment of the path, which the client encodes. It is shown nowhere.
            bot_id: String = "bot_id",
        }
    }
}

impl Operation for Info {
    const ID: &'static str = "webhooks.messenger_c.info";
    const FAMILY: Family = Family::MessengerC;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/{bot_id}/getWebhookInfo";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Nothing;
    const SECTION: &'static str = "E";
    type Output = WebhookInfo;

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut query = String::new();
        build::push_query(&mut query, self.extra.iter());
        wire.with_bot_id::<Self>(&self.bot_id, &query)
    }

    fn parse(
        _wire: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        let mut info: WebhookInfo = answer::read(&response.body, warnings)?;
        let inner = info.extra.get("result").and_then(|result| result.get("url"));
        if let (None, Some(url)) = (&info.url, inner.and_then(serde_json::Value::as_str)) {
            info.url = Some(url.to_owned());
        }
        Ok(info)
    }
}

impl Validate for Info {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        webhook::bot_id(&self.bot_id, at, problems);
        members::unknown(self, at, problems);
    }
}
