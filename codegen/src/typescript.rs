//! The generated files of the npm package: the types of requests, their JSON Schemas, the messages of problems, and the operations,
//! results and settings of a client.

mod english_messages;
mod field_limits;
mod names;
mod operations;
mod request_schemas;
mod request_types;
mod results;
mod settings;

use crate::head;
use crate::object_names::ObjectNames;

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = ObjectNames::of_requests();
    let results = ObjectNames::of_results();
    let operations = "the list of operations and their models";
    let settings = "the settings in `core/src/config.rs`";
    let closed = "the enums and tables that `codegen/src/typescript/names.rs` lists";
    let modules = [
        ("requests.d.ts", "the models of requests", request_types::module(&names)),
        ("schemas.js", "the models of requests", request_schemas::module(&names)),
        (
            "english.js",
            "`core/src/problem/codes.rs` and `tests/vectors/problems`",
            english_messages::module(),
        ),
        ("operations.js", operations, operations::module(&results)),
        ("operations.d.ts", operations, operations::types(&results)),
        ("results.js", "the models of results", results::module(&results)),
        ("results.d.ts", "the models of results", results::types(&results)),
        ("settings.js", settings, settings::module()),
        ("settings.d.ts", settings, settings::types()),
        ("names.js", closed, names::module()),
        ("names.d.ts", closed, names::types()),
    ];
    let modules = modules
        .into_iter()
        .map(|(name, source, text)| (format!("wasm/js/{name}"), format!("{}{text}", head("//", source))));
    modules.chain(request_schemas::files(&names)).collect()
}
