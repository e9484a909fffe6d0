//! The generated files of the npm package: the types of requests, their JSON Schemas, and the messages of problems.

mod english_messages;
mod field_limits;
mod request_schemas;
mod request_types;

const HEAD: &str = "// Generated from the list of operations: `cargo run -p codegen` rewrites it.\n";

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = super::object_names::ObjectNames::of_requests();
    let modules = [
        ("requests.d.ts", request_types::module(&names)),
        ("schemas.js", request_schemas::module(&names)),
        ("english.js", english_messages::module()),
    ];
    let modules =
        modules.into_iter().map(|(name, text)| (format!("wasm/js/{name}"), format!("{HEAD}{text}")));
    modules.chain(request_schemas::files(&names)).collect()
}
