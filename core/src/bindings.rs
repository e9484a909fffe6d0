//! For the other languages, the sandbox and the generators: functions from JSON to JSON and details that a Rust program does not need.
//! Hidden in the documentation and in the listing of the public API: any version may change them.

#[cfg(feature = "callback")]
pub use crate::callback::{
    callback_json::{keyring_from_json, mint_json, receive_json},
    event_key::is_key,
    lease::{is_token, new_token, retry_after},
};
pub use crate::channel::webhook_account::append_traffic_account;
pub use crate::markup::markup_json::{escape_json as escape_markup_json, parse_json as parse_markup_json};
pub use crate::model::redact::shows_kind;
pub use crate::operations::table_json;
pub use crate::problem::report::NO_PROBLEMS;
pub use crate::reconcile::{
    by_id::{Appended, Cancelled, Gone, Verified},
    by_name::ByName,
};
#[cfg(feature = "national")]
pub use crate::text::national_json::{decode_json, encode_json, template_segments_json, transliterate_json};
pub use crate::text::{
    intent::intent_json,
    text_json::{
        TextError, annotate_json, annotate_json_with, estimate_json, estimate_json_with, estimate_to_json,
        segments_json, sender_json,
    },
};

#[cfg(all(feature = "call", not(all(target_family = "wasm", target_os = "unknown"))))]
pub use crate::client::system_clock::SystemClock;

#[cfg(feature = "call")]
pub use crate::client::certificate_errors::of_openssl as certificate_error;

#[cfg(feature = "__erased")]
pub use crate::response::confirm_response::ErasedValue;

/// As [`crate::client::Client::call_json`], for a binding that makes its object from the value of the response.
///
/// # Errors
/// As `call_json`.
#[cfg(feature = "__erased")]
pub async fn call_erased(
    client: &crate::client::Client,
    operation: crate::OperationId,
    request: &str,
) -> Result<crate::client::Response<ErasedValue>, crate::Error> {
    client.call_erased(operation, request).await
}

/// Sets the source of the random bytes that tokens of callbacks and leases need, on hosts without an operating system. The function
/// returns false if it has no random bytes. The first source stays.
#[cfg(all(feature = "callback", target_family = "wasm", target_os = "unknown"))]
pub fn set_random_source(fill: fn(&mut [u8]) -> bool) {
    crate::util::system_random::set_source(fill);
}

/// Reads a configuration from JSON, and from `variables` the members that it does not set: a JSON object of strings, such as
/// `{"CPAAS_SMS_URL": "https://…"}`, for hosts whose environment this library cannot read. Other variables are ignored.
///
/// # Errors
/// `invalid` with the reason `config`: as [`crate::Config::from_json`] and [`crate::Config::or_env`], or `variables` is not such an object.
pub fn config_with_variables(config: &str, variables: &str) -> Result<crate::Config, crate::Error> {
    crate::Config::from_json(config)?.or_variables_of(variables)
}

/// The maximum size of the body of a response, for bindings whose programs receive the responses.
///
/// # Errors
/// `invalid` with the reason `config` if the setting is 0.
#[cfg(feature = "call")]
pub fn max_response_bytes(config: &crate::Config) -> Result<usize, crate::Error> {
    crate::client::max_response_bytes(config)
}

/// Whether a transport of the program may report the reason: what can happen to one attempt on the network.
#[must_use]
pub const fn is_transport_failure(reason: crate::error::Reason) -> bool {
    reason.is_transport_failure()
}

/// The reasons of rejected callbacks.
#[cfg(feature = "callback")]
pub const REJECTION_REASONS: &[&str] = crate::callback::RejectionReason::CODES;

/// The kinds of errors in markup.
pub const MARKUP_ERROR_KINDS: &[&str] = crate::markup::ErrorKind::CODES;

/// The counter of texts without the instructions of a CPU, which the browser uses, and tests as a reference.
pub mod scalar_counter {
    pub use crate::text::scalar_counter::{count, count_utf16};
}

/// The families that have an address, each with the scheme, host and port of its addresses, in the order in which they are used.
#[must_use]
pub fn family_origins(context: &crate::request::RequestContext) -> Vec<(&'static str, Vec<String>)> {
    let origins = |bases: &[String]| bases.iter().map(|base| crate::config::origin(base)).collect();
    context.family_addresses().map(|(family, bases)| (family.as_str(), origins(bases))).collect()
}

/// Whether a member of a configuration in JSON has another type than its setting.
#[must_use]
pub fn has_mistyped_setting(config: &str) -> bool {
    crate::config::has_mistyped_member(config)
}

/// Runs a check of a value by name; see [`crate::checks`].
#[must_use]
pub fn check_json(name: &str, arguments: &str) -> Option<crate::problem::Report> {
    crate::checks::json(name, arguments)
}
