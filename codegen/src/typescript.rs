//! The generated files of the npm package: the types of requests, their JSON Schemas, the messages of problems, and the operations,
//! results and settings of a client.

mod closed_names;
mod english_messages;
mod field_limits;
mod operation_types;
mod request_schemas;
mod request_types;
mod result_types;
mod setting_types;

use crate::head;
use crate::object_names::ObjectNames;

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = ObjectNames::of_requests();
    let results = ObjectNames::of_results();
    let operations = "the list of operations and their models";
    let settings = "the settings in `core/src/config.rs`";
    let closed = "the enums and tables that it lists";
    let modules = [
        ("requests.d.ts", "request_types.rs", "the models of requests", request_types::module(&names)),
        ("schemas.js", "request_schemas.rs", "the models of requests", request_schemas::module(&names)),
        (
            "english.js",
            "english_messages.rs",
            "`core/src/problem/codes.rs` and `tests/vectors/problems`",
            english_messages::module(),
        ),
        ("operations.js", "operation_types.rs", operations, operation_types::module(&results)),
        ("operations.d.ts", "operation_types.rs", operations, operation_types::types(&results)),
        ("results.js", "result_types.rs", "the models of results", result_types::module(&results)),
        ("results.d.ts", "result_types.rs", "the models of results", result_types::types(&results)),
        ("settings.js", "setting_types.rs", settings, setting_types::module()),
        ("settings.d.ts", "setting_types.rs", settings, setting_types::types()),
        ("names.js", "closed_names.rs", closed, closed_names::module()),
        ("names.d.ts", "closed_names.rs", closed, closed_names::types()),
    ];
    let modules = modules.into_iter().map(|(name, generator, source, text)| {
        let head = head("//", &format!("typescript/{generator}"), source);
        (format!("wasm/js/{name}"), head + &text)
    });
    modules.chain(request_schemas::files(&names)).collect()
}
