//! One request and one successful response for every operation, written by hand from the specification, and a
//! configuration that calls all of them at one address.

use std::sync::LazyLock;

use cpaas::{Config, OperationId};
use serde::Deserialize;
use serde_json::value::RawValue;

/// An operation with a request and a response.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The operation's name.
    pub id: &'static str,
    /// Its request, as `call_json` accepts it.
    pub request: &'static str,
    /// A successful response.
    pub response: &'static str,
}

/// Keys, tokens, texts, numbers and codes of [`EXAMPLES`] and [`config`]. No log, message or `Debug` output may contain them.
pub const SECRETS: &[&str] = &[
    "k-api-7f3a",
    "k-sms-91bc",
    "k-lookup-55de",
    "k-msg-20ff",
    "t-chan-b-66aa",
    "bot4711:t-bot-c",
    "QUMxOmstYXBpLTdmM2E",
    "306912345678",
    "306987654321",
    "Your table is ready",
    "482913",
    "hooks.example",
];

/// Every family at one address, each with its own key. Repeated ids are accepted, because each example always returns the same id.
#[must_use]
pub fn config(url: &str) -> Config {
    Config::default()
        .otp_url(url)
        .sms_url(url)
        .lookup_url(url)
        .messaging_url(url)
        .messenger_b_url(url)
        .messenger_c_url(url)
        .account_sid("AC1")
        .api_key("k-api-7f3a")
        .sms_key("k-sms-91bc")
        .lookup_key("k-lookup-55de")
        .messaging_key("k-msg-20ff")
        .messenger_b_token("t-chan-b-66aa")
        .traffic_account_id("0f8fad5b-d9cb-469f-a165-70867728950e")
        .accept_repeated_ids(true)
}

/// The example of an operation.
///
/// # Panics
/// When there is none.
#[must_use]
#[expect(clippy::panic, reason = "tests")]
pub fn example(id: &str) -> Example {
    let found = EXAMPLES.iter().find(|example| example.id == id);
    found.copied().unwrap_or_else(|| panic!("no example of {id}"))
}

/// The example of every operation: the member `example` of its file in `tests/vectors/responses`.
pub static EXAMPLES: LazyLock<Vec<Example>> =
    LazyLock::new(|| OperationId::ALL.iter().map(|operation| read(operation.meta().id)).collect());

/// Keeps request and response as written in the file, because the order of the members matters in a failover.
#[expect(clippy::expect_used, reason = "the files belong to this repository")]
fn read(id: &'static str) -> Example {
    #[derive(Deserialize)]
    struct Vectors {
        example: Texts,
    }
    #[derive(Deserialize)]
    struct Texts {
        request: Box<RawValue>,
        response: Box<RawValue>,
    }
    let path = crate::root().join(format!("tests/vectors/responses/{id}.json"));
    let text = std::fs::read_to_string(path).expect("every operation has a file of responses");
    let texts = serde_json::from_str::<Vectors>(&text).expect("a file of responses has an example").example;
    let keep = |text: Box<RawValue>| -> &'static str { Box::leak(text.get().into()) };
    Example { id, request: keep(texts.request), response: keep(texts.response) }
}
