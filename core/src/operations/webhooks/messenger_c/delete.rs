use super::BotAnswer;
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
    /// Removes the webhook of a `messenger_c` bot.
    pub struct Delete {
        required {
            /// The bot's id or token as the path takes it; one segment of the path, which the client encodes. It is shown nowhere.
            bot_id: String = "bot_id",
        }
    }
}

impl Operation for Delete {
    const ID: &'static str = "webhooks.messenger_c.delete";
    const FAMILY: Family = Family::MessengerC;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/{bot_id}/deleteWebhook";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const EVIDENCE: Evidence = Evidence::Nothing;
    const SECTION: &'static str = "E";
    type Output = BotAnswer;

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
        answer::read_or_default(&response.body, warnings)
    }
}

impl Validate for Delete {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        webhook::bot_id(&self.bot_id, at, problems);
        members::unknown(self, at, problems);
    }
}
