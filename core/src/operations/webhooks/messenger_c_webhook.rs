//! Registers, removes and reads the webhook of a `messenger_c` bot (E).

use std::borrow::Cow;

use crate::channel::webhook_account::{append_traffic_account, split_traffic_account};
use crate::error::Error;
use crate::http::{HttpRequest, HttpResponse};
use crate::model::model;
use crate::operation::{
    Family, Method, Operation, ResponseDecodeError, ResponseExpectation, RetrySafety, SuccessMarker,
};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::request::{IncomingRequest, RequestContext, RequestDecodeError, encoding, percent_encode};
use crate::response::response_reader;
use crate::rules::{unknown_members, url, webhook};

model! {
    /// Registers the webhook of a `messenger_c` bot.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::webhooks::messenger_c::SetMessengerCWebhook;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let bot_id = sandbox.credentials().bot_id.clone();
    /// client.call(SetMessengerCWebhook::new(bot_id, "https://shop.example/hooks/messenger_c")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct SetMessengerCWebhook {
        required {
            /// The bot's id or token: one segment of the path, which the client percent-encodes. It never appears in output.
            bot_id: String = "bot_id" in path where NotBlank,
            /// The URL of the webhook.
            url: String = "url" in query where Url,
        }
        optional {
            /// The traffic account, which is added to the URL; that of the configuration if absent.
            ta: String = "ta" in query,
        }
    }
}

impl Operation for SetMessengerCWebhook {
    const ID: &'static str = "webhooks.messenger_c.set";
    const FAMILY: Family = Family::MessengerC;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/{bot_id}/setWebhook";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Nothing;
    const SECTION: &'static str = "E";
    type Output = BotResponse;

    fn apply_defaults(&mut self, context: &RequestContext) {
        context.fill_traffic_account(&mut self.ta);
    }

    /// Adds the traffic account to the URL. `messenger_c_unencoded_url` requests the documented form, which is not percent-encoded.
    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let mut head = encoding::head(&Self::META, self, Self::PATH)?;
        let url = if context.names.messenger_c_unencoded_url {
            let ta = self.ta.as_ref().map(|ta| format!("?ta={ta}")).unwrap_or_default();
            format!("{}{ta}", self.url)
        } else {
            percent_encode(&append_traffic_account(&self.url, self.ta.as_deref()))
        };
        head.replace_query("url", url);
        head.remove_query("ta");
        context.encode_head(&Self::META, self, head)
    }

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::with_secret(&self.bot_id)
    }

    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        response_reader::read_or_default(&response.body, warnings)
    }

    fn decode_request<'a>(request: &IncomingRequest<'a>) -> Result<Cow<'a, str>, RequestDecodeError> {
        let mut members = request.merged(&Self::META)?;
        if let Some((url, ta)) = members.text("url").map(split_traffic_account) {
            members.set("url", url);
            if let Some(ta) = ta {
                members.set("ta", ta);
            }
        }
        members.into_json()
    }
}

impl Validate for SetMessengerCWebhook {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        webhook::bot_id(&self.bot_id, at, problems);
        if let Err(problem) = url::check_webhook(&self.url) {
            problem.report(&codes::WEBHOOK_MESSENGER_C_URL, at, "url", problems);
        }
        webhook::traffic_account(self.ta.as_deref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Removes the webhook of a `messenger_c` bot.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::webhooks::messenger_c::DeleteMessengerCWebhook;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let bot_id = sandbox.credentials().bot_id.clone();
    /// client.call(DeleteMessengerCWebhook::new(bot_id)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct DeleteMessengerCWebhook {
        required {
            /// The bot's id or token: one segment of the path, which the client percent-encodes. It never appears in output.
            bot_id: String = "bot_id" in path where NotBlank,
        }
    }
}

impl Operation for DeleteMessengerCWebhook {
    const ID: &'static str = "webhooks.messenger_c.delete";
    const FAMILY: Family = Family::MessengerC;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/{bot_id}/deleteWebhook";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Nothing;
    const SECTION: &'static str = "E";
    type Output = BotResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::with_secret(&self.bot_id)
    }

    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        response_reader::read_or_default(&response.body, warnings)
    }
}

impl Validate for DeleteMessengerCWebhook {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        webhook::bot_id(&self.bot_id, at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Reads the webhook of a `messenger_c` bot.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::webhooks::messenger_c::GetMessengerCWebhookInfo;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let bot_id = sandbox.credentials().bot_id.clone();
    /// let webhook = client.call(GetMessengerCWebhookInfo::new(bot_id)).await?;
    /// println!("{webhook:?}");
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetMessengerCWebhookInfo {
        required {
            /// The bot's id or token: one segment of the path, which the client percent-encodes. It never appears in output.
            bot_id: String = "bot_id" in path where NotBlank,
        }
    }
}

impl Operation for GetMessengerCWebhookInfo {
    const ID: &'static str = "webhooks.messenger_c.info";
    const FAMILY: Family = Family::MessengerC;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/{bot_id}/getWebhookInfo";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Nothing;
    const SECTION: &'static str = "E";
    type Output = WebhookInfo;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::with_secret(&self.bot_id)
    }

    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        let mut info: WebhookInfo = response_reader::read(&response.body, warnings)?;
        let inner = info.extra.get("result").and_then(|result| result.get("url"));
        if let (None, Some(url)) = (&info.url, inner.and_then(serde_json::Value::as_str)) {
            info.url = Some(url.to_owned());
        }
        Ok(info)
    }
}

impl Validate for GetMessengerCWebhookInfo {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        webhook::bot_id(&self.bot_id, at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// The response to setting or deleting a webhook, which is undocumented. A success status means success unless `ok` is
    /// false or the body looks like an error.
    pub struct BotResponse {
        optional {
            /// Whether the call succeeded.
            ok: bool = "ok",
            /// The result, in any form.
            result: crate::value::Value = "result",
            /// The provider's message.
            description: String = "description",
        }
    }
}

model! {
    /// A bot's webhook. Only `url` is documented.
    pub struct WebhookInfo {
        optional {
            /// The URL of the webhook; empty if the bot polls. Read at the top level or inside `result`.
            url: String = "url",
        }
    }
}
