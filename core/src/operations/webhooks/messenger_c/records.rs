use crate::macros::model;

model! {
    /// The answer to setting or deleting a webhook. The specification shows none: any success status is one,
    /// unless `ok` is false.
    pub struct BotAnswer {
        optional {
            /// Whether it was done.
            ok: bool = "ok",
            /// What was done.
            result: crate::value::Value = "result",
            /// What the provider says.
            description: String = "description",
        }
    }
}

model! {
    /// A bot's webhook. The specification shows `url` and no more.
    pub struct WebhookInfo {
        optional {
            /// The webhook; empty when the bot polls instead. Read at the top level or inside `result`.
            url: String = "url",
        }
    }
}
