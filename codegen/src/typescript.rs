//! The generated files of the npm package: the types of requests, their JSON Schemas, and the messages of problems.

mod english_messages;
mod field_limits;
mod request_schemas;
mod request_types;

use crate::head;

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = super::object_names::ObjectNames::of_requests();
    let modules = [
        ("requests.d.ts", "the models of requests", request_types::module(&names)),
        ("schemas.js", "the models of requests", request_schemas::module(&names)),
        (
            "english.js",
            "`core/src/problem/codes.rs` and `tests/vectors/problems`",
            english_messages::module(),
        ),
    ];
    let modules = modules
        .into_iter()
        .map(|(name, source, text)| (format!("wasm/js/{name}"), format!("{}{text}", head("//", source))));
    modules.chain(request_schemas::files(&names)).collect()
}
