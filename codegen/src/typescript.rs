//! The generated files of the npm package: the types of requests, their JSON Schemas, and the messages of problems.

mod english_messages;
mod field_limits;
mod types;
mod zod_schemas;

const HEAD: &str = "// Generated from the list of operations: `cargo run -p codegen` rewrites it.\n";

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = super::object_names::ObjectNames::of_requests();
    let modules = [
        ("requests.d.ts", types::module(&names)),
        ("schemas.js", zod_schemas::module(&names)),
        ("english.js", english_messages::module()),
    ];
    let modules =
        modules.into_iter().map(|(name, text)| (format!("wasm/js/{name}"), format!("{HEAD}{text}")));
    modules.chain(zod_schemas::files(&names)).collect()
}
