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
    let closed = "the enums and tables that `codegen/src/typescript/closed_names.rs` lists";
    let modules = [
        ("requests.d.ts", "the models of requests", request_types::module(&names)),
        ("schemas.js", "the models of requests", request_schemas::module(&names)),
        (
            "english.js",
            "`core/src/problem/codes.rs` and `tests/vectors/problems`",
            english_messages::module(),
        ),
        ("operations.js", operations, operation_types::module(&results)),
        ("operations.d.ts", operations, operation_types::types(&results)),
        ("results.js", "the models of results", result_types::module(&results)),
        ("results.d.ts", "the models of results", result_types::types(&results)),
        ("settings.js", settings, setting_types::module()),
        ("settings.d.ts", settings, setting_types::types()),
        ("names.js", closed, closed_names::module()),
        ("names.d.ts", closed, closed_names::types()),
    ];
    let modules = modules
        .into_iter()
        .map(|(name, source, text)| (format!("wasm/js/{name}"), format!("{}{text}", head("//", source))));
    modules.chain(request_schemas::files(&names)).collect()
}
